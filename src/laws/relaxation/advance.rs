//! Advance of a first-order bristle over a communication step, segment by segment.

use super::step::Solved;
use super::{Bristle, INNER_SHARE, MIN_FORCE_SHARE, MIN_MEASURE_SHARE, ROUNDING, Relaxation, Transient};
use crate::integrate::SolverError;
use crate::integrate::collocation::{self, NODES, STAGES, START_FROM_STAGES, WEIGHTS};
use crate::integrate::radau::Radau;
use crate::law::{InputSegment, InputTrajectory, Law, Quadratures, Rule, StepResult, bisect, event_iteration};
use crate::laws::symbols::sgn;

/// Safety factor of the step size, with an error estimate of order 6.
const SAFETY: f64 = 0.8;
/// Quadrature of loss and impulse on the stages.
const RULE: Rule<STAGES> = Rule { nodes: &NODES, weights: &WEIGHTS, start: &START_FROM_STAGES };
/// Length of a segment over that of the communication step, below which the states are kept constant: F_N and v next to their zeros are
/// rounding there.
const SHORTEST_SEGMENT: f64 = 1e-13;

/// Advances a bristle over `duration` (s) with loss and impulse, see [`Law::advance_with_impulse`].
pub fn advance<L: Law<1, DiscreteState = ()>>(
    law: &L,
    bristle: &Bristle,
    trajectory: &InputTrajectory,
    x: &mut [f64; 1],
    duration: f64,
    tolerance: f64,
    solver: &mut Radau,
) -> Result<StepResult, SolverError> {
    // A contact that is open at the start of the step counts as open there, even if it closes at once.
    event_iteration(law, trajectory.start, x, &mut ());
    let breakpoints = trajectory.breakpoints(duration);
    let largest = trajectory.largest_inputs(breakpoints);
    let mut quadratures = Quadratures::new(largest, duration, breakpoints, tolerance);
    // Next to its zero, F_N has the rounding of its values at the ends.
    let magnitude = trajectory.start.F_N.abs().max(trajectory.at(duration).F_N.abs()).max(largest[0]);
    let min_force = (MIN_FORCE_SHARE * tolerance * largest[0]).max(ROUNDING * magnitude);
    let mut inner_steps = 0;
    let mut from = 0.0;
    for breakpoint in breakpoints {
        let segment = InputSegment::between_breakpoints(trajectory, [from, breakpoint], 0.0);
        event_iteration(law, segment.at(from), x, &mut ());
        let (open, side) = (segment.at(from).is_open(), sgn(trajectory.at(0.5 * (from + breakpoint)).v));
        if open || side == 0.0 || breakpoint - from <= SHORTEST_SEGMENT * duration {
            let z = *x;
            quadratures.add(law, &segment, &(), [from, breakpoint], |_| z);
            inner_steps += 1;
        } else {
            let ends = [from, breakpoint].map(|t| segment.at(t).F_N);
            // Where the contact opens within the step the deflection is reset, and only errors of the loss matter.
            let opens = breakpoint < duration && trajectory.at(breakpoint).F_N <= min_force;
            let part = if opens { 1.0 } else { MIN_MEASURE_SHARE };
            let error_force = ends[1].max(part * ends[0].max(ends[1]));
            let relaxation = Relaxation {
                bristle,
                segment: &segment,
                side,
                error_force,
                max_force: magnitude,
                max_speed: largest[1],
                duration,
                min_force,
            };
            inner_steps += advance_segment(law, &relaxation, x, tolerance, solver, &mut quadratures)?;
        }
        from = breakpoint;
    }
    event_iteration(law, trajectory.at(duration), x, &mut ());
    if !x[0].is_finite() {
        return Err(SolverError::NotFinite);
    }
    Ok(StepResult { loss: quadratures.loss, impulse: quadratures.impulse, inner_steps, force_error: 0.0 })
}

/// Advances a bristle over a segment in which it slides; returns the number of inner steps.
fn advance_segment<L: Law<1, DiscreteState = ()>>(
    law: &L,
    relaxation: &Relaxation,
    x: &mut [f64; 1],
    tolerance: f64,
    solver: &mut Radau,
    quadratures: &mut Quadratures,
) -> Result<u32, SolverError> {
    let &Relaxation { segment, min_force, .. } = relaxation;
    let InputSegment { to, .. } = *segment;
    let (from, z) = relaxation.after_closing(x[0]);
    x[0] = z;
    let (mut t, mut e) = (from, relaxation.start(from, z));
    if let Some(Transient { rest, impulse }) = relaxation.transient(from, to, e, tolerance) {
        quadratures.loss += impulse * segment.trajectory().at(from).v;
        quadratures.impulse += impulse;
        e = rest;
        x[0] = relaxation.coefficients(t).steady * (1.0 - e);
    }
    let mut inner_steps = 0;
    let mut h = if solver.first_step > 0.0 { solver.first_step } else { to - from };
    let mut first = from == 0.0;
    let closed = |t: f64| segment.at(t).F_N > min_force;
    let mut end = if closed(from) { bisect(from, to, closed).unwrap_or(to) } else { to };
    let (mut here, mut limited) = (relaxation.coefficients(t), false);
    while t < end {
        if end < to && relaxation.stays_limited(t, to, e) {
            (end, limited) = (t, true);
            break;
        }
        // The remaining time is within rounding of the end.
        if end - t <= ROUNDING * end {
            x[0] = relaxation.coefficients(end).steady * (1.0 - e);
            break;
        }
        inner_steps += 1;
        if solver.limit.is_spent() {
            return Err(SolverError::TooManySteps { t, limit: solver.limit.limit() });
        }
        let relaxed = solver.limit.count();
        let rest = end - t;
        h = h.min(relaxed * relaxation.longest(t));
        let last = h >= rest * (1.0 - 1e-9);
        h = if last { rest } else { h.min(0.5 * rest) };
        let share = INNER_SHARE * tolerance * relaxed;
        let allowed_at = relaxation.allowed([t, t + h], share);
        let allowed = allowed_at(e);
        let solved = relaxation.step(t, here, h, e, allowed);
        let factor = |error: f64| SAFETY / libm::cbrt(error.max(1e-8).sqrt());
        // A deflection from before decays while F_N rises: the rest of it counts.
        let solved = solved.map(|solved| {
            let allowed_at_end = allowed_at(solved.e[STAGES - 1]);
            Solved { error: solved.error * (allowed / allowed_at_end).max(1.0), ..solved }
        });
        let Some(&Solved { e: stages, coefficients, error }) = solved.as_ref().filter(|s| s.error < 1.0) else {
            h *= solved.map_or(0.2, |solved| factor(solved.error).clamp(0.1, 0.8));
            if t + h == t {
                return Err(SolverError::StepTooSmall { t });
            }
            continue;
        };
        if relaxed > 1.0 {
            solver.limit.accept(error * share);
            quadratures.stop_adapting();
        }
        let deflections = core::array::from_fn(|i| [coefficients[i].steady * (1.0 - stages[i])]);
        let along = |time: f64| {
            [relaxation.coefficients(time).steady * (1.0 - collocation::polynomial(e, &stages, (time - t) / h))]
        };
        quadratures.add_stages(law, segment, &(), [t, h], x, &deflections, &RULE, along);
        *x = deflections[STAGES - 1];
        (e, here) = (stages[STAGES - 1], coefficients[STAGES - 1]);
        t = if last { end } else { t + h };
        h *= factor(error).min(8.0);
        if first {
            (solver.first_step, first) = (h.min(f64::MAX), false);
        }
    }
    if end < to {
        let z = *x;
        let segment = InputSegment::between_breakpoints(segment.trajectory(), [end, to], min_force);
        let steady = |t: f64| [relaxation.coefficients(t).steady * (1.0 - e)];
        quadratures.add(law, &segment, &(), [end, to], |t| if limited { z } else { steady(t) });
    }
    Ok(inner_steps)
}
