//! Numbers for the variables of an assembly, by value reference.

use super::system::SystemValues;
use crate::variable::{RANGE, Values, Variable, slot};

/// A number for each variable: seeds of a directional derivative, or its results.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Variables of the range from 0 on.
    pub shared: Values,
    /// Variables of each contact, where there are several.
    pub contacts: Vec<Values>,
    /// Variables of bodies inside.
    pub system: SystemValues,
}

impl Table {
    /// Zeros, for an assembly of one contact.
    pub const ZERO: Table = Table {
        shared: Values::ZERO,
        contacts: Vec::new(),
        system: SystemValues(Vec::new()),
    };

    /// Numbers of an assembly of one contact.
    pub fn single(values: Values) -> Self {
        Table {
            shared: values,
            ..Table::ZERO
        }
    }

    /// Zeros, for an assembly of several contacts.
    pub fn of(contacts: usize) -> Self {
        Table {
            contacts: vec![Values::ZERO; contacts],
            ..Table::ZERO
        }
    }

    /// Number of the variable with this reference.
    pub fn get(&self, reference: u32) -> f64 {
        match reference / RANGE {
            _ if Variable::is_block_slot(slot(reference)) => self.system.get(reference),
            0 => self.shared.0[slot(reference)],
            contact => self
                .contacts
                .get(contact as usize - 1)
                .map_or(0.0, |values| values.0[slot(reference)]),
        }
    }

    /// Place of the number of a variable.
    pub fn entry(&mut self, variable: &Variable) -> &mut f64 {
        if variable.is_of_block() {
            return self.system.entry(variable.reference);
        }
        let contact = (variable.reference / RANGE) as usize;
        if self.contacts.len() < contact {
            self.contacts.resize(contact, Values::ZERO);
        }
        let values = if contact == 0 {
            &mut self.shared
        } else {
            &mut self.contacts[contact - 1]
        };
        &mut values[variable]
    }

    /// Seeds of a contact: its own, and those of the shared parameters.
    pub fn of_contact(&self, contact: usize) -> Values {
        let mut values = self.contacts.get(contact).copied().unwrap_or(Values::ZERO);
        for (value, shared) in values.0.iter_mut().zip(self.shared.0) {
            *value += shared;
        }
        values
    }
}
