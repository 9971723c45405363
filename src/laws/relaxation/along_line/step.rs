//! One inner step of a first-order bristle with an exponent α other than 1: Radau IIA with five stages, of order 9.

use super::{Bristle, Coefficients, Relaxation, Relaxing, Solved};
use crate::integrate::collocation::{self, INVERSE, NODES, SLOPES_AT_START, STAGES, START_FROM_STAGES};
use crate::integrate::extrema::smaller;
use crate::integrate::linear::Lu;
use crate::laws::relaxation::{RISING_SHARE, STAGE_ERROR};

/// Largest number of Newton iterations.
const MAX_ITERATIONS: usize = 12;
/// Error of the stage equations over that allowed in a step.
const NEWTON_SHARE: f64 = 1e-2;
/// Largest error of e in a step to which that of the stage equations refers, over 1 + |e| at its start. Beyond the limit of inner steps any
/// error may be allowed, but the estimate holds for solved stage equations: without this bound F_R is off by 0.17 of F_s in
/// `error_beyond_the_limit_of_inner_steps_is_estimated`, and the estimate is 3e-6.
const MAX_ALLOWED: f64 = 1e-2;

/// One step of a bristle along a line, see [`Relaxing::step`].
pub fn step(
    relaxation: &Relaxation<Bristle>,
    t: f64,
    here: Coefficients,
    h: f64,
    [e]: [f64; 1],
    allowed: f64,
) -> Option<Solved<1, Coefficients>> {
    let bristle = relaxation.bristle;
    let stages = NODES.map(|node| relaxation.coefficients(t + node * h));
    let mut u = [bristle.unknown(e); STAGES];
    let mut last_size = f64::INFINITY;
    let mut converged = false;
    for _ in 0..MAX_ITERATIONS {
        let x = u.map(|u| bristle.at(u));
        let mut matrix = [[0.0; STAGES]; STAGES];
        let mut residual = [0.0; STAGES];
        for i in 0..STAGES {
            let Coefficients { normal, p, q, .. } = stages[i];
            residual[i] = h * (p * x[i].bending - q * (1.0 - x[i].e));
            for j in 0..STAGES {
                let weight = normal * INVERSE[i][j];
                residual[i] += weight * (x[j].e - e);
                matrix[i][j] = weight * x[j].by_e;
            }
            matrix[i][i] += h * (p * x[i].by_bending + q * x[i].by_e);
        }
        let correction = Lu::new(matrix).solve(residual);
        let mut size: f64 = 0.0;
        for i in 0..STAGES {
            u[i] -= correction[i];
            size = size.max((bristle.at(u[i]).e - x[i].e).abs());
        }
        if !size.is_finite() {
            return None;
        }
        if size <= NEWTON_SHARE * allowed.min(MAX_ALLOWED * (1.0 + e.abs())) {
            converged = true;
            break;
        }
        if size > 2.0 * last_size {
            return None;
        }
        last_size = size;
    }
    let ends = u.map(|u| bristle.at(u).e);
    if !converged || !ends.iter().all(|e| e.is_finite()) {
        return None;
    }
    // Where F_N rises from 0, the rate of e at the start is too inaccurate for an estimate. The distance
    // of e from the polynomial through the stages, of order 5.
    if here.normal < RISING_SHARE * stages[0].normal.max(stages[STAGES - 1].normal) {
        let bend: f64 = (0..STAGES).map(|i| START_FROM_STAGES[i] * ends[i]).sum();
        return Some(Solved {
            stages: ends.map(|e| [e]),
            coefficients: stages,
            error: STAGE_ERROR * (bend - e).abs() / allowed,
        });
    }
    // The defect at the start, filtered: Hairer & Wanner (IV.8.20), times F_N.
    let Coefficients { normal, p, q, .. } = here;
    let rate = q * (1.0 - e) - p * bristle.at(bristle.unknown(e)).bending;
    let slope: f64 = (0..STAGES).map(|i| SLOPES_AT_START[i] * (ends[i] - e)).sum();
    // For α < 1 the slope at e = 0 is infinite, and the filter would suppress every error: the slope at the allowed error bounds it.
    let filter = |at: &Coefficients, e: f64| {
        let steep = bristle.at(bristle.unknown(e.abs().max(allowed)));
        collocation::GAMMA * at.normal / h + at.q + at.p * steep.by_bending / steep.by_e
    };
    let least = stages.iter().zip(ends).fold(filter(&here, e), |least, (at, e)| smaller(filter(at, e), least));
    let error = ((rate - normal / h * slope) / least).abs() / allowed;
    error.is_finite().then_some(Solved { stages: ends.map(|e| [e]), coefficients: stages, error })
}
