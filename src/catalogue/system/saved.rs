//! Byte form of the system of a card.

use super::super::card::{list, text, write_list, write_text};
use super::{CardBase, CardCoordinate, CardSlip, CardSpring, CardSystem, Term};
use crate::saved_state::{Reader, SavedState, Writer};

impl SavedState for Term {
    fn write(&self, writer: &mut Writer) {
        let Term { of, factor } = self;
        writer.bytes(&of.to_le_bytes());
        factor.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(Term {
            of: reader.bytes().map(u32::from_le_bytes)?,
            factor: SavedState::read(reader)?,
        })
    }
}

impl SavedState for CardCoordinate {
    fn write(&self, writer: &mut Writer) {
        let CardCoordinate {
            name,
            is_angle,
            mass,
            is_input,
            load,
            gear,
        } = self;
        write_text(writer, name);
        is_angle.write(writer);
        is_input.write(writer);
        [*mass, *load].write(writer);
        write_list(writer, gear);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let (name, is_angle) = (text(reader)?, bool::read(reader)?);
        let is_input = bool::read(reader)?;
        let [mass, load] = SavedState::read(reader)?;
        Some(CardCoordinate {
            name,
            is_angle,
            mass,
            is_input,
            load,
            gear: list(reader)?,
        })
    }
}

impl SavedState for CardBase {
    fn write(&self, writer: &mut Writer) {
        let CardBase { name, is_angle } = self;
        write_text(writer, name);
        is_angle.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(CardBase {
            name: text(reader)?,
            is_angle: SavedState::read(reader)?,
        })
    }
}

impl SavedState for CardSpring {
    fn write(&self, writer: &mut Writer) {
        let CardSpring {
            name,
            along,
            stiffness,
            damping,
            gap,
        } = self;
        write_text(writer, name);
        write_list(writer, along);
        [*stiffness, *damping].write(writer);
        gap.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let (name, along) = (text(reader)?, list(reader)?);
        let [stiffness, damping] = SavedState::read(reader)?;
        Some(CardSpring {
            name,
            along,
            stiffness,
            damping,
            gap: SavedState::read(reader)?,
        })
    }
}

impl SavedState for CardSlip {
    fn write(&self, writer: &mut Writer) {
        let CardSlip { along } = self;
        writer.bytes(&(along.len() as u32).to_le_bytes());
        along.iter().for_each(|row| write_list(writer, row));
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let axes = reader.bytes().map(u32::from_le_bytes)?;
        let along = (0..axes).map(|_| list(reader)).collect::<Option<_>>()?;
        Some(CardSlip { along })
    }
}

impl SavedState for CardSystem {
    fn write(&self, writer: &mut Writer) {
        let CardSystem {
            coordinates,
            bases,
            springs,
            contacts,
        } = self;
        write_list(writer, coordinates);
        write_list(writer, bases);
        write_list(writer, springs);
        write_list(writer, contacts);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(CardSystem {
            coordinates: list(reader)?,
            bases: list(reader)?,
            springs: list(reader)?,
            contacts: list(reader)?,
        })
    }
}
