//! A communication step of FrDyn2Linear: closed forms of sliding, open contact and stick; the general integrator in between.

use super::super::frdyn2::closed_forms::{damped_motion_over, steady_sliding, steady_stick};
use super::equations::Equations;
use super::held_stick::held_stick;
use super::moving_stick::moving_stick;
use super::series::series_step;
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
/// Tolerance of a step by series over that of the element, 1: errors of some ten steps add up.
const SERIES_SHARE: f64 = 0.1;
/// [`SERIES_SHARE`] where the bristle is unstable, 1: growth of errors by some 300 needs no repetition, as for FrDyn2.
const UNSTABLE_SERIES_SHARE: f64 = 3e-4;
/// Share of the tolerance that grown errors may take without a repetition, 1; as for FrDyn2.
const ACCEPTED_GROWTH_SHARE: f64 = 0.1;
/// Tightest tolerance of a step by series, 1: rounding of its terms.
const MIN_SERIES_TOLERANCE: f64 = 1e-15;
/// Steps by series after which their number is first extrapolated to the whole step, 1.
const STEPS_BEFORE_EXTRAPOLATION: u32 = 60;
/// Steps by series of a communication step beyond which the general integrator takes over, 1: bristles too stiff for explicit steps.
const MAX_SERIES_STEPS: f64 = 500.0;
/// Length of stick over the communication step below which it counts as ended, 1: above the rounding of its end.
const NEGLIGIBLE_LENGTH: f64 = 1e-9;
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
    let base = &equations.base;
    let most_force = trajectory.most_normal_force(duration);
    let is_unstable = most_force > base.max_stable_force;
    let start = *x;
    let share = if is_unstable { UNSTABLE_SERIES_SHARE } else { SERIES_SHARE };
    let budget = Budget {
        series: (share * tolerance).max(MIN_SERIES_TOLERANCE / REFINEMENT),
        general: (GENERAL_SHARE * tolerance).max(MIN_TOLERANCE / REFINEMENT),
    };
    let totals = advance_once(equations, trajectory, x, duration, budget, radau)?;
    let done = StepResult { loss: totals.loss, inner_steps: totals.inner_steps, ..StepResult::default() };
    if !is_unstable
        || budget.series * libm::exp(totals.growth) <= ACCEPTED_GROWTH_SHARE * tolerance
        || radau.limit.left() < done.inner_steps
    {
        return Ok(done);
    }
    // The falling branch multiplies errors: repeat the step with less of them, from a start moved by its rounding.
    let rounding = f64::EPSILON * base.mu_s * most_force * base.compliance;
    let mut refined = [start[0] + rounding, start[1]];
    let mut own_radau = Radau { limit: radau.limit, ..Radau::default() };
    let finer = Budget { series: REFINEMENT * budget.series, general: REFINEMENT * budget.general };
    let Ok(again) = advance_once(equations, trajectory, &mut refined, duration, finer, &mut own_radau) else {
        return Ok(StepResult { force_error: 1.0, ..done });
    };
    radau.limit = own_radau.limit;
    let end = trajectory.at(duration);
    let scale = equations.scale(end, x);
    let difference = (0..2).fold(0.0, |most: f64, i| most.max((x[i] - refined[i]).abs() / scale[i]));
    let left = if difference < DIVERGED { REFINEMENT * difference } else { difference };
    *x = refined;
    let force_error = if left > tolerance { left } else { 0.0 };
    Ok(StepResult { loss: again.loss, inner_steps: done.inner_steps + again.inner_steps, force_error, ..done })
}

/// Tolerances of the methods, errors of F_R over F_s.
#[derive(Clone, Copy)]
struct Budget {
    series: f64,
    general: f64,
}

/// Totals over a communication step.
#[derive(Default)]
struct Totals {
    loss: f64,
    inner_steps: u32,
    /// Bound of ln of the factor by which the falling branch has multiplied errors; infinite where it is not counted.
    growth: f64,
}

/// Advances a bristle that moves, once.
fn advance_once(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 2],
    duration: f64,
    budget: Budget,
    radau: &mut Radau,
) -> Result<Totals, SolverError> {
    let base = &equations.base;
    let mut totals = Totals::default();
    if trajectory.travel(duration).is_none() {
        let done = law::advance(equations, trajectory, x, &mut (), duration, budget.general, radau)?;
        return Ok(Totals { loss: done.loss, inner_steps: done.inner_steps, growth: f64::INFINITY });
    }
    let is_held = trajectory.derivatives.is_none();
    let is_closed = base.is_closed(trajectory.start);
    let growth_rate = base.max_growth_rate(trajectory.start);
    let (mut t, mut series_steps, mut changes) = (0.0, 0, 0);
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
        let stick =
            if is_held { held_stick(equations, rest.start, left, x) } else { moving_stick(equations, &rest, left, x) };
        // An end of stick that is already there is left to the series.
        if let Some(part) = stick.filter(|part| part.length >= left || part.length > NEGLIGIBLE_LENGTH * duration) {
            *x = part.x;
            totals.loss += part.loss;
            totals.inner_steps += 1;
            t = if part.length >= left { duration } else { t + part.length };
            continue;
        }
        let is_efficient =
            series_steps < STEPS_BEFORE_EXTRAPOLATION || f64::from(series_steps) <= MAX_SERIES_STEPS * (t / duration);
        if is_efficient
            && radau.limit.left() > 0
            && let Some(step) = series_step(equations, &rest, left, x, budget.series)
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
        let (done, reached) = law::advance_while(equations, &rest, x, left, budget.general, radau, |contact, x| {
            changes > MAX_CHANGES || !may_go_on(equations, contact, x)
        })?;
        totals.loss += done.loss;
        totals.inner_steps += done.inner_steps;
        t = if reached >= left { duration } else { t + reached };
    }
    Ok(totals)
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
