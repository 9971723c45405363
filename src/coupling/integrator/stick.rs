//! Contacts that stick under the force that it takes: constraints on the bodies.
//!
//! A static law with a mode of stick balances the applied force. Between bodies that is the force
//! λ that keeps the slip c y + b of the contact constant. Each such contact is eliminated: with
//! q = g/(c g) it leaves a body with A − q c A, a − q (c a + b′) and g − q (c g) of all others.
//!
//! Where the slips of contacts that stick depend on each other, as many are eliminated as are
//! independent, and all share the force: of all λ with the effect that it takes they have those
//! with the least Σ λ²/F_s. Contacts side by side have shares in proportion to F_s.

use super::super::contact::{BodyContact, LawModes};
use super::super::linear_body::{LinearBody, dot};
use super::{Interval, Load};
use crate::integrate::linear::solve_dense;
use crate::integrate::polynomial::taylor;
use crate::law::MAX_STATES;

/// Mobility that others leave a contact over its own, from which its slip counts as independent.
const INDEPENDENT: f64 = 1e-10;

/// Contacts that stick, along a line, and the body that they leave.
#[derive(Clone, Debug)]
pub struct Stick {
    /// Whether each contact sticks.
    pub is_stuck: Vec<bool>,
    /// Body under the constraints.
    pub body: LinearBody,
    /// Loads under the constraints.
    pub load: Vec<Load>,
    /// Contacts that stick and are independent, in the order of their elimination.
    independent: Vec<usize>,
    /// q of each of them, one after the other.
    gains: Vec<f64>,
    /// λ of each contact by the accelerations of the slips of the independent ones.
    shares: Vec<f64>,
    matrix: Vec<f64>,
    right: Vec<f64>,
}

impl Stick {
    /// Memory for this many contacts on a body with `size` coordinates.
    pub fn new(contacts: usize, size: usize) -> Self {
        Stick {
            is_stuck: vec![false; contacts],
            body: LinearBody::memory(contacts, size),
            load: vec![[0.0; 5]; size],
            independent: Vec::with_capacity(contacts),
            gains: Vec::with_capacity(contacts * size),
            shares: vec![0.0; contacts * contacts],
            matrix: vec![0.0; contacts * contacts],
            right: vec![0.0; contacts],
        }
    }

    /// Whether any contact sticks.
    pub fn is_any(&self) -> bool {
        !self.independent.is_empty()
    }

    /// Sets body and loads for the contacts that stick; `weight` is the force (N) that each has a
    /// share by.
    pub fn constrain(
        &mut self,
        body: &LinearBody,
        interval: &Interval,
        weight: impl Fn(usize) -> f64,
    ) {
        self.body.clone_from(body);
        self.load.copy_from_slice(&interval.load);
        self.independent.clear();
        self.gains.clear();
        while let Some(contact) = self.next(body) {
            self.eliminate(contact, &interval.offset[contact]);
        }
        self.find_shares(body, weight);
    }

    /// Contact that sticks and is not eliminated yet: the most mobile one that is independent.
    fn next(&self, body: &LinearBody) -> Option<usize> {
        let freedom = |i: usize| self.body.mobility(i) / body.mobility(i);
        (0..self.is_stuck.len())
            .filter(|i| self.is_stuck[*i] && !self.independent.contains(i))
            .filter(|i| freedom(*i) > INDEPENDENT)
            .max_by(|i, j| freedom(*i).total_cmp(&freedom(*j)))
    }

    /// Eliminates a contact from the body and its loads.
    fn eliminate(&mut self, contact: usize, offset: &[f64; 4]) {
        let LinearBody {
            size,
            inputs,
            outputs,
            own,
            ..
        } = &mut self.body;
        let (size, c) = (*size, &outputs[contact * *size..][..*size]);
        let first = self.gains.len();
        let mobility = dot(c, &inputs[contact * size..][..size]);
        self.gains.extend(
            inputs[contact * size..][..size]
                .iter()
                .map(|g| g / mobility),
        );
        let gain = &self.gains[first..];
        // Of A a column, of the inputs a row is one vector.
        for column in 0..size.min(own.len()) {
            let rate: f64 = (0..size).map(|k| c[k] * own[k * size + column]).sum();
            (0..size).for_each(|k| own[k * size + column] -= gain[k] * rate);
        }
        for input in inputs.chunks_exact_mut(size) {
            let response = dot(c, input);
            input
                .iter_mut()
                .zip(gain)
                .for_each(|(input, gain)| *input -= gain * response);
        }
        for order in 0..5 {
            let of_offset = offset.get(order + 1).copied().unwrap_or(0.0);
            let of_loads: f64 = c
                .iter()
                .zip(&self.load)
                .map(|(c, load)| c * load[order])
                .sum();
            for (load, gain) in self.load.iter_mut().zip(gain) {
                load[order] -= gain * (of_loads + of_offset);
            }
        }
        self.independent.push(contact);
    }

    /// Calculates the shares D M (Mᵀ D M)⁻¹, with the weights D and the responses M = C G of all
    /// contacts that stick to the independent ones.
    fn find_shares(&mut self, body: &LinearBody, weight: impl Fn(usize) -> f64) {
        let (count, rank) = (self.is_stuck.len(), self.independent.len());
        let response = |of: usize, by: usize| dot(body.output(of), body.input(by));
        for column in 0..rank {
            for (i, left) in self.independent.iter().enumerate() {
                for (j, right) in self.independent.iter().enumerate() {
                    let stuck = (0..count).filter(|of| self.is_stuck[*of]);
                    self.matrix[i * rank + j] = stuck
                        .map(|of| weight(of) * response(of, *left) * response(of, *right))
                        .sum();
                }
                self.right[i] = if i == column { 1.0 } else { 0.0 };
            }
            solve_dense(&mut self.matrix[..rank * rank], &mut self.right[..rank]);
            for of in (0..count).filter(|of| self.is_stuck[*of]) {
                let of_all = self.independent.iter().zip(&self.right);
                self.shares[of * count + column] = weight(of)
                    * of_all
                        .map(|(by, right)| response(of, *by) * right)
                        .sum::<f64>();
            }
        }
    }

    /// λ of a contact that sticks, N; `acceleration` gives that of the slip of a contact without
    /// the forces of all that stick, m/s².
    pub fn force(&self, contact: usize, acceleration: impl Fn(usize) -> f64) -> f64 {
        let shares = &self.shares[contact * self.is_stuck.len()..];
        self.independent
            .iter()
            .zip(shares)
            .map(|(by, share)| share * acceleration(*by))
            .sum()
    }

    /// Takes the slips of the contacts that stick from the coordinates; `offset` is the velocity of
    /// a contact that is not the bodies', m/s.
    pub fn stop(&self, y: &mut [f64], offset: impl Fn(usize) -> f64) {
        let gains = self.gains.chunks_exact(self.body.size.max(1));
        for (contact, gain) in self.independent.iter().zip(gains) {
            let slip = dot(self.body.output(*contact), y) + offset(*contact);
            y.iter_mut()
                .zip(gain)
                .for_each(|(y, gain)| *y -= gain * slip);
        }
    }
}

/// Contacts on bodies, with what the force depends on that a contact takes to stick.
pub struct Forces<'a, C: BodyContact + ?Sized> {
    /// Body without constraints.
    pub body: &'a LinearBody,
    /// The contacts, and the modes of each law.
    pub contacts: &'a [Box<C>],
    pub modes: &'a [LawModes],
    pub interval: &'a Interval,
    pub stick: &'a Stick,
}

impl<C: BodyContact + ?Sized> Forces<'_, C> {
    /// Force on a contact of a static law, at a time (s) of the interval, with these coordinates,
    /// that keeps its slip constant, N: λ of one that sticks, and for one that slides the force
    /// that it would take beside the others.
    pub fn applied(
        &self,
        contact: usize,
        t: f64,
        y: impl Fn(usize) -> f64 + Copy,
        acts: impl Fn(usize) -> bool + Copy,
    ) -> f64 {
        let stick = self.stick;
        if stick.is_stuck[contact] {
            return stick.force(contact, |i| {
                self.slip_rate(i, t, y, acts, self.body, &self.interval.load)
            });
        }
        if !self.is_free(contact) {
            return 0.0;
        }
        let mobility = stick.body.mobility(contact);
        let others = |k: usize| k != contact && acts(k);
        self.slip_rate(contact, t, y, others, &stick.body, &stick.load) / mobility
    }

    /// Whether the contacts that stick leave the slip of a contact free.
    pub fn is_free(&self, contact: usize) -> bool {
        self.stick.body.mobility(contact) > INDEPENDENT * self.body.mobility(contact)
    }

    /// Acceleration of the slip of a contact of a body under the loads and the contacts that act,
    /// m/s².
    fn slip_rate(
        &self,
        contact: usize,
        t: f64,
        y: impl Fn(usize) -> f64 + Copy,
        acts: impl Fn(usize) -> bool,
        body: &LinearBody,
        load: &[Load],
    ) -> f64 {
        let c = body.output(contact);
        let of_bodies: f64 = (0..body.size)
            .map(|j| {
                let drift = body.own(j).iter().enumerate().map(|(k, a)| a * y(k));
                c[j] * (taylor(&load[j], t) + drift.sum::<f64>())
            })
            .sum();
        let acting = (0..self.contacts.len()).filter(|k| acts(*k));
        let of_contacts: f64 = acting
            .map(|k| dot(c, body.input(k)) * self.friction(k, t, y))
            .sum();
        let [_, first, second, third] = self.interval.offset[contact];
        of_bodies - of_contacts + taylor(&[first, second, third], t)
    }

    /// Friction of a contact of a static law, N.
    fn friction(&self, contact: usize, t: f64, y: impl Fn(usize) -> f64) -> f64 {
        let velocity = |row| {
            let c = self.body.output(row).iter().enumerate();
            c.map(|(j, c)| c * y(j)).sum()
        };
        let at = self.interval.contact(self.body, contact, t, velocity);
        let (x, tolerance) = ([0.0; MAX_STATES], self.interval.tolerance);
        self.contacts[contact]
            .force_and_rates(at, &x, &self.modes[contact], tolerance)
            .F_R
    }
}
