//! Discrete states of a law: what changes at events only.

use crate::variable::Values;

/// The discrete states of a law. Between steps they are kept in the table of values, in the slots of
/// [`LawMetadata::modes`](super::LawMetadata::modes).
pub trait DiscreteState: Copy + Default + PartialEq + Send + 'static {
    /// Reads the state from a table of values.
    fn read(values: &Values) -> Self;

    /// Writes the state into a table of values.
    fn write(self, values: &mut Values);
}

/// No discrete state.
impl DiscreteState for () {
    fn read(_: &Values) -> Self {}

    fn write(self, _: &mut Values) {}
}
