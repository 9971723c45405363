//! Guided fuzzing of the target `ssv` of `tests/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bristle_fuzz_targets::ssv(data));
