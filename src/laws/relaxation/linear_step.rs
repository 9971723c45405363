//! One inner step of a bristle whose equation is linear, α = 1: Radau IIA with five stages, of order 9.

use super::relaxing::{LinearEquation, Relaxing, Solved};
use super::{RISING_SHARE, STAGE_ERROR};
use crate::integrate::collocation::{GAMMA, INVERSE, NODES, SLOPES_AT_START, STAGES, START_FROM_STAGES};
use crate::integrate::extrema::smaller;
use crate::integrate::linear::Lu;
use crate::vector::length;
use core::array;

/// One step of length `h` (s) from `u` at the time `t` (s), as [`Relaxing::step`].
pub fn linear_step<R: Relaxing<N> + ?Sized, const N: usize>(
    relaxing: &R,
    [t, h]: [f64; 2],
    here: &R::Coefficients,
    u: [f64; N],
    allowed: f64,
) -> Option<Solved<N, R::Coefficients>> {
    let coefficients = NODES.map(|node| relaxing.coefficients(t + node * h));
    let at: [LinearEquation<N>; STAGES] = array::from_fn(|i| relaxing.equation(&coefficients[i]));
    let here = relaxing.equation(here);
    let mut matrix = [[0.0; STAGES]; STAGES];
    for i in 0..STAGES {
        matrix[i] = INVERSE[i].map(|weight| weight * at[i].normal);
        matrix[i][i] += h * at[i].decay;
    }
    let matrix = Lu::new(matrix);
    let changes: [[f64; STAGES]; N] = array::from_fn(|k| matrix.solve(at.map(|c| h * (c.drive[k] - c.decay * u[k]))));
    let sums = |weights: &[f64; STAGES]| -> [f64; N] {
        changes.map(|change| (0..STAGES).map(|i| weights[i] * change[i]).sum())
    };
    let error = if here.normal < RISING_SHARE * at[0].normal.max(at[STAGES - 1].normal) {
        // Where F_N rises from 0, the rate at the start is too inaccurate for an estimate. The distance of u from the polynomial through
        // the stages, of order 5: u stays smooth where F_N goes to 0.
        STAGE_ERROR * length(sums(&START_FROM_STAGES))
    } else {
        // The defect at the start, filtered: Hairer & Wanner (IV.8.20), times F_N. By the filter of the slowest place: a bristle that
        // relaxes fast at the start hides the error of its later, slower motion.
        let slopes = sums(&SLOPES_AT_START);
        let defect: [f64; N] = array::from_fn(|k| here.drive[k] - here.decay * u[k] - here.normal / h * slopes[k]);
        let filter = |at: &LinearEquation<N>| (GAMMA * at.normal / h + at.decay).abs();
        length(defect) / at.iter().map(filter).fold(filter(&here), |least, here| smaller(here, least))
    };
    let stages = array::from_fn(|i| array::from_fn(|k| u[k] + changes[k][i]));
    let error = error / allowed;
    error.is_finite().then_some(Solved { stages, coefficients, error })
}
