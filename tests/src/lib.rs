//! Helpers of the test programs: elements of cards, the coupled test bench, Python, random values, and every tolerance with its reason.

pub mod cards;
pub mod operating_points;
pub mod plausible_values;
pub mod python;
pub mod test_bench;
pub mod tolerances;
