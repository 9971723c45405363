//! Steps of FrDyn2 in the plane off a line: closed forms of stick and full sliding, explicit steps, and the general integrator.

use super::{PlanarFrDyn2, vectors, velocity};
use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::law::{self, Contact, InputTrajectory, StepResult};
use crate::laws::explicit::Explicit;
use crate::laws::frdyn2::constants::REFINEMENT;
use crate::laws::frdyn2::openings::stays_closed;
use crate::laws::frdyn2::step_totals::StepTotals;
use crate::laws::frdyn2::unstable_step::UnstableStep;
use crate::laws::planar::regularisation::Regularisation;
use crate::laws::planar::{sliding, stick};
use crate::vector::{Vector, add, dot, scaled, size};

/// Largest change of the velocity over itself in a step of full sliding. Larger: the slip may leave full sliding between its four instants.
const MAX_TURN: f64 = 0.1;
/// Error of an inner step of the general integrator over the tolerance.
const GENERAL_SHARE: f64 = 0.1;

/// Largest number of explicit steps of a stable bristle, 1: beyond it the general integrator is cheaper, as stick is stiff.
const STABLE_STEPS: u32 = 60;
/// Largest number of explicit steps of an unstable bristle, 1: its tolerance is so small that the general integrator takes as many, each
/// three times as dear.
const UNSTABLE_STEPS: u32 = 2000;

impl<R: Regularisation> PlanarFrDyn2<R> {
    /// Rate of the fastest transient, 1/s: in full sliding that of the bristle alone, else that of stick under this normal force (N).
    fn fastest(&self, normal_force: f64, trajectory: &InputTrajectory, x: &[f64; 4]) -> f64 {
        let base = &self.base;
        let slip = size(add(velocity(trajectory.start), -1.0, vectors(x)[1]));
        if slip > base.fully_sliding && trajectory.is_held() {
            return 2.0 * base.omega;
        }
        base.fastest_rate(normal_force, if R::IS_LINEAR { 1.0 } else { 2.0 })
    }

    /// Advances full sliding, |w| ≥ v_d, of a contact that stays closed; `None` where another method has to.
    #[inline]
    #[allow(non_snake_case)] // the paper's symbols
    fn slide_fully(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; 4],
        duration: f64,
        tolerance: f64,
    ) -> Option<StepResult> {
        let base = &self.base;
        let is_held = trajectory.is_held();
        let load = |contact: Contact| (contact.F_N, velocity(contact));
        let loads = if is_held {
            [load(trajectory.start); 4]
        } else {
            sliding::INSTANTS.map(|s| load(trajectory.at(s * duration)))
        };
        let [start, middle, _, end] = loads.map(|(_, v)| v);
        let turn = size(add(end, -1.0, start)).max(size(add(middle, -1.0, start)));
        if !is_held && turn > MAX_TURN * size(start) {
            return None;
        }
        let force = |i: usize, [z, z_dot]: [Vector; 2]| {
            let (F_N, v) = loads[i];
            let F_0 = add(scaled(z, base.sigma_0), base.sigma_1, v);
            let bristle_force = size(F_0);
            let w = add(add(v, -1.0, z_dot), base.v_s / bristle_force, F_0);
            let speed = size(w);
            let is_full = bristle_force >= base.mu_s * F_N && speed >= base.v_d;
            is_full.then(|| scaled(w, (base.mu_d * F_N + self.sigma_2 * (speed - base.v_d)) / speed))
        };
        let tolerance = tolerance * base.mu_s * trajectory.start.F_N;
        let ([z, z_dot], [at_start, in_middle, at_end]) = sliding::slide(base, force, vectors(x), duration, tolerance)?;
        *x = [z[0], z[1], z_dot[0], z_dot[1]];
        let power = if is_held {
            // Simpson's rule, exact for the parabola of F_R.
            dot(add(add(at_start, 4.0, in_middle), 1.0, at_end), start) / 6.0
        } else {
            sliding::mean_power([at_start, in_middle, at_end], |s| velocity(trajectory.at(s * duration)))
        };
        Some(StepResult { loss: duration * power, inner_steps: 1, ..StepResult::default() })
    }

    /// Advances a bristle whose contact is closed but for the ends of the step.
    pub(super) fn advance_closed(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; 4],
        duration: f64,
        tolerance: f64,
        solver: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        let base = &self.base;
        if R::IS_LINEAR
            && trajectory.is_held()
            && base.is_closed(trajectory.start)
            && let Some(result) = stick::hold(base, trajectory.start, x, duration)
        {
            return Ok(result);
        }
        let is_closed = stays_closed(base, trajectory, duration);
        if is_closed && let Some(result) = self.slide_fully(trajectory, x, duration, tolerance) {
            return Ok(result);
        }
        let most = trajectory.max_normal_force(duration);
        if most > base.max_stable_force {
            return self.advance_unstable(trajectory, x, duration, tolerance, solver, is_closed);
        }
        if is_closed
            && let Some(result) = self.advance_explicitly(trajectory, x, duration, (tolerance, STABLE_STEPS), solver)
        {
            return Ok(result);
        }
        law::advance_without_impulse(self, trajectory, x, &mut (), duration, tolerance, solver)
    }

    /// Advances a bristle in a contact that stays closed by explicit steps, of which `most_steps` are the largest number; `None` where the
    /// general integrator is the better method.
    fn advance_explicitly(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; 4],
        duration: f64,
        (tolerance, most_steps): (f64, u32),
        solver: &mut Radau,
    ) -> Option<StepResult> {
        let evaluate = |contact: Contact, x: &[f64; 4]| {
            let (force, _, branch) = self.force(contact, x);
            let [a_x, a_y] = self.acceleration(force, vectors(x));
            (force, [x[2], x[3], a_x, a_y], branch)
        };
        let fastest = self.fastest(trajectory.max_normal_force(duration), trajectory, x);
        Explicit { law: self, trajectory, evaluate, fastest, most_steps }.advance(x, duration, tolerance, solver)
    }

    /// Advances a bristle whose errors may grow, by explicit steps where the contact stays closed, and again unless they grow by less than tenfold.
    fn advance_unstable(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; 4],
        duration: f64,
        tolerance: f64,
        solver: &mut Radau,
        is_closed: bool,
    ) -> Result<StepResult, SolverError> {
        let pressed = Contact::new(trajectory.max_normal_force(duration), 0.0);
        let growth = self.base.max_growth_rate(pressed) * duration;
        let step = UnstableStep {
            tolerance,
            inner: GENERAL_SHARE * tolerance,
            accepted: tolerance,
            budgets: [tolerance, REFINEMENT * tolerance],
            rounding: self.base.rounding(pressed),
        };
        step.advance(self, trajectory.at(duration), x, solver, |x, tolerance, solver| {
            let explicitly = |x: &mut [f64; 4], solver: &mut Radau| {
                self.advance_explicitly(trajectory, x, duration, (tolerance, UNSTABLE_STEPS), solver)
            };
            let done = if is_closed { explicitly(x, solver) } else { None };
            let StepResult { loss, inner_steps, .. } = match done {
                Some(done) => done,
                None => law::advance_without_impulse(self, trajectory, x, &mut (), duration, tolerance, solver)?,
            };
            Ok(StepTotals { t: duration, loss, inner_steps, growth })
        })
    }
}
