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

/// Adds to the coefficients of a product what coefficient k of both factors gives with those before it. Afterwards
/// the product is complete up to order k.
#[inline(always)]
pub fn gather(product: &mut Series, a: &Series, b: &Series, k: usize) {
    let n = k.min(ORDER + 1 - k);
    let (a_k, b_k) = (a[k], b[k]);
    for ((sum, a), b) in product[k..][..n].iter_mut().zip(&a[..n]).zip(&b[..n]) {
        *sum += a_k * b + b_k * a;
    }
    if 2 * k <= ORDER {
        product[2 * k] += a_k * b_k;
    }
}

/// The same for a square, without the terms that hold coefficient 0.
#[inline(always)]
pub fn gather_square_above_0(square: &mut Series, a: &Series, k: usize) {
    let n = k.min(ORDER + 1 - k);
    let twice = 2.0 * a[k];
    for (sum, a) in square[k..][..n].iter_mut().zip(&a[..n]).skip(1) {
        *sum += twice * a;
    }
    if 2 * k <= ORDER {
        square[2 * k] += a[k] * a[k];
    }
}

pub fn value(c: &Series, order: usize, t: f64) -> f64 {
    values([c], order, t)[0]
}

/// The values of several series at once: one does not wait for the other.
#[inline]
pub fn values<const N: usize>(c: [&Series; N], order: usize, t: f64) -> [f64; N] {
    let mut sums = [0.0; N];
    for k in (0..=order.min(ORDER)).rev() {
        for i in 0..N {
            sums[i] = sums[i] * t + c[i][k];
        }
    }
    sums
}

/// The value at `t` less the value at 0, without their cancellation.
pub fn change(c: &Series, order: usize, t: f64) -> f64 {
    c[1..=order].iter().rev().fold(0.0, |sum, c| (sum + c) * t)
}

pub fn power_15(x: f64) -> f64 {
    let x_5 = x * x * x * x * x;
    x_5 * x_5 * x_5
}

pub fn root16(x: f64) -> f64 {
    x.sqrt().sqrt().sqrt().sqrt()
}
