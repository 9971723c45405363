//! Advance of a first-order bristle over a communication step, segment by segment.

use super::relaxing::Relaxing;
use super::segment::advance_segment;
use super::{MIN_FORCE_SHARE, MIN_MEASURE_SHARE, ROUNDING, Relaxation, speed};
use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::law::{
    Breakpoints, InputSegment, InputTrajectory, Integrals, Law, Quadratures, StepResult, event_iteration,
};
use crate::vector::{add, size};

/// Length of a segment over that of the communication step, below which the states are kept constant: F_N and v next to their zeros are
/// rounding there.
const SHORTEST_SEGMENT: f64 = 1e-13;

/// Speed over the largest of the step, above which a breakpoint is not next to a zero of v.
const MIN_SLIDING_SHARE: f64 = 1e-6;

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
        let is_short = breakpoint - from <= SHORTEST_SEGMENT * duration;
        let slides = |t: f64| !segment.at(t).is_open() && speed(segment.at(t)) > MIN_SLIDING_SHARE * largest[1];
        if is_short && breakpoint < duration && slides(from) && slides(breakpoint) {
            // Of another input, or one component of v: part of the next segment.
            continue;
        }
        event_iteration(law, segment.at(from), x, &mut ());
        let middle = trajectory.at(0.5 * (from + breakpoint));
        let at_rest = middle.v == 0.0 && middle.v_y == 0.0;
        if middle.is_open() {
            // F_R is 0.
            inner_steps += 1;
        } else if segment.at(from).is_open() || at_rest || is_short {
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

#[cfg(test)]
mod tests;
