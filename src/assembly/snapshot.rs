//! State of an assembly, and its saved form.

use super::plate::PlateInputs;
use crate::coupling::shared::SharedObserver;
use crate::element::Snapshot;
use crate::saved_state::{Reader, SavedState, Writer};
use crate::variable::{RANGE, Variable};

/// State of all contacts, the inputs of a plate, and the observer of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssemblySnapshot {
    /// State of each contact.
    pub contacts: Vec<Snapshot>,
    /// Inputs of the plate.
    pub plate: Option<PlateInputs>,
    /// Observer of the body that the contacts act on.
    pub body: Option<SharedObserver>,
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
        let AssemblySnapshot { contacts, plate, body } = self;
        writer.bytes(&(contacts.len() as u32).to_le_bytes());
        contacts.iter().for_each(|contact| contact.write(writer));
        plate.is_some().write(writer);
        if let Some(plate) = plate {
            plate.write(writer);
        }
        body.is_some().write(writer);
        if let Some(body) = body {
            body.write(writer);
        }
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let count = reader.bytes().map(u32::from_le_bytes)? as usize;
        let contacts =
            (0..count.min(super::MAX_CONTACTS + 1)).map(|_| Snapshot::read(reader)).collect::<Option<_>>()?;
        let plate = if bool::read(reader)? { Some(PlateInputs::read(reader)?) } else { None };
        let body = if bool::read(reader)? { Some(SharedObserver::read(reader)?) } else { None };
        Some(AssemblySnapshot { contacts, plate, body })
    }
}
