//! State of an assembly: saved and restored.

use super::body::BodyOfContacts;
use super::messages::CouplingMessages;
use super::{Assembly, AssemblySnapshot, Plate};

impl Assembly {
    /// State of all contacts.
    pub fn save(&self) -> AssemblySnapshot {
        let mut snapshot = AssemblySnapshot::default();
        self.save_into(&mut snapshot);
        snapshot
    }

    /// Saves the state into the memory of an older one.
    pub fn save_into(&self, snapshot: &mut AssemblySnapshot) {
        snapshot.plate = self.plate.as_ref().map(Plate::inputs);
        copy_all(
            &mut snapshot.bodies,
            self.bodies.iter().map(BodyOfContacts::observer),
        );
        copy_all(
            &mut snapshot.contacts,
            self.contacts.iter().map(|contact| contact.snapshot()),
        );
        if let Some(system) = &self.system {
            snapshot
                .system
                .get_or_insert_default()
                .copy_from(system.state());
            system.complete(&self.contacts, &mut snapshot.contacts);
        }
        // The points' inputs follow from the plate's, whether they have been distributed or not.
        if let Some(plate) = &self.plate {
            plate.complete(&mut snapshot.contacts);
        }
    }

    /// Restores the state of an assembly of the same card.
    pub fn restore(&mut self, snapshot: &AssemblySnapshot) {
        self.may_be_dirty = true;
        for (contact, snapshot) in self.contacts.iter_mut().zip(&snapshot.contacts) {
            contact.restore(snapshot);
        }
        if let (Some(plate), Some(inputs)) = (&mut self.plate, &snapshot.plate) {
            plate.restore(inputs);
            plate.collect(&self.contacts);
        }
        if let (Some(system), Some(state)) = (&mut self.system, &snapshot.system) {
            system.restore(state);
            system.restart();
        }
        for (body, observer) in self.bodies.iter_mut().zip(&snapshot.bodies) {
            body.restore(observer);
        }
        self.prepare_observers();
        self.messages.iter_mut().for_each(CouplingMessages::restart);
    }
}

/// Copies all of these into a list, in the memory that it has.
fn copy_all<'a, T: Clone + 'a>(list: &mut Vec<T>, from: impl ExactSizeIterator<Item = &'a T>) {
    list.truncate(from.len());
    for (i, source) in from.enumerate() {
        match list.get_mut(i) {
            Some(known) => known.clone_from(source),
            None => list.push(source.clone()),
        }
    }
}
