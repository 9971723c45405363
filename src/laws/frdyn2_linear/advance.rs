//! A communication step of FrDyn2Linear: closed forms of sliding, open contact and stick; the general integrator in between.

use super::super::frdyn2::closed_forms::{damped_motion_over, steady_sliding, steady_stick};
use super::equations::Equations;
use super::held_stick::held_stick;
use super::moving_stick::moving_stick;
use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::law::{self, InputTrajectory, Law, StepResult};

/// |F_0| and |F_R| over F_s below which the general integrator hands over to the closed forms of stick, 1. Larger: a contact that has
/// just come to stick leaves it again; smaller: the general integrator follows more of stick.
const MAX_STICK_SHARE: f64 = 0.95;
/// Changes from stick to the general integrator in a step after which the latter does the rest, 1: bounds the work of a step.
const MAX_CHANGES: u32 = 50;
/// Tolerance of the general integrator over that of the element, 1: its error estimate is too small where a kink of the
/// characteristic passes within an inner step. Measured in the suites of random steps.
const GENERAL_SHARE: f64 = 0.1;
/// Tolerance of the repeated step of an unstable bristle over that of the first, 1; as for FrDyn2.
const REFINEMENT: f64 = 0.01;
/// Tightest tolerance of the general integrator, 1: rounding of F_R limits Newton's iteration.
const MIN_TOLERANCE: f64 = 1e-12;
/// Difference of F_R over F_s from which on both results of an unstable bristle count as unrelated, 1.
const DIVERGED: f64 = 0.1;

/// Advances `x` = (z, ż) over `duration` (s). After a failure `x` is anywhere on its trajectory.
#[inline]
pub fn advance(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 2],
    duration: f64,
    tolerance: f64,
    radau: &mut Radau,
) -> Result<StepResult, SolverError> {
    let contact = trajectory.start;
    let base = &equations.base;
    if trajectory.derivatives.is_none() {
        let travel = contact.v * duration;
        // Their proofs hold for every shift within ±v_s that has the sign of F_0, and viscous friction is none in stick.
        if equations.sigma_2 == 0.0
            && let Some(force) = steady_sliding(base, contact, 0.0, x)
        {
            return Ok(StepResult { loss: force * travel, inner_steps: 1, ..StepResult::default() });
        }
        if let Some(force) = steady_stick(base, contact, duration, x) {
            let mean_force = force + 0.5 * base.sigma_0 * travel;
            x[0] += travel;
            return Ok(StepResult { loss: mean_force * travel, inner_steps: 1, ..StepResult::default() });
        }
        if base.is_closed(contact)
            && let Some(part) = held_stick(equations, contact, duration, x)
            && part.length >= duration
        {
            *x = part.x;
            return Ok(StepResult { loss: part.loss, inner_steps: 1, ..StepResult::default() });
        }
    } else if equations.sigma_2 == 0.0
        && let Some((travel, dv)) = trajectory.travel(duration)
        && let Some(force) = steady_sliding(base, contact, dv, x)
    {
        return Ok(StepResult { loss: force * travel, inner_steps: 1, ..StepResult::default() });
    }
    advance_unsteady(equations, trajectory, x, duration, tolerance, radau)
}

/// Advances a bristle that moves.
#[inline(never)] // registers saved for it would cost every steady step
fn advance_unsteady(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 2],
    duration: f64,
    tolerance: f64,
    radau: &mut Radau,
) -> Result<StepResult, SolverError> {
    let start = *x;
    let general = (GENERAL_SHARE * tolerance).max(MIN_TOLERANCE);
    let (done, has_slid) = advance_once(equations, trajectory, x, duration, general, radau)?;
    let most_force = trajectory.max_normal_force(duration);
    if !has_slid || most_force <= equations.base.max_stable_force || radau.limit.left() < done.inner_steps {
        return Ok(done);
    }
    // The falling branch multiplies errors: repeat the step with less of them, from a start moved by its rounding.
    let base = &equations.base;
    let rounding = f64::EPSILON * base.mu_s * most_force * base.compliance;
    let mut refined = [start[0] + rounding, start[1]];
    let mut own_radau = Radau { limit: radau.limit, ..Radau::default() };
    let refined_tolerance = (REFINEMENT * general).max(MIN_TOLERANCE);
    let Ok((again, _)) = advance_once(equations, trajectory, &mut refined, duration, refined_tolerance, &mut own_radau)
    else {
        return Ok(StepResult { force_error: 1.0, ..done });
    };
    radau.limit = own_radau.limit;
    let end = trajectory.at(duration);
    let scale = equations.scale(end, x);
    let difference = (0..2).fold(0.0, |most: f64, i| most.max((x[i] - refined[i]).abs() / scale[i]));
    let left = if difference < DIVERGED { REFINEMENT * difference } else { difference };
    *x = refined;
    let force_error = if left > tolerance { left } else { 0.0 };
    Ok(StepResult { inner_steps: done.inner_steps + again.inner_steps, force_error, ..again })
}

/// Advances a bristle that moves, once; returns whether the general integrator had a part in it.
fn advance_once(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 2],
    duration: f64,
    tolerance: f64,
    radau: &mut Radau,
) -> Result<(StepResult, bool), SolverError> {
    let base = &equations.base;
    let holds_force = trajectory.travel(duration).is_some();
    if !holds_force {
        return Ok((law::advance(equations, trajectory, x, &mut (), duration, tolerance, radau)?, true));
    }
    let is_closed = base.is_closed(trajectory.start);
    let mut totals = StepResult::default();
    let (mut t, mut changes) = (0.0, 0);
    while t < duration {
        let (rest, left) = (trajectory.after(t), duration - t);
        let rest = rest.trajectory();
        if (!is_closed || equations.sigma_2 == 0.0)
            && let Some((end, loss)) = damped_motion_over(base, &rest, x, left)
        {
            *x = end;
            totals.loss += loss;
            totals.inner_steps += 1;
            return Ok((totals, changes > 0));
        }
        let stick = if trajectory.derivatives.is_none() {
            held_stick(equations, rest.start, left, x)
        } else {
            moving_stick(equations, &rest, left, x)
        };
        if let Some(part) = stick {
            *x = part.x;
            totals.loss += part.loss;
            totals.inner_steps += 1;
            t = if part.length >= left { duration } else { t + part.length };
            if t >= duration || trajectory.derivatives.is_some() {
                continue;
            }
        }
        let (rest, left) = (trajectory.after(t), duration - t);
        let rest = rest.trajectory();
        changes += 1;
        let (done, reached) = law::advance_while(equations, &rest, x, left, tolerance, radau, |contact, x| {
            changes > MAX_CHANGES || !may_go_on(equations, contact, x)
        })?;
        totals.loss += done.loss;
        totals.inner_steps += done.inner_steps;
        t = if reached >= left { duration } else { t + reached };
    }
    Ok((totals, changes > 0))
}

/// A closed form may go on from here: well inside stick, or fully sliding.
fn may_go_on(equations: &Equations, contact: crate::law::Contact, x: &[f64; 2]) -> bool {
    let base = &equations.base;
    if (contact.v - x[1]).abs() >= base.fully_sliding {
        return equations.sigma_2 == 0.0;
    }
    let at = equations.evaluate(contact, x, &());
    let limit = MAX_STICK_SHARE * base.mu_s * contact.F_N;
    at.sticking && at.F_R.abs() <= limit && base.sticking_force(contact, x).abs() <= limit
}
