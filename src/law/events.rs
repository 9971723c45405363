//! How a law without a way of its own advances over a communication step: from event to event, and in between by the
//! general stiff integrator.
//!
//! The step is cut where an input passes through 0 or turns, so that nothing turns back unseen within a piece; in each
//! piece the law's indicators are watched along the inner steps, and where one changes its sign the instant is found by
//! bisection on the step's own polynomial. There the law may change its mode and its states, and goes on.

use super::course::bisect;
use super::{Advance, Contact, Course, Law, MOST_EVENTS};
use crate::integrate::radau::{MAX_STEPS, NODES, Radau, Step, WEIGHTS};
use crate::integrate::{Failure, System};
use core::cmp::Ordering;

/// The inner step's share of the tolerance: errors of several inner steps add up, most where F_R reacts fastest.
const INNER_SHARE: f64 = 0.1;
/// Where indicators are looked at within an inner step.
const LOOKS: [f64; 4] = [0.25, 0.5, 0.75, 1.0];
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
    settle(law, course.at(t), x, memory);
    for cut in course.cuts(duration) {
        while t < cut {
            let (piece, reached) = integrate(law, course, x, memory, [t, cut], tolerance, solver)?;
            done.loss += piece.loss;
            done.inner_steps += piece.inner_steps;
            if done.inner_steps > MAX_STEPS {
                return Err(Failure::TooManySteps { t, limit: MAX_STEPS });
            }
            t = reached;
            settle(law, course.at(t), x, memory);
        }
    }
    Ok(done)
}

/// Advances a law in its present mode from one time of a course to another (s from its start), or to the first event
/// before it; returns how far it came.
pub fn integrate<L: Law<N>, const N: usize>(
    law: &L,
    course: &Course,
    x: &mut [f64; N],
    memory: &L::Memory,
    [from, to]: [f64; 2],
    tolerance: f64,
    solver: &mut Radau,
) -> Result<(Advance, f64), Failure> {
    let signs = Signs::of(law, course.at(from), x, memory);
    let mut watch = Watch { law, course, memory, from, signs, loss: 0.0, event: false };
    let (inner_steps, reached) = if N == 0 {
        let panels = if course.slopes.is_none() && course.delay.is_none() { 1 } else { PANELS };
        let h = (to - from) / f64::from(panels);
        let mut panel = (0..panels).map(|i| f64::from(i) * h);
        let event = panel.find_map(|t| watch.see(Step { t, h, start: x, stages: &[*x; 3] }).map(|part| t + part * h));
        (panels, event.unwrap_or(to - from))
    } else {
        let mode = Mode { law, course, memory, from, least_force: least_force(course, [from, to]) };
        solver.advance(&mode, x, to - from, INNER_SHARE * tolerance, |step| watch.see(step))?
    };
    let reached = if watch.event { from + reached } else { to };
    Ok((Advance { loss: watch.loss, inner_steps }, reached))
}

/// What is seen along the inner steps: the loss, and the first event.
struct Watch<'a, L: Law<N>, const N: usize> {
    law: &'a L,
    course: &'a Course<'a>,
    memory: &'a L::Memory,
    /// Where the inner steps began, s from the start of the course.
    from: f64,
    /// The signs of the indicators there.
    signs: Signs,
    loss: f64,
    event: bool,
}

impl<L: Law<N>, const N: usize> Watch<'_, L, N> {
    /// Looks at an inner step; returns the part of it after which there is an event.
    fn see(&mut self, step: Step<N>) -> Option<f64> {
        let event = if L::DECLARATION.events.is_empty() { None } else { self.event(&step) };
        self.event = event.is_some();
        for (i, (node, weight)) in NODES.iter().zip(WEIGHTS).enumerate() {
            let part = event.unwrap_or(1.0);
            let x = if event.is_some() { step.at(node * part) } else { step.stages[i] };
            let contact = self.course.at(self.from + step.t + node * part * step.h);
            self.loss += weight * part * step.h * self.law.evaluate(contact, &x, self.memory).F_R * contact.v;
        }
        event
    }

    fn event(&self, step: &Step<N>) -> Option<f64> {
        let same = |part: f64| {
            let contact = self.course.at(self.from + step.t + part * step.h);
            Signs::of(self.law, contact, &step.at(part), self.memory) == self.signs
        };
        let mut seen = 0.0;
        LOOKS.into_iter().find_map(|look| bisect(core::mem::replace(&mut seen, look), look, same))
    }
}

/// The normal force that errors are measured by: where F_N passes through 0 it must not vanish with it.
fn least_force(course: &Course, [from, to]: [f64; 2]) -> f64 {
    let [start, end] = [course.at(from).F_N, course.at(to).F_N];
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

/// A law in one of its modes under a course of its contact, as a system of differential equations.
struct Mode<'a, L: Law<N>, const N: usize> {
    law: &'a L,
    course: &'a Course<'a>,
    memory: &'a L::Memory,
    from: f64,
    least_force: f64,
}

impl<L: Law<N>, const N: usize> System<N> for Mode<'_, L, N> {
    fn rate(&self, t: f64, x: &[f64; N]) -> [f64; N] {
        self.law.evaluate(self.course.at(self.from + t), x, self.memory).rate
    }

    fn jacobian(&self, t: f64, x: &[f64; N]) -> [[f64; N]; N] {
        self.law.linearise(self.course.at(self.from + t), x, self.memory).rate_x
    }

    fn scale(&self, t: f64, x: &[f64; N]) -> [f64; N] {
        let contact = self.course.at(self.from + t);
        self.law.scale(Contact { F_N: contact.F_N.max(self.least_force), ..contact }, x)
    }
}
