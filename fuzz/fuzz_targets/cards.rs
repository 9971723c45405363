//! Guided fuzzing of the target `cards` of `tests/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bristle_fuzz_targets::cards(data));
