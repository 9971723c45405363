//! Exponential of a decay.

/// Exponent beyond which nothing is left of a decay: e^(−100) is 4e-44.
pub const DECAYED: f64 = 100.0;

/// e^(−x), and 0 where it is below 1e-43: products with it could be subnormal numbers, for which
/// processors take a hundred cycles.
#[inline]
pub fn decay(x: f64) -> f64 {
    if x > DECAYED { 0.0 } else { libm::exp(-x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decay_is_an_exponential_whose_square_is_no_subnormal_number() {
        for x in [-2.0, 0.0, 1e-3, 7.0, 99.9] {
            let left = decay(x);
            assert!(
                left == libm::exp(-x) && (left * left).is_normal(),
                "{x}: {left:e}"
            );
        }
        assert_eq!([100.1, 720.0, f64::INFINITY].map(decay), [0.0; 3]);
        assert!(decay(f64::NAN).is_nan());
    }
}
