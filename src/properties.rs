//! Properties for random values: of the numerical parts and of elements. A failure is shrunk to the
//! simplest values.
//!
//! The random numbers are the same on every run; `BRISTLE_PROPERTY_CASES` raises the number of
//! cases of each property.

mod elements;
mod numerics;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner};

/// Checks a property for this many values of a strategy.
pub(crate) fn check<S: Strategy>(
    cases: u32,
    strategy: S,
    property: impl Fn(S::Value) -> TestCaseResult,
) {
    let wanted = std::env::var("BRISTLE_PROPERTY_CASES")
        .ok()
        .and_then(|text| text.parse().ok());
    let config = Config {
        cases: wanted.unwrap_or(cases),
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    runner
        .run(&strategy, property)
        .unwrap_or_else(|failure| panic!("{failure}"));
}
