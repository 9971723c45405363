//! Errors that an inner step is allowed.

use super::*;

#[test]
fn allowed_error_is_the_tolerance_of_the_scale_and_the_rounding_of_the_value() {
    assert_eq!(allowed(2.0, 0.0, 1e-6), 2e-6);
    let rounding = allowed(2.0, -1e6, 1e-6) - 2e-6;
    assert!((rounding - 1e-8).abs() < 1e-20, "{rounding:e}");
    assert!(allowed(0.0, 0.0, 1e-6) > 0.0);
}

#[test]
fn contact_is_open_where_no_end_has_a_normal_force() {
    assert!(is_open([-1.0, 0.0]) && is_open([0.0, 0.0]));
    assert!(!is_open([-1.0, 1.0]) && !is_open([1.0, -1.0]));
}
