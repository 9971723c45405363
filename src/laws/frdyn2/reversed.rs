//! A truncated power series in reverse order, for the products of the recurrence.

use super::constants::MAX_ORDER;
use super::series::Series;

/// Coefficients c_0, c_1, … that are set one after the other. They stand in reverse order before zeros, so that the sum of a product can have
/// the same length for all orders.
#[derive(Clone, Copy)]
pub struct Reversed {
    zeroth: f64,
    /// c_j at the place `MAX_ORDER` − j for j ≥ 1.
    others: [f64; 2 * MAX_ORDER],
}

impl Reversed {
    /// The series 0.
    pub const ZERO: Reversed = Reversed { zeroth: 0.0, others: [0.0; 2 * MAX_ORDER] };

    /// Coefficient k.
    #[inline(always)]
    pub fn at(&self, k: usize) -> f64 {
        if k == 0 { self.zeroth } else { self.others[MAX_ORDER - k] }
    }

    /// Sets coefficient k.
    #[inline(always)]
    pub fn set(&mut self, k: usize, coefficient: f64) {
        if k == 0 {
            self.zeroth = coefficient;
        } else {
            self.others[MAX_ORDER - k] = coefficient;
        }
    }

    /// Coefficient k of the product with another series without the terms that contain coefficient 0 or k of either. In a loop over the
    /// orders (`looped`) the sum has the same length for all of them, so that the loop has no branches. Otherwise k is known to the compiler,
    /// and the terms are added in the order in which the recurrence produces them, so that the sum is ready soon after the last coefficient.
    #[inline(always)]
    pub fn inner_product(&self, a: &Series, k: usize, looped: bool) -> f64 {
        if !looped {
            let mut sum = if k.is_multiple_of(2) && k > 0 { a[k / 2] * self.at(k / 2) } else { 0.0 };
            for j in (1..k.div_ceil(2)).rev() {
                sum += a[j] * self.at(k - j) + a[k - j] * self.at(j);
            }
            return sum;
        }
        let (a, b) = (&a[1..MAX_ORDER], &self.others[MAX_ORDER + 1 - k..][..MAX_ORDER - 1]);
        let mut sums = [0.0; 2];
        for j in (0..MAX_ORDER - 1).step_by(2) {
            sums = [sums[0] + a[j] * b[j], sums[1] + a[j + 1] * b[j + 1]];
        }
        sums[0] + sums[1]
    }

    /// [`inner_product`](Self::inner_product) with itself, in its order `a`.
    #[inline(always)]
    pub fn inner_square(&self, a: &Series, k: usize, looped: bool) -> f64 {
        if !looped {
            let middle = if k.is_multiple_of(2) && k > 0 { a[k / 2] * a[k / 2] } else { 0.0 };
            let mut sum = 0.0;
            for j in (1..k.div_ceil(2)).rev() {
                sum += a[j] * a[k - j];
            }
            return 2.0 * sum + middle;
        }
        self.inner_product(a, k, looped)
    }

    /// Coefficient k of the product with another series.
    #[inline(always)]
    pub fn product(&self, a: &Series, k: usize, looped: bool) -> f64 {
        let with_zeroth = self.zeroth * a[k];
        if k == 0 { with_zeroth } else { self.inner_product(a, k, looped) + self.at(k) * a[0] + with_zeroth }
    }
}

#[cfg(test)]
mod tests {
    use super::super::series::{ZERO, product};
    use super::*;

    #[test]
    fn products_are_the_convolution_less_the_terms_that_they_leave_out() {
        let (mut a, mut b, mut reversed) = (ZERO, ZERO, Reversed::ZERO);
        for k in 0..=MAX_ORDER {
            (a[k], b[k]) = (libm::sin(1.0 + k as f64), libm::cos(0.3 * k as f64));
            reversed.set(k, b[k]);
            assert_eq!(reversed.at(k), b[k]);
            let ends = if k > 0 { a[0] * b[k] + a[k] * b[0] } else { a[0] * b[0] };
            let square = product(&b, &b, k) - if k > 0 { 2.0 * b[0] * b[k] } else { b[0] * b[0] };
            for looped in [false, true] {
                let differences = [
                    reversed.product(&a, k, looped) - product(&a, &b, k),
                    reversed.inner_product(&a, k, looped) - (product(&a, &b, k) - ends),
                    reversed.inner_square(&b, k, looped) - square,
                ];
                assert!(differences.iter().all(|difference| difference.abs() < 1e-14), "{k}: {differences:?}");
            }
        }
    }
}
