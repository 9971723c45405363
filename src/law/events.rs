//! How a law without a way of its own advances over a communication step: from event to event, and in between by the
//! general stiff integrator.
//!
//! The step is cut where an input passes through 0 or turns, so that nothing turns back unseen within a piece; in each
//! piece the law's indicators are watched along the inner steps, and where one changes its sign the instant is found by
//! bisection on the step's own polynomial. There the law may change its mode and its states, and goes on.

use super::course::bisect;
use super::{Advance, Contact, Course, Law, MOST_EVENTS, Pace};
use crate::integrate::radau::{MAX_STEPS, NODES, Radau, Step, WEIGHTS};
use crate::integrate::{Failure, System};
use core::cmp::Ordering;

/// The inner step's share of the tolerance: errors of several inner steps add up, most where F_R reacts fastest.
const INNER_SHARE: f64 = 0.1;
/// Where indicators are looked at within an inner step.
const LOOKS: [f64; 4] = [0.25, 0.5, 0.75, 1.0];
/// The least part of a normal force that a law sees of it where it goes to 0.
const NO_LESS: f64 = 1e-6;
/// In a shorter time, s, nothing moves; quotients by it would leave the range of numbers.
const SHORTEST: f64 = 1e-200;
/// The panels of an inner step on which the loss of a law with events is summed up.
const LOSS_PANELS: u32 = 3;
/// The panels of a piece on which the loss of a law without states is summed up while the inputs move.
const PANELS: u32 = 8;
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

/// A stretch of a course, s from its start.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    course: &'a Course<'a>,
    from: f64,
    to: f64,
    /// The normal force is kept within these bounds.
    normal: [f64; 2],
    /// The contact is the same in kind throughout: open or closed, v of one sign.
    uniform: bool,
}

impl<'a> Piece<'a> {
    /// A stretch as the course is.
    pub fn new(course: &'a Course<'a>, from: f64, to: f64) -> Self {
        Piece { course, from, to, normal: [f64::NEG_INFINITY, f64::INFINITY], uniform: false }
    }

    /// A stretch between two cuts. The contact is open in all of it or closed in all of it, whatever rounding makes of F_N
    /// at its ends; and where F_N comes from 0 or goes there, `least` (N) stands for the last of it: laws that divide by it
    /// have no end there.
    fn between_cuts(course: &'a Course<'a>, from: f64, to: f64, least: f64) -> Self {
        let closed = course.at(0.5 * (from + to)).F_N > 0.0;
        let normal = if closed { [least, f64::INFINITY] } else { [f64::NEG_INFINITY, -f64::MIN_POSITIVE] };
        Piece { normal, uniform: true, ..Piece::new(course, from, to) }
    }

    /// The contact at a time of the course.
    #[inline]
    fn at(&self, t: f64) -> Contact {
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
    let mut done = Advance::default();
    let mut t = 0.0;
    let cuts = course.cuts(duration);
    let least = NO_LESS * cuts.map(|cut| course.at(cut).F_N).fold(course.start.F_N, f64::max);
    for cut in cuts {
        while t < cut {
            let piece = Piece::between_cuts(course, t, cut, least);
            settle(law, piece.at(t), x, memory);
            let (advance, reached) = integrate(law, &piece, x, memory, tolerance, solver)?;
            done.loss += advance.loss;
            done.impulse += advance.impulse;
            done.inner_steps += advance.inner_steps;
            if done.inner_steps > MAX_STEPS {
                return Err(Failure::TooManySteps { t, limit: MAX_STEPS });
            }
            t = reached;
            settle(law, piece.at(t), x, memory);
        }
    }
    settle(law, course.at(duration), x, memory);
    Ok(done)
}

/// Advances a law in its present mode over a piece of a course, or to the first event in it; returns how far it came, s
/// from the start of the course.
pub fn integrate<L: Law<N>, const N: usize>(
    law: &L,
    piece: &Piece,
    x: &mut [f64; N],
    memory: &L::Memory,
    tolerance: f64,
    solver: &mut Radau,
) -> Result<(Advance, f64), Failure> {
    let duration = piece.to - piece.from;
    let signs = Signs::of(law, piece.within(0.0), x, memory);
    let mut watch = Watch { law, piece, memory, signs, sums: [0.0; 2], event: false };
    let (inner_steps, reached) = if N == 0 || duration < SHORTEST {
        let panels = if piece.course.is_held() { 1 } else { PANELS };
        let h = duration / f64::from(panels);
        let mut panel = (0..panels).map(|i| f64::from(i) * h);
        let event = panel.find_map(|t| watch.see(Step { t, h, start: x, stages: &[*x; 3] }).map(|part| t + part * h));
        (panels, event.unwrap_or(duration))
    } else {
        let mode = Mode { law, piece, memory, least_force: least_force(piece) };
        solver.advance(&mode, x, duration, INNER_SHARE * tolerance, |step| watch.see(step))?
    };
    let reached = if watch.event { piece.from + reached } else { piece.to };
    let [loss, impulse] = watch.sums;
    Ok((Advance { loss, impulse, inner_steps, doubt: 0.0 }, reached))
}

/// What is seen along the inner steps: the loss, and the first event.
struct Watch<'a, L: Law<N>, const N: usize> {
    law: &'a L,
    piece: &'a Piece<'a>,
    memory: &'a L::Memory,
    /// The signs of the indicators at the start of the piece.
    signs: Signs,
    /// Loss and impulse so far.
    sums: [f64; 2],
    event: bool,
}

impl<L: Law<N>, const N: usize> Watch<'_, L, N> {
    /// Looks at an inner step; returns the part of it after which there is an event.
    fn see(&mut self, step: Step<N>) -> Option<f64> {
        let held = N == 0 && self.piece.course.is_held();
        if L::DECLARATION.events.is_empty() || held {
            for (i, (node, weight)) in NODES.iter().zip(WEIGHTS).enumerate() {
                self.add(weight * step.h, step.t + node * step.h, &step.stages[i]);
            }
            return None;
        }
        let event = self.event(&step);
        self.event = event.is_some();
        // A mode whose states are simple is passed in one inner step, over which its power is not.
        let part = event.unwrap_or(1.0) / f64::from(LOSS_PANELS);
        for panel in 0..LOSS_PANELS {
            for (node, weight) in NODES.iter().zip(WEIGHTS) {
                let at = (f64::from(panel) + node) * part;
                self.add(weight * part * step.h, step.t + at * step.h, &step.at(at));
            }
        }
        event
    }

    /// Adds what an instant contributes to loss and impulse.
    fn add(&mut self, weight: f64, t: f64, x: &[f64; N]) {
        let contact = self.piece.within(t);
        let force = self.law.evaluate(contact, x, self.memory).F_R;
        self.sums[0] += weight * (force * contact.v);
        self.sums[1] += weight * force;
    }

    fn event(&self, step: &Step<N>) -> Option<f64> {
        let same = |part: f64| {
            let contact = self.piece.within(step.t + part * step.h);
            Signs::of(self.law, contact, &step.at(part), self.memory) == self.signs
        };
        let mut seen = 0.0;
        LOOKS.into_iter().find_map(|look| bisect(core::mem::replace(&mut seen, look), look, same))
    }
}

/// The normal force that errors are measured by: where F_N passes through 0 it must not vanish with it.
fn least_force(piece: &Piece) -> f64 {
    let [start, end] = [piece.at(piece.from).F_N, piece.at(piece.to).F_N];
    end.max(1e-3 * start.abs().max(end.abs()))
}

/// The signs of a law's indicators.
#[derive(PartialEq)]
struct Signs([Option<Ordering>; MOST_EVENTS]);

impl Signs {
    fn of<L: Law<N>, const N: usize>(law: &L, contact: Contact, x: &[f64; N], memory: &L::Memory) -> Self {
        Signs(law.indicators(contact, x, memory).map(|indicator| indicator.partial_cmp(&0.0)))
    }
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
        if !self.piece.uniform {
            return here;
        }
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
