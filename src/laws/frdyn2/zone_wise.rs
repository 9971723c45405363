//! The zone-wise solver: closed forms first, then the methods of the zones, the general integrator last. See §16 of
//! `docs/numerics.md`.
//!
//! Where the bristle is unstable, the falling branch multiplies every error made before it. Such a step is repeated with a
//! hundredth of its errors, from a start moved by its rounding: the difference of both is a hundred times what is left, as long as
//! it is small. What cannot be had within the tolerance is reported.

use super::closed_contact::{StepTotals, integrate_closed};
use super::closed_forms::{damped_motion_over, steady_sliding, steady_stick};
use super::constants::{ACCEPTED_GROWTH_SHARE, DIVERGED, MAX_FORCE_ERROR, REFINEMENT};
use super::equations::Equations;
use super::error_budget::ErrorBudget;
use super::openings::{integrate_openings, stays_closed};
use super::solver::{Interval, Solver};
use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::law::{InputTrajectory, StepResult};

/// Closed forms, Taylor series and collocation zone by zone, with the general integrator as fallback.
pub struct ZoneWise;

impl Solver for ZoneWise {
    #[inline]
    fn advance(
        &self,
        equations: &Equations,
        interval: &Interval,
        x: &mut [f64; 2],
        radau: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        let &Interval { trajectory, duration, .. } = interval;
        let contact = trajectory.start;
        if trajectory.derivatives.is_none() {
            let travel = contact.v * duration;
            if let Some(force) = steady_sliding(equations, contact, 0.0, x) {
                return Ok(StepResult { loss: force * travel, inner_steps: 1, ..StepResult::default() });
            }
            if let Some(force) = steady_stick(equations, contact, duration, x) {
                let mean_force = force + 0.5 * equations.sigma_0 * travel;
                x[0] += travel;
                return Ok(StepResult { loss: mean_force * travel, inner_steps: 1, ..StepResult::default() });
            }
        } else if let Some((travel, dv)) = trajectory.travel(duration)
            && let Some(force) = steady_sliding(equations, contact, dv, x)
        {
            return Ok(StepResult { loss: force * travel, inner_steps: 1, ..StepResult::default() });
        }
        advance_unsteady(equations, trajectory, x, duration, interval.tolerance, radau)
    }
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
    if let Some((end, loss)) = damped_motion_over(equations, trajectory, x, duration) {
        *x = end;
        return Ok(StepResult { loss, inner_steps: 1, ..StepResult::default() });
    }
    if trajectory.max_normal_force(duration) > equations.max_stable_force {
        return advance_unstable(equations, trajectory, x, duration, tolerance, radau);
    }
    let budget = ErrorBudget::stable(tolerance, trajectory.derivatives.is_some());
    let StepTotals { loss, inner_steps, .. } = integrate_once(equations, trajectory, x, duration, budget, radau)?;
    Ok(StepResult { loss, inner_steps, ..StepResult::default() })
}

/// Advances a bristle whose errors may grow; repeats the step where the bound of their growth exceeds its share. See §12.
#[inline(never)]
fn advance_unstable(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 2],
    duration: f64,
    tolerance: f64,
    radau: &mut Radau,
) -> Result<StepResult, SolverError> {
    let budget = ErrorBudget::unstable(tolerance);
    let start = *x;
    let StepTotals { loss, inner_steps, growth, .. } =
        integrate_once(equations, trajectory, x, duration, budget, radau)?;
    let done = StepResult { loss, inner_steps, ..StepResult::default() };
    if budget.series * libm::exp(growth) <= ACCEPTED_GROWTH_SHARE * tolerance {
        return Ok(done);
    }
    // Without the steps for a repetition the bound of the growth is the estimate.
    if radau.limit.left() < inner_steps {
        let bound = (budget.series * libm::exp(growth)).min(MAX_FORCE_ERROR);
        return Ok(StepResult { force_error: bound, ..done });
    }
    // The start state is known to rounding only.
    let rounding = f64::EPSILON * equations.mu_s * trajectory.start.F_N.max(0.0) * equations.compliance;
    let mut refined = [start[0] + rounding, start[1]];
    let mut own_radau = Radau { limit: radau.limit, ..Radau::default() };
    let Ok(again) = integrate_once(equations, trajectory, &mut refined, duration, budget.refined(), &mut own_radau)
    else {
        return Ok(StepResult { force_error: MAX_FORCE_ERROR, ..done });
    };
    radau.limit = own_radau.limit;
    let difference = equations.difference(trajectory.at(duration), x, &refined);
    let left = if difference < DIVERGED { REFINEMENT * difference } else { difference };
    *x = refined;
    Ok(StepResult {
        loss: again.loss,
        inner_steps: inner_steps + again.inner_steps,
        force_error: if left > tolerance { left } else { 0.0 },
        ..done
    })
}

/// Integrates a communication step once. After a failure `x` is anywhere on its trajectory.
#[inline]
fn integrate_once(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 2],
    duration: f64,
    budget: ErrorBudget,
    radau: &mut Radau,
) -> Result<StepTotals, SolverError> {
    if trajectory.derivatives.is_some() && !stays_closed(equations, trajectory, duration) {
        return integrate_openings(equations, trajectory, x, duration, budget, radau);
    }
    integrate_closed(equations, trajectory, x, duration, budget, radau)
}

#[cfg(test)]
mod tests;
