//! Truncated power series: coefficients in fixed arrays, products, evaluation.

/// The highest order of a step.
pub const ORDER: usize = 15;
/// A truncated power series in t or τ.
pub type Series = [f64; ORDER + 1];
pub const ZERO: Series = [0.0; ORDER + 1];
/// 1/(k + 1).
pub const INVERSES: Series = {
    let mut inverses = ZERO;
    let mut k = 0;
    while k <= ORDER {
        inverses[k] = 1.0 / (k + 1) as f64;
        k += 1;
    }
    inverses
};

/// Coefficient k of the product of two series, without the terms that hold coefficient 0 or k of either. What was known
/// first is added first, so that hardly anything waits for the last coefficients.
#[inline(always)]
pub fn inner_product(a: &Series, b: &Series, k: usize) -> f64 {
    let mut sum = if k.is_multiple_of(2) && k > 0 { a[k / 2] * b[k / 2] } else { 0.0 };
    for j in (1..k.div_ceil(2)).rev() {
        sum += a[j] * b[k - j] + a[k - j] * b[j];
    }
    sum
}

/// The same for a square.
#[inline(always)]
pub fn inner_square(a: &Series, k: usize) -> f64 {
    let middle = if k.is_multiple_of(2) && k > 0 { a[k / 2] * a[k / 2] } else { 0.0 };
    let mut sum = 0.0;
    for j in (1..k.div_ceil(2)).rev() {
        sum += a[j] * a[k - j];
    }
    2.0 * sum + middle
}

/// Coefficient k of the product of two series.
#[inline(always)]
pub fn product(a: &Series, b: &Series, k: usize) -> f64 {
    (0..=k).map(|j| a[j] * b[k - j]).sum()
}

/// `f64::max` of numbers, in one instruction.
#[inline(always)]
pub fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// `f64::min` of numbers, in one instruction.
#[inline(always)]
pub fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

pub fn value(c: &Series, order: usize, t: f64) -> f64 {
    c[..=order].iter().rev().fold(0.0, |sum, c| sum * t + c)
}

/// Two series up to an order, evaluated together and at several places: none waits for another.
pub struct Pair {
    coefficients: [[f64; 2]; ORDER + 1],
    order: usize,
}

impl Pair {
    pub fn new(a: &Series, b: &Series, order: usize) -> Self {
        Pair { coefficients: core::array::from_fn(|k| [a[k], b[k]]), order }
    }

    /// The values of both at each of `t`.
    #[inline]
    pub fn at<const N: usize>(&self, t: [f64; N]) -> [[f64; N]; 2] {
        let add = |sum: [f64; N], c: f64| core::array::from_fn(|i| sum[i] * t[i] + c);
        let terms = self.coefficients[..=self.order].iter().rev();
        terms.fold([[0.0; N]; 2], |sums, c| [add(sums[0], c[0]), add(sums[1], c[1])])
    }
}

/// The value at `t` less the value at 0, without their cancellation.
pub fn change(c: &Series, order: usize, t: f64) -> f64 {
    c[1..=order].iter().rev().fold(0.0, |sum, c| (sum + c) * t)
}

/// The N-th root of a number above 0 within 4 %, or infinite as the number; 0 of what is none. Exponent and fraction of a
/// floating-point number, read as one whole number, are nearly its binary logarithm (J. N. Mitchell, IRE Trans. Electronic
/// Computers 11, 1962).
#[inline]
pub fn rough_root<const N: i64>(x: f64) -> f64 {
    const ONE: i64 = 1.0_f64.to_bits() as i64;
    if !(x >= f64::MIN_POSITIVE) {
        return 0.0;
    }
    if x == f64::INFINITY {
        return x;
    }
    // The root as it is read lies between 0.6 % below and 6.1 % above the true one.
    0.97 * f64::from_bits(((x.to_bits() as i64 - ONE) / N + ONE) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rough_root_is_the_root_within_4_percent() {
        for i in -3000..3000 {
            let x = libm::exp(0.2 * f64::from(i) / 3.0);
            let root = libm::pow(x, 1.0 / 15.0);
            assert!((rough_root::<15>(x) / root - 1.0).abs() < 0.04, "{x:e}");
        }
        for nothing in [0.0, -1.0, f64::NAN] {
            assert_eq!(rough_root::<15>(nothing), 0.0);
        }
        assert_eq!(rough_root::<15>(f64::INFINITY), f64::INFINITY);
    }
}
