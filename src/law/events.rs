//! Integration driver: advances a law over a communication step, from event to event.
//!
//! The step has breakpoints where an input passes through 0 or turns. In each segment between them
//! the states are calculated exactly where they are integrals of the inputs, else by [`ode`]. The
//! event polynomials are followed along the inner steps: Bernstein coefficients of one sign prove
//! that there is no event; otherwise the first root is isolated, and the law handles the event
//! there. See §7 of `docs/internals/numerics.md`.

use super::input_segment::InputSegment;
use super::quadratures::{Motion, Quadratures, integrands};
use super::trajectory::{Largest, bisect};
use super::{
    Contact, Events, InputTrajectory, Law, MAX_EVENTS, Path, StepLimits, StepResult, linearised,
    longest_at,
};
use crate::domain::LIGHT_FORCE;
use crate::integrate::memory::Memory;
use crate::integrate::polynomial::{FLOOR, Polynomial};
use crate::integrate::step_limit::UNKNOWN;
use crate::integrate::{NEGLIGIBLE, SolverError};
use crate::ode::{
    self, Collocation, Integrands, Limits, Linearised, State, System, TotalScales, Totals,
};
use crate::switches::{Method, is_on};
use core::array;
use core::cmp::Ordering;

/// Samples of the event indicators within an inner step, for a law without event polynomials.
const INDICATOR_SAMPLES: [f64; 4] = [0.25, 0.5, 0.75, 1.0];
/// Lower bound on F_N over its maximum in the step, where F_N goes to 0 and the law is integrated:
/// laws divide by F_N. A smaller bound makes the last inner steps before the opening shorter.
const MIN_FORCE_SHARE: f64 = 1e-6;
/// Lower bound on the scale of a state: it avoids a division by 0.
const SMALLEST_SCALE: f64 = 1e-100;
/// Limit of mode changes at one instant. A system that reaches it has no mode that holds there,
/// which is a defect of the law.
const MAX_MODE_CHANGES: usize = 16;

/// Event iteration: handles events at one instant until the mode holds; returns whether a mode or a
/// state changed.
pub fn event_iteration<L: Law<N>, const N: usize>(
    law: &L,
    contact: Contact,
    x: &mut [f64; N],
    discrete: &mut L::DiscreteState,
) -> bool {
    let mut changed = false;
    for _ in 0..MAX_MODE_CHANGES {
        if !discrete.handle_event(law, contact, x) {
            break;
        }
        changed = true;
    }
    changed
}

/// Communication step of a law.
pub struct CommunicationStep<'a> {
    /// Inputs over the step.
    pub trajectory: &'a InputTrajectory<'a>,
    /// Length, s.
    pub duration: f64,
    /// Error of F_R relative to F_s.
    pub tolerance: f64,
}

/// Advances a law with its events over a communication step.
pub fn advance<L: Law<N>, const N: usize>(
    law: &L,
    step: &CommunicationStep,
    x: &mut [f64; N],
    discrete: &mut L::DiscreteState,
    memory: &mut Memory,
) -> Result<StepResult, SolverError> {
    let &CommunicationStep {
        trajectory,
        duration,
        tolerance,
    } = step;
    if N == 0 && trajectory.is_held() && is_on(Method::HeldStatic) {
        event_iteration(law, trajectory.start, x, discrete);
        let [loss, impulse] =
            integrands(law, trajectory.start, x, discrete).map(|integrand| integrand * duration);
        return Ok(StepResult {
            loss,
            impulse,
            inner_steps: 1,
            force_error: 0.0,
        });
    }
    // A contact that is open at the start of the step counts as open there, even if it closes at
    // once.
    event_iteration(law, trajectory.at(0.0), x, discrete);
    let breakpoints = trajectory.breakpoints(duration);
    let largest = trajectory.ranges(breakpoints).largest;
    let mut quadratures = Quadratures::new(law, largest, breakpoints, duration, tolerance);
    let (mut t, mut inner_steps) = (0.0, 0);
    for breakpoint in breakpoints {
        while t < breakpoint {
            let segment = InputSegment::between_breakpoints(trajectory, t, breakpoint, 0.0);
            event_iteration(law, segment.at(t), x, discrete);
            let reached = match discrete
                .exact_rates(law, segment.at(breakpoint))
                .filter(|_| is_on(Method::ExactStates))
            {
                Some(rates) => {
                    inner_steps += 1;
                    memory.limit.count();
                    let skips_events = memory.limit.is_exceeded();
                    if skips_events {
                        memory.limit.accept(UNKNOWN);
                    }
                    let (from, h) = (segment.from, segment.to - segment.from);
                    let path = Path::exact(segment.trajectory(), from, h, x, &rates);
                    let end = end_of_exact(law, &segment, &path, discrete, skips_events);
                    let motion = Motion {
                        law,
                        segment: &segment,
                        discrete,
                        x: |t| path.states((t - from) / h),
                    };
                    quadratures.add(&motion, from, end.reached);
                    *x = path.states(end.part);
                    end.reached
                }
                None => {
                    let segment = InputSegment::between_breakpoints(
                        trajectory,
                        t,
                        breakpoint,
                        MIN_FORCE_SHARE * largest.force,
                    );
                    let mode = Mode::new(law, &segment, discrete, x, largest);
                    let (done, reached) = integrate(&mode, x, tolerance, memory)?;
                    inner_steps += done.inner_steps;
                    quadratures.add_totals(done.totals.work, done.totals.impulse[0]);
                    reached
                }
            };
            if !x.iter().all(|x| x.is_finite()) {
                return Err(SolverError::NotFinite);
            }
            t = reached;
            event_iteration(law, segment.at(t), x, discrete);
        }
    }
    event_iteration(law, trajectory.at(duration), x, discrete);
    Ok(StepResult {
        loss: quadratures.loss,
        impulse: quadratures.impulse,
        inner_steps,
        force_error: 0.0,
    })
}

/// End of a segment in which states are integrals of the inputs: the first event in it, or its own
/// end.
fn end_of_exact<L: Law<N>, const N: usize>(
    law: &L,
    segment: &InputSegment,
    path: &Path<N>,
    discrete: &L::DiscreteState,
    skips_events: bool,
) -> Landing {
    let InputSegment { from, to, .. } = *segment;
    let h = to - from;
    let end = Landing {
        part: 1.0,
        reached: to,
    };
    if skips_events || !has_modes::<L, N>() || segment.is_open() {
        return end;
    }
    first_event(law, discrete, path, from, h, |_, reached| {
        segment.at(reached)
    })
    .map_or(end, |part| landing(from, h, part))
}

/// Place at which an event is handled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landing {
    /// Share of the segment.
    pub part: f64,
    /// Instant, s.
    pub reached: f64,
}

/// Place at which an event at `part` of a segment is handled. The segment begins at `from` (s) and
/// is `h` (s) long. The instant is a floating-point number above `from`. The share is calculated
/// back from it, so that states and inputs belong to the same instant: otherwise an event whose
/// limit moves with the inputs is found again at each of the next instants. It is not before
/// `part`, where the mode still holds: a mode may last for few of the numbers there are at `from`.
pub fn landing(from: f64, h: f64, part: f64) -> Landing {
    let mut reached = (from + part * h).max(from.next_up());
    if (reached - from) / h < part {
        reached = reached.next_up();
    }
    let reached = reached.min(from + h);
    Landing {
        part: ((reached - from) / h).min(1.0),
        reached,
    }
}

/// Advances a law in its present mode by [`ode`] to the end of a segment or to the first event;
/// returns the totals, and the time reached, s from the start of the trajectory.
fn integrate<L: Law<N>, const N: usize>(
    mode: &Mode<L, N>,
    x: &mut [f64; N],
    tolerance: f64,
    memory: &mut Memory,
) -> Result<(ode::Done<N>, f64), SolverError> {
    let InputSegment { from, to, .. } = *mode.segment;
    if to - from < NEGLIGIBLE {
        return Ok((
            ode::Done {
                inner_steps: 1,
                ..ode::Done::ZERO
            },
            to,
        ));
    }
    let mut state = State {
        z: [0.0; N],
        u: mode.scaled(x),
    };
    let done = ode::advance(mode, &mut state, to - from, tolerance, memory);
    *x = mode.unscaled(&state.u);
    let done = done?;
    let reached = if done.duration < to - from {
        (from + done.duration).max(from.next_up())
    } else {
        to
    };
    Ok((done, reached))
}

/// Place of the first event in an inner step of a closed contact, as a share of it. The step begins
/// at `from` (s) and is `h` (s) long; `contact` is that at a share of it, which is reached at an
/// instant (s).
#[inline]
pub fn first_event<L: Law<N>, const N: usize>(
    law: &L,
    discrete: &L::DiscreteState,
    path: &Path<N>,
    from: f64,
    h: f64,
    contact: impl Fn(f64, f64) -> Contact,
) -> Option<f64> {
    if let Some(polynomials) = discrete.polynomials(law, path) {
        let first = polynomials
            .iter()
            .filter_map(|polynomial| polynomial.first_change())
            .reduce(f64::min)?;
        let changes_mode = |part: f64| {
            let Landing { part, reached } = landing(from, h, part);
            discrete
                .clone()
                .handle_event(law, contact(part, reached), &mut path.states(part))
        };
        return first_that_changes(&polynomials, first, changes_mode);
    }
    let signs = |part: f64| {
        let indicators =
            discrete.indicators(law, contact(part, from + part * h), &path.states(part));
        indicators.map(|indicator| indicator.partial_cmp(&0.0))
    };
    let start: [Option<Ordering>; MAX_EVENTS] = signs(0.0);
    let mut seen = 0.0;
    INDICATOR_SAMPLES.into_iter().find_map(|sample| {
        bisect(core::mem::replace(&mut seen, sample), sample, |part| {
            signs(part) == start
        })
    })
}

/// First place, from the change of sign at `first` on, at which the mode changes. A polynomial may
/// change its sign where another condition of the event does not hold, or not yet: next to an
/// opening the system has a lower bound on F_N that the polynomials do not have. Each further
/// change of sign is tested, and places at twice the distance of the one before; a mode that
/// changes between two of them is located.
#[cold]
fn first_that_changes(
    polynomials: &[Polynomial; MAX_EVENTS],
    first: f64,
    changes_mode: impl Fn(f64) -> bool,
) -> Option<f64> {
    // Changes of sign by rounding next to a root are skipped.
    let change_after = |part: f64| {
        let from = (part + FLOOR).min(1.0);
        polynomials
            .iter()
            .filter_map(|polynomial| polynomial.first_change_after(from))
            .fold(f64::INFINITY, f64::min)
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
    if part == first {
        Some(part)
    } else {
        bisect(before, part, changes_mode)
    }
}

/// Whether a law has discrete states: without them there is no event while the contact stays
/// closed.
pub(super) const fn has_modes<L: Law<N>, const N: usize>() -> bool {
    !L::METADATA.modes.is_empty()
}

/// A law in one of its modes under a segment of inputs, as differential equations of its states
/// over their scales.
struct Mode<'a, L: Law<N>, const N: usize> {
    law: &'a L,
    segment: &'a InputSegment<'a>,
    discrete: &'a L::DiscreteState,
    /// Change of each state that counts as an error of 1: the smaller one of those at both ends of
    /// the segment, because an error may change F_R more at the end than where it arises.
    scale: [f64; N],
    /// Errors of 1 of the totals over the segment.
    scales_of_totals: TotalScales,
}

impl<'a, L: Law<N>, const N: usize> Mode<'a, L, N> {
    /// A mode in a step with these largest inputs, from the states `x`.
    fn new(
        law: &'a L,
        segment: &'a InputSegment<'a>,
        discrete: &'a L::DiscreteState,
        x: &[f64; N],
        largest: Largest,
    ) -> Self {
        let ends = [segment.from, segment.to].map(|t| segment.at(t));
        // F_s must not vanish where F_N passes through 0.
        let closed = |contact: Contact| Contact {
            F_N: contact.F_N.max(LIGHT_FORCE),
            ..contact
        };
        let [start, end] = ends.map(|contact| law.numerics(closed(contact), x, 0.0).scale);
        let scale = array::from_fn(|i| start[i].min(end[i]).max(SMALLEST_SCALE));
        let force = law
            .numerics(Contact::new(largest.force.max(LIGHT_FORCE), 0.0), x, 0.0)
            .error_force;
        let present = || {
            ends.map(|contact| law.evaluate(contact, x, discrete).F_R.abs())
                .into_iter()
                .fold(LIGHT_FORCE, f64::max)
        };
        let force = if force.is_finite() { force } else { present() };
        let impulse = force * (segment.to - segment.from);
        Mode {
            law,
            segment,
            discrete,
            scale,
            scales_of_totals: TotalScales {
                work: impulse * largest.speed,
                impulse,
            },
        }
    }

    /// States over their scales.
    fn scaled(&self, x: &[f64; N]) -> [f64; N] {
        array::from_fn(|i| x[i] / self.scale[i])
    }

    /// States from those over their scales.
    fn unscaled(&self, u: &[f64; N]) -> [f64; N] {
        array::from_fn(|i| u[i] * self.scale[i])
    }
}

impl<L: Law<N>, const N: usize> System<N> for Mode<'_, L, N> {
    const SECOND_ORDER: bool = false;
    const FORCE_IS_LINEAR: bool = false;
    const IS_HYBRID: bool = true;

    type At = Contact;

    fn at(&self, t: f64) -> Contact {
        self.segment.within(t)
    }

    fn rate(&self, contact: &Contact, x: &State<N>) -> [f64; N] {
        self.scaled(
            &self
                .law
                .evaluate(*contact, &self.unscaled(&x.u), self.discrete)
                .rate,
        )
    }

    fn linearised(&self, contact: &Contact, x: &State<N>) -> Linearised<N> {
        let (here, by) = linearised(self.law, *contact, &self.unscaled(&x.u), self.discrete);
        let by_u = array::from_fn(|i| {
            array::from_fn(|j| by.rate_x[i][j] * (self.scale[j] / self.scale[i]))
        });
        Linearised {
            rate: self.scaled(&here.rate),
            by_z: [[0.0; N]; N],
            by_u,
        }
    }

    fn decay_rate(&self, _: &Contact) -> f64 {
        0.0
    }

    fn scale(&self, _: &Contact, _: &State<N>, _: &Linearised<N>) -> State<N> {
        State {
            z: [f64::INFINITY; N],
            u: [1.0; N],
        }
    }

    fn limits(&self, t: f64, contact: &Contact, x: &State<N>, _: &Linearised<N>) -> Limits {
        let StepLimits {
            max_dv,
            growth_rate,
            longest,
        } = self
            .law
            .numerics(*contact, &self.unscaled(&x.u), 0.0)
            .limits;
        let within = self
            .segment
            .trajectory()
            .time_within(max_dv, self.segment.from + t);
        Limits {
            longest: within.min(longest_at(growth_rate)).min(longest),
            growth_rate: 0.0,
        }
    }

    fn branch(&self, _: &Contact, _: &State<N>) -> u16 {
        0
    }

    fn event(&self, step: &Collocation<N>) -> Option<f64> {
        // The only event of an open contact is its closing, which is a breakpoint.
        if !has_modes::<L, N>() || self.segment.is_open() {
            return None;
        }
        let from = self.segment.from + step.t;
        let mut path = Path::inputs(self.segment.trajectory(), from, step.h);
        path.x = array::from_fn(|i| {
            let [zero, first, second, third] =
                step.u[i].map(|coefficient| coefficient * self.scale[i]);
            Polynomial([zero, first, second, third, 0.0, 0.0])
        });
        let contact = |_, reached| self.segment.at(reached);
        let part = first_event(self.law, self.discrete, &path, from, step.h, contact)?;
        Some(landing(from, step.h, part).part)
    }

    fn force(&self, contact: &Contact, x: &State<N>, _: &[f64; N]) -> Integrands<N> {
        let here = self
            .law
            .evaluate(*contact, &self.unscaled(&x.u), self.discrete);
        Integrands {
            power: here.F_R * contact.v + here.F_R_y * contact.v_y,
            force: array::from_fn(|i| if i == 0 { here.F_R } else { 0.0 }),
        }
    }

    fn inputs_are_curved(&self) -> bool {
        true
    }

    fn scales_of_totals(&self) -> TotalScales {
        self.scales_of_totals
    }

    fn closed_form(&self, _: &mut State<N>, _: f64, _: bool) -> Option<Totals<N>> {
        None
    }
}

#[cfg(test)]
mod tests;
