//! One step of implicit Euler in place of a motion that the limit of inner steps left unresolved.
//!
//! Beyond the limit an inner step may have any error, and a bristle that is not resolved pulls with
//! forces that no contact has. The step here is coarse, but bounded: each contact has the force
//! that brings it to rest, up to F_s.

use super::super::contact::BodyContact;
use super::super::linear_body::{LinearBody, dot};
use super::Integrator;
use crate::domain::OPEN_FORCE;
use crate::integrate::linear::solve_dense;
use crate::integrate::polynomial::mean;
use crate::vector;
use crate::vector::{limited, scaled, size};

impl Integrator {
    /// Notes the motion and the modes at the start of the interval, after its events.
    pub(super) fn note_start(&mut self) {
        self.start.y.copy_from_slice(&self.motion.y);
        self.start.x.copy_from_slice(&self.motion.x);
        self.start_modes.copy_from_slice(&self.modes);
    }

    /// Whether the mean force of each contact is at most F_s under its largest F_N.
    pub(super) fn is_bounded<C: BodyContact + ?Sized>(&self, contacts: &[Box<C>]) -> bool {
        self.totals
            .mean
            .iter()
            .enumerate()
            .all(|(i, mean)| size(*mean) <= self.largest_force(contacts, i))
    }

    /// F_s of a contact under its largest F_N in the interval, N.
    fn largest_force<C: BodyContact + ?Sized>(&self, contacts: &[Box<C>], i: usize) -> f64 {
        contacts[i].static_force_under(self.interval.largest_normal(i).max(0.0))
    }

    /// Replaces the motion over the interval by one step with the forces that bring one contact
    /// after the other to rest, up to F_s. The states of the laws stay.
    pub(super) fn one_step<C: BodyContact + ?Sized>(
        &mut self,
        body: &LinearBody,
        contacts: &[Box<C>],
    ) {
        let h = self.interval.duration;
        self.motion.x.copy_from_slice(&self.start.x);
        self.modes.copy_from_slice(&self.start_modes);
        for (j, change) in self.change.iter_mut().enumerate() {
            *change = self.start.y[j] + h * mean(&self.interval.load[j], h);
        }
        self.drift(body);
        self.motion.y.copy_from_slice(&self.change);
        for i in 0..body.contacts() {
            self.totals.mean[i] = [0.0; 2];
            if self.interval.largest_normal(i) <= OPEN_FORCE {
                continue;
            }
            let mut mobility = 0.0_f64;
            for (axis, row) in body.rows(i).enumerate() {
                let mut unit = [0.0; 2];
                unit[axis] = 1.0;
                self.respond(body, i, unit);
                mobility = mobility.max(dot(body.output(row), &self.change));
            }
            if mobility > 0.0 {
                let end = self.contact(body, i, h);
                let force = limited(
                    scaled([end.v, end.v_y], 1.0 / mobility),
                    self.largest_force(contacts, i),
                );
                self.respond(body, i, force);
                self.motion
                    .y
                    .iter_mut()
                    .zip(&self.change)
                    .for_each(|(y, change)| *y -= change);
                self.totals.mean[i] = force;
            }
        }
        for (travel, (from, to)) in self
            .totals
            .travel
            .iter_mut()
            .zip(self.start.y.iter().zip(&self.motion.y))
        {
            *travel = 0.5 * h * (from + to);
        }
        for i in 0..body.contacts() {
            let start = self
                .interval
                .contact(body, i, 0.0, |row| dot(body.output(row), &self.start.y));
            let mean = self.totals.mean[i];
            let ends = [start, self.contact(body, i, h)];
            self.totals.loss[i] = ends
                .map(|end| 0.5 * h * vector::dot(mean, [end.v, end.v_y]))
                .iter()
                .sum();
        }
    }

    /// Change of the body's coordinates over the interval by a force of a contact, N.
    fn respond(&mut self, body: &LinearBody, contact: usize, force: [f64; 2]) {
        let h = self.interval.duration;
        for (j, change) in self.change.iter_mut().enumerate() {
            *change = h * body.effect(contact, j, force);
        }
        self.drift(body);
    }

    /// Lets the springs and dampers of the bodies act on a change over the interval: solves
    /// (1 − h A) x = b in place.
    fn drift(&mut self, body: &LinearBody) {
        let (n, h) = (body.size, self.interval.duration);
        if body.own.is_empty() {
            return;
        }
        for (i, (entry, own)) in self.matrix.iter_mut().zip(&body.own).enumerate() {
            *entry = if i % (n + 1) == 0 { 1.0 } else { 0.0 } - h * own;
        }
        solve_dense(&mut self.matrix, &mut self.change);
    }
}
