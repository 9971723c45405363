//! Derivatives of a system along seeds, and those of its outputs in time.

use super::System;
use super::values::{PlaceValues, SystemValues};
use super::variables::reference::{DAMPING, F, F_BASE, GAP, MASS, STIFFNESS, V, V_BASE, X, X_BASE};
use crate::coupling::{Structure, add_row};
use crate::law::{F_T, Spring};
use crate::variable::Values;

impl System {
    /// Seed of a contact for seeds of the system, added to those of its own variables.
    pub(in crate::assembly) fn seed(&self, contact: usize, seed: &SystemValues, own: &mut Values) {
        for (input, v) in self.velocities(seed, contact) {
            own[input] = v;
        }
        // That of a contact of several bodies follows from the forces of the others.
        if self.integrator.is_none() {
            own[&F_T] = self.applied(seed);
        }
    }

    /// Change of the force of a spring along seeds.
    fn change_of_pull(&self, spring: usize, seed: &SystemValues) -> f64 {
        let row = &self.mechanism.structure.springs[spring];
        let along = |what: [u32; 2]| self.along(seed, row, what);
        let (play, [length, rate]) = self.spring(spring);
        // Length beyond the gap.
        let (pressed, change) = if self.has_gap(spring) {
            let side = play.side(length, rate);
            if side == 0.0 {
                return 0.0;
            }
            let half = 0.5 * side;
            (length - half * play.gap, -half * seed.at(spring, GAP))
        } else {
            (length, 0.0)
        };
        let Spring { stiffness, damping } = play.spring;
        stiffness * (along([X, X_BASE]) + change)
            + damping * along([V, V_BASE])
            + seed.at(spring, STIFFNESS) * pressed
            + seed.at(spring, DAMPING) * rate
    }

    /// Change of the forces on the free coordinates along seeds, with those of the forces along the
    /// rows of contacts, less that of the inertias times the accelerations.
    fn change_of_force(&self, seed: &SystemValues, friction: impl Fn(usize) -> f64) -> Vec<f64> {
        let (structure, values) = (&self.mechanism.structure, &self.state.values);
        let mut force = vec![0.0; structure.free.len()];
        for (i, row) in structure.coordinates.iter().enumerate() {
            let acceleration = structure.coordinate(i, |j| values.at(j, V + 1));
            let change = seed.at(i, F) - acceleration * seed.at(i, MASS);
            add_row(&mut force, change, row);
        }
        for (s, row) in structure.springs.iter().enumerate() {
            let pull = self.change_of_pull(s, seed);
            add_row(&mut force, -pull, &row.coordinates);
        }
        for (i, row) in structure.contacts.iter().enumerate() {
            add_row(&mut force, -friction(i), &row.coordinates);
        }
        force
    }

    /// Changes along seeds of the applied forces of the contacts that stick, for those of the forces
    /// along the rows of contacts that slide.
    pub(in crate::assembly) fn changes_of_applied(
        &self,
        seed: &SystemValues,
        friction: impl Fn(usize) -> f64,
    ) -> Vec<(usize, f64)> {
        let Some(integrator) = &self.integrator else {
            return Vec::new();
        };
        let Structure { contacts, axes, .. } = &self.mechanism.structure;
        let count = contacts.len() / axes;
        if !(0..count).any(|i| integrator.is_stuck(i)) {
            return Vec::new();
        }
        // Contacts that stick are along a line, with one row each.
        let of_sliding = |i: usize| {
            if integrator.is_stuck(i) {
                0.0
            } else {
                friction(i)
            }
        };
        let mut rates = self.change_of_force(seed, of_sliding);
        self.mechanism.solve(&mut rates);
        let n = rates.len();
        rates.splice(0..0, core::iter::repeat_n(0.0, n));
        let stuck = (0..count).filter(|i| integrator.is_stuck(*i));
        stuck
            .map(|i| {
                let body = &self.mechanism.body;
                (i, integrator.change_of_applied(body, i, &rates))
            })
            .collect()
    }

    /// Derivatives of the system's variables along seeds, with those of the forces along the rows of
    /// contacts.
    pub(in crate::assembly) fn directional_derivative(
        &self,
        seed: &SystemValues,
        friction: impl Fn(usize) -> f64,
    ) -> SystemValues {
        let (structure, values) = (&self.mechanism.structure, &self.state.values);
        let mut force = self.change_of_force(seed, &friction);
        self.mechanism.solve(&mut force);
        let mut change = seed.clone();
        change.0.resize(values.0.len(), PlaceValues::default());
        for (j, acceleration) in structure.free.iter().zip(&force) {
            change.0[*j][X + 1] = seed.at(*j, V);
            change.0[*j][V + 1] = *acceleration;
        }
        for i in 0..structure.coordinates.len() {
            for of in [X, V] {
                change.0[i][of] = structure.coordinate(i, |j| seed.at(j, of));
            }
        }
        for b in 0..self.bases {
            let pull = |s: usize| self.change_of_pull(s, seed);
            change.0[b][F_BASE] = self.on_base(b, pull, &friction);
        }
        change
    }

    /// Time derivatives of the outputs at the end of the last step. The mean forces on bases have
    /// none.
    pub(in crate::assembly) fn output_derivatives(&self) -> SystemValues {
        let (structure, values) = (&self.mechanism.structure, &self.state.values);
        let mut rates = SystemValues::of(values.0.len());
        for i in 0..structure.coordinates.len() {
            for of in [X, V] {
                rates.0[i][of] = structure.coordinate(i, |j| values.at(j, of + 1));
            }
        }
        rates
    }
}
