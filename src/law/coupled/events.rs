//! Integration driver: advances a hybrid system over a communication step, from event to event.
//!
//! The step has breakpoints where an input passes through 0 or turns. In each segment between them the states are calculated exactly
//! where they are integrals of the inputs, else by Radau IIA(5). The event polynomials are followed along the inner steps: Bernstein
//! coefficients of one sign prove that there is no event; otherwise the first root is isolated, and the system handles the event there.
//! See §7 of `docs/internals/numerics.md`.

use super::hybrid::HybridSystem;
use super::quadratures::Quadratures;
use crate::integrate::polynomial::{FLOOR, Polynomial};
use crate::integrate::radau::{Radau, Step};
use crate::integrate::step_limit::{EXCEEDED, UNKNOWN};
use crate::integrate::{SolverError, System};
use crate::law::{Contact, InputSegment, InputTrajectory, MAX_EVENTS, Path, Rate, StepLimits, StepResult, bisect};
use core::cmp::Ordering;

/// Tolerance of an inner step over that of the communication step: errors of several inner steps add up.
const INNER_SHARE: f64 = 0.1;
/// Samples of the event indicators within an inner step, for a law without event polynomials.
const INDICATOR_SAMPLES: [f64; 4] = [0.25, 0.5, 0.75, 1.0];
/// Lower bound on F_N over its maximum in the step, where F_N goes to 0 and the law is integrated: laws divide by F_N. A smaller bound
/// makes the last inner steps before the opening shorter.
const MIN_FORCE_SHARE: f64 = 1e-6;
/// Shortest segment that is integrated, s: quotients by a shorter time would overflow.
const SHORTEST: f64 = 1e-200;
/// Limit of mode changes at one instant. A system that reaches it has no mode that holds there, which is a defect of the system.
const MAX_MODE_CHANGES: usize = 16;

/// Event iteration: handles events at one instant until the mode holds; returns whether a mode or a state changed.
fn event_iteration<S: HybridSystem<N>, const N: usize>(
    system: &S,
    contact: Contact,
    x: &mut [f64; N],
    discrete: &mut S::Discrete,
) -> bool {
    let mut changed = false;
    for _ in 0..MAX_MODE_CHANGES {
        if !system.handle_event(contact, x, discrete) {
            break;
        }
        changed = true;
    }
    changed
}

/// Advances a system with its events over `duration` (s), with both quadratures.
pub fn advance<S: HybridSystem<N>, const N: usize>(
    system: &S,
    trajectory: &InputTrajectory,
    x: &mut [f64; N],
    discrete: &mut S::Discrete,
    duration: f64,
    tolerance: f64,
    solver: &mut Radau,
) -> Result<StepResult, SolverError> {
    advance_by(system, trajectory, x, discrete, [duration, tolerance], solver)
}

/// Advances a system with its events over `duration` (s).
fn advance_by<S: HybridSystem<N>, const N: usize>(
    system: &S,
    trajectory: &InputTrajectory,
    x: &mut [f64; N],
    discrete: &mut S::Discrete,
    [duration, tolerance]: [f64; 2],
    solver: &mut Radau,
) -> Result<StepResult, SolverError> {
    if N == 0 && trajectory.is_held() {
        event_iteration(system, trajectory.start, x, discrete);
        let [loss, impulse] = system.integrands(trajectory.start, x, discrete).map(|integrand| integrand * duration);
        return Ok(StepResult { loss, impulse, inner_steps: 1, force_error: 0.0 });
    }
    // A contact that is open at the start of the step counts as open there, even if it closes at once.
    event_iteration(system, trajectory.at(0.0), x, discrete);
    let breakpoints = trajectory.breakpoints(duration);
    let largest = trajectory.largest_inputs(breakpoints);
    let mut quadratures = Quadratures::new(largest, duration, tolerance);
    let (mut t, mut inner_steps) = (0.0, 0);
    for breakpoint in breakpoints {
        while t < breakpoint {
            let segment = InputSegment::between_breakpoints(trajectory, [t, breakpoint], 0.0);
            event_iteration(system, segment.at(t), x, discrete);
            let reached = match system.exact_rates(segment.at(breakpoint), discrete) {
                Some(rates) => {
                    inner_steps += 1;
                    solver.limit.count();
                    let skips_events = solver.limit.is_exceeded();
                    if skips_events {
                        solver.limit.accept(UNKNOWN);
                    }
                    exact(system, &segment, &rates, x, discrete, skips_events, &mut quadratures)
                }
                None => {
                    let segment =
                        InputSegment::between_breakpoints(trajectory, [t, breakpoint], MIN_FORCE_SHARE * largest[0]);
                    let (steps, reached) =
                        integrate(system, &segment, x, discrete, tolerance, solver, &mut quadratures)?;
                    inner_steps += steps;
                    reached
                }
            };
            if !x.iter().all(|x| x.is_finite()) {
                return Err(SolverError::NotFinite);
            }
            t = reached;
            event_iteration(system, segment.at(t), x, discrete);
        }
    }
    event_iteration(system, trajectory.at(duration), x, discrete);
    Ok(StepResult { loss: quadratures.loss, impulse: quadratures.impulse, inner_steps, force_error: 0.0 })
}

/// Advances states that are integrals of the inputs over a segment, or to the first event in it unless events are skipped; returns
/// the time reached, s from the start of the trajectory.
fn exact<S: HybridSystem<N>, const N: usize>(
    system: &S,
    segment: &InputSegment,
    rates: &[Rate; N],
    x: &mut [f64; N],
    discrete: &S::Discrete,
    skips_events: bool,
    quadratures: &mut Quadratures,
) -> f64 {
    let InputSegment { from, to, .. } = *segment;
    let h = to - from;
    let path = Path::exact(segment.trajectory(), from, h, x, rates);
    let event = if skips_events || !S::HAS_MODES {
        None
    } else {
        first_event(system, segment, discrete, [0.0, h], || path, |part| path.states(part))
    };
    let (part, reached) = event.map_or((1.0, to), |part| landing(from, h, part));
    quadratures.add(system, segment, discrete, [from, reached], |t| path.states((t - from) / h));
    *x = path.states(part);
    reached
}

/// Place and instant at which an event at `part` of a segment is handled, as a share of the segment and in s. The segment begins at
/// `from` (s) and is `h` (s) long. The instant is a floating-point number above `from`, and the share is calculated back from it, so
/// that states and inputs belong to the same instant: otherwise an event whose limit moves with the inputs is found again at each of
/// the next instants. It is not before `part`, where the mode still holds: a mode may last for few of the numbers there are at `from`.
fn landing(from: f64, h: f64, part: f64) -> (f64, f64) {
    let mut reached = (from + part * h).max(from.next_up());
    if (reached - from) / h < part {
        reached = reached.next_up();
    }
    let reached = reached.min(from + h);
    (((reached - from) / h).min(1.0), reached)
}

/// Advances a system in its present mode by Radau IIA(5) to the end of a segment or to the first event; returns the number of inner
/// steps and the time reached, s from the start of the trajectory.
fn integrate<S: HybridSystem<N>, const N: usize>(
    system: &S,
    segment: &InputSegment,
    x: &mut [f64; N],
    discrete: &S::Discrete,
    tolerance: f64,
    solver: &mut Radau,
    quadratures: &mut Quadratures,
) -> Result<(u32, f64), SolverError> {
    let duration = segment.to - segment.from;
    if duration < SHORTEST {
        return Ok((1, segment.to));
    }
    let mode = Mode::new(system, segment, discrete);
    let (mut found, mut skipped) = (false, false);
    let observe = |step: Step<N>| {
        let from = segment.from + step.t;
        let event: Option<f64> = if !S::HAS_MODES {
            None
        } else if step.relaxation >= EXCEEDED {
            let [.., mut end] = *step.stages;
            skipped |= system.handle_event(segment.within(step.t + step.h), &mut end, &mut discrete.clone());
            None
        } else {
            let path = || Path::collocation(segment.trajectory(), from, &step);
            first_event(system, segment, discrete, [step.t, step.h], path, |part| step.at(part))
        };
        let event = event.map(|part| landing(from, step.h, part).0);
        if step.relaxation > 1.0 {
            quadratures.stop_adapting();
        }
        match event {
            None => quadratures.add_step(system, segment, discrete, from, &step, |t| step.at((t - from) / step.h)),
            Some(part) => {
                let interval = [from, from + part * step.h];
                quadratures.add(system, segment, discrete, interval, |t| step.at((t - from) / step.h));
            }
        }
        found = event.is_some();
        event
    };
    let (steps, reached) = solver.advance(&mode, x, duration, INNER_SHARE * tolerance, observe)?;
    if skipped {
        solver.limit.accept(UNKNOWN);
    }
    let reached = if found { (segment.from + reached).max(segment.from.next_up()) } else { segment.to };
    Ok((steps, reached))
}

/// Place of the first event in an inner step, as a share of it. The step begins `t` (s) after the start of the segment and is `h` (s)
/// long.
#[inline]
fn first_event<S: HybridSystem<N>, const N: usize>(
    system: &S,
    segment: &InputSegment,
    discrete: &S::Discrete,
    [t, h]: [f64; 2],
    path: impl FnOnce() -> Path<N>,
    states: impl Fn(f64) -> [f64; N],
) -> Option<f64> {
    // The only event of an open contact is its closing, which is a breakpoint.
    if segment.is_open() {
        return None;
    }
    if let Some(polynomials) = system.event_polynomials(&path(), discrete) {
        let first = polynomials.iter().filter_map(|polynomial| polynomial.first_change()).reduce(f64::min)?;
        let changes_mode = |part: f64| {
            let (part, reached) = landing(segment.from + t, h, part);
            system.handle_event(segment.at(reached), &mut states(part), &mut discrete.clone())
        };
        return first_that_changes(&polynomials, first, changes_mode);
    }
    let signs = |part: f64| {
        let indicators = system.event_indicators(segment.within(t + part * h), &states(part), discrete);
        indicators.map(|indicator| indicator.partial_cmp(&0.0))
    };
    let start: [Option<Ordering>; MAX_EVENTS] = signs(0.0);
    let mut seen = 0.0;
    INDICATOR_SAMPLES
        .into_iter()
        .find_map(|sample| bisect(core::mem::replace(&mut seen, sample), sample, |part| signs(part) == start))
}

/// First place, from the change of sign at `first` on, at which the mode changes. A polynomial may change its sign where another condition
/// of the event does not hold, or not yet: next to an opening the system has a lower bound on F_N that the polynomials do not have. Each
/// further change of sign is tested, and places at twice the distance of the one before; a mode that changes between two of them is
/// located.
#[cold]
fn first_that_changes(
    polynomials: &[Polynomial; MAX_EVENTS],
    first: f64,
    changes_mode: impl Fn(f64) -> bool,
) -> Option<f64> {
    // Changes of sign by rounding next to a root are skipped.
    let change_after = |part: f64| {
        let from = (part + FLOOR).min(1.0);
        polynomials.iter().filter_map(|polynomial| polynomial.first_change_after(from)).fold(f64::INFINITY, f64::min)
    };
    let (mut before, mut part, mut skip, mut change) = (first, first, FLOOR, first);
    while !changes_mode(part) {
        if part >= 1.0 {
            return None;
        }
        if change <= part {
            change = change_after(part);
        }
        (before, part, skip) = (part, change.min(part + skip).min(1.0), 2.0 * skip);
    }
    if part == first { Some(part) } else { bisect(before, part, changes_mode) }
}

/// A system in one of its modes under a segment of inputs, as differential equations.
struct Mode<'a, S: HybridSystem<N>, const N: usize> {
    system: &'a S,
    segment: &'a InputSegment<'a>,
    discrete: &'a S::Discrete,
    /// Inputs at the end of the segment.
    end: Contact,
    /// Lower bound on the normal force in the error scale, N: F_s must not vanish where F_N passes through 0.
    min_force: f64,
}

impl<'a, S: HybridSystem<N>, const N: usize> Mode<'a, S, N> {
    fn new(system: &'a S, segment: &'a InputSegment<'a>, discrete: &'a S::Discrete) -> Self {
        let [start, end] = [segment.from, segment.to].map(|t| system.inputs(segment, t));
        let min_force = end.F_N.max(1e-3 * start.F_N.abs().max(end.F_N.abs()));
        Mode { system, segment, discrete, end, min_force }
    }

    fn scale_at(&self, contact: Contact, x: &[f64; N]) -> [f64; N] {
        self.system.error_scale(Contact { F_N: contact.F_N.max(self.min_force), ..contact }, x)
    }
}

impl<S: HybridSystem<N>, const N: usize> System<N> for Mode<'_, S, N> {
    type Input = Contact;

    const INTERIOR_COUNTS: bool = S::INTERIOR_COUNTS;

    fn input(&self, t: f64) -> Contact {
        self.system.inputs(self.segment, self.segment.from + t)
    }

    fn rate(&self, contact: Contact, x: &[f64; N]) -> [f64; N] {
        self.system.rate(contact, x, self.discrete)
    }

    fn jacobian(&self, contact: Contact, x: &[f64; N]) -> [[f64; N]; N] {
        self.system.jacobian(contact, x, self.discrete)
    }

    fn scale(&self, contact: Contact, x: &[f64; N]) -> [f64; N] {
        let here = self.scale_at(contact, x);
        // An error may change F_R more at the end of the segment than where it arises.
        let end = self.scale_at(self.end, x);
        core::array::from_fn(|i| here[i].min(end[i]))
    }

    fn longest(&self, t: f64, x: &[f64; N]) -> f64 {
        let contact = self.input(t);
        let StepLimits { max_dv, growth_rate, longest } = self.system.step_limits(contact, x);
        self.segment.trajectory().time_within(max_dv, self.segment.from + t).min(1.0 / growth_rate).min(longest)
    }
}
