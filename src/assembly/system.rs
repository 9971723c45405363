//! System: bodies inside the element, with springs and gears between them and its contacts.
//!
//! Coordinates q move under applied forces F, springs and dampers between each other and to bases,
//! and the forces of the contacts ([`Mechanism`]). Each contact slides along its row of
//! coordinates and bases, less v_surface. Bodies and laws form one system, which is integrated over
//! the communication step with the tolerance of the element, so that nothing is held between force
//! and motion.
//!
//! A block is the smallest system, with one contact, coordinate, base and spring:
//! m dv/dt = F − F_R − k (x − x_base) − d (v − v_base), and the contact slides at v − v_surface.
//! For a rotational coordinate read torques, angles and the moment of inertia.
//!
//! The first coordinate, contact, base and spring have the value references of the first contact,
//! the second ones those of the second, and so on.

mod bases;
mod derivatives;
mod steps;
mod values;
pub mod variables;

use self::bases::BaseMonitor;
use self::values::{Derivatives, INPUTS};
pub use self::values::{SystemState, SystemValues};
use self::variables::reference::{
    DAMPING, F, F_BASE, GAP, MASS, STIFFNESS, SURFACE, V, V_BASE, X, X_BASE,
};
use super::place;
use crate::coupling::{ContactStart, Gaps, Integrator, Mechanism, Play, Row, Structure, add_row};
use crate::element::{self, AnyElement, F_R, F_R_Y, Snapshot, V_Y, no_derivative};
use crate::law::{F_T, Spring};
use crate::variable::{InputError, Values, Variable, slot};
use crate::vector::Vector;

/// Bodies inside the element with their state.
#[derive(Clone, Debug)]
pub struct System {
    mechanism: Mechanism,
    /// Integrator of bodies and laws; none of a block, which the law advances.
    integrator: Option<Integrator>,
    bases: usize,
    /// Values after a reset.
    start: SystemValues,
    state: SystemState,
    /// Contacts at the start of a step.
    starts: Vec<ContactStart>,
    /// Memory for the free coordinates.
    force: Vec<f64>,
    /// Monitor of each base.
    monitors: Vec<BaseMonitor>,
}

impl System {
    /// System with this geometry, parameters of coordinates (inertia, kg) and springs, and this
    /// many bases, at rest.
    pub fn new(
        structure: Structure,
        bases: usize,
        masses: &[f64],
        springs: &[Play],
        loads: &[f64],
    ) -> Self {
        let (rows, axes) = (structure.contacts.len(), structure.axes);
        let size = 2 * structure.free.len();
        let along = structure.gaps.iter().map(|s| &structure.springs[*s]);
        let gaps = Gaps::new(along, rows, size);
        let integrator = Integrator::of_system(rows / axes, size, axes, gaps);
        System {
            integrator: Some(integrator),
            ..Self::with(structure, bases, masses, springs, loads)
        }
    }

    /// Block at rest with this mass (kg), spring and damper, or those of a rotation.
    pub fn block(mass: f64, spring: Spring) -> Self {
        let row = |base: f64| Row {
            coordinates: vec![1.0],
            bases: vec![base],
        };
        let structure = Structure {
            free: vec![0],
            coordinates: vec![vec![1.0]],
            springs: vec![row(-1.0)],
            gaps: Vec::new(),
            contacts: vec![row(0.0)],
            axes: 1,
        };
        let spring = Play { spring, gap: 0.0 };
        Self::with(structure, 1, &[mass], &[spring], &[0.0])
    }

    fn with(
        structure: Structure,
        bases: usize,
        masses: &[f64],
        springs: &[Play],
        loads: &[f64],
    ) -> Self {
        let contacts = structure.contacts.len() / structure.axes;
        let counts = [masses.len(), springs.len(), bases, contacts];
        let mut start = SystemValues::of(counts.into_iter().max().unwrap_or(0));
        for (values, (mass, load)) in start.0.iter_mut().zip(masses.iter().zip(loads)) {
            (values[MASS], values[F]) = (*mass, *load);
        }
        for (values, Play { spring, gap }) in start.0.iter_mut().zip(springs) {
            (values[STIFFNESS], values[DAMPING]) = (spring.stiffness, spring.damping);
            values[GAP] = *gap;
        }
        let springs: Vec<_> = springs.iter().map(|play| play.spring).collect();
        let mut system = System {
            integrator: None,
            bases,
            starts: Vec::with_capacity(contacts),
            force: vec![0.0; structure.free.len()],
            monitors: vec![BaseMonitor::default(); bases],
            mechanism: Mechanism::new(structure, masses, &springs),
            start,
            state: SystemState::default(),
        };
        system.reset();
        system
    }

    pub(super) fn reset(&mut self) {
        let places = self.start.0.len();
        self.state = SystemState {
            values: self.start.clone(),
            derivatives: vec![Derivatives::default(); places],
            on_base: vec![0.0; self.bases],
            ..SystemState::default()
        };
        self.monitors.fill(BaseMonitor::default());
    }

    pub(super) fn values(&self) -> &SystemValues {
        &self.state.values
    }

    pub(super) fn state(&self) -> &SystemState {
        &self.state
    }

    pub(super) fn restore(&mut self, state: &SystemState) {
        self.state.copy_from(state);
    }

    /// Observes the bases anew, after a jump of the state.
    pub(super) fn restart(&mut self) {
        self.monitors.iter_mut().for_each(BaseMonitor::restart);
    }

    pub(super) fn set(&mut self, variable: &Variable, value: f64) {
        *self.state.values.entry(variable.reference) = value;
    }

    /// Sets the time derivative of an input; see [`AnyElement::set_input_derivative`].
    pub(super) fn set_derivative(
        &mut self,
        input: &Variable,
        order: usize,
        value: f64,
    ) -> Result<(), InputError> {
        let number = INPUTS
            .iter()
            .position(|reference| slot(*reference) == input.slot());
        let derivatives = order
            .checked_sub(1)
            .and_then(|order| self.state.derivatives[place(input.reference)].get_mut(order));
        let (Some(number), Some(derivatives)) = (number, derivatives) else {
            return Err(no_derivative(input, order));
        };
        derivatives[number] = value;
        Ok(())
    }

    /// Value of a row by these values of coordinates and bases.
    fn along(&self, values: &SystemValues, row: &Row, of: [u32; 2]) -> f64 {
        let [coordinate, base] = of;
        row.of(
            |j| values.at(self.mechanism.structure.free[j], coordinate),
            |b| values.at(b, base),
        )
    }

    /// Contact of a row of contacts, and its axis.
    fn axis_of(&self, row: usize) -> (usize, usize) {
        let axes = self.mechanism.structure.axes;
        (row / axes, row % axes)
    }

    /// Component of the force of a contact along the axis of a row, from the values of contacts.
    pub(super) fn component<'a>(&self, row: usize, of: impl Fn(usize) -> &'a Values) -> f64 {
        let (contact, axis) = self.axis_of(row);
        of(contact)[[&F_R, &F_R_Y][axis]]
    }

    /// Velocity of the slip of a contact along its axes, by these values.
    fn slip(&self, values: &SystemValues, contact: usize) -> Vector {
        self.mechanism.body.vector(contact, |row| {
            let (_, axis) = self.axis_of(row);
            let along = &self.mechanism.structure.contacts[row];
            self.along(values, along, [V, V_BASE]) - values.at(contact, SURFACE[axis])
        })
    }

    /// Velocities of a contact along its axes, with the inputs of its law that they are.
    fn velocities(
        &self,
        values: &SystemValues,
        contact: usize,
    ) -> impl Iterator<Item = (&'static Variable, f64)> {
        let inputs = [&element::V, &V_Y].into_iter();
        let axes = self.mechanism.structure.axes;
        inputs.zip(self.slip(values, contact)).take(axes)
    }

    /// Spring with its length and the rate of that.
    fn spring(&self, spring: usize) -> (Play, [f64; 2]) {
        let row = &self.mechanism.structure.springs[spring];
        let values = &self.state.values;
        let play = Play {
            spring: Spring {
                stiffness: values.at(spring, STIFFNESS),
                damping: values.at(spring, DAMPING),
            },
            gap: values.at(spring, GAP),
        };
        let along = |of| self.along(values, row, of);
        (play, [along([X, X_BASE]), along([V, V_BASE])])
    }

    /// Whether a spring has a gap.
    fn has_gap(&self, spring: usize) -> bool {
        self.mechanism.structure.gaps.contains(&spring)
    }

    /// Forces of a spring and of its damper, against a change of its length; of one with a gap as
    /// one.
    fn pull(&self, spring: usize) -> [f64; 2] {
        let (play, [length, rate]) = self.spring(spring);
        if self.has_gap(spring) {
            return [play.pull(length, rate), 0.0];
        }
        let Spring { stiffness, damping } = play.spring;
        [stiffness * length, damping * rate]
    }

    /// Puts the coordinates that are geared where the free ones are.
    fn follow(&mut self) {
        let structure = &self.mechanism.structure;
        let is_geared = |i: &usize| !structure.free.contains(i);
        for i in (0..structure.coordinates.len()).filter(is_geared) {
            for of in [X, V] {
                let value = structure.coordinate(i, |j| self.state.values.at(j, of));
                self.state.values.0[i][of] = value;
            }
        }
    }

    /// Force on a coordinate of a block but F_R, which a contact with stick has as applied force.
    fn applied(&self, values: &SystemValues) -> f64 {
        let at = |reference| values.at(0, reference);
        let parameters = |reference| self.state.values.at(0, reference);
        at(F)
            - parameters(STIFFNESS) * (at(X) - at(X_BASE))
            - parameters(DAMPING) * (at(V) - at(V_BASE))
    }

    /// Gives the contacts their velocities, and the applied force.
    pub(super) fn distribute(&mut self, contacts: &mut [Box<dyn AnyElement>]) {
        for (i, contact) in contacts.iter_mut().enumerate() {
            for (input, v) in self.velocities(&self.state.values, i) {
                contact.set(input, v);
            }
        }
        if !contacts[0].has_applied_force() {
            return;
        }
        let Some(mut integrator) = self.integrator.take() else {
            return contacts[0].set(&F_T, self.applied(&self.state.values));
        };
        self.prepare(contacts);
        self.begin(&mut integrator, contacts, 0.0);
        integrator.balance(&self.mechanism.body, contacts);
        for (contact, applied) in contacts.iter_mut().zip(&integrator.applied) {
            contact.set(&F_T, *applied);
        }
        self.integrator = Some(integrator);
    }

    /// Gives the saved contacts the inputs that they are due.
    pub(super) fn complete(&self, contacts: &[Box<dyn AnyElement>], snapshots: &mut [Snapshot]) {
        for (i, (contact, snapshot)) in contacts.iter().zip(snapshots).enumerate() {
            for (input, v) in self.velocities(&self.state.values, i) {
                snapshot.values[input] = v;
            }
            if self.integrator.is_none() && contact.has_applied_force() {
                snapshot.values[&F_T] = self.applied(&self.state.values);
            }
        }
    }

    /// Calculates the derivatives of the states, and the present forces on the bases.
    pub(super) fn evaluate(&mut self, contacts: &[Box<dyn AnyElement>]) {
        self.follow();
        self.set_parameters();
        let mut force = core::mem::take(&mut self.force);
        force.fill(0.0);
        let structure = &self.mechanism.structure;
        for (i, row) in structure.coordinates.iter().enumerate() {
            add_row(&mut force, self.state.values.at(i, F), row);
        }
        for (s, row) in structure.springs.iter().enumerate() {
            for pull in self.pull(s) {
                add_row(&mut force, -pull, &row.coordinates);
            }
        }
        let friction = |row: usize| self.component(row, |i| contacts[i].values());
        for (i, row) in structure.contacts.iter().enumerate() {
            add_row(&mut force, -friction(i), &row.coordinates);
        }
        self.mechanism.solve(&mut force);
        self.set_rates(&force);
        self.force = force;
        for b in 0..self.bases {
            let of_spring = |s: usize| self.pull(s).iter().sum::<f64>();
            let of_row = |row: usize| self.component(row, |i| contacts[i].values());
            let force = self.on_base(b, of_spring, of_row);
            self.state.values.0[b][F_BASE] = force;
            self.state.on_base[b] = force;
        }
    }

    /// Force on a base, by the forces of springs and along the rows of contacts.
    fn on_base(
        &self,
        base: usize,
        of_spring: impl Fn(usize) -> f64,
        of_row: impl Fn(usize) -> f64,
    ) -> f64 {
        let structure = &self.mechanism.structure;
        let springs = structure.springs.iter().enumerate();
        let by_springs = springs.fold(0.0, |sum, (s, row)| sum - row.bases[base] * of_spring(s));
        let contacts = structure.contacts.iter().enumerate();
        contacts
            .filter(|(_, row)| row.bases[base] != 0.0)
            .fold(by_springs, |sum, (i, row)| {
                sum - row.bases[base] * of_row(i)
            })
    }

    /// Reads parameters and contacts at the start of a step.
    fn prepare(&mut self, contacts: &[Box<dyn AnyElement>]) {
        self.set_parameters();
        self.starts.clear();
        let starts = contacts.iter().map(|contact| contact.start());
        self.starts.extend(starts);
    }

    /// Puts inertias and springs into force.
    fn set_parameters(&mut self) {
        let (values, structure) = (&self.state.values, &self.mechanism.structure);
        let (coordinates, springs) = (structure.coordinates.len(), structure.springs.len());
        let masses = (0..coordinates).map(|i| values.at(i, MASS));
        let springs = (0..springs).map(|s| Spring {
            stiffness: values.at(s, STIFFNESS),
            damping: values.at(s, DAMPING),
        });
        self.mechanism.set(masses, springs);
    }

    /// Sets the derivatives of the states, from the accelerations of the free coordinates.
    fn set_rates(&mut self, accelerations: &[f64]) {
        let free = &self.mechanism.structure.free;
        for (j, acceleration) in free.iter().zip(accelerations) {
            let values = &mut self.state.values.0[*j];
            (values[X + 1], values[V + 1]) = (values[V], *acceleration);
        }
    }
}

#[cfg(test)]
mod tests;
