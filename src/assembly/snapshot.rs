//! State of an assembly, and its saved form.

use super::plate::PlateInputs;
use super::system::SystemState;
use crate::coupling::BodyObserver;
use crate::element::Snapshot;
use crate::saved_state::{Reader, SavedState, Writer};
use crate::variable::{RANGE, Variable};

/// State of all contacts, the inputs of a plate, the observers of bodies, and bodies
/// inside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssemblySnapshot {
    /// State of each contact.
    pub contacts: Vec<Snapshot>,
    /// Inputs of the plate.
    pub plate: Option<PlateInputs>,
    /// Observers of the bodies that the contacts act on.
    pub bodies: Vec<BodyObserver>,
    /// Bodies inside the element.
    pub system: Option<SystemState>,
}

impl AssemblySnapshot {
    /// Value of a variable; `None` for inputs and outputs of a plate.
    pub fn value(&self, variable: &Variable) -> Option<f64> {
        if variable.is_of_block() {
            let system = self.system.as_ref();
            return system.map(|system| system.values.get(variable.reference));
        }
        if self.plate.is_some() && variable.reference < RANGE && !variable.is_parameter() {
            return None;
        }
        let contact = (variable.reference / RANGE).saturating_sub(1) as usize;
        self.contacts
            .get(contact)
            .map(|snapshot| snapshot.values[variable])
    }
}

impl SavedState for AssemblySnapshot {
    fn write(&self, writer: &mut Writer) {
        let AssemblySnapshot {
            contacts,
            plate,
            bodies,
            system,
        } = self;
        write_all(contacts, writer);
        plate.write(writer);
        write_all(bodies, writer);
        // The last part of a saved state: nothing where there are no bodies inside.
        if let Some(system) = system {
            system.write(writer);
        }
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let contacts = read_all(reader)?;
        let plate = SavedState::read(reader)?;
        let bodies = read_all(reader)?;
        let system = if reader.is_at_end() {
            None
        } else {
            Some(SystemState::read(reader)?)
        };
        Some(AssemblySnapshot {
            contacts,
            plate,
            bodies,
            system,
        })
    }
}

fn write_all<T: SavedState>(list: &[T], writer: &mut Writer) {
    writer.bytes(&(list.len() as u32).to_le_bytes());
    list.iter().for_each(|part| part.write(writer));
}

fn read_all<T: SavedState>(reader: &mut Reader) -> Option<Vec<T>> {
    let count = reader.bytes().map(u32::from_le_bytes)? as usize;
    (0..count.min(super::MAX_CONTACTS + 1))
        .map(|_| T::read(reader))
        .collect()
}
