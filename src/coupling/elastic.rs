//! Identification of the effective mass and of the order of a master where the body hangs on a spring.
//!
//! A mass on a spring swings by an angle ϕ within a step, and the three taps of [`Identification`](super::identification::Identification) do not explain
//! its motion from some ϕ = 0.5 on. The sampled motion of two masses with a spring between them, or of one on a spring to the ground, under a force
//! that is constant in each step, is exactly
//!
//! Δ³v_n = −σ Δv_{n−1} − (H/m) Δ²P_n − κ P_{n−1} + c
//!
//! in a serial coupling, with σ = 2 − 2 cos ϕ, κ = 0 on the ground, and a constant c for a constant load; m is the impulse of a force over a step over
//! the change of v at its end. Another order shifts the forces. Each order is a linear regression with exponential forgetting. A result counts where
//! Δ²P explains what the other terms leave over, and no other order does. Prescribed motions leave it unexplained, as the test signal is no part of them.
//! The tests cover ϕ up to 1 rad.

use super::identification::{ForceOrder, Response, agree};
use crate::saved_state::{Reader, SavedState, Writer};

/// Weight of the earlier sums in each step: a window of about 14 steps for four coefficients.
const FORGETTING_FACTOR: f64 = 0.93;
/// Lower bound on the partial coherence of Δ³v and Δ²P in one order, and upper bound on that of the others. The bound of the others is that of
/// the survey of docs/coupling.md at which no run shows a wrong order or mass; 0.95 shows four more masses there.
const COHERENCE: [f64; 2] = [0.97, 0.85];
/// Least steps in the sums.
const MIN_STEPS: f64 = 12.0;
/// Steps whose velocities and forces the first differences need.
const HISTORY: f64 = 5.0;
/// Steps in a row that must agree.
const AGREEING: f64 = 3.0;
/// Smallest pivot of the normal equations over their diagonal: below it the terms are not independent.
const MIN_PIVOT: f64 = 1e-5;
/// Lower bound on the part of Δ³v that the terms without Δ²P leave over: a smaller one is rounding.
const MIN_REST: f64 = 1e-9;
/// Relative change of the length of a step from which the sums start again: the coefficients belong to one length.
const MAX_LENGTH_CHANGE: f64 = 1e-3;
/// Sum below which all sums are set to 0, so that they do not decay into subnormal numbers, which are slow.
const NEGLIGIBLE_SUM: f64 = 1e-100;
/// Variables in the sums: 1, the last five forces (the newest first), Δv_{n−1} and Δ³v_n.
const VARIABLES: usize = 8;
/// Place of Δv_{n−1}.
const CHANGE: usize = 6;
/// Place of Δ³v_n.
const THIRD: usize = 7;
/// Products of two variables.
const SUMS: usize = VARIABLES * (VARIABLES + 1) / 2;
/// Terms of the regression: 1, Δv_{n−1}, P_{n−1}, Δ²P_n, and Δ³v_n as its right-hand side.
const TERMS: usize = 5;

/// Regression on the last steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticIdentification {
    /// Steps since the start of the sums.
    steps: f64,
    /// Length of the steps, s.
    duration: f64,
    /// Last velocities, the newest first, m/s.
    velocities: [f64; 3],
    /// Weighted sums of the products of the variables, by rows of the lower triangle.
    sums: [f64; SUMS],
    /// Mass of the last result, kg, the number of its order, and the steps in a row that agree.
    last: [f64; 3],
}

impl Default for ElasticIdentification {
    fn default() -> Self {
        ElasticIdentification { steps: 0.0, duration: 0.0, velocities: [0.0; 3], sums: [0.0; SUMS], last: [0.0; 3] }
    }
}

/// Linear combination of the variables.
type Term = [f64; VARIABLES];

impl ElasticIdentification {
    /// Adds a communication point with the velocity `v` (m/s), after a step of `duration` (s), with the last `forces` (N), the newest first.
    pub fn observe(&mut self, v: f64, duration: f64, forces: [f64; 5]) {
        let [v1, v2, v3] = self.velocities;
        let third = v - 3.0 * v1 + 3.0 * v2 - v3;
        let is_varied = !((duration - self.duration).abs() <= MAX_LENGTH_CHANGE * duration);
        if is_varied || !third.is_finite() {
            *self = ElasticIdentification { duration, ..ElasticIdentification::default() };
            self.velocities[0] = v;
            return;
        }
        self.velocities = [v, v1, v2];
        self.steps += 1.0;
        if self.steps <= HISTORY {
            return;
        }
        let [p1, p2, p3, p4, p5] = forces;
        let variables = [1.0, p1, p2, p3, p4, p5, v1 - v2, third];
        let mut sums = self.sums.iter_mut();
        for (i, a) in variables.iter().enumerate() {
            for (b, sum) in variables[..=i].iter().zip(&mut sums) {
                *sum = FORGETTING_FACTOR * *sum + a * b;
            }
        }
        let size: f64 = (0..VARIABLES).map(|i| self.sum(i, i)).sum();
        if !(size <= 1.0 / NEGLIGIBLE_SUM) {
            (self.sums, self.steps) = ([0.0; SUMS], 0.0);
        }
    }

    /// Starts the sums again with the next communication point.
    pub fn clear(&mut self) {
        self.duration = 0.0;
    }

    /// The response, where the last steps agree on one.
    pub fn response(&mut self) -> Option<Response> {
        let found = self.fit();
        agree(&mut self.last, found, AGREEING)
    }

    /// Sum of the products of two variables.
    fn sum(&self, i: usize, j: usize) -> f64 {
        let (row, column) = (i.max(j), i.min(j));
        self.sums[row * (row + 1) / 2 + column]
    }

    /// Sum of the products of two combinations of variables.
    fn product(&self, a: &Term, b: &Term) -> f64 {
        let mut product = 0.0;
        for (i, a) in a.iter().enumerate().filter(|(_, a)| **a != 0.0) {
            for (j, b) in b.iter().enumerate().filter(|(_, b)| **b != 0.0) {
                product += a * b * self.sum(i, j);
            }
        }
        product
    }

    /// Response by the sums of now.
    fn fit(&self) -> Option<Response> {
        if self.steps < HISTORY + MIN_STEPS || self.sum(THIRD, THIRD) < NEGLIGIBLE_SUM {
            return None;
        }
        let mut best: Option<(Response, f64)> = None;
        let mut second = 0.0_f64;
        for (order, weights) in ForceOrder::ALL {
            let Some((mass, coherence)) = self.fit_order(weights) else { continue };
            if best.is_none_or(|(_, known)| coherence > known) {
                second = best.map_or(second, |(_, known)| known.max(second));
                best = Some((Response { order, mass }, coherence));
            } else {
                second = second.max(coherence);
            }
        }
        let (response, coherence) = best?;
        (coherence > COHERENCE[0] && second < COHERENCE[1]).then_some(response)
    }

    /// Mass (kg) and partial coherence of Δ³v and Δ²P where the forces act with these weights.
    fn fit_order(&self, weights: [f64; 3]) -> Option<(f64, f64)> {
        let unit = |place: usize| -> Term { core::array::from_fn(|i| f64::from(i == place)) };
        let (mut force, mut curvature) = ([0.0; VARIABLES], [0.0; VARIABLES]);
        for (i, weight) in weights.into_iter().enumerate() {
            force[2 + i] += weight;
            for (place, factor) in [1.0, -2.0, 1.0].into_iter().enumerate() {
                curvature[1 + i + place] += factor * weight;
            }
        }
        let terms = [unit(0), unit(CHANGE), force, curvature, unit(THIRD)];
        let mut gram = [[0.0; TERMS]; TERMS];
        for (row, a) in gram.iter_mut().zip(&terms) {
            for (product, b) in row.iter_mut().zip(&terms) {
                *product = self.product(a, b);
            }
        }
        let sizes: [f64; TERMS] = core::array::from_fn(|i| gram[i][i]);
        // Elimination without pivoting: the matrix is positive semidefinite.
        for c in 0..TERMS - 2 {
            if !(gram[c][c] > MIN_PIVOT * sizes[c]) {
                return None;
            }
            let pivot = gram[c];
            for row in gram.iter_mut().skip(c + 1) {
                let factor = row[c] / pivot[c];
                row.iter_mut().zip(&pivot).for_each(|(value, above)| *value -= factor * above);
            }
        }
        let (xx, xy, yy) = (gram[3][3], gram[3][4], gram[4][4]);
        let mass = -self.duration * xx / xy;
        let is_regular = xx > MIN_PIVOT * sizes[3] && yy > MIN_REST * sizes[4];
        (is_regular && mass > 0.0 && mass.is_finite()).then(|| (mass, xy * xy / (xx * yy)))
    }
}

impl SavedState for ElasticIdentification {
    fn write(&self, writer: &mut Writer) {
        let ElasticIdentification { steps, duration, velocities, sums, last } = self;
        [*steps, *duration].write(writer);
        velocities.write(writer);
        sums.write(writer);
        last.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [steps, duration] = SavedState::read(reader)?;
        Some(ElasticIdentification {
            steps,
            duration,
            velocities: SavedState::read(reader)?,
            sums: SavedState::read(reader)?,
            last: SavedState::read(reader)?,
        })
    }
}

#[cfg(test)]
mod tests;
