//! Helpers of the test programs: the coupled test bench, Python, random values, and every tolerance with its reason.

pub mod operating_points;
pub mod plausible_values;
pub mod python;
pub mod test_bench;
pub mod tolerances;
