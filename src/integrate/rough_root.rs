//! Roots to a few percent, for the lengths of steps.

/// Factor that centres the error, 1: uncorrected it lies between −0.6 % and +6.1 %. Derivation: 1/√(0.994 · 1.061).
const CENTRE: f64 = 0.97;

/// N-th root of a positive number within 4 %; infinity for infinity, and 0 for 0, negative numbers and NaN.
///
/// Exponent and fraction of a floating-point number, read as one integer, are nearly its binary logarithm (J. N. Mitchell, IRE Trans.
/// Electronic Computers 11, 1962): the root is a division of that integer.
#[inline]
pub fn rough_root<const N: i64>(x: f64) -> f64 {
    const ONE: i64 = 1.0_f64.to_bits() as i64;
    if !(x >= f64::MIN_POSITIVE) {
        return 0.0;
    }
    if x == f64::INFINITY {
        return x;
    }
    CENTRE * f64::from_bits(((x.to_bits() as i64 - ONE) / N + ONE) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Largest relative error over 174 decades.
    fn worst<const N: i64>() -> f64 {
        let error = |i: i32| {
            let x = libm::exp(0.2 * f64::from(i) / 3.0);
            (rough_root::<N>(x) / libm::pow(x, 1.0 / N as f64) - 1.0).abs()
        };
        (-3000..3000).map(error).fold(0.0, f64::max)
    }

    #[test]
    fn the_rough_root_is_within_4_percent() {
        let worst = [worst::<10>(), worst::<11>(), worst::<12>(), worst::<14>(), worst::<15>()];
        assert!(worst.iter().all(|error| *error < 0.04), "{worst:?}");
        for nothing in [0.0, -1.0, f64::NAN] {
            assert_eq!(rough_root::<15>(nothing), 0.0);
        }
        assert_eq!(rough_root::<15>(f64::INFINITY), f64::INFINITY);
    }
}
