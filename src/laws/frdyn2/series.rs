//! Truncated power series: coefficients in fixed arrays, products, evaluation.

use super::constants::MAX_ORDER;

/// Coefficients c_0 … c_15 of a truncated power series in t or τ.
pub type Series = [f64; MAX_ORDER + 1];
/// The series 0.
pub const ZERO: Series = [0.0; MAX_ORDER + 1];
/// 1/(k + 1): the factors of an integration term by term.
pub const INVERSES: Series = {
    let mut inverses = ZERO;
    let mut k = 0;
    while k <= MAX_ORDER {
        inverses[k] = 1.0 / (k + 1) as f64;
        k += 1;
    }
    inverses
};

/// Coefficient k of the product of two series of any length. Slices, because the bounds of single coefficients would be checked.
#[inline(always)]
pub fn product(a: &[f64], b: &[f64], k: usize) -> f64 {
    let (a, b) = (&a[..k + 1], &b[..k + 1]);
    // Two sums, because each addition of one waits for the last.
    let mut sums = [0.0; 2];
    for (a, b) in a.chunks_exact(2).zip(b.rchunks_exact(2)) {
        sums = [sums[0] + a[0] * b[1], sums[1] + a[1] * b[0]];
    }
    if k.is_multiple_of(2) { sums[0] + sums[1] + a[k] * b[0] } else { sums[0] + sums[1] }
}

/// [`product`] of a series with itself.
#[inline(always)]
pub fn square(a: &[f64], k: usize) -> f64 {
    let a = &a[..k + 1];
    let half: f64 = (0..k.div_ceil(2)).map(|j| a[j] * a[k - j]).sum();
    2.0 * half + if k.is_multiple_of(2) { a[k / 2] * a[k / 2] } else { 0.0 }
}

/// Value at `t` of the terms up to `order`, by Horner's scheme.
pub fn value(c: &Series, order: usize, t: f64) -> f64 {
    c[..=order].iter().rev().fold(0.0, |sum, c| sum * t + c)
}

/// Value at `t` minus the value at 0, without their cancellation.
pub fn change(c: &Series, order: usize, t: f64) -> f64 {
    c[1..=order].iter().rev().fold(0.0, |sum, c| (sum + c) * t)
}

/// Two series that are evaluated together, at several places at once: independent sums fill the processor's pipeline.
pub struct Pair {
    coefficients: [[f64; 2]; MAX_ORDER + 1],
    order: usize,
}

impl Pair {
    /// Two series up to `order`.
    pub fn new(a: &Series, b: &Series, order: usize) -> Self {
        Pair { coefficients: core::array::from_fn(|k| [a[k], b[k]]), order }
    }

    /// Values of both series at each of `t`.
    #[inline]
    pub fn at<const N: usize>(&self, t: [f64; N]) -> [[f64; N]; 2] {
        let add = |sum: [f64; N], c: f64| core::array::from_fn(|i| sum[i] * t[i] + c);
        let terms = self.coefficients[..=self.order].iter().rev();
        terms.fold([[0.0; N]; 2], |sums, c| [add(sums[0], c[0]), add(sums[1], c[1])])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_the_polynomials() {
        let (a, b) = ([1.0, -2.0, 0.5, 3.0, 0.7], [0.2, 0.0, -1.0, 4.0, 1.5]);
        for k in 0..5 {
            let sum = |b: &[f64; 5]| (0..=k).map(|j| a[j] * b[k - j]).sum::<f64>();
            assert!((product(&a, &b, k) - sum(&b)).abs() < 1e-14, "{k}");
            assert!((square(&a, k) - sum(&a)).abs() < 1e-14, "{k}");
        }
    }

    #[test]
    fn values_of_a_pair_and_changes_are_those_of_the_polynomial() {
        let (mut a, mut b) = (ZERO, ZERO);
        a[..4].copy_from_slice(&[1.0, -2.0, 0.5, 3.0]);
        b[..3].copy_from_slice(&[0.2, 0.0, -1.0]);
        let pair = Pair::new(&a, &b, 3);
        for t in [0.0, 0.3, 1.7] {
            let [of_a, of_b] = pair.at([t, 2.0 * t]);
            assert_eq!([of_a[0], of_b[1]], [value(&a, 3, t), value(&b, 3, 2.0 * t)]);
            assert!((change(&a, 3, t) - (value(&a, 3, t) - 1.0)).abs() < 1e-14);
        }
    }
}
