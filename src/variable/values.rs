//! Table of values of an element's variables.

use super::{SLOTS, Variable};
use crate::saved_state::{Reader, SavedState, Writer};
use core::ops::{Index, IndexMut};

/// The first reference of a mode.
const FIRST_MODE: usize = 28;
/// Largest number of modes of a law.
pub const MODES: usize = 4;

/// An element's table of values, indexed by the variables themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Values(pub [f64; SLOTS]);

impl Values {
    /// All zero.
    pub const ZERO: Values = Values([0.0; SLOTS]);

    /// The values of the modes.
    pub fn modes(&self) -> [f64; MODES] {
        core::array::from_fn(|i| self.0[FIRST_MODE + i])
    }

    /// A table of these modes and nothing else.
    pub fn of_modes(modes: &[f64; MODES]) -> Self {
        let mut values = Values::ZERO;
        values.0[FIRST_MODE..FIRST_MODE + MODES].copy_from_slice(modes);
        values
    }

    /// The start values of `variables`; everything else is 0.
    pub fn of<'a>(variables: impl IntoIterator<Item = &'a Variable>) -> Self {
        let mut values = Values::ZERO;
        for variable in variables {
            values[variable] = variable.start.unwrap_or(0.0);
        }
        values
    }
}

impl SavedState for Values {
    fn write(&self, writer: &mut Writer) {
        self.0.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        SavedState::read(reader).map(Values)
    }
}

impl Index<&Variable> for Values {
    type Output = f64;
    fn index(&self, variable: &Variable) -> &f64 {
        &self.0[variable.slot()]
    }
}

impl IndexMut<&Variable> for Values {
    fn index_mut(&mut self, variable: &Variable) -> &mut f64 {
        &mut self.0[variable.slot()]
    }
}
