//! Implicit stages of an inner step, by Newton's method: each contact eliminates its own states.

use super::super::contact::{BodyContact, ContactScales, LawStage, StageResponse};
use super::super::linear_body::{AlongAxes, dot};
use super::{COEFFICIENTS, GAMMA, Integrator, NODES, Stage, allowed, is_open};
use crate::integrate::linear::solve_dense;

/// Change of a Newton step, over the tolerance, from which the iteration has converged.
const CONVERGED: f64 = 0.03;
/// Lower bound on the contraction of a Newton step: a linear system converges in one.
const MIN_CONTRACTION: f64 = 1e-6;
/// Newton steps of a stage. A smooth stage takes two or three; more are left to a shorter step.
const MAX_ITERATIONS: usize = 10;

impl Integrator {
    /// Solves a stage by Newton's method; `None` where it diverges.
    pub(super) fn solve_stage<C: BodyContact + ?Sized, const A: usize>(
        &mut self,
        body: AlongAxes<'_, A>,
        contacts: &[Box<C>],
        stage: usize,
        [t, h]: [f64; 2],
        tolerance: f64,
    ) -> Option<()> {
        let (weight, time) = (h * GAMMA, t + h * NODES[stage]);
        let (done, rest) = self.stages.split_at_mut(stage);
        let now = &mut rest[0];
        self.base.y.copy_from_slice(&self.motion.y);
        self.base.x.copy_from_slice(&self.motion.x);
        for (earlier, a) in done.iter().zip(COEFFICIENTS[stage]) {
            self.base.add(h * a, &earlier.rate, self.states);
        }
        // The guess has the rate of the stage before.
        now.at.y.copy_from_slice(&self.base.y);
        now.at.x.copy_from_slice(&self.base.x);
        if let Some(last) = done.last() {
            now.at.add(weight, &last.rate, self.states);
        }
        let mut before = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            let change = self.iterate(body, contacts, stage, [time, weight], tolerance);
            if !change.is_finite() || change > 2.0 * before {
                return None;
            }
            if before < f64::INFINITY {
                let ratio = (change / before).min(0.9);
                self.contraction = ratio / (1.0 - ratio);
            }
            before = change;
            if self.contraction * change <= CONVERGED {
                let Stage { at, rate, .. } = &mut self.stages[stage];
                for (rate, (at, base)) in rate.y.iter_mut().zip(at.y.iter().zip(&self.base.y)) {
                    *rate = (at - base) / weight;
                }
                for (rate, (at, base)) in rate.x.iter_mut().zip(at.x.iter().zip(&self.base.x)) {
                    for k in 0..self.states {
                        rate[k] = (at[k] - base[k]) / weight;
                    }
                }
                // The next stage converges as fast, or not quite.
                self.contraction = self.contraction.max(MIN_CONTRACTION).sqrt();
                return Some(());
            }
        }
        None
    }

    /// One Newton step of a stage; returns its change over the tolerance.
    fn iterate<C: BodyContact + ?Sized, const A: usize>(
        &mut self,
        body: AlongAxes<'_, A>,
        contacts: &[Box<C>],
        stage: usize,
        [time, weight]: [f64; 2],
        tolerance: f64,
    ) -> f64 {
        let size = body.size;
        for j in 0..size {
            self.change[j] = self.base.y[j] + weight * self.load(j, time) - self.stages[stage].at.y[j];
            for k in 0..size {
                self.matrix[j * size + k] = f64::from(u8::from(j == k));
            }
        }
        for (i, law) in contacts.iter().enumerate() {
            if is_open(self.interval.normal[i]) {
                let Stage { at, force, .. } = &mut self.stages[stage];
                (at.x[i], force[i]) = (self.base.x[i], [0.0; 2]);
                continue;
            }
            let at = &self.stages[stage].at;
            let contact = self.contact(body, i, time, &at.y);
            let (x, base, modes, tolerance) = (&at.x[i], &self.base.x[i], &self.modes[i], self.interval.tolerance);
            let given = LawStage { contact, x, base, modes, weight, tolerance };
            let response = &mut self.responses[i];
            law.stage(given, response);
            for (row, (force, slopes)) in body.rows(i).into_iter().zip(response.force.into_iter().zip(response.slope)) {
                for (j, g) in body.input(row).iter().enumerate() {
                    self.change[j] -= weight * g * force;
                    for (other, slope) in body.rows(i).into_iter().zip(slopes) {
                        for (k, c) in body.output(other).iter().enumerate() {
                            self.matrix[j * size + k] += weight * g * slope * c;
                        }
                    }
                }
            }
        }
        solve_dense(&mut self.matrix, &mut self.change);
        let mut worst = 0.0_f64;
        let Stage { at, force, .. } = &mut self.stages[stage];
        for (y, change) in at.y.iter_mut().zip(&self.change) {
            *y += change;
        }
        for (i, force) in force.iter_mut().enumerate() {
            let dv = body.velocity(i, &self.change);
            let ContactScales { v, x, .. } = self.scales[i];
            for (row, dv) in body.rows(i).into_iter().zip(dv) {
                worst = worst.max(dv.abs() / allowed(v, dot(body.output(row), &at.y), tolerance));
            }
            if is_open(self.interval.normal[i]) {
                continue;
            }
            let StageResponse { force: constant, slope, dx, dx_dv } = &self.responses[i];
            *force = core::array::from_fn(|axis| constant[axis] + body.along(slope[axis], dv));
            for k in 0..self.states {
                let change = dx[k] + body.along([dx_dv[0][k], dx_dv[1][k]], dv);
                at.x[i][k] += change;
                if x[k] < f64::MAX {
                    worst = worst.max(change.abs() / allowed(x[k], at.x[i][k], tolerance));
                }
            }
        }
        // NaN is not larger than any number.
        if at.y.iter().all(|y| y.is_finite()) { worst } else { f64::NAN }
    }
}
