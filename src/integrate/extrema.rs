//! Extrema of two numbers. `f64::max` and `f64::min` take seven instructions to skip a NaN.

/// Larger one of two numbers, in one instruction; `a` where one is NaN.
#[inline(always)]
pub fn larger(a: f64, b: f64) -> f64 {
    if a <= b { b } else { a }
}

/// Smaller one of two numbers, in one instruction; `b` where one is NaN.
#[inline(always)]
pub fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
