//! Communication steps of a system.

use super::System;
use super::values::Derivatives;
use super::variables::reference::{
    DAMPING, F, F_BASE, GAP, MASS, STIFFNESS, SURFACE, V, V_SURFACE, X,
};
use crate::coupling::{
    Base, ContactStep, Coupling, F_LAW, Integrator, Mechanism, Structure, add_row, dot,
};
use crate::element::{AnyElement, F_OFFSET, INNER_STEPS_MAX, Report};
use crate::integrate::memory::Memory;
use crate::integrate::polynomial::mean;
use crate::integrate::step_limit::StepLimit;
use crate::integrate::{SolverError, flush};
use crate::law::{BlockMotion, BlockStep, Contact, Spring, later};

/// Tolerance of the integrator over that of the element, for laws with less than two states an
/// axis: F_R follows v at once, by a characteristic or by the damping of the bristle. Of 1500
/// random steps as in `cards::systems` 2 of StaticRegularized and none of LuGre in the plane are
/// beyond the tolerance; with 0.2 8 of each are, in three quarters of the inner steps.
const AT_ONCE: f64 = 0.05;
/// Motion of a coordinate over a step.
struct Motion {
    /// Mean position.
    mean: f64,
    /// Change of the position.
    change: f64,
}

impl System {
    /// Advances bodies and contacts by `duration` (s). After an error both may have changed; the
    /// caller restores them.
    pub(in crate::assembly) fn advance(
        &mut self,
        contacts: &mut [Box<dyn AnyElement>],
        duration: f64,
    ) -> Result<Report, SolverError> {
        // A law without states has no such parameter.
        let limit = if contacts[0].states() > 0 {
            Some(contacts[0].values()[&INNER_STEPS_MAX])
        } else {
            INNER_STEPS_MAX.start
        };
        let mut limit = StepLimit::new(limit.unwrap_or_default() as u32);
        self.prepare(contacts);
        let inner_steps = match self.integrator.take() {
            Some(mut integrator) => {
                let done = self.advance_bodies(&mut integrator, contacts, duration, &mut limit);
                self.integrator = Some(integrator);
                done
            }
            None => self.advance_block(contacts, duration, &mut limit),
        }?;
        self.state.derivatives.fill(Derivatives::default());
        self.state.last = duration;
        let mut values = self.state.values.0.iter().flat_map(|place| place.0);
        if !values.all(f64::is_finite) {
            return Err(SolverError::NotFinite);
        }
        let force_error = limit.error();
        Ok(Report {
            inner_steps,
            force_error,
            limit_met: force_error > 0.0,
        })
    }

    /// Advances one block and its contact; returns the number of inner steps.
    fn advance_block(
        &mut self,
        contacts: &mut [Box<dyn AnyElement>],
        duration: f64,
        limit: &mut StepLimit,
    ) -> Result<u32, SolverError> {
        let (contact, start) = (&mut contacts[0], self.starts[0]);
        let Base { x, v } = self.state.base(0);
        let mut force = self.state.input(0, F);
        force[0] -= contact.values()[&F_OFFSET];
        let values = &self.state.values;
        let step = BlockStep {
            duration,
            mass: values.at(0, MASS),
            spring: Spring {
                stiffness: values.at(0, STIFFNESS),
                damping: values.at(0, DAMPING),
            },
            normal_force: contact.normal_force(),
            force,
            x_base: x,
            v_base: v,
            v_surface: self.state.input(0, V_SURFACE),
        };
        let mut memory = Memory {
            first_step: self.state.first_step,
            limit: *limit,
        };
        let (mut motion, mut x, mut modes) = (
            BlockMotion {
                x: values.at(0, X),
                v: values.at(0, V),
            },
            start.x,
            start.modes,
        );
        let tolerance = contact.snapshot().tolerance;
        let done = contact.advance_on_block(
            &step,
            &mut motion,
            &mut x,
            &mut modes,
            tolerance,
            &mut memory,
        )?;
        (self.state.first_step, *limit) = (memory.first_step, memory.limit);
        flush(&mut x);
        let is_parallel = Coupling::of(contact.values()) == Coupling::Parallel;
        let push = step.push(duration, motion);
        let (travel, before) = (done.travel, self.state.values.at(0, X));
        self.end_on_bases(
            duration,
            is_parallel,
            |_| Motion {
                mean: travel / duration,
                change: motion.x - before,
            },
            |_| 0.0,
            |_| 0.0,
        );
        let values = &mut self.state.values.0[0];
        (values[X], values[V]) = (motion.x, motion.v);
        let end = step.part(duration, duration);
        let [surface, surface_rate, ..] = end.v_surface;
        // The force with which the contact moves on with the counterface, where it sticks.
        let balanced = push - step.mass * surface_rate;
        contact.accept(&ContactStep {
            duration,
            applied: None,
            start: start.contact,
            start_x: start.x,
            start_modes: start.modes,
            end: Contact {
                F_t: balanced,
                ..Contact::new(end.normal_force[0].max(0.0), motion.v - surface)
            },
            end_rate: Contact::new(end.normal_force[1], done.acceleration - surface_rate),
            x,
            modes,
            loss: start.loss + done.loss,
        })?;
        let acceleration = (push - contact.values()[&F_LAW]) / step.mass;
        self.set_rates(&[acceleration]);
        Ok(done.inner_steps)
    }

    /// Advances bodies and contacts; returns the number of inner steps.
    fn advance_bodies(
        &mut self,
        integrator: &mut Integrator,
        contacts: &mut [Box<dyn AnyElement>],
        duration: f64,
        limit: &mut StepLimit,
    ) -> Result<u32, SolverError> {
        let (n, axes) = (
            self.mechanism.structure.free.len(),
            self.mechanism.structure.axes,
        );
        self.begin(integrator, contacts, duration);
        let Mechanism { body, .. } = &self.mechanism;
        let first_step = &mut self.state.first_step;
        let inner_steps = integrator.advance(body, contacts, first_step, limit)?;
        let Integrator {
            interval,
            motion,
            modes,
            totals,
            end_rates,
            applied,
            gaps,
            ..
        } = integrator;
        let is_parallel = Coupling::of(contacts[0].values()) == Coupling::Parallel;
        let mut start = core::mem::take(&mut self.force);
        for (j, start) in start.iter_mut().enumerate() {
            *start = self.state.values.at(self.mechanism.structure.free[j], X);
        }
        let offset = |i: usize| contacts[i].values()[&F_OFFSET];
        self.end_on_bases(
            duration,
            is_parallel,
            |j| Motion {
                mean: totals.travel[j] / duration,
                change: motion.y[j] - start[j],
            },
            |row| {
                let (i, axis) = (row / axes, row % axes);
                totals.mean[i][axis] + if axis == 0 { offset(i) } else { 0.0 }
            },
            |gap| gaps.links[gap].impulse / duration,
        );
        self.force = start;
        for (j, coordinate) in self.mechanism.structure.free.iter().enumerate() {
            let values = &mut self.state.values.0[*coordinate];
            (values[X], values[V]) = (motion.y[j], motion.y[n + j]);
        }
        self.follow();
        let body = &self.mechanism.body;
        for (i, (contact, start)) in contacts.iter_mut().zip(&self.starts).enumerate() {
            let [normal, normal_rate, ..] = later(&interval.normal[i], duration);
            let offset = |row: usize, order: usize| later(&interval.offset[row], duration)[order];
            let slip = |y: &[f64], order: usize| {
                body.vector(i, |row| dot(body.output(row), y) + offset(row, order))
            };
            let [v, v_y] = slip(&motion.y, 0);
            let [rate, rate_y] = slip(end_rates, 1);
            let mut x = motion.x[i];
            flush(&mut x);
            contact.accept(&ContactStep {
                duration,
                applied: None,
                start: start.contact,
                start_x: start.x,
                start_modes: start.modes,
                end: Contact {
                    F_t: applied[i],
                    v_y,
                    ..Contact::new(normal.max(0.0), v)
                },
                end_rate: Contact {
                    v_y: rate_y,
                    ..Contact::new(normal_rate, rate)
                },
                x,
                modes: modes[i],
                loss: start.loss + totals.loss[i],
            })?;
        }
        self.set_rates(&end_rates[n..]);
        Ok(inner_steps)
    }

    /// Gives the integrator the inputs over a step, and the motion at its start.
    pub(super) fn begin(
        &mut self,
        integrator: &mut Integrator,
        contacts: &[Box<dyn AnyElement>],
        duration: f64,
    ) {
        let (mechanism, state) = (&mut self.mechanism, &self.state);
        let interval = &mut integrator.interval;
        let n = mechanism.structure.free.len();
        let share = if contacts[0].states() < 2 * mechanism.body.axes {
            AT_ONCE
        } else {
            1.0
        };
        let tolerance = share * contacts[0].snapshot().tolerance;
        (interval.duration, interval.tolerance) = (duration, tolerance);
        mechanism.loads(
            |i| state.input(i, F),
            |b| state.base(b),
            &mut interval.load[n..],
        );
        integrator
            .gaps
            .set(mechanism, |s| state.values.at(s, GAP), |b| state.base(b));
        let Integrator {
            interval,
            motion,
            modes,
            ..
        } = integrator;
        for (i, contact) in contacts.iter().enumerate() {
            let offset = contact.values()[&F_OFFSET];
            let rows = mechanism.body.rows(i);
            // A contact in a plane has no offset.
            let response = &mechanism.body.input(rows.start)[n..];
            for (load, response) in interval.load[n..].iter_mut().zip(response) {
                load[0] -= response * offset;
            }
            interval.normal[i] = contact.normal_force();
            for (row, surface) in rows.zip(SURFACE) {
                let of_row = &mut interval.offset[row];
                *of_row = state.input(i, surface).map(|v| -v);
                let bases = mechanism.structure.contacts[row].bases.iter().enumerate();
                for (b, factor) in bases.filter(|(_, factor)| **factor != 0.0) {
                    add_row(of_row, *factor, &state.base(b).v);
                }
            }
            (motion.x[i], modes[i]) = (self.starts[i].x, self.starts[i].modes);
        }
        for (j, coordinate) in mechanism.structure.free.iter().enumerate() {
            motion.y[j] = state.values.at(*coordinate, X);
            motion.y[n + j] = state.values.at(*coordinate, V);
        }
    }

    /// Takes the mean forces on the bases over the last step over. A parallel coupling applies them
    /// over the next step: they are extrapolated along the steps' middles.
    fn end_on_bases(
        &mut self,
        duration: f64,
        is_parallel: bool,
        coordinate: impl Fn(usize) -> Motion,
        of_row: impl Fn(usize) -> f64,
        of_gap: impl Fn(usize) -> f64,
    ) {
        let last = if self.state.last > 0.0 {
            self.state.last
        } else {
            duration
        };
        let ahead = if is_parallel {
            2.0 * duration / (duration + last)
        } else {
            0.0
        };
        for b in 0..self.bases {
            let of_spring = |s: usize| {
                let Structure { springs, gaps, .. } = &self.mechanism.structure;
                if let Some(gap) = gaps.iter().position(|gap| *gap == s) {
                    return of_gap(gap);
                }
                let row = &springs[s];
                let Spring { stiffness, damping } = self.mechanism.spring(s);
                let base = |b: usize| self.state.base(b);
                let length = row.of(|j| coordinate(j).mean, |b| mean(&base(b).x, duration));
                let rate = row.of(
                    |j| coordinate(j).change / duration,
                    |b| mean(&base(b).v, duration),
                );
                stiffness * length + damping * rate
            };
            let force = self.on_base(b, of_spring, &of_row);
            let before = core::mem::replace(&mut self.state.on_base[b], force);
            self.state.values.0[b][F_BASE] = force + ahead * (force - before);
        }
    }
}
