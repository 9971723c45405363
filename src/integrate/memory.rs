//! Length of the first inner step and limit of inner steps, which an integration takes over from
//! the one before.

use super::step_limit::StepLimit;
use crate::saved_state::{Reader, SavedState, Writer};

/// Length of the first inner step, and the limit of inner steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Memory {
    /// Step length at the start of the last interval, s; 0 before the first. Transients begin at
    /// the start of an interval, so that the first inner step, and not the last one, suits the next
    /// interval.
    pub first_step: f64,
    /// Limit of inner steps in the present communication step; not part of the state, because it is
    /// reset at each.
    pub limit: StepLimit,
}

/// Saves `first_step` only: the limit is reset at each communication step.
impl SavedState for Memory {
    #[inline]
    fn write(&self, writer: &mut Writer) {
        self.first_step.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(Memory {
            first_step: reader.at_least_zero()?,
            ..Memory::default()
        })
    }
}
