//! Zone-wise solver: tries closed forms first, then the methods of the zones, then the general integrator. See §16 of
//! `docs/internals/numerics.md`.

use super::closed_contact::{integrate_closed, integrate_generally};
use super::closed_forms::steady;
use super::constants::ACCEPTED_GROWTH_SHARE;
use super::damped_motion::damped_motion_over;
use super::equations::Equations;
use super::error_budget::ErrorBudget;
use super::moving_body::MovingBody;
use super::openings::{integrate_openings, stays_closed};
use super::step_totals::StepTotals;
use super::stuck_body;
use super::unstable_step::UnstableStep;
use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::integrate::step_limit::StepLimit;
use crate::law::{BodyStart, InputTrajectory, LoadInterval, PartialMotion, StepResult, StuckMotion};
use crate::laws::solver::{Interval, Solver};

/// Solver by closed forms, Taylor series and collocation zone by zone, with the general integrator as fallback.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ZoneWise;

impl Solver<Equations> for ZoneWise {
    #[inline]
    fn advance(
        self,
        equations: &Equations,
        &Interval { trajectory, duration, tolerance }: &Interval,
        x: &mut [f64; 2],
        radau: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        match steady(equations, trajectory, duration, true, x) {
            Some(done) => Ok(done),
            None => advance_unsteady(equations, trajectory, x, duration, tolerance, radau),
        }
    }

    fn stuck_body(
        self,
        equations: &Equations,
        mass: f64,
        x: &[f64; 2],
        v: f64,
        interval: &LoadInterval,
    ) -> Option<StuckMotion<2>> {
        stuck_body::stuck_body(equations, mass, *x, v, interval)
    }

    fn body_motion(
        self,
        equations: &Equations,
        start: &BodyStart<2>,
        interval: &LoadInterval,
        limit: &mut StepLimit,
    ) -> Option<PartialMotion<2>> {
        MovingBody { equations, start }.advance(interval, limit)
    }
}

/// Advances a bristle that is not in steady sliding or steady stick.
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

/// Advances a bristle whose errors may grow. See §12.
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
    let step = UnstableStep {
        tolerance,
        inner: budget.series,
        accepted: ACCEPTED_GROWTH_SHARE * tolerance,
        budgets: [budget, budget.refined()],
        rounding: equations.rounding(trajectory.start),
    };
    let integrate =
        |x: &mut [f64; 2], budget, radau: &mut Radau| integrate_once(equations, trajectory, x, duration, budget, radau);
    step.advance(equations, trajectory.at(duration), x, radau, integrate)
}

/// Integrates a communication step once. After an error `x` is a state between the start and the end of the step.
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
        return integrate_openings(equations, trajectory, x, duration, |part, x, length, is_loaded| {
            if let Some((end, loss)) = damped_motion_over(equations, part, x, length) {
                *x = end;
                return Ok(StepTotals { t: length, loss, inner_steps: 1, growth: 0.0 });
            }
            let integrate = if is_loaded { integrate_closed } else { integrate_generally };
            integrate(equations, part, x, length, budget, radau)
        });
    }
    integrate_closed(equations, trajectory, x, duration, budget, radau)
}

#[cfg(test)]
mod tests;
