//! State of an assembly, and its saved form.

use super::body::BodyOfContacts;
use super::plate::PlateInputs;
use super::{Assembly, Plate};
use crate::coupling::BodyObserver;
use crate::element::Snapshot;
use crate::saved_state::{Reader, SavedState, Writer};
use crate::variable::{RANGE, Variable};

/// State of all contacts, the inputs of a plate, and the observers of bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssemblySnapshot {
    /// State of each contact.
    pub contacts: Vec<Snapshot>,
    /// Inputs of the plate.
    pub plate: Option<PlateInputs>,
    /// Observers of the bodies that the contacts act on.
    pub bodies: Vec<BodyObserver>,
}

impl AssemblySnapshot {
    /// Value of a variable; `None` for inputs and outputs of a plate.
    pub fn value(&self, variable: &Variable) -> Option<f64> {
        if self.plate.is_some() && variable.reference < RANGE && !variable.is_parameter() {
            return None;
        }
        let contact = (variable.reference / RANGE).saturating_sub(1) as usize;
        self.contacts.get(contact).map(|snapshot| snapshot.values[variable])
    }
}

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
        copy_all(&mut snapshot.bodies, self.bodies.iter().map(BodyOfContacts::observer));
        copy_all(&mut snapshot.contacts, self.contacts.iter().map(|contact| contact.snapshot()));
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
        for (body, observer) in self.bodies.iter_mut().zip(&snapshot.bodies) {
            body.restore(observer);
        }
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

impl SavedState for AssemblySnapshot {
    fn write(&self, writer: &mut Writer) {
        let AssemblySnapshot { contacts, plate, bodies } = self;
        write_all(contacts, writer);
        plate.is_some().write(writer);
        if let Some(plate) = plate {
            plate.write(writer);
        }
        write_all(bodies, writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let contacts = read_all(reader)?;
        let plate = if bool::read(reader)? { Some(PlateInputs::read(reader)?) } else { None };
        Some(AssemblySnapshot { contacts, plate, bodies: read_all(reader)? })
    }
}

fn write_all<T: SavedState>(list: &[T], writer: &mut Writer) {
    writer.bytes(&(list.len() as u32).to_le_bytes());
    list.iter().for_each(|part| part.write(writer));
}

fn read_all<T: SavedState>(reader: &mut Reader) -> Option<Vec<T>> {
    let count = reader.bytes().map(u32::from_le_bytes)? as usize;
    (0..count.min(super::MAX_CONTACTS + 1)).map(|_| T::read(reader)).collect()
}
