//! One inner step of a first-order bristle: Radau IIA with five stages, of order 9.

use super::{Coefficients, Relaxation};
use crate::integrate::collocation::{self, INVERSE, NODES, SLOPES_AT_START, STAGES, START_FROM_STAGES};
use crate::integrate::linear::Lu;

/// Normal force at the start of an inner step over its maximum in the step, below which F_N rises from 0.
const RISING_SHARE: f64 = 0.1;
/// Error of such a step over the fifth difference of e; a step of order 9 is far better.
const STAGE_ERROR: f64 = 0.1;
/// Largest number of Newton iterations.
const MAX_ITERATIONS: usize = 12;
/// Error of the stage equations over that allowed in a step.
const NEWTON_SHARE: f64 = 1e-2;

/// Step with solved stage equations.
pub struct Solved {
    /// e at the stages.
    pub e: [f64; STAGES],
    /// Coefficients of the equation at the stages.
    pub coefficients: [Coefficients; STAGES],
    /// The estimated error over that allowed.
    pub error: f64,
}

impl Relaxation<'_> {
    /// One step of length `h` (s) from `e` at `t`, where the equation has the coefficients `here`; `None` where the stage
    /// equations cannot be solved.
    pub fn step(&self, t: f64, here: Coefficients, h: f64, e: f64, allowed: f64) -> Option<Solved> {
        let stages = NODES.map(|node| self.coefficients(t + node * h));
        let mut u = [self.bristle.unknown(e); STAGES];
        let mut last_size = f64::INFINITY;
        let mut converged = false;
        for _ in 0..MAX_ITERATIONS {
            let x = u.map(|u| self.bristle.at(u));
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
                size = size.max((self.bristle.at(u[i]).e - x[i].e).abs());
            }
            if !size.is_finite() {
                return None;
            }
            if self.bristle.alpha == 1.0 || size <= NEWTON_SHARE * allowed {
                converged = true;
                break;
            }
            if size > 2.0 * last_size {
                return None;
            }
            last_size = size;
        }
        let ends = u.map(|u| self.bristle.at(u).e);
        if !converged || !ends.iter().all(|e| e.is_finite()) {
            return None;
        }
        // Where F_N rises from 0, the rate of e at the start is too inaccurate for an estimate. The distance
        // of e from the polynomial through the stages, of order 5.
        if here.normal < RISING_SHARE * stages[0].normal.max(stages[STAGES - 1].normal) {
            let bend: f64 = (0..STAGES).map(|i| START_FROM_STAGES[i] * ends[i]).sum();
            return Some(Solved { e: ends, coefficients: stages, error: STAGE_ERROR * (bend - e).abs() / allowed });
        }
        // The defect at the start, filtered: Hairer & Wanner (IV.8.20), times F_N.
        let Coefficients { normal, p, q, .. } = here;
        let rate = q * (1.0 - e) - p * self.bristle.at(self.bristle.unknown(e)).bending;
        let slope: f64 = (0..STAGES).map(|i| SLOPES_AT_START[i] * (ends[i] - e)).sum();
        // For α < 1 the slope at e = 0 is infinite, and the filter would suppress every error: the slope at the allowed error bounds it.
        let steep = self.bristle.at(self.bristle.unknown(e.abs().max(allowed)));
        let filter = collocation::GAMMA * normal / h + q + p * steep.by_bending / steep.by_e;
        let error = ((rate - normal / h * slope) / filter).abs() / allowed;
        error.is_finite().then_some(Solved { e: ends, coefficients: stages, error })
    }
}
