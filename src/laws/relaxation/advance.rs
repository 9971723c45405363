//! Advance of a first-order bristle over a communication step, segment by segment.

use super::linear_step::of_deflection;
use super::relaxing::{Relaxing, Solved, Transient};
use super::{Drift, INNER_SHARE, MIN_FORCE_SHARE, MIN_MEASURE_SHARE, ROUNDING, Relaxation, speed};
use crate::integrate::SolverError;
use crate::integrate::collocation::{self, NODES, STAGES, START_FROM_STAGES, WEIGHTS};
use crate::integrate::radau::Radau;
use crate::law::{
    Breakpoints, Contact, InputSegment, InputTrajectory, Integrals, Law, Quadratures, Rule, StepResult, bisect,
    event_iteration,
};
use crate::vector::{add, size};

/// Safety factor of the step size, with an error estimate of order 6.
const SAFETY: f64 = 0.8;
/// Quadrature of loss and impulse on the stages.
const RULE: Rule<STAGES> = Rule { nodes: &NODES, weights: &WEIGHTS, start: &START_FROM_STAGES };
/// Length of a segment over that of the communication step, below which the states are kept constant: F_N and v next to their zeros are
/// rounding there.
const SHORTEST_SEGMENT: f64 = 1e-13;

/// Speed over the largest of the step, below which v is rounding next to a zero.
const MIN_SPEED_SHARE: f64 = 16.0 * ROUNDING;
/// Time up to a zero of v over that of the communication step, in which the bristle may be taken as at rest where v is rounding.
const AT_REST: f64 = 1e-9;

/// Advances a bristle over `duration` (s) with these quadratures; without the second the impulse is of no meaning.
pub fn advance<L: Law<N, DiscreteState = ()>, B, const N: usize>(
    law: &L,
    bristle: &B,
    trajectory: &InputTrajectory,
    x: &mut [f64; N],
    [duration, tolerance]: [f64; 2],
    solver: &mut Radau,
    wanted: Integrals,
) -> Result<StepResult, SolverError>
where
    for<'a> Relaxation<'a, B>: Relaxing<N>,
{
    // A contact that is open at the start of the step counts as open there, even if it closes at once.
    event_iteration(law, trajectory.start, x, &mut ());
    let breakpoints = trajectory.breakpoints(duration);
    let largest = trajectory.largest_inputs(breakpoints);
    let mut quadratures = Quadratures::new(largest, duration, breakpoints, tolerance, wanted);
    // Next to its zero, F_N has the rounding of its values at the ends.
    let end = trajectory.at(duration);
    let magnitude = trajectory.start.F_N.abs().max(end.F_N.abs()).max(largest[0]);
    let min_force_below = |force: f64| (MIN_FORCE_SHARE * tolerance * force).max(ROUNDING * magnitude);
    let min_force = min_force_below(largest[0]);
    let mut inner_steps = 0;
    let mut from = 0.0;
    let mut rest = breakpoints;
    while let Some(breakpoint) = rest.next() {
        let segment = InputSegment::between_breakpoints(trajectory, [from, breakpoint], 0.0);
        event_iteration(law, segment.at(from), x, &mut ());
        let middle = trajectory.at(0.5 * (from + breakpoint));
        let at_rest = middle.v == 0.0 && middle.v_y == 0.0;
        if middle.is_open() {
            // F_R is 0.
            inner_steps += 1;
        } else if segment.at(from).is_open() || at_rest || breakpoint - from <= SHORTEST_SEGMENT * duration {
            let z = *x;
            quadratures.add(law, &segment, &(), [from, breakpoint], |_| z);
            inner_steps += 1;
        } else {
            let ends = [from, breakpoint].map(|t| segment.at(t).F_N);
            // A contact that begins next to its opening is followed over as many decades of F_N as any other.
            let fades = ends[1] < ends[0] && ends[0] <= min_force;
            let min_force = if fades { min_force_below(ends[0]) } else { min_force };
            // Where the contact opens within the step the deflection is reset, and only errors of the loss matter.
            let opens = breakpoint < duration && trajectory.at(breakpoint).F_N <= min_force;
            let part = if opens { 1.0 } else { MIN_MEASURE_SHARE };
            let error_force = ends[1].max(part * ends[0].max(ends[1]));
            let relaxation = Relaxation {
                bristle,
                segment: &segment,
                middle,
                error_force,
                max_force: magnitude,
                max_speed: largest[1],
                end,
                slid_later: slid_between(trajectory, breakpoint, rest),
                duration,
                min_force,
            };
            inner_steps += advance_segment(law, &relaxation, x, tolerance, solver, &mut quadratures)?;
        }
        from = breakpoint;
    }
    event_iteration(law, trajectory.at(duration), x, &mut ());
    if !x.iter().all(|z| z.is_finite()) {
        return Err(SolverError::NotFinite);
    }
    Ok(StepResult { loss: quadratures.loss, impulse: quadratures.impulse, inner_steps, force_error: 0.0 })
}

/// Lower bound on the distance that is slid from the time `from` (s) through the breakpoints after it, m.
fn slid_between(trajectory: &InputTrajectory, from: f64, breakpoints: Breakpoints) -> f64 {
    let mut place = trajectory.displacement_in_plane_at(from);
    let mut slid = 0.0;
    for breakpoint in breakpoints {
        let next = trajectory.displacement_in_plane_at(breakpoint);
        slid += size(add(next, -1.0, place));
        place = next;
    }
    slid
}

/// Advances a bristle over a segment in which it slides; returns the number of inner steps.
fn advance_segment<'a, L: Law<N, DiscreteState = ()>, B, const N: usize>(
    law: &L,
    relaxation: &Relaxation<'a, B>,
    x: &mut [f64; N],
    tolerance: f64,
    solver: &mut Radau,
    quadratures: &mut Quadratures,
) -> Result<u32, SolverError>
where
    Relaxation<'a, B>: Relaxing<N>,
{
    let &Relaxation { segment, min_force, max_speed, duration, .. } = relaxation;
    let to = segment.to;
    let mut from = segment.from;
    let mut here = relaxation.coefficients(from);
    if let Some(drift) = relaxation.drift_from(from) {
        follow(law, relaxation, &drift, relaxation.middle, x, to, quadratures);
        return Ok(1);
    }
    if relaxation.is_linear()
        && relaxation.is_large(&here, *x)
        && let Some((closing, until)) = relaxation.closing(relaxation.equation_of_deflection(&here).decay)
    {
        follow(law, relaxation, &closing, segment.at(from), x, until, quadratures);
        (from, here) = (until, relaxation.coefficients(until));
    }
    let (mut t, mut u) = (from, relaxation.start(from, *x));
    let deflection = relaxation.deflection(&here, u);
    if let Some(Transient { slow, loss, impulse }) = relaxation.transient([from, to], deflection, tolerance) {
        quadratures.add_integrals([loss, impulse]);
        u = slow;
        *x = relaxation.deflection(&here, u);
    }
    let is_at_rest = |t: f64| speed(segment.at(t)) <= MIN_SPEED_SHARE * max_speed;
    let stops = is_at_rest(to);
    let mut inner_steps = 0;
    let mut h = if solver.first_step > 0.0 { solver.first_step } else { to - from };
    let mut first = from == 0.0;
    let closed = |t: f64| segment.at(t).F_N > min_force;
    let mut end = match (closed(from), closed(to)) {
        (true, false) => bisect(from, to, closed).unwrap_or(to),
        (false, false) if segment.at(to).F_N < segment.at(from).F_N => from,
        _ => to,
    };
    let mut limited = false;
    while t < end {
        if end < to && relaxation.stays_limited(t, to, u) {
            (end, limited) = (t, true);
            break;
        }
        // v is rounding up to its zero at the end of the segment: the bristle does not move any more.
        if stops && end - t <= AT_REST * duration && is_at_rest(t) {
            break;
        }
        // The remaining time is within rounding of the end.
        if end - t <= ROUNDING * end {
            *x = relaxation.deflection(&relaxation.coefficients(end), u);
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
        let allowed = allowed_at(u);
        let barely_relaxes = |at| relaxation.barely_relaxes(at, h);
        let by_deflection = relaxation.is_linear()
            && (relaxation.sticks(&here) || barely_relaxes(&here) && barely_relaxes(&relaxation.coefficients(t + h)));
        let solved = if by_deflection {
            of_deflection(relaxation, [t, h], &here, *x, allowed)
        } else {
            relaxation.step(t, here, h, u, allowed)
        };
        let factor = |error: f64| SAFETY / libm::cbrt(error.max(1e-8).sqrt());
        // A deflection from before decays while F_N rises: the rest of it counts.
        let solved = solved.map(|solved| {
            let allowed_at_end = allowed_at(solved.stages[STAGES - 1]);
            Solved { error: solved.error * (allowed / allowed_at_end).max(1.0), ..solved }
        });
        let Some(Solved { stages, coefficients, error }) = solved.as_ref().filter(|s| s.error < 1.0) else {
            h *= solved.map_or(0.2, |solved| factor(solved.error).clamp(0.1, 0.8));
            if t + h == t {
                return Err(SolverError::StepTooSmall { t });
            }
            continue;
        };
        if relaxed > 1.0 {
            solver.limit.accept(*error * share);
            quadratures.stop_adapting();
        }
        let deflections = core::array::from_fn(|i| relaxation.deflection(&coefficients[i], stages[i]));
        let start = *x;
        let along = |time: f64| {
            let (start, stages) = if by_deflection { (&start, &deflections) } else { (&u, stages) };
            let between = |k: usize| collocation::polynomial(start[k], &stages.map(|stage| stage[k]), (time - t) / h);
            let between = core::array::from_fn(between);
            if by_deflection { between } else { relaxation.deflection(&relaxation.coefficients(time), between) }
        };
        quadratures.add_stages(law, segment, &(), [t, h], &start, &deflections, &RULE, along);
        *x = deflections[STAGES - 1];
        (u, here) = (stages[STAGES - 1], coefficients[STAGES - 1]);
        t = if last { end } else { t + h };
        h *= factor(*error).min(8.0);
        if first {
            (solver.first_step, first) = (h.min(f64::MAX), false);
        }
    }
    if end < to {
        let z = *x;
        let segment = InputSegment::between_breakpoints(segment.trajectory(), [end, to], min_force);
        let along = |t: f64| relaxation.deflection(&relaxation.coefficients(t), u);
        quadratures.add(law, &segment, &(), [end, to], |t| if limited { z } else { along(t) });
    }
    Ok(inner_steps)
}

/// Moves the bristle in closed form up to the time `until` (s), at the velocity of this contact.
fn follow<'a, L: Law<N, DiscreteState = ()>, B, const N: usize>(
    law: &L,
    relaxation: &Relaxation<'a, B>,
    drift: &Drift,
    at: Contact,
    x: &mut [f64; N],
    until: f64,
    quadratures: &mut Quadratures,
) where
    Relaxation<'a, B>: Relaxing<N>,
{
    let (z, v) = (*x, relaxation.velocity(at));
    match drift.impulse(relaxation.equation_of_bristle(), z, v, until) {
        Some(impulse) => quadratures.add_integrals([(0..N).map(|k| impulse[k] * v[k]).sum(), impulse[0]]),
        None => {
            let along = |t: f64| drift.deflection(z, v, t);
            quadratures.add(law, relaxation.segment, &(), [drift.from, until], along);
        }
    }
    *x = drift.deflection(z, v, until);
}

#[cfg(test)]
mod tests;
