//! Saved form of a contact.

use super::Contact;
use crate::saved_state::{Reader, SavedState, Writer};

impl SavedState for Contact {
    fn write(&self, writer: &mut Writer) {
        self.numbers().write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        SavedState::read(reader).map(Contact::of)
    }
}
