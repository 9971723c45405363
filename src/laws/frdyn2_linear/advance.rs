//! Communication step of FrDyn2Linear: closed forms of sliding, open contact and stick, series in the other cases, and the general
//! integrator as fallback.

use super::super::frdyn2::closed_forms::steady;
use super::super::frdyn2::constants::{
    ACCEPTED_GROWTH_SHARE, MIN_GENERAL_TOLERANCE, MIN_LIGHT_LAG, MIN_LIGHT_LAG_AT_OPENINGS, MIN_SERIES_TOLERANCE,
    REFINEMENT, UNSTABLE_SERIES_SHARE,
};
use super::super::frdyn2::damped_motion::damped_motion_over;
use super::super::frdyn2::light_contact;
use super::super::frdyn2::openings::{integrate_openings, stays_closed};
use super::super::frdyn2::step_totals::StepTotals;
use super::super::frdyn2::unstable_step::UnstableStep;
use super::equations::Equations;
use super::held_stick::held_stick;
use super::moving_stick::moving_stick;
use super::series::{Whole, series_step};
use super::slow_stick::slow_stick;
use super::stuck_body;
use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::law::{self, Contact, InputTrajectory, Law, LoadInterval, StepResult, StuckMotion};
use crate::laws::solver::{Interval, Solver};

/// |F_0| and |F_R| over F_s below which the closed forms of stick take over from the general integrator, 1. Larger: a contact that has
/// just come to stick leaves it again; smaller: the general integrator advances more of stick.
const MAX_STICK_SHARE: f64 = 0.95;
/// Changes from stick to the general integrator in a step after which the latter does the rest, 1: bounds the work of a step.
const MAX_CHANGES: u32 = 50;
/// Tolerance of the general integrator over that of the element, 1: its error estimate is too small where a kink of the
/// characteristic lies within an inner step. Measured in the suites of random steps.
const GENERAL_SHARE: f64 = 0.1;
/// Tolerance of a step by series over that of the element, 1: errors of some ten steps add up.
const SERIES_SHARE: f64 = 0.1;
/// Steps by series after which their number is first extrapolated to the whole step, 1.
const STEPS_BEFORE_EXTRAPOLATION: u32 = 60;
/// Steps by series of a communication step beyond which the general integrator takes over, 1: bristles too stiff for explicit steps.
const MAX_SERIES_STEPS: f64 = 500.0;
/// Steps by series of a communication step, over its length in time constants of the growth of an unstable bristle, up to which the general
/// integrator does not take over, 1: where the bristle oscillates no method takes longer steps.
const MAX_SERIES_STEPS_OF_GROWTH: f64 = 0.05;
/// Length of stick over the communication step below which it counts as ended, 1: above the rounding of its end.
const NEGLIGIBLE_LENGTH: f64 = 1e-9;

/// Closed forms of sliding, open contact and stick, series in the other zones, and the general integrator as fallback.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WithClosedForms;

impl Solver<Equations> for WithClosedForms {
    #[inline]
    fn advance(
        self,
        equations: &Equations,
        &Interval { trajectory, duration, tolerance }: &Interval,
        x: &mut [f64; 2],
        radau: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        let base = &equations.base;
        // The bounds of FrDyn2's closed forms hold for every shift within ±v_s with the sign of F_0; stick has no viscous friction.
        if let Some(done) = steady(base, trajectory, duration, equations.sigma_2 == 0.0, x) {
            return Ok(done);
        }
        if trajectory.derivatives.is_none()
            && base.is_closed(trajectory.start)
            && let Some(part) = held_stick(equations, trajectory.start, duration, x)
            && part.length >= duration
        {
            *x = part.x;
            return Ok(StepResult { loss: part.loss, inner_steps: 1, ..StepResult::default() });
        }
        advance_unsteady(equations, trajectory, x, duration, tolerance, radau)
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
    let base = &equations.base;
    let general = (GENERAL_SHARE * tolerance).max(MIN_GENERAL_TOLERANCE / REFINEMENT);
    let integrate =
        |x: &mut [f64; 2], budget, radau: &mut Radau| advance_once(equations, trajectory, x, duration, budget, radau);
    if trajectory.max_normal_force(duration) <= base.max_stable_force {
        let series = (SERIES_SHARE * tolerance).max(MIN_SERIES_TOLERANCE);
        let StepTotals { loss, inner_steps, .. } = integrate(x, Budget { series, general }, radau)?;
        return Ok(StepResult { loss, inner_steps, ..StepResult::default() });
    }
    let series = (UNSTABLE_SERIES_SHARE * tolerance).max(MIN_SERIES_TOLERANCE / REFINEMENT);
    let refined = Budget { series: REFINEMENT * series, general: REFINEMENT * general };
    let step = UnstableStep {
        tolerance,
        inner: series,
        accepted: ACCEPTED_GROWTH_SHARE * tolerance,
        budgets: [Budget { series, general }, refined],
        rounding: base.rounding(trajectory.start),
    };
    step.advance(equations, trajectory.at(duration), x, radau, integrate)
}

/// Tolerances of the methods, errors of F_R over F_s.
#[derive(Clone, Copy)]
struct Budget {
    series: f64,
    general: f64,
}

/// Integrates a communication step of such a bristle once.
fn advance_once(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 2],
    duration: f64,
    budget: Budget,
    radau: &mut Radau,
) -> Result<StepTotals, SolverError> {
    if trajectory.derivatives.is_none() || stays_closed(&equations.base, trajectory, duration) {
        return advance_closed(equations, trajectory, x, duration, budget, radau);
    }
    integrate_openings(&equations.base, trajectory, x, duration, |part, x, length, is_loaded| {
        if is_loaded {
            return advance_closed(equations, part, x, length, budget, radau);
        }
        let mut totals = light_part(equations, part, x, length, MIN_LIGHT_LAG_AT_OPENINGS, budget, radau);
        if totals.t < length {
            let (rest, left) = (part.after(totals.t), length - totals.t);
            let done =
                law::advance_without_impulse(equations, &rest.trajectory(), x, &mut (), left, budget.general, radau)?;
            totals.loss += done.loss;
            totals.inner_steps += done.inner_steps;
            totals.growth = f64::INFINITY;
        }
        Ok(totals)
    })
}

/// Advances a bristle through a contact that does not open or close.
fn advance_closed(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 2],
    duration: f64,
    budget: Budget,
    radau: &mut Radau,
) -> Result<StepTotals, SolverError> {
    let base = &equations.base;
    let is_held = trajectory.derivatives.is_none();
    let is_closed = base.is_closed(trajectory.start);
    let mut totals = if is_closed {
        light_part(equations, trajectory, x, duration, MIN_LIGHT_LAG, budget, radau)
    } else {
        StepTotals::default()
    };
    let most = Contact { F_N: trajectory.max_normal_force(duration), ..trajectory.start };
    let growth_rate = base.max_growth_rate(most);
    let whole = Whole { duration, impulse: base.mu_s * most.F_N * duration };
    let max_series_steps = MAX_SERIES_STEPS.max(MAX_SERIES_STEPS_OF_GROWTH * growth_rate * duration);
    // Stick under a moving F_N has no closed form.
    let moves_in_stick = trajectory.travel(duration).is_none();
    let (mut t, mut longest, mut series_steps, mut changes) = (totals.t, f64::INFINITY, 0, 0);
    let mut stick_has_ended = false;
    while t < duration {
        let (rest, left) = (trajectory.after(t), duration - t);
        let rest = rest.trajectory();
        if (!is_closed || equations.sigma_2 == 0.0)
            && let Some((end, loss)) = damped_motion_over(base, &rest, x, left)
        {
            *x = end;
            totals.loss += loss;
            totals.inner_steps += 1;
            return Ok(totals);
        }
        let stick = if is_held {
            // At its end |F_0| or |F_R| is F_s but for rounding, so that it would end again and again.
            if stick_has_ended { None } else { held_stick(equations, rest.start, left, x) }
        } else if !moves_in_stick {
            moving_stick(equations, &rest, left, x)
        } else if radau.limit.left() > 0 {
            slow_stick(equations, &rest, left, x, &mut longest, budget.series)
        } else {
            None
        };
        // Stick that ends within rounding of its start is left to the series.
        if let Some(part) = stick.filter(|part| part.length >= left || part.length > NEGLIGIBLE_LENGTH * duration) {
            *x = part.x;
            totals.loss += part.loss;
            totals.inner_steps += 1;
            t = if part.length >= left { duration } else { t + part.length };
            stick_has_ended = true;
            continue;
        }
        stick_has_ended = false;
        let is_efficient =
            series_steps < STEPS_BEFORE_EXTRAPOLATION || f64::from(series_steps) <= max_series_steps * (t / duration);
        if is_efficient
            && radau.limit.left() > 0
            && let Some(step) = series_step(equations, &rest, left, x, budget.series, &whole)
        {
            radau.limit.add(1);
            series_steps += 1;
            *x = step.x;
            totals.loss += step.loss;
            totals.inner_steps += 1;
            if step.falls {
                totals.growth += growth_rate * step.length;
            }
            t = if step.length >= left { duration } else { t + step.length };
            continue;
        }
        changes += 1;
        totals.growth = if growth_rate > 0.0 { f64::INFINITY } else { 0.0 };
        let is_last = changes > MAX_CHANGES || radau.limit.left() == 0;
        let (done, reached) = law::advance_while(equations, &rest, x, left, budget.general, radau, |contact, x| {
            is_last
                || if moves_in_stick {
                    equations.evaluate(contact, x, &()).sticking
                } else {
                    !closed_form_may_apply(equations, contact, x)
                }
        })?;
        totals.loss += done.loss;
        totals.inner_steps += done.inner_steps;
        t = if reached >= left { duration } else { t + reached };
    }
    Ok(totals)
}

/// Advances a light contact, where c = σ_1 v_s/F_s is at least `least_lag` throughout, as far as panels do; viscous friction and a measured
/// curve are left to other methods.
fn light_part(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 2],
    duration: f64,
    least_lag: f64,
    budget: Budget,
    radau: &mut Radau,
) -> StepTotals {
    if equations.sigma_2 != 0.0 || equations.measured.is_some() {
        return StepTotals::default();
    }
    let interval = Interval { trajectory, duration, tolerance: budget.series };
    light_contact::advance(equations, &interval, least_lag, x, &mut radau.limit)
}

/// Whether a closed form may apply from these states on: the contact is well inside stick, or slides fully.
fn closed_form_may_apply(equations: &Equations, contact: Contact, x: &[f64; 2]) -> bool {
    let base = &equations.base;
    if (contact.v - x[1]).abs() >= base.fully_sliding {
        return equations.sigma_2 == 0.0;
    }
    let at = equations.evaluate(contact, x, &());
    let limit = MAX_STICK_SHARE * base.mu_s * contact.F_N;
    at.sticking && at.F_R.abs() <= limit && base.sticking_force(contact, x).abs() <= limit
}
