//! Several contacts of an assembly, with the plate whose points they may be.

use super::{AssemblySnapshot, Plate};
use crate::element::{AnyElement, Report, Snapshot};
use crate::integrate::SolverError;
use crate::variable::{InputError, RANGE, Variable, slot};

/// Several contacts, or the points of a plate.
pub struct Several {
    /// The contacts, in the order of their value references.
    pub contacts: Vec<Box<dyn AnyElement>>,
    /// The rigid plate whose points the contacts are.
    pub plate: Option<Plate>,
    /// Memory for the contacts' states during a step, which so allocates nothing.
    before: Vec<Snapshot>,
}

/// Index of the contact of a value reference.
#[inline]
pub fn place(reference: u32) -> usize {
    (reference / RANGE).saturating_sub(1) as usize
}

/// Saves contacts and the inputs of a plate into the memory of an older state.
pub fn save_into(contacts: &[Box<dyn AnyElement>], plate: Option<&Plate>, snapshot: &mut AssemblySnapshot) {
    snapshot.plate = plate.map(Plate::inputs);
    snapshot.contacts.truncate(contacts.len());
    for (i, contact) in contacts.iter().enumerate() {
        match snapshot.contacts.get_mut(i) {
            Some(known) => known.clone_from(contact.snapshot()),
            None => snapshot.contacts.push(contact.snapshot().clone()),
        }
    }
    // The points' inputs follow from the plate's, whether they have been distributed or not.
    if let Some(plate) = plate {
        plate.complete(&mut snapshot.contacts);
    }
}

impl Several {
    /// These contacts, of which each has the state it has.
    pub fn new(contacts: Vec<Box<dyn AnyElement>>, plate: Option<Plate>) -> Self {
        let before = contacts.iter().map(|contact| contact.snapshot().clone()).collect();
        Several { contacts, plate, before }
    }

    /// Value of the variable with this reference.
    pub fn value(&self, reference: u32) -> f64 {
        match &self.plate {
            Some(plate) if reference < RANGE && !Variable::is_parameter_slot(slot(reference)) => {
                plate.values().0[slot(reference)]
            }
            _ => self.contacts[place(reference)].values().0[slot(reference)],
        }
    }

    /// Sets an input, parameter or start value; a shared parameter in every contact.
    pub fn set(&mut self, variable: &Variable, value: f64) {
        match &mut self.plate {
            _ if variable.reference >= RANGE => self.contacts[place(variable.reference)].set(variable, value),
            Some(plate) if !variable.is_parameter() => plate.set(variable, value),
            _ => self.contacts.iter_mut().for_each(|contact| contact.set(variable, value)),
        }
    }

    /// Sets the time derivative of an input.
    pub fn set_input_derivative(&mut self, input: &Variable, order: usize, value: f64) -> Result<(), InputError> {
        match &mut self.plate {
            Some(plate) if input.reference < RANGE && !input.is_parameter() => {
                plate.set_derivative(input, order, value);
                Ok(())
            }
            _ => self.contacts[place(input.reference)].set_input_derivative(input, order, value),
        }
    }

    /// Gives the points of a plate their velocities and their shares of the normal force.
    pub fn distribute(&mut self) {
        if let Some(plate) = &self.plate {
            plate.distribute(&mut self.contacts);
        }
    }

    /// Adds the forces of the points of a plate up.
    pub fn collect(&mut self) {
        if let Some(plate) = &mut self.plate {
            plate.collect(&self.contacts);
        }
    }

    /// Advances all contacts; after an error all are as they were.
    pub fn advance(&mut self, duration: f64) -> Result<Report, SolverError> {
        self.distribute();
        if let Some(plate) = &self.plate {
            plate.distribute_derivatives(&mut self.contacts);
        }
        let mut total = Report::default();
        for i in 0..self.contacts.len() {
            match self.contacts[i].prepare(duration, &mut self.before[i]) {
                Ok(report) => total = total.and(report),
                Err(error) => {
                    self.cancel(i);
                    return Err(error);
                }
            }
        }
        self.contacts.iter_mut().for_each(|contact| contact.commit());
        self.collect();
        if let Some(plate) = &mut self.plate {
            plate.clear_derivatives();
        }
        Ok(total)
    }

    /// Calculates values of all contacts; after an error all are as they were.
    pub fn each(&mut self, body: fn(&mut dyn AnyElement) -> Result<(), SolverError>) -> Result<(), SolverError> {
        for (before, contact) in self.before.iter_mut().zip(&self.contacts) {
            before.clone_from(contact.snapshot());
        }
        self.distribute();
        let outcome = self.contacts.iter_mut().try_for_each(|contact| body(&mut **contact));
        if outcome.is_err() {
            for (contact, before) in self.contacts.iter_mut().zip(&self.before) {
                contact.restore(before);
            }
        } else {
            self.collect();
        }
        outcome
    }

    /// Drops the prepared steps of the first `count` contacts.
    fn cancel(&mut self, count: usize) {
        for (contact, before) in self.contacts.iter_mut().zip(&self.before).take(count) {
            contact.cancel(before);
        }
        if let Some(plate) = &self.plate {
            plate.withdraw_derivatives(&mut self.contacts);
        }
    }

    /// Restores a saved state.
    pub fn restore(&mut self, snapshot: &AssemblySnapshot) {
        for (contact, snapshot) in self.contacts.iter_mut().zip(&snapshot.contacts) {
            contact.restore(snapshot);
        }
        if let (Some(plate), Some(inputs)) = (&mut self.plate, &snapshot.plate) {
            plate.restore(inputs);
            plate.collect(&self.contacts);
        }
    }
}
