//! Body and contacts as one system over a load interval, by [`ode`](crate::ode).
//!
//! A body with one contact along a line is a block without a spring (`alone`); several contacts,
//! and those in the plane, are integrated in the form of an arrow (`arrow`). The interval is cut
//! where a contact opens or closes, where a law changes its mode, and where a spring meets or leaves
//! a side of its gap.

mod alone;
mod arrow;
mod gaps;
mod one_step;
mod stick;

use self::arrow::{Arrow, Bodies};
pub use self::gaps::{Gaps, Play};
use self::stick::{Forces, Stick};
use super::contact::{BodyContact, LawModes, LawState};
use super::linear_body::{LinearBody, dot};
use crate::domain::{LIGHT_FORCE, OPEN_FORCE};
use crate::integrate::SolverError;
use crate::integrate::memory::Memory;
use crate::integrate::polynomial::taylor;
use crate::integrate::step_limit::{StepLimit, UNRESOLVED};
use crate::law::{Contact, Input, MAX_STATES, Openness, extremes, openness};
use crate::ode::control;
use crate::variable::MODES;
use crate::vector::Vector;

/// Tolerance with several contacts or in the plane over that of the interval: `ode` takes a tenth
/// of it for an inner step. With 10 the forces of two separate bodies in `cards::separate_bodies`
/// differ by more from those of each alone.
const OF_INTERVAL: f64 = 3.0;
/// Lower bound on F_N of a closed contact over its largest one in the interval: laws divide by F_N.
const MIN_FORCE_SHARE: f64 = 1e-6;

/// Load of a coordinate and its time derivatives up to order 4: the position of a base is the
/// integral of a velocity of order 3.
pub type Load = [f64; 5];

/// Most changes of modes at one instant, for each contact: of rest, of a start, and back.
const MODE_CHANGES: usize = 8;

/// Interval with all inputs as polynomials of time: values at the start with their time derivatives
/// up to order 3.
#[derive(Clone, Debug, Default)]
pub struct Interval {
    /// F_N of each contact, N.
    pub normal: Vec<Input>,
    /// Velocity along each axis of each contact that is not the body's, m/s.
    pub offset: Vec<Input>,
    /// a of each coordinate.
    pub load: Vec<Load>,
    /// Length, s.
    pub duration: f64,
    /// Tolerance of F_R over F_s.
    pub tolerance: f64,
}

impl Interval {
    /// Contact at a time (s), with a function that gives the body's velocity of a row.
    fn contact(
        &self,
        body: &LinearBody,
        contact: usize,
        t: f64,
        velocity: impl Fn(usize) -> f64,
    ) -> Contact {
        let [v, v_y] = body.vector(contact, |row| velocity(row) + taylor(&self.offset[row], t));
        Contact {
            v_y,
            ..Contact::new(taylor(&self.normal[contact], t), v)
        }
    }

    /// Largest F_N of a contact at the start, in the middle and at the end, N.
    fn largest_normal(&self, contact: usize) -> f64 {
        let [_, largest] = extremes(&self.normal[contact], self.duration);
        largest
    }

    /// Change of the speed of a contact over the interval by the larger one of the loads at start
    /// and end, m/s: the sum of both axes.
    fn pushed(&self, body: &LinearBody, contact: usize) -> f64 {
        let at = |t: f64, row: usize| -> f64 {
            body.output(row)
                .iter()
                .zip(&self.load)
                .map(|(c, load)| c * taylor(load, t))
                .sum::<f64>()
                .abs()
        };
        let push: f64 = body
            .rows(contact)
            .map(|row| at(0.0, row).max(at(self.duration, row)))
            .sum();
        push * self.duration
    }
}

/// Coordinates of the body and states of the laws.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// Coordinates of the body.
    pub y: Vec<f64>,
    /// States of each law.
    pub x: Vec<LawState>,
}

/// Totals over an interval.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Integral of each coordinate.
    pub travel: Vec<f64>,
    /// Mean force of each contact, N.
    pub mean: Vec<Vector>,
    /// Friction loss of each contact, J.
    pub loss: Vec<f64>,
}

/// Integrator with its memory.
#[derive(Clone, Debug)]
pub struct Integrator {
    /// Interval to integrate.
    pub interval: Interval,
    /// Motion, from the start of the interval to its end.
    pub motion: Motion,
    /// Modes of each law, from the start of the interval to its end.
    pub modes: Vec<LawModes>,
    /// Totals over the interval.
    pub totals: Totals,
    /// Time derivatives of the coordinates of the body at the end of the interval.
    pub end_rates: Vec<f64>,
    /// Applied force of each contact of a static law at the end of the interval, N.
    pub applied: Vec<f64>,
    /// Springs with a gap, over the interval.
    pub gaps: Gaps,
    /// Motion and modes at the start of the interval.
    start: Motion,
    start_modes: Vec<LawModes>,
    arrow: Arrow,
    stick: Stick,
    change: Vec<f64>,
    matrix: Vec<f64>,
}

impl Integrator {
    /// Integrator for this many contacts, with `axes` each, on a body with `size` coordinates.
    pub fn new(contacts: usize, size: usize, axes: usize) -> Self {
        let motion = || Motion {
            y: vec![0.0; size],
            x: vec![[0.0; MAX_STATES]; contacts],
        };
        let is_alone = contacts == 1 && size == 1 && axes == 1;
        Integrator {
            interval: Interval {
                normal: vec![[0.0; 4]; contacts],
                offset: vec![[0.0; 4]; contacts * axes],
                load: vec![[0.0; 5]; size],
                ..Interval::default()
            },
            motion: motion(),
            modes: vec![[0.0; MODES]; contacts],
            totals: Totals {
                travel: vec![0.0; size],
                mean: vec![[0.0; 2]; contacts],
                loss: vec![0.0; contacts],
            },
            end_rates: vec![0.0; size],
            applied: vec![0.0; contacts],
            gaps: Gaps::default(),
            start: motion(),
            start_modes: vec![[0.0; MODES]; contacts],
            arrow: if is_alone {
                Arrow::new(0, 0)
            } else {
                Arrow::new(contacts, size)
            },
            stick: Stick::new(0, 0),
            change: vec![0.0; size],
            matrix: Vec::new(),
        }
    }

    /// Integrator for contacts on bodies with springs; those along a line may stick as constraints.
    pub fn of_system(contacts: usize, size: usize, axes: usize, gaps: Gaps) -> Self {
        Integrator {
            gaps,
            stick: Stick::new(contacts, size),
            matrix: vec![0.0; size * size],
            ..Integrator::new(contacts, size, axes)
        }
    }

    /// Advances the motion over the interval; returns the number of inner steps. `first_step` (s)
    /// is kept from one interval to the next.
    pub fn advance<C: BodyContact + ?Sized>(
        &mut self,
        body: &LinearBody,
        contacts: &[Box<C>],
        first_step: &mut f64,
        limit: &mut StepLimit,
    ) -> Result<u32, SolverError> {
        self.begin_open(body, contacts);
        self.note_start();
        let mut memory = Memory {
            first_step: *first_step,
            limit: *limit,
        };
        let inner_steps = match contacts {
            [contact] if body.size == 1 && body.axes == 1 => {
                self.advance_alone(body, &**contact, &mut memory)
            }
            _ => self.with_gaps(|integrator, gaps| {
                integrator.advance_together(body, contacts, gaps, &mut memory)
            }),
        }?;
        (*first_step, *limit) = (memory.first_step, memory.limit);
        if limit.error() >= UNRESOLVED || limit.error() > 0.0 && !self.is_bounded(contacts) {
            self.with_gaps(|integrator, gaps| {
                let (start, end) = (&integrator.start.y, integrator.interval.duration);
                gaps.begin(start);
                gaps.settle(body, start, 0.0, &mut integrator.interval.load);
                integrator.one_step(gaps.body(body), contacts);
                gaps.add(&integrator.totals.travel, &integrator.motion.y, 0.0, end);
            });
        }
        Ok(inner_steps)
    }

    /// Lets a function use the springs with a gap beside the rest.
    fn with_gaps<R>(&mut self, act: impl FnOnce(&mut Self, &mut Gaps) -> R) -> R {
        let mut gaps = core::mem::take(&mut self.gaps);
        let result = act(self, &mut gaps);
        self.gaps = gaps;
        result
    }

    /// Handles the opening of the contacts that are open at the start of the interval: they forget
    /// their deflection.
    fn begin_open<C: BodyContact + ?Sized>(&mut self, body: &LinearBody, contacts: &[Box<C>]) {
        for (i, law) in contacts.iter().enumerate() {
            let [normal, ..] = self.interval.normal[i];
            if normal <= OPEN_FORCE {
                let contact = Contact {
                    F_N: 0.0,
                    ..self.contact(body, i, 0.0)
                };
                law.handle_events(contact, &mut self.motion.x[i], &mut self.modes[i]);
            }
        }
    }

    /// Contact at a time of the interval (s) with the present coordinates of the body.
    fn contact(&self, body: &LinearBody, contact: usize, t: f64) -> Contact {
        self.interval.contact(body, contact, t, |row| {
            dot(body.output(row), &self.motion.y)
        })
    }

    /// Advances the motion from event to event, and from one opening or closing of a contact to the
    /// next.
    fn advance_together<C: BodyContact + ?Sized>(
        &mut self,
        free: &LinearBody,
        contacts: &[Box<C>],
        gaps: &mut Gaps,
        memory: &mut Memory,
    ) -> Result<u32, SolverError> {
        let end = self.interval.duration;
        let states = contacts.first().map_or(0, |contact| contact.states());
        let has_modes = contacts.first().is_some_and(|contact| contact.has_modes());
        self.totals.travel.fill(0.0);
        self.totals.loss.fill(0.0);
        self.totals.mean.fill([0.0; 2]);
        for i in 0..contacts.len() {
            let (least_force, pushed) = (
                MIN_FORCE_SHARE * self.interval.largest_normal(i),
                self.interval.pushed(free, i),
            );
            self.arrow.set_bounds(i, least_force, pushed);
        }
        gaps.take_loads(&self.interval.load);
        gaps.begin(&self.motion.y);
        let (mut t, mut inner_steps) = (0.0, 0);
        while t < end {
            gaps.settle(free, &self.motion.y, t, &mut self.interval.load);
            let body = gaps.body(free);
            let mut to = end;
            for i in 0..contacts.len() {
                let Openness { is_open, until } = openness(&self.interval.normal[i], t, end);
                self.arrow.set_open(i, is_open);
                to = to.min(until);
            }
            self.handle_events(body, contacts, t);
            self.arrow.begin(&self.motion, states);
            let (constrained, load) = if self.stick.is_any() {
                (&self.stick.body, &self.stick.load)
            } else {
                (body, &self.interval.load)
            };
            let mut bodies = Bodies {
                body: constrained,
                load,
                forces: forces(body, contacts, &self.modes, &self.interval, &self.stick),
                gaps,
                arrow: &mut self.arrow,
                totals: &mut self.totals,
                from: t,
                has_modes,
            };
            let tolerance = OF_INTERVAL * self.interval.tolerance;
            let course = control(&mut bodies, to - t, tolerance, memory)?;
            self.arrow.end(&mut self.motion);
            let from = t;
            t = if course.duration < to - from {
                (from + course.duration).max(from.next_up())
            } else {
                to
            };
            inner_steps += course.inner_steps;
            for i in (0..contacts.len()).filter(|i| self.arrow.is_open(*i)) {
                let contact = Contact {
                    F_N: 0.0,
                    ..self.contact(body, i, t)
                };
                contacts[i].advance_open(
                    contact,
                    &mut self.motion.x[i],
                    &mut self.modes[i],
                    t - from,
                )?;
            }
            gaps.add(&self.totals.travel, &self.motion.y, from, t);
        }
        gaps.settle(free, &self.motion.y, end, &mut self.interval.load);
        let body = gaps.body(free);
        self.handle_events(body, contacts, end);
        self.set_end_rates(body, contacts);
        for i in 0..contacts.len() {
            self.applied[i] = self.applied(body, contacts, i, end);
        }
        self.totals
            .mean
            .as_flattened_mut()
            .iter_mut()
            .for_each(|impulse| *impulse /= end);
        Ok(inner_steps)
    }

    /// Changes the modes of closed contacts that do not hold at the time t (s) of the interval, and
    /// states with them.
    fn handle_events<C: BodyContact + ?Sized>(
        &mut self,
        body: &LinearBody,
        contacts: &[Box<C>],
        t: f64,
    ) {
        if contacts[0].has_applied_force() {
            return self.settle(body, contacts, t);
        }
        for i in (0..contacts.len()).filter(|i| !self.arrow.is_open(*i) && contacts[*i].has_modes())
        {
            let contact = self.closed_contact(body, i, t);
            contacts[i].handle_events(contact, &mut self.motion.x[i], &mut self.modes[i]);
        }
    }

    /// Changes the modes of static laws that do not hold at the time t (s) of the interval, until
    /// all hold. Contacts that come to rest stick; of those that cannot, the one whose force is
    /// the largest for its limit slides first: each one that slides changes the forces of others.
    fn settle<C: BodyContact + ?Sized>(&mut self, body: &LinearBody, contacts: &[Box<C>], t: f64) {
        // Contacts that slide since this instant.
        let mut released = 0;
        for _ in 0..MODE_CHANGES * contacts.len() {
            self.constrain(body, contacts, t, true);
            let interval = &self.interval;
            self.stick
                .stop(&mut self.motion.y, |i| taylor(&interval.offset[i], t));
            if !self.change_mode(body, contacts, t, &mut released) {
                break;
            }
        }
    }

    /// Sets the constraints of the contacts that stick at the time t (s) of the interval.
    fn constrain<C: BodyContact + ?Sized>(
        &mut self,
        body: &LinearBody,
        contacts: &[Box<C>],
        t: f64,
        is_moving: bool,
    ) {
        for (i, contact) in contacts.iter().enumerate() {
            let at = if is_moving {
                self.contact(body, i, t)
            } else {
                Contact::ZERO
            };
            let sticks = !self.arrow.is_open(i) && contact.is_balanced(at, &self.modes[i]);
            self.stick.is_stuck[i] = sticks;
            self.arrow.set_stuck(i, sticks);
        }
        let limit = |i: usize| {
            let normal = taylor(&self.interval.normal[i], t).max(LIGHT_FORCE);
            contacts[i].static_force_under(normal)
        };
        self.stick.constrain(body, &self.interval, limit);
    }

    /// Calculates the force that each contact of a static law takes to stick at the start of the
    /// interval, in its modes, whatever its slip.
    pub fn balance<C: BodyContact + ?Sized>(&mut self, body: &LinearBody, contacts: &[Box<C>]) {
        for i in 0..contacts.len() {
            let [normal, ..] = self.interval.normal[i];
            self.arrow.set_open(i, normal <= OPEN_FORCE);
        }
        self.with_gaps(|integrator, gaps| {
            gaps.take_loads(&integrator.interval.load);
            gaps.begin(&integrator.motion.y);
            gaps.settle(
                body,
                &integrator.motion.y,
                0.0,
                &mut integrator.interval.load,
            );
            let body = gaps.body(body);
            integrator.constrain(body, contacts, 0.0, false);
            for i in 0..contacts.len() {
                integrator.applied[i] = integrator.applied(body, contacts, i, 0.0);
            }
        });
    }

    /// Whether a contact of a static law sticks.
    pub fn is_stuck(&self, contact: usize) -> bool {
        self.stick.is_stuck[contact]
    }

    /// Change of the force that a contact takes to stick by rates of the coordinates without the
    /// forces of those that stick, N.
    pub fn change_of_applied(&self, body: &LinearBody, contact: usize, rates: &[f64]) -> f64 {
        self.stick.force(contact, |i| dot(body.output(i), rates))
    }

    /// Changes one mode of a static law that does not hold at the time t (s) of the interval;
    /// returns whether there was one.
    fn change_mode<C: BodyContact + ?Sized>(
        &mut self,
        body: &LinearBody,
        contacts: &[Box<C>],
        t: f64,
        released: &mut u64,
    ) -> bool {
        let (y, arrow) = (&self.motion.y, &self.arrow);
        let forces = forces(body, contacts, &self.modes, &self.interval, &self.stick);
        let mut worst: Option<(f64, usize, LawModes)> = None;
        // One whose slip others hold is where it is by its own limit.
        let is_held = |i: usize| *released & 1 << i != 0 && !forces.is_free(i);
        for i in (0..contacts.len()).filter(|i| !arrow.is_open(*i) && !is_held(*i)) {
            #[allow(non_snake_case)] // symbol of the papers
            let F_t = forces.applied(i, t, |j| y[j], |k| arrow.acts(k));
            let at = Contact {
                F_t,
                ..self.closed_contact(body, i, t)
            };
            let (mut x, mut modes) = (self.motion.x[i], self.modes[i]);
            if contacts[i].handle_events(at, &mut x, &mut modes) {
                // One that slides comes before those that stick.
                let excess = if arrow.acts(i) {
                    f64::INFINITY
                } else {
                    F_t.abs() / contacts[i].static_force_under(at.F_N)
                };
                if worst.is_none_or(|(most, ..)| excess > most) {
                    worst = Some((excess, i, modes));
                }
            }
        }
        let Some((_, i, modes)) = worst else {
            return false;
        };
        self.modes[i] = modes;
        if !self.arrow.acts(i) {
            *released |= 1 << i;
        }
        true
    }

    /// Contact that is closed, at a time of the interval (s).
    fn closed_contact(&self, body: &LinearBody, contact: usize, t: f64) -> Contact {
        let at = self.contact(body, contact, t);
        Contact {
            F_N: at.F_N.max(self.arrow.least_force(contact)),
            ..at
        }
    }

    /// Force that a contact of a static law takes to stick at the time t (s) of the interval, N; 0
    /// of an open one, and of other laws.
    fn applied<C: BodyContact + ?Sized>(
        &self,
        body: &LinearBody,
        contacts: &[Box<C>],
        contact: usize,
        t: f64,
    ) -> f64 {
        if self.arrow.is_open(contact) || !contacts[contact].has_applied_force() {
            return 0.0;
        }
        let forces = forces(body, contacts, &self.modes, &self.interval, &self.stick);
        let y = |j: usize| self.motion.y[j];
        forces.applied(contact, t, y, |i| self.arrow.acts(i))
    }

    fn set_end_rates<C: BodyContact + ?Sized>(&mut self, body: &LinearBody, contacts: &[Box<C>]) {
        let Interval {
            load,
            duration,
            tolerance,
            ..
        } = &self.interval;
        let (body, load) = if self.stick.is_any() {
            (&self.stick.body, &self.stick.load)
        } else {
            (body, load)
        };
        for (j, rate) in self.end_rates.iter_mut().enumerate() {
            *rate = taylor(&load[j], *duration) + dot(body.own(j), &self.motion.y);
        }
        for i in (0..contacts.len()).filter(|i| self.arrow.acts(*i)) {
            let at = self.closed_contact(body, i, *duration);
            let here =
                contacts[i].force_and_rates(at, &self.motion.x[i], &self.modes[i], *tolerance);
            for (j, rate) in self.end_rates.iter_mut().enumerate() {
                *rate -= body.effect(i, j, [here.F_R, here.F_R_y]);
            }
        }
    }
}

/// Forces that contacts on a body take to stick.
fn forces<'a, C: BodyContact + ?Sized>(
    body: &'a LinearBody,
    contacts: &'a [Box<C>],
    modes: &'a [LawModes],
    interval: &'a Interval,
    stick: &'a Stick,
) -> Forces<'a, C> {
    Forces {
        body,
        contacts,
        modes,
        interval,
        stick,
    }
}

#[cfg(test)]
mod tests;
