//! One inner step of a bristle whose equation is linear, α = 1: Radau IIA with five stages, of order 9.
//!
//! While the bristle slides, its distance from the steady deflection is smooth. While it sticks, P < |dF_N/dt|, it is the deflection z:
//! F_N dz/dt = F_N v − P z hardly depends on F_N, while z over the steady deflection changes by a factor with each factor of F_N.

use super::relaxing::{LinearEquation, Relaxing, Solved};
use super::{RISING_SHARE, STAGE_ERROR};
use crate::integrate::collocation::{GAMMA, INVERSE, NODES, SLOPES_AT_START, STAGES, START_FROM_STAGES};
use crate::integrate::linear::Lu;
use core::array;

/// Error of a step of the deflection in which F_N rises by a factor r > 1/[`RISING_SHARE`], over its distance from the polynomial through
/// the stages: at most `OF_RISE` ln r − `OF_LEAST_RISE`. That of z = ln F_N, as which a power of F_N with a small exponent decays, is 0.8
/// to 0.3 of it.
const OF_RISE: f64 = 5.0;
const OF_LEAST_RISE: f64 = 11.0;

/// A step from one value of y to the next.
struct LinearStep<const N: usize> {
    /// y at the stages.
    stages: [[f64; N]; STAGES],
    /// Estimated error of y.
    error: f64,
}

/// One step of length `h` (s) from `u` at the time `t` (s) by the equation of u, as [`Relaxing::step`].
pub fn of_unknown<R: Relaxing<N> + ?Sized, const N: usize>(
    relaxing: &R,
    [t, h]: [f64; 2],
    here: &R::Coefficients,
    u: [f64; N],
    allowed: f64,
) -> Option<Solved<N, R::Coefficients>> {
    let coefficients = NODES.map(|node| relaxing.coefficients(t + node * h));
    let equation = |at: &R::Coefficients| relaxing.equation(at);
    let at = array::from_fn(|i| equation(&coefficients[i]));
    // u stays smooth where F_N goes to 0.
    let LinearStep { stages, error } = linear_step(equation(here), at, h, u, |_| STAGE_ERROR);
    let error = error / allowed;
    error.is_finite().then_some(Solved { stages, coefficients, error })
}

/// One step in stick by the equation of the deflection, from the deflection `z` (m).
pub fn of_deflection<R: Relaxing<N> + ?Sized, const N: usize>(
    relaxing: &R,
    [t, h]: [f64; 2],
    here: &R::Coefficients,
    z: [f64; N],
    allowed: f64,
) -> Option<Solved<N, R::Coefficients>> {
    let coefficients = NODES.map(|node| relaxing.coefficients(t + node * h));
    let equation = |at: &R::Coefficients| relaxing.equation_of_deflection(at);
    let at = array::from_fn(|i| equation(&coefficients[i]));
    let LinearStep { stages, error } = linear_step(equation(here), at, h, z, error_of_rise);
    let unit = relaxing.unit(here).max(relaxing.unit(&coefficients[STAGES - 1]));
    let error = error / (unit * allowed);
    let stages = array::from_fn(|i| relaxing.unknown(&coefficients[i], stages[i]));
    error.is_finite().then_some(Solved { stages, coefficients, error })
}

/// Error of a step of the deflection in which F_N rises by this factor, over its distance from the polynomial through the stages.
fn error_of_rise(rise: f64) -> f64 {
    OF_RISE * libm::log(rise) - OF_LEAST_RISE
}

/// One step of length `h` (s) from `y`, with the equation at its start and at its stages, and the error where F_N rises, over the distance of y from the
/// polynomial through the stages.
fn linear_step<const N: usize>(
    here: LinearEquation<N>,
    at: [LinearEquation<N>; STAGES],
    h: f64,
    y: [f64; N],
    of_rise: impl Fn(f64) -> f64,
) -> LinearStep<N> {
    let mut matrix = [[0.0; STAGES]; STAGES];
    for i in 0..STAGES {
        matrix[i] = INVERSE[i].map(|weight| weight * at[i].normal);
        matrix[i][i] += h * at[i].decay;
    }
    let matrix = Lu::new(matrix);
    let changes: [[f64; STAGES]; N] = array::from_fn(|k| matrix.solve(at.map(|c| h * (c.drive[k] - c.decay * y[k]))));
    let sums = |weights: &[f64; STAGES]| -> [f64; N] {
        changes.map(|change| (0..STAGES).map(|i| weights[i] * change[i]).sum())
    };
    let size = |y: [f64; N]| y.iter().map(|y| y * y).sum::<f64>().sqrt();
    let rise = at[0].normal.max(at[STAGES - 1].normal) / here.normal.max(f64::MIN_POSITIVE);
    let error = if RISING_SHARE * rise > 1.0 {
        // Where F_N rises from 0, the rate at the start is too inaccurate for an estimate. The distance of y from the polynomial through
        // the stages, of order 5.
        of_rise(rise) * size(sums(&START_FROM_STAGES))
    } else {
        // The defect at the start, filtered: Hairer & Wanner (IV.8.20), times F_N.
        let slopes = sums(&SLOPES_AT_START);
        let defect = array::from_fn(|k| here.drive[k] - here.decay * y[k] - here.normal / h * slopes[k]);
        size(defect) / (GAMMA * here.normal / h + here.decay).abs()
    };
    LinearStep { stages: array::from_fn(|i| array::from_fn(|k| y[k] + changes[k][i])), error }
}

#[cfg(test)]
mod tests;
