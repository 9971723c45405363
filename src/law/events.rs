//! Default advance of a law over a communication step: from event to event, and in between exactly where its states are integrals
//! of the inputs, else by the general stiff integrator.
//!
//! The step is cut where an input passes through 0 or turns. In each piece the law's event polynomials are followed along the
//! inner steps: where their Bernstein coefficients prove that none changes its sign there is no event, else its instant is a
//! root of theirs. There the law may change its mode and its states, and goes on.

use super::course::bisect;
use super::loss::Account;
use super::{Advance, Contact, Course, LEAST_NORMAL_FORCE, Law, MOST_EVENTS, Pace, Path, Rate};
use crate::integrate::polynomial::{FLOOR, Polynomial};
use crate::integrate::radau::{Radau, Step};
use crate::integrate::step_limit::UNKNOWN;
use crate::integrate::{Failure, System};
use core::cmp::Ordering;

/// The inner step's share of the tolerance: errors of several inner steps add up, most where F_R reacts fastest.
const INNER_SHARE: f64 = 0.1;
/// Where the indicators of a law without event polynomials are sampled within an inner step.
const INDICATOR_SAMPLES: [f64; 4] = [0.25, 0.5, 0.75, 1.0];
/// The least part of a normal force that a law sees of it where it goes to 0, if it is integrated.
const NO_LESS: f64 = 1e-6;
/// In a shorter time, s, nothing moves; quotients by it would leave the range of numbers.
const SHORTEST: f64 = 1e-200;
/// A law whose mode has not settled after so many changes at one instant has none that holds: a defect of the law.
const MOST_CHANGES: usize = 16;

/// Lets a law change its mode until one holds; returns whether anything changed.
pub fn settle<L: Law<N>, const N: usize>(law: &L, contact: Contact, x: &mut [f64; N], memory: &mut L::Memory) -> bool {
    let mut changed = false;
    for _ in 0..MOST_CHANGES {
        if !law.switch(contact, x, memory) {
            break;
        }
        changed = true;
    }
    changed
}

/// A part of a course, s from its start, between two cuts.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    course: &'a Course<'a>,
    from: f64,
    to: f64,
    /// The normal force is kept within these bounds.
    normal: [f64; 2],
}

impl<'a> Piece<'a> {
    /// The contact is open in all of it or closed in all of it, whatever rounding makes of F_N at its ends; and where F_N comes
    /// from 0 or goes there, `least` (N) stands for the last of it.
    pub fn between_cuts(course: &'a Course<'a>, [from, to]: [f64; 2], least: f64) -> Self {
        let least = least.max(2.0 * LEAST_NORMAL_FORCE);
        let middle = if course.is_held() { course.start } else { course.at(0.5 * (from + to)) };
        let closed = !middle.is_open();
        let normal = if closed { [least, f64::INFINITY] } else { [f64::NEG_INFINITY, -f64::MIN_POSITIVE] };
        Piece { course, from, to, normal }
    }

    /// Its course.
    pub fn course(&self) -> &Course<'a> {
        self.course
    }

    /// The contact at a time of the course.
    #[inline]
    pub fn at(&self, t: f64) -> Contact {
        let mut contact = self.course.at(t);
        contact.F_N = contact.F_N.max(self.normal[0]).min(self.normal[1]);
        contact
    }

    /// The contact at a time of the piece, s from its start.
    #[inline]
    fn within(&self, t: f64) -> Contact {
        self.at(self.from + t)
    }
}

/// Advances a law over `duration` (s), with its events.
pub fn advance<L: Law<N>, const N: usize>(
    law: &L,
    course: &Course,
    x: &mut [f64; N],
    memory: &mut L::Memory,
    duration: f64,
    tolerance: f64,
    solver: &mut Radau,
) -> Result<Advance, Failure> {
    if N == 0 && course.is_held() {
        settle(law, course.start, x, memory);
        let force = law.evaluate(course.start, x, memory).F_R;
        let [loss, impulse] = [force * course.start.v * duration, force * duration];
        return Ok(Advance { loss, impulse, inner_steps: 1, doubt: 0.0 });
    }
    // A contact that is open at the start alone was open.
    settle(law, course.at(0.0), x, memory);
    let cuts = course.cuts(duration);
    let most = course.most(cuts);
    let mut account = Account::new(law, most, duration, cuts, tolerance);
    let (mut t, mut inner_steps) = (0.0, 0);
    for cut in cuts {
        while t < cut {
            let piece = Piece::between_cuts(course, [t, cut], 0.0);
            settle(law, piece.at(t), x, memory);
            let reached = match law.exact_rates(piece.at(cut), memory) {
                Some(rates) => {
                    inner_steps += 1;
                    if solver.limit.count() > 1.0 {
                        solver.limit.accept(UNKNOWN);
                    }
                    exact(law, &piece, &rates, x, memory, solver.limit.is_exceeded(), &mut account)
                }
                None => {
                    let piece = Piece::between_cuts(course, [t, cut], NO_LESS * most[0]);
                    let (steps, reached) = integrate(law, &piece, x, memory, tolerance, solver, &mut account)?;
                    inner_steps += steps;
                    reached
                }
            };
            if !x.iter().all(|x| x.is_finite()) {
                return Err(Failure::NotFinite);
            }
            t = reached;
            settle(law, piece.at(t), x, memory);
        }
    }
    settle(law, course.at(duration), x, memory);
    Ok(Advance { loss: account.loss, impulse: account.impulse, inner_steps, doubt: 0.0 })
}

/// Advances states that are integrals of the inputs over a piece, or to the first event in it unless events are skipped; returns
/// the time reached, s from the start of the course.
fn exact<L: Law<N>, const N: usize>(
    law: &L,
    piece: &Piece,
    rates: &[Rate; N],
    x: &mut [f64; N],
    memory: &L::Memory,
    skips_events: bool,
    account: &mut Account,
) -> f64 {
    let Piece { from, to, .. } = *piece;
    let h = to - from;
    let path = Path::exact(piece.course, from, h, x, rates);
    let event = if skips_events || N == 0 && L::DECLARATION.modes.is_empty() {
        None
    } else {
        first_event(law, piece, memory, [0.0, h], || path, |part| path.states(part))
    };
    let (part, reached) = event.map_or((1.0, to), |part| landing(from, h, part));
    account.add(law, piece, memory, [from, reached], |t| path.states((t - from) / h));
    *x = path.states(part);
    reached
}

/// The part of a segment from `from` (s) on, `h` (s) long, at which an event at `part` of it is handled, and the instant: a number
/// of floating point after `from`. The states must be those of this instant, or an event whose limit moves as they do is met
/// again at each of the next instants.
fn landing(from: f64, h: f64, part: f64) -> (f64, f64) {
    let reached = (from + part * h).max(from.next_up()).min(from + h);
    (((reached - from) / h).min(1.0), reached)
}

/// Advances a law in its present mode over a piece by the general integrator, or to the first event in it; returns the inner steps
/// and the time reached, s from the start of the course.
fn integrate<L: Law<N>, const N: usize>(
    law: &L,
    piece: &Piece,
    x: &mut [f64; N],
    memory: &L::Memory,
    tolerance: f64,
    solver: &mut Radau,
    account: &mut Account,
) -> Result<(u32, f64), Failure> {
    let duration = piece.to - piece.from;
    if duration < SHORTEST {
        return Ok((1, piece.to));
    }
    let mode = Mode { law, piece, memory, least_force: least_force(piece) };
    let mut found = false;
    let observe = |step: Step<N>| {
        let from = piece.from + step.t;
        let event: Option<f64> = if L::DECLARATION.events.is_empty() || step.skips_events {
            None
        } else {
            let path = || Path::collocation(piece.course, from, &step);
            first_event(law, piece, memory, [step.t, step.h], path, |part| step.at(part))
        };
        let event = event.map(|part| landing(from, step.h, part).0);
        match event {
            None => account.add_step(law, piece, memory, from, &step, |t| step.at((t - from) / step.h)),
            Some(part) => {
                let interval = [from, from + part * step.h];
                account.add(law, piece, memory, interval, |t| step.at((t - from) / step.h));
            }
        }
        found = event.is_some();
        event
    };
    let (steps, reached) = solver.advance(&mode, x, duration, INNER_SHARE * tolerance, observe)?;
    let reached = if found { (piece.from + reached).max(piece.from.next_up()) } else { piece.to };
    Ok((steps, reached))
}

/// Advances a law without modes by the general integrator as long as `holds` is true at the end of each inner step; returns the
/// time reached, s, too, which is the end of the first inner step that does not hold, or `duration`. The contact stays closed.
pub fn advance_while<L: Law<N, Memory = ()>, const N: usize>(
    law: &L,
    course: &Course,
    x: &mut [f64; N],
    duration: f64,
    tolerance: f64,
    solver: &mut Radau,
    holds: impl Fn(Contact, &[f64; N]) -> bool,
) -> Result<(Advance, f64), Failure> {
    let cuts = course.cuts(duration);
    let mut account = Account::new(law, course.most(cuts), duration, cuts, tolerance);
    let piece = Piece::between_cuts(course, [0.0, duration], 0.0);
    let mode = Mode { law, piece: &piece, memory: &(), least_force: least_force(&piece) };
    let observe = |step: Step<N>| {
        account.add_step(law, &piece, &(), step.t, &step, |t| step.at((t - step.t) / step.h));
        (!holds(piece.at(step.t + step.h), &step.stages[2])).then_some(1.0)
    };
    let (inner_steps, reached) = solver.advance(&mode, x, duration, INNER_SHARE * tolerance, observe)?;
    Ok((Advance { loss: account.loss, impulse: account.impulse, inner_steps, doubt: 0.0 }, reached))
}

/// The part of an inner step, which begins at `t` (s from the start of the piece) and is `h` (s) long, after which there is an
/// event.
#[inline]
fn first_event<L: Law<N>, const N: usize>(
    law: &L,
    piece: &Piece,
    memory: &L::Memory,
    [t, h]: [f64; 2],
    path: impl FnOnce() -> Path<N>,
    states: impl Fn(f64) -> [f64; N],
) -> Option<f64> {
    // No event ends an open contact but its closing, which is a cut.
    if piece.normal[0] < 0.0 {
        return None;
    }
    if let Some(polynomials) = law.event_polynomials(&path(), memory) {
        let first = polynomials.iter().filter_map(|polynomial| polynomial.first_change()).reduce(f64::min)?;
        let changes_mode = |part: f64| {
            let (part, reached) = landing(piece.from + t, h, part);
            law.switch(piece.at(reached), &mut states(part), &mut memory.clone())
        };
        return first_that_changes(&polynomials, first, changes_mode);
    }
    let signs = |part: f64| {
        let indicators = law.indicators(piece.within(t + part * h), &states(part), memory);
        indicators.map(|indicator| indicator.partial_cmp(&0.0))
    };
    let start: [Option<Ordering>; MOST_EVENTS] = signs(0.0);
    let mut seen = 0.0;
    INDICATOR_SAMPLES
        .into_iter()
        .find_map(|sample| bisect(core::mem::replace(&mut seen, sample), sample, |part| signs(part) == start))
}

/// The first of the changes of sign, from the one at `first` on, at which the mode changes. A polynomial may change its sign where
/// another condition of the event does not hold; what rounding makes of it next to its root is passed over.
#[cold]
fn first_that_changes(
    polynomials: &[Polynomial; MOST_EVENTS],
    first: f64,
    changes_mode: impl Fn(f64) -> bool,
) -> Option<f64> {
    let (mut part, mut skip) = (first, FLOOR);
    while !changes_mode(part) {
        let from = part + skip;
        if from >= 1.0 {
            return None;
        }
        if changes_mode(from) {
            return Some(from);
        }
        part = polynomials.iter().filter_map(|polynomial| polynomial.first_change_after(from)).reduce(f64::min)?;
        skip *= 2.0;
    }
    Some(part)
}

/// The normal force that errors are measured by: where F_N passes through 0 it must not vanish with it.
fn least_force(piece: &Piece) -> f64 {
    let [start, end] = [piece.at(piece.from).F_N, piece.at(piece.to).F_N];
    end.max(1e-3 * start.abs().max(end.abs()))
}

/// A law in one of its modes under a piece of a course, as a system of differential equations.
struct Mode<'a, L: Law<N>, const N: usize> {
    law: &'a L,
    piece: &'a Piece<'a>,
    memory: &'a L::Memory,
    least_force: f64,
}

impl<L: Law<N>, const N: usize> Mode<'_, L, N> {
    fn scale_at(&self, contact: Contact, x: &[f64; N]) -> [f64; N] {
        self.law.scale(Contact { F_N: contact.F_N.max(self.least_force), ..contact }, x)
    }
}

impl<L: Law<N>, const N: usize> System<N> for Mode<'_, L, N> {
    fn rate(&self, t: f64, x: &[f64; N]) -> [f64; N] {
        self.law.evaluate(self.piece.within(t), x, self.memory).rate
    }

    fn jacobian(&self, t: f64, x: &[f64; N]) -> [[f64; N]; N] {
        self.law.linearise(self.piece.within(t), x, self.memory).rate_x
    }

    fn scale(&self, t: f64, x: &[f64; N]) -> [f64; N] {
        let here = self.scale_at(self.piece.within(t), x);
        // F_R may answer to an error more at the end of the piece than where it is made.
        let end = self.scale_at(self.piece.at(self.piece.to), x);
        core::array::from_fn(|i| here[i].min(end[i]))
    }

    fn longest(&self, t: f64, x: &[f64; N]) -> f64 {
        let contact = self.piece.within(t);
        let Pace { leap, growth } = self.law.pace(contact, x);
        self.piece.course.time_for(leap, self.piece.from + t).min(1.0 / growth)
    }
}
