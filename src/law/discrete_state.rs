//! Discrete states of a law, which change at events only.

use super::Contact;
use crate::variable::Values;

/// Discrete states of a law. Between steps they are stored in the table of values, in the slots of
/// [`LawMetadata::modes`](super::LawMetadata::modes).
pub trait DiscreteState: Copy + Default + PartialEq + Send + 'static {
    /// Reads the discrete states from a table of values.
    fn read(values: &Values) -> Self;

    /// Writes the discrete states into a table of values.
    fn write(self, values: &mut Values);

    /// Whether these discrete states differ from others by signs of inputs that rounding may have changed.
    fn differs_by_rounding(&self, _other: &Self, _contact: Contact) -> bool {
        false
    }
}

/// `()` stands for no discrete states.
impl DiscreteState for () {
    fn read(_: &Values) -> Self {}

    fn write(self, _: &mut Values) {}
}
