//! Body and contacts as one system over a load interval, by [`ode`](crate::ode).
//!
//! A body with one contact along a line is a block without a spring (`alone`); several contacts,
//! and those in the plane, are integrated in the form of an arrow (`arrow`). The interval is cut
//! where a contact opens or closes, and where a law changes its mode.

mod alone;
mod arrow;
mod one_step;

use self::arrow::{Arrow, Bodies};
use super::contact::{BodyContact, LawModes, LawState};
use super::linear_body::{LinearBody, dot};
use crate::domain::OPEN_FORCE;
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

/// Interval with all inputs as polynomials of time: values at the start with their time derivatives
/// up to order 3.
#[derive(Clone, Debug, Default)]
pub struct Interval {
    /// F_N of each contact, N.
    pub normal: Vec<Input>,
    /// Velocity along each axis of each contact that is not the body's, m/s.
    pub offset: Vec<Input>,
    /// a of each coordinate.
    pub load: Vec<Input>,
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
    /// Motion and modes at the start of the interval.
    start: Motion,
    start_modes: Vec<LawModes>,
    arrow: Arrow,
    change: Vec<f64>,
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
                load: vec![[0.0; 4]; size],
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
            start: motion(),
            start_modes: vec![[0.0; MODES]; contacts],
            arrow: if is_alone {
                Arrow::new(0, 0)
            } else {
                Arrow::new(contacts, size)
            },
            change: vec![0.0; size],
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
            _ => self.advance_together(body, contacts, &mut memory),
        }?;
        (*first_step, *limit) = (memory.first_step, memory.limit);
        if limit.error() >= UNRESOLVED || limit.error() > 0.0 && !self.is_bounded(contacts) {
            self.one_step(body, contacts);
        }
        Ok(inner_steps)
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
        body: &LinearBody,
        contacts: &[Box<C>],
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
                self.interval.pushed(body, i),
            );
            self.arrow.set_bounds(i, least_force, pushed);
        }
        let (mut t, mut inner_steps) = (0.0, 0);
        while t < end {
            let mut to = end;
            for i in 0..contacts.len() {
                let Openness { is_open, until } = openness(&self.interval.normal[i], t, end);
                self.arrow.set_open(i, is_open);
                to = to.min(until);
            }
            self.handle_events(body, contacts, t);
            self.arrow.begin(&self.motion, states);
            let mut bodies = Bodies {
                body,
                contacts,
                modes: &self.modes,
                interval: &self.interval,
                arrow: &mut self.arrow,
                totals: &mut self.totals,
                from: t,
                has_modes,
            };
            let course = control(
                &mut bodies,
                to - t,
                OF_INTERVAL * self.interval.tolerance,
                memory,
            )?;
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
        }
        self.handle_events(body, contacts, end);
        self.set_end_rates(body, contacts);
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
        for i in (0..contacts.len()).filter(|i| !self.arrow.is_open(*i) && contacts[*i].has_modes())
        {
            let contact = self.closed_contact(body, i, t);
            contacts[i].handle_events(contact, &mut self.motion.x[i], &mut self.modes[i]);
        }
    }

    /// Contact that is closed, at a time of the interval (s).
    fn closed_contact(&self, body: &LinearBody, contact: usize, t: f64) -> Contact {
        let at = self.contact(body, contact, t);
        Contact {
            F_N: at.F_N.max(self.arrow.least_force(contact)),
            ..at
        }
    }

    fn set_end_rates<C: BodyContact + ?Sized>(&mut self, body: &LinearBody, contacts: &[Box<C>]) {
        let Interval {
            load,
            duration,
            tolerance,
            ..
        } = &self.interval;
        self.end_rates
            .iter_mut()
            .zip(load)
            .for_each(|(rate, load)| *rate = taylor(load, *duration));
        for i in (0..contacts.len()).filter(|i| !self.arrow.is_open(*i)) {
            let at = self.closed_contact(body, i, *duration);
            let here =
                contacts[i].force_and_rates(at, &self.motion.x[i], &self.modes[i], *tolerance);
            for (j, rate) in self.end_rates.iter_mut().enumerate() {
                *rate -= body.effect(i, j, [here.F_R, here.F_R_y]);
            }
        }
    }
}

#[cfg(test)]
mod tests;
