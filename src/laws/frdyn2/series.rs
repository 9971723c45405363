//! Truncated power series: coefficients in fixed arrays, products that grow with their factors, evaluation.

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

/// A series with its last coefficient first, and zeros behind: the factor of a product that is read backwards.
#[derive(Clone, Copy)]
pub struct Reversed([f64; ORDER + LANES]);

/// Products are summed up in so many sums, which do not wait for one another.
const LANES: usize = 4;

impl Reversed {
    pub const ZERO: Reversed = Reversed([0.0; ORDER + LANES]);

    #[inline(always)]
    pub fn put(&mut self, k: usize, coefficient: f64) {
        self.0[ORDER - k] = coefficient;
    }
}

/// Coefficient k of the product of two series, as far as their coefficients are known: what is not yet there is 0.
#[inline(always)]
pub fn product(a: &Series, b: &Reversed, k: usize) -> f64 {
    let mut sums = [0.0; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.0[ORDER - k..].chunks_exact(LANES)) {
        for i in 0..LANES {
            sums[i] += a[i] * b[i];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}

/// `f64::max` of numbers, in one instruction.
#[inline(always)]
pub fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

pub fn value(c: &Series, order: usize, t: f64) -> f64 {
    c[..=order].iter().rev().fold(0.0, |sum, c| sum * t + c)
}

/// Two series that are evaluated together: one does not wait for the other.
pub struct Pair([[f64; 2]; ORDER + 1]);

impl Pair {
    pub fn new(a: &Series, b: &Series) -> Self {
        Pair(core::array::from_fn(|k| [a[k], b[k]]))
    }

    #[inline]
    pub fn at(&self, order: usize, t: f64) -> [f64; 2] {
        self.0[..=order].iter().rev().fold([0.0; 2], |sum, c| [sum[0] * t + c[0], sum[1] * t + c[1]])
    }
}

/// The value at `t` less the value at 0, without their cancellation.
pub fn change(c: &Series, order: usize, t: f64) -> f64 {
    c[1..=order].iter().rev().fold(0.0, |sum, c| (sum + c) * t)
}

pub fn power_14(x: f64) -> f64 {
    let x_2 = x * x;
    let x_4 = x_2 * x_2;
    x_4 * x_4 * (x_4 * x_2)
}

pub fn root16(x: f64) -> f64 {
    x.sqrt().sqrt().sqrt().sqrt()
}
