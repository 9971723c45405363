//! Helpers of the test programs: elements of cards, the coupled test bench, Python, random values,
//! and every tolerance with its reason.

pub mod cards;
pub mod combinations;
pub mod operating_points;
pub mod plausible_values;
pub mod python;
pub mod test_bench;
pub mod tolerances;

/// Number of random cases: `usual`, or `long` where the variable `BRISTLE_LONG` is set, as
/// `cargo xtask test --long` sets it.
pub fn cases(usual: usize, long: usize) -> usize {
    if std::env::var_os("BRISTLE_LONG").is_some() {
        long
    } else {
        usual
    }
}
