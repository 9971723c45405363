//! State of an assembly, and its saved form.

use super::plate::PlateInputs;
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
