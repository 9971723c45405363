//! Guided fuzzing of the target `sections` of `tests/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bristle_fuzz_targets::sections(data));
