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

/// A product of two series that grows with its factors.
#[derive(Clone, Copy)]
pub struct Product([f64; 2 * (ORDER + 1)]);

impl Product {
    pub const ZERO: Product = Product([0.0; 2 * (ORDER + 1)]);

    /// Adds what coefficient k of both factors, `a_k` and `b_k`, gives with those before it, and returns coefficient k
    /// of the product, which is then complete. `a` and `b` hold the coefficients before k, and zeros from k on: whole
    /// blocks are added without looking where they end.
    #[inline(always)]
    pub fn grow(&mut self, a: &Series, b: &Series, k: usize, a_k: f64, b_k: f64) -> f64 {
        for from in (0..k).step_by(4) {
            let sums = &mut self.0[k + from..][..4];
            let (a, b) = (&a[from..][..4], &b[from..][..4]);
            for i in 0..4 {
                sums[i] += a_k * b[i] + b_k * a[i];
            }
        }
        self.0[2 * k] += a_k * b_k;
        self.0[k]
    }

    /// The same for a square, without the terms that hold coefficient 0; what is returned waits for those of k.
    #[inline(always)]
    pub fn grow_square_above_0(&mut self, a: &Series, k: usize, a_k: f64) {
        let (a_0, twice) = (a[0], 2.0 * a_k);
        for from in (0..k).step_by(4) {
            let sums = &mut self.0[k + from..][..4];
            let a = &a[from..][..4];
            for i in 0..4 {
                sums[i] += twice * a[i];
            }
        }
        self.0[k] -= twice * a_0;
        self.0[2 * k] += a_k * a_k;
    }

    #[inline(always)]
    pub fn coefficient(&self, k: usize) -> f64 {
        self.0[k]
    }
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
