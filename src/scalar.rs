//! Scalars that laws are written over: numbers, and dual numbers, which carry the derivatives of a
//! result with it.
//!
//! One text of a law gives its force, its Jacobian and its directional derivatives, along a line
//! and in a plane.

use core::ops::{Add, Mul, Neg, Sub};

/// Number with the operations of a law.
pub trait Scalar:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Mul<f64, Output = Self>
{
    /// A number that depends on nothing.
    fn constant(x: f64) -> Self;

    /// The value, without derivatives.
    fn value(self) -> f64;

    /// A function of this number, from its value and its derivative here.
    #[must_use]
    fn chain(self, value: f64, slope: f64) -> Self;

    /// Square root; its derivative at 0 counts as 0.
    #[inline(always)]
    #[must_use]
    fn sqrt(self) -> Self {
        let root = self.value().sqrt();
        self.chain(root, if root > 0.0 { 0.5 / root } else { 0.0 })
    }

    /// 1 over this number.
    #[inline(always)]
    #[must_use]
    fn reciprocal(self) -> Self {
        let quotient = 1.0 / self.value();
        self.chain(quotient, -quotient * quotient)
    }

    /// Exponential function.
    #[inline(always)]
    #[must_use]
    fn exp(self) -> Self {
        let exp = libm::exp(self.value());
        self.chain(exp, exp)
    }

    /// Hyperbolic tangent.
    #[inline(always)]
    #[must_use]
    fn tanh(self) -> Self {
        let tanh = libm::tanh(self.value());
        self.chain(tanh, 1.0 - tanh * tanh)
    }

    /// Magnitude; its derivative at 0 is 1.
    #[inline(always)]
    #[must_use]
    fn abs(self) -> Self {
        if self.value() < 0.0 { -self } else { self }
    }
}

impl Scalar for f64 {
    #[inline(always)]
    fn constant(x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn value(self) -> f64 {
        self
    }

    #[inline(always)]
    fn chain(self, value: f64, _: f64) -> f64 {
        value
    }

    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }
}

/// Dual number: a value with its derivatives along M directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<const M: usize> {
    /// The value.
    pub value: f64,
    /// Its derivatives.
    pub derivatives: [f64; M],
}

impl<const M: usize> Dual<M> {
    /// The independent variable of this number.
    #[inline(always)]
    pub fn variable(value: f64, number: usize) -> Self {
        Dual {
            value,
            derivatives: core::array::from_fn(|k| if k == number { 1.0 } else { 0.0 }),
        }
    }

    #[inline(always)]
    fn with(value: f64, derivative: impl FnMut(usize) -> f64) -> Self {
        Dual {
            value,
            derivatives: core::array::from_fn(derivative),
        }
    }
}

impl<const M: usize> Add for Dual<M> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::with(self.value + other.value, |k| {
            self.derivatives[k] + other.derivatives[k]
        })
    }
}

impl<const M: usize> Sub for Dual<M> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::with(self.value - other.value, |k| {
            self.derivatives[k] - other.derivatives[k]
        })
    }
}

impl<const M: usize> Mul for Dual<M> {
    type Output = Self;
    #[inline(always)]
    #[allow(clippy::suspicious_arithmetic_impl)] // the product rule
    fn mul(self, other: Self) -> Self {
        Self::with(self.value * other.value, |k| {
            self.derivatives[k] * other.value + self.value * other.derivatives[k]
        })
    }
}

impl<const M: usize> Neg for Dual<M> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::with(-self.value, |k| -self.derivatives[k])
    }
}

impl<const M: usize> Add<f64> for Dual<M> {
    type Output = Self;
    #[inline(always)]
    fn add(self, number: f64) -> Self {
        Dual {
            value: self.value + number,
            ..self
        }
    }
}

impl<const M: usize> Mul<f64> for Dual<M> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, number: f64) -> Self {
        Self::with(self.value * number, |k| self.derivatives[k] * number)
    }
}

impl<const M: usize> Scalar for Dual<M> {
    #[inline(always)]
    fn constant(x: f64) -> Self {
        Dual {
            value: x,
            derivatives: [0.0; M],
        }
    }

    #[inline(always)]
    fn value(self) -> f64 {
        self.value
    }

    #[inline(always)]
    fn chain(self, value: f64, slope: f64) -> Self {
        Self::with(value, |k| slope * self.derivatives[k])
    }
}

/// Magnitude, whose derivative at 0 counts as 0.
pub fn magnitude<S: Scalar>(number: S) -> S {
    if number.value() == 0.0 {
        S::constant(0.0)
    } else {
        number.abs()
    }
}

/// Length of a vector.
#[inline(always)]
pub fn size<S: Scalar, const D: usize>(x: &[S; D]) -> S {
    if D == 1 {
        return x[0].abs();
    }
    let mut square = x[0] * x[0];
    for part in &x[1..] {
        square = square + *part * *part;
    }
    square.sqrt()
}

/// A vector times a number.
#[inline(always)]
pub fn scaled<S: Scalar, const D: usize>(x: &[S; D], factor: S) -> [S; D] {
    core::array::from_fn(|i| x[i] * factor)
}

/// Scalar product.
#[inline(always)]
pub fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    let mut sum = a[0] * b[0];
    for i in 1..D {
        sum += a[i] * b[i];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_of_dual_numbers_are_those_of_difference_quotients() {
        fn function<S: Scalar>(x: S, y: S) -> S {
            size(&[x, y * 3.0]) * (x + 2.0).reciprocal() - (-x).abs() * y.sqrt()
                + x * y.exp()
                + (x * y).tanh()
        }
        for (x, y) in [(0.7, 0.2), (-1.3, 2.0)] {
            let found = function(Dual::<2>::variable(x, 0), Dual::variable(y, 1));
            assert_eq!(found.value, function(x, y));
            let d = 1e-6;
            let by_x = (function(x + d, y) - function(x - d, y)) / (2.0 * d);
            let by_y = (function(x, y + d) - function(x, y - d)) / (2.0 * d);
            for (found, expected) in found.derivatives.into_iter().zip([by_x, by_y]) {
                assert!(
                    (found - expected).abs() < 1e-8 * expected.abs().max(1.0),
                    "{found}, not {expected}"
                );
            }
        }
    }

    #[test]
    fn derivatives_at_zero_are_finite() {
        let zero = Dual::<1>::variable(0.0, 0);
        assert_eq!(size(&[zero, zero]).derivatives, [0.0]);
        assert_eq!(
            (zero.sqrt().derivatives, zero.abs().derivatives),
            ([0.0], [1.0])
        );
    }
}
