//! Step of a closed contact: zone by zone, and by the general integrator where series are inefficient. See §16 of `docs/internals/numerics.md`.

use super::constants::{
    MAX_HELD_STEPS, MAX_LAG, MAX_MOVING_STEPS, MAX_STIFF_STICK_STEPS, MIN_LIGHT_LAG, MIN_LIGHT_LAG_AT_OPENINGS,
    STEPS_BEFORE_EXTRAPOLATION,
};
use super::damped_motion::damped_motion_over;
use super::dimensionless::DimensionlessLaw;
use super::equations::Equations;
use super::error_budget::ErrorBudget;
use super::inputs::{InputCase, InputPolynomials};
use super::light_contact;
use super::segment::{SegmentTolerances, integrate_segment};
use super::slow_stick::Attempts;
use super::step_totals::StepTotals;
use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::integrate::step_limit::StepLimit;
use crate::law::{Contact, InputTrajectory, Law};
use crate::laws::solver::{GeneralIntegrator, Interval, Solver};

/// Advances the bristle over `duration` (s) of a closed contact.
#[inline]
pub fn integrate_closed(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 2],
    duration: f64,
    budget: ErrorBudget,
    radau: &mut Radau,
) -> Result<StepTotals, SolverError> {
    let interval = Interval { trajectory, duration, tolerance: budget.light };
    let mut totals = light_contact::advance(equations, &interval, MIN_LIGHT_LAG, x, &mut radau.limit);
    let lag = equations.sigma_1 * equations.v_s / (equations.mu_s * trajectory.start.F_N);
    if totals.t >= duration || lag > MAX_LAG || totals.t > 0.0 && !trajectory.is_held() {
        return finish_generally(equations, trajectory, x, duration, totals, budget, radau);
    }
    loop {
        integrate_by_series(equations, trajectory, x, duration, budget, &mut radau.limit, &mut totals);
        if totals.t >= duration {
            return Ok(totals);
        }
        let (rest, left) = (trajectory.after(totals.t), duration - totals.t);
        let rest = rest.trajectory();
        // Stick that is too stiff for series under moving inputs: the general integrator until it ends, then series again.
        let sticks = trajectory.derivatives.is_some() && equations.evaluate(rest.start, x, &()).sticking;
        if sticks && totals.inner_steps < MAX_STIFF_STICK_STEPS {
            let interval = Interval { trajectory: &rest, duration: left, tolerance: budget.stiff_stick };
            let (done, reached) = GeneralIntegrator.advance_while(equations, &interval, x, radau, |contact, x| {
                equations.evaluate(contact, x, &()).sticking
            })?;
            totals.t = if reached >= left { duration } else { totals.t + reached };
            totals.loss += done.loss;
            totals.inner_steps += done.inner_steps;
        } else {
            totals.add(integrate_generally(equations, &rest, x, left, budget, radau)?);
            return Ok(totals);
        }
    }
}

/// Advances the bristle over `duration` (s) by the general integrator, and by panels as long as the contact is light.
pub fn integrate_generally(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 2],
    duration: f64,
    budget: ErrorBudget,
    radau: &mut Radau,
) -> Result<StepTotals, SolverError> {
    let interval = Interval { trajectory, duration, tolerance: budget.light };
    let totals = light_contact::advance(equations, &interval, MIN_LIGHT_LAG_AT_OPENINGS, x, &mut radau.limit);
    finish_generally(equations, trajectory, x, duration, totals, budget, radau)
}

/// Advances the bristle from the time in the totals to the end of `duration` (s) by the general integrator.
fn finish_generally(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 2],
    duration: f64,
    mut totals: StepTotals,
    budget: ErrorBudget,
    radau: &mut Radau,
) -> Result<StepTotals, SolverError> {
    if totals.t < duration {
        let (rest, left) = (trajectory.after(totals.t), duration - totals.t);
        let rest = rest.trajectory();
        let interval = Interval { trajectory: &rest, duration: left, tolerance: budget.general };
        let done = GeneralIntegrator.advance(equations, &interval, x, radau)?;
        let unstable = rest.max_normal_force(left) > equations.max_stable_force;
        let growth = if unstable { f64::INFINITY } else { 0.0 };
        totals.add(StepTotals { t: left, loss: done.loss, inner_steps: done.inner_steps, growth });
        totals.t = duration;
    }
    Ok(totals)
}

/// Advances the bristle by series and closed forms as far as they apply, with the code of the case of the inputs.
#[inline]
pub fn integrate_by_series(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 2],
    duration: f64,
    budget: ErrorBudget,
    limit: &mut StepLimit,
    totals: &mut StepTotals,
) {
    let contact = trajectory.start;
    let nu = |contact: Contact| contact.v * equations.inverse_v_s;
    match trajectory.derivatives {
        None => {
            let inputs = InputPolynomials::held(nu(contact));
            integrate_zones(equations, trajectory, inputs, x, duration, budget, limit, totals);
        }
        Some(&[first, second, third]) => {
            let orders = [contact, first, second, third];
            let (nu, phi) = (orders.map(nu), orders.map(|order| order.F_N / contact.F_N));
            if phi == [1.0, 0.0, 0.0, 0.0] {
                let inputs = InputPolynomials::moving_velocity(nu);
                integrate_zones(equations, trajectory, inputs, x, duration, budget, limit, totals);
            } else {
                let inputs = InputPolynomials::moving_contact(nu, phi);
                integrate_zones(equations, trajectory, inputs, x, duration, budget, limit, totals);
            }
        }
    }
}

/// Advances the bristle zone by zone (§9 has the conversion back to z). Where it does not reach `duration`, as at the limit of inner
/// steps, the general integrator does the rest.
#[inline(never)] // registers saved for it would cost every step of sliding
#[allow(clippy::too_many_arguments)] // a step, its budgets and its totals
pub fn integrate_zones<C: InputCase>(
    equations: &Equations,
    trajectory: &InputTrajectory,
    inputs: InputPolynomials<C>,
    x: &mut [f64; 2],
    duration: f64,
    budget: ErrorBudget,
    limit: &mut StepLimit,
    totals: &mut StepTotals,
) {
    let static_force = equations.mu_s * trajectory.start.F_N;
    let inverse_force = 1.0 / static_force;
    let law = DimensionlessLaw::new(equations, trajectory.start, inverse_force, trajectory.max_normal_force(duration));
    let max_steps = if C::VELOCITY_MOVES { MAX_MOVING_STEPS } else { MAX_HELD_STEPS };
    let tolerances = SegmentTolerances { series: budget.series, stick: budget.stick };
    let begin = (totals.t, totals.inner_steps);
    let mut attempts = Attempts::new();
    // v is advanced; the normal force is that of the start times φ.
    let mut contact = trajectory.start;
    if C::VELOCITY_MOVES {
        contact.v += equations.v_s * inputs.nu_change(totals.t);
    }
    while totals.t < duration {
        let phi = inputs.phi_at(totals.t);
        let start =
            [equations.sticking_force(contact, x) * inverse_force / phi, (contact.v - x[1]) * equations.inverse_v_s];
        let segment =
            integrate_segment(&law, inputs, start, [totals.t, duration], tolerances, limit.left(), &mut attempts);
        limit.add(segment.steps);
        if segment.steps == 0 {
            break;
        }
        totals.growth += segment.growth;
        totals.loss += static_force * equations.v_s * segment.work;
        totals.inner_steps += segment.steps;
        // The change of z follows from that of F_0 = σ_0 z + σ_1 v: φ r less c ν.
        let mut moved = segment.dr;
        if C::VELOCITY_MOVES {
            let end = inputs.phi_at(segment.t);
            moved = moved * end + start[0] * (end - phi)
                - law.lag * (inputs.nu_change(segment.t) - inputs.nu_change(totals.t));
            contact.v = trajectory.start.v + equations.v_s * inputs.nu_change(segment.t);
        }
        totals.t = segment.t;
        *x = [x[0] + moved * static_force * equations.compliance, contact.v - equations.v_s * segment.e];
        // Fall back to Radau IIA where the explicit series would need too many steps for the whole duration.
        let steps = totals.inner_steps - begin.1;
        if steps > STEPS_BEFORE_EXTRAPOLATION && f64::from(steps) > max_steps * ((totals.t - begin.0) / duration) {
            break;
        }
        if totals.t < duration {
            let rest = trajectory.after(totals.t);
            if let Some((end, loss)) = damped_motion_over(equations, &rest.trajectory(), x, duration - totals.t) {
                *x = end;
                totals.loss += loss;
                totals.inner_steps += 1;
                totals.t = duration;
            }
        }
    }
}
