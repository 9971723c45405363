//! Polynomials of degree 5 at most on the unit interval, and isolation of their first change of
//! sign.
//!
//! A polynomial lies between the smallest and the largest of its Bernstein coefficients.
//! Coefficients of one sign prove that there is no root, which samples cannot; one change of sign
//! proves that there is exactly one (Descartes' rule). In other cases the interval is bisected by
//! de Casteljau's algorithm, down to cells of the width [`FLOOR`]. See T. W. Sederberg, *Computer
//! Aided Geometric Design*, Sec. 2 and 9.

use super::NEGLIGIBLE;
use core::ops::{Add, Mul, Neg, Sub};

/// Number of coefficients.
pub const TERMS: usize = 6;

/// Width of the narrowest cell: between two roots of P that lie closer, |P| is below 1e-19 of P's
/// curvature, far below rounding.
pub const FLOOR: f64 = 1.0 / (1_u64 << 31) as f64;
/// Depth of the stack of cells: one for each bisection down to the width [`FLOOR`], and two.
const MAX_CELLS: usize = 33;
/// Precision to which a root is located, relative to its distance from 0: a force just behind the
/// start of a step may be any multiple of the force in the rest of the step.
const PRECISION: f64 = 2.0 * f64::EPSILON;

/// 1 over the factorials.
const INVERSE_FACTORIALS: [f64; 5] = [1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0];

/// Value after a time `t` of a polynomial from its value and time derivatives at 0, up to order 4.
#[inline(always)]
pub fn taylor<const N: usize>(orders: &[f64; N], t: f64) -> f64 {
    (0..N).rev().fold(0.0, |rest, order| {
        orders[order] * INVERSE_FACTORIALS[order] + t * rest
    })
}

/// Mean from 0 to a time `t` of a polynomial from its value and time derivatives at 0.
pub fn mean<const N: usize>(input: &[f64; N], t: f64) -> f64 {
    // The integral over t has one order more, and the factor 1/(n + 1)! in place of 1/n!.
    let (mut sum, mut power) = (0.0, 1.0);
    for (order, derivative) in input.iter().enumerate() {
        power /= (order + 1) as f64;
        sum += derivative * power;
        power *= t;
    }
    sum
}

/// Polynomial over the shares of a time `h` from its value and time derivatives at the start, up to
/// order 4.
pub fn over<const N: usize>(orders: &[f64; N], h: f64) -> Polynomial {
    let (mut polynomial, mut power) = (Polynomial::default(), 1.0);
    for (order, derivative) in orders.iter().enumerate() {
        polynomial.0[order] = derivative * INVERSE_FACTORIALS[order] * power;
        power *= h;
    }
    polynomial
}

/// c₀ + c₁s + … + c₅s⁵ for s from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Polynomial(pub [f64; TERMS]);

impl Polynomial {
    /// The polynomial that is `c` throughout.
    pub const fn constant(c: f64) -> Self {
        Polynomial([c, 0.0, 0.0, 0.0, 0.0, 0.0])
    }

    /// The value at `s`.
    #[inline]
    pub fn at(&self, s: f64) -> f64 {
        let c = &self.0;
        c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5]))))
    }

    /// The derivative at `s`.
    fn derivative_at(&self, s: f64) -> f64 {
        let c = &self.0;
        c[1] + s * (2.0 * c[2] + s * (3.0 * c[3] + s * (4.0 * c[4] + s * (5.0 * c[5]))))
    }

    /// The integral from 0, of a polynomial of degree 4 at most.
    #[inline]
    pub fn integral(&self) -> Self {
        let c = &self.0;
        Polynomial([0.0, c[0], c[1] / 2.0, c[2] / 3.0, c[3] / 4.0, c[4] / 5.0])
    }

    /// The coefficients in the Bernstein basis of degree 5.
    fn bernstein(&self) -> [f64; TERMS] {
        // b_j = Σ_i C(j, i)/C(5, i) c_i.
        let [c0, c1, c2, c3, c4, c5] = self.0;
        let [c1, c2, c3, c4] = [c1 / 5.0, c2 / 10.0, c3 / 10.0, c4 / 5.0];
        [
            c0,
            c0 + c1,
            c0 + 2.0 * c1 + c2,
            c0 + 3.0 * c1 + 3.0 * c2 + c3,
            c0 + 4.0 * c1 + 6.0 * c2 + 4.0 * c3 + c4,
            c0 + 5.0 * c1 + 10.0 * c2 + 10.0 * c3 + 5.0 * c4 + c5,
        ]
    }

    /// First s in (0, 1] at which the sign differs from that at 0, to within some units in the last
    /// place and beyond the root, 1e-200 at least; `None` where the sign does not change. A value
    /// of 0 counts as positive.
    #[inline]
    pub fn first_change(&self) -> Option<f64> {
        let [start, rest @ ..] = self.0;
        // The polynomial changes by at most `max_change` on the interval: a quick test that
        // excludes most roots.
        let max_change =
            rest[0].abs() + rest[1].abs() + rest[2].abs() + rest[3].abs() + rest[4].abs();
        if start.abs() > max_change {
            None
        } else {
            self.isolate()
        }
    }

    /// First s in (`from`, 1] at which the sign differs from that at `from`, with the precision of
    /// [`first_change`](Self::first_change).
    pub fn first_change_after(&self, from: f64) -> Option<f64> {
        let width = 1.0 - from;
        // Taylor coefficients about `from`, by Horner's scheme.
        let mut c = self.0;
        for i in 0..TERMS - 1 {
            for j in (i..TERMS - 1).rev() {
                c[j] += from * c[j + 1];
            }
        }
        let mut power = 1.0;
        for c in &mut c {
            *c *= power;
            power *= width;
        }
        Polynomial(c)
            .first_change()
            .map(|part| (from + part * width).min(1.0))
    }

    /// Isolates the first change of sign by bisection of the Bernstein form.
    #[inline(never)] // rare, and its cells take space on the stack
    fn isolate(&self) -> Option<f64> {
        let [start, rest @ ..] = self.0;
        let before = is_negative(start);
        let slope = rest[0];
        let falls_from_0 = start == 0.0
            && rest
                .into_iter()
                .find(|c| *c != 0.0)
                .is_some_and(is_negative);
        if falls_from_0 || start.abs() < NEGLIGIBLE * slope.abs() && is_negative(slope) != before {
            return Some(NEGLIGIBLE);
        }
        let mut cells = [([0.0; TERMS], 0.0, 0.0); MAX_CELLS];
        cells[0] = (self.bernstein(), 0.0, 1.0);
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (b, from, width) = cells[count];
            let changes = b
                .windows(2)
                .filter(|pair| is_negative(pair[0]) != is_negative(pair[1]))
                .count();
            if is_negative(b[0]) != before {
                // The sign changes between this cell and the one before it, by rounding of the
                // coefficients.
                return Some(from);
            }
            if changes == 0 {
                continue;
            }
            if changes <= 1 || width <= FLOOR {
                if let Some(root) = self.change_in(from, from + width, before) {
                    return Some(root);
                }
                continue;
            }
            let [left, right] = halves(b);
            let half = 0.5 * width;
            cells[count] = (right, from + half, half);
            cells[count + 1] = (left, from, half);
            count += 2;
        }
        None
    }

    /// Place between `near` and `far` from which on the sign is not `before`; `None` if it is
    /// `before` at `far`.
    fn change_in(&self, near: f64, far: f64, before: bool) -> Option<f64> {
        change_of_sign(|s| self.at(s), |s| self.derivative_at(s), near, far, before)
    }
}

/// Place between `near` and `far` from which on the sign of a function is not `before`, by Newton's
/// method within a bracket; `None` if it is `before` at `far`.
#[inline]
fn change_of_sign(
    value: impl Fn(f64) -> f64,
    derivative: impl Fn(f64) -> f64,
    mut near: f64,
    mut far: f64,
    before: bool,
) -> Option<f64> {
    let changed = |s: f64| is_negative(value(s)) != before;
    if !changed(far) {
        return None;
    }
    let mut guess = 0.5 * (near + far);
    // Widths of the bracket one and two iterations ago.
    let mut widths = [f64::INFINITY; 2];
    while far - near > PRECISION * far {
        if !(guess > near && guess < far) {
            guess = 0.5 * (near + far);
            if guess <= near || guess >= far {
                break;
            }
        }
        if changed(guess) {
            far = guess;
        } else {
            near = guess;
        }
        // Twice Newton's step where that is short beside the bracket: it ends beyond the root, so
        // that the bracket closes from both sides. Bisection where two iterations did not halve the
        // bracket.
        let width = far - near;
        let step = (value(guess) / derivative(guess)).abs();
        let beyond = if step < 0.25 * width {
            (2.0 * step).max(0.5 * PRECISION * far)
        } else {
            step
        };
        let halved = width <= 0.5 * widths[1];
        guess = match (halved, guess == far) {
            (false, _) => 0.5 * (near + far),
            (true, true) => guess - beyond,
            (true, false) => guess + beyond,
        };
        widths = [width, widths[0]];
    }
    Some(far)
}

fn is_negative(x: f64) -> bool {
    x < 0.0
}

/// The Bernstein coefficients on the two halves of an interval, by de Casteljau's algorithm.
#[allow(clippy::needless_range_loop)] // two indices into two arrays read better than iterators
fn halves(b: [f64; TERMS]) -> [[f64; TERMS]; 2] {
    let (mut left, mut right) = (b, b);
    for level in 1..TERMS {
        for j in 0..TERMS - level {
            right[j] = 0.5 * (right[j] + right[j + 1]);
        }
        left[level] = right[0];
    }
    [left, right]
}

impl Add for Polynomial {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Polynomial(core::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl Sub for Polynomial {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Polynomial(core::array::from_fn(|i| self.0[i] - other.0[i]))
    }
}

impl Neg for Polynomial {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Polynomial(self.0.map(|c| -c))
    }
}

impl Mul<f64> for Polynomial {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f64) -> Self {
        Polynomial(self.0.map(|c| c * factor))
    }
}

/// The product of two polynomials whose degrees add up to 5 at most.
impl Mul for Polynomial {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let mut product = [0.0; TERMS];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate().take(TERMS - i) {
                product[i + j] += a * b;
            }
        }
        Polynomial(product)
    }
}

#[cfg(test)]
mod tests;
