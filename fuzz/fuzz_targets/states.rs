//! Guided fuzzing of the target `states` of `tests/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bristle_fuzz_targets::states(data));
