//! Byte form of the system of a card.

use super::{CardBase, CardCoordinate, CardSpring, CardSystem, Term};
use crate::saved_state::{Reader, SavedState, Writer};

fn write_name(writer: &mut Writer, name: &str) {
    writer.bytes(&(name.len() as u32).to_le_bytes());
    writer.bytes(name.as_bytes());
}

fn read_name(reader: &mut Reader) -> Option<String> {
    let length = count(reader)?;
    let bytes = reader.slice(length)?;
    core::str::from_utf8(bytes).ok().map(str::to_owned)
}

fn count(reader: &mut Reader) -> Option<usize> {
    reader
        .bytes()
        .map(|bytes| u32::from_le_bytes(bytes) as usize)
}

fn write_terms(writer: &mut Writer, terms: &[Term]) {
    writer.bytes(&(terms.len() as u32).to_le_bytes());
    for Term { of, factor } in terms {
        writer.bytes(&of.to_le_bytes());
        factor.write(writer);
    }
}

fn read_terms(reader: &mut Reader) -> Option<Vec<Term>> {
    (0..count(reader)?)
        .map(|_| {
            Some(Term {
                of: count(reader)? as u32,
                factor: f64::read(reader)?,
            })
        })
        .collect()
}

impl SavedState for CardSystem {
    fn write(&self, writer: &mut Writer) {
        let CardSystem {
            coordinates,
            bases,
            springs,
            contacts,
        } = self;
        let counts = [
            coordinates.len(),
            bases.len(),
            springs.len(),
            contacts.len(),
        ];
        counts
            .into_iter()
            .for_each(|count| writer.bytes(&(count as u32).to_le_bytes()));
        for CardCoordinate {
            name,
            is_angle,
            mass,
            load,
            gear,
        } in coordinates
        {
            write_name(writer, name);
            is_angle.write(writer);
            [*mass, *load].write(writer);
            write_terms(writer, gear);
        }
        for CardBase { name, is_angle } in bases {
            write_name(writer, name);
            is_angle.write(writer);
        }
        for CardSpring {
            name,
            along,
            stiffness,
            damping,
        } in springs
        {
            write_name(writer, name);
            write_terms(writer, along);
            [*stiffness, *damping].write(writer);
        }
        contacts.iter().for_each(|row| write_terms(writer, row));
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [coordinates, bases, springs, contacts] = [
            count(reader)?,
            count(reader)?,
            count(reader)?,
            count(reader)?,
        ];
        let coordinates = (0..coordinates).map(|_| {
            let (name, is_angle) = (read_name(reader)?, bool::read(reader)?);
            let [mass, load] = SavedState::read(reader)?;
            Some(CardCoordinate {
                name,
                is_angle,
                mass,
                load,
                gear: read_terms(reader)?,
            })
        });
        let coordinates = coordinates.collect::<Option<_>>()?;
        let bases = (0..bases).map(|_| {
            Some(CardBase {
                name: read_name(reader)?,
                is_angle: bool::read(reader)?,
            })
        });
        let bases = bases.collect::<Option<_>>()?;
        let springs = (0..springs).map(|_| {
            let (name, along) = (read_name(reader)?, read_terms(reader)?);
            let [stiffness, damping] = SavedState::read(reader)?;
            Some(CardSpring {
                name,
                along,
                stiffness,
                damping,
            })
        });
        let springs = springs.collect::<Option<_>>()?;
        let contacts = (0..contacts)
            .map(|_| read_terms(reader))
            .collect::<Option<_>>()?;
        Some(CardSystem {
            coordinates,
            bases,
            springs,
            contacts,
        })
    }
}
