//! Discrete states of a law, which change at events only.

use super::{Contact, MAX_EVENTS, Path, Polynomial, Rate};
use crate::variable::Values;

/// Discrete states of a law. Between steps they are stored in the table of values, in the slots of
/// [`LawMetadata::modes`](super::LawMetadata::modes).
pub trait DiscreteState: Copy + Default + PartialEq + Send + 'static {
    /// Reads the discrete states from a table of values.
    fn read(values: &Values) -> Self;

    /// Writes the discrete states into a table of values.
    fn write(self, values: &mut Values);

    /// Discrete states of a contact at initialisation.
    fn initial(_contact: Contact) -> Self {
        Self::default()
    }

    /// Whether these discrete states differ from others by signs of inputs that rounding may have
    /// changed.
    fn differs_by_rounding(&self, _other: &Self, _contact: Contact) -> bool {
        false
    }
}

/// Events of a law `L` with N states at which its discrete states change.
pub trait Events<L, const N: usize>: DiscreteState {
    /// Event indicators, one for each of [`LawMetadata::events`](super::LawMetadata::events), of
    /// order 1; a change of sign is the event. An indicator of a mode is positive where the mode
    /// begins, and [`handle_event`](Events::handle_event) ends the mode a little before its
    /// indicator changes sign ([`BEYOND`](super::BEYOND) for forces, [`REST`](super::REST) for
    /// velocities): with the element's [`HYSTERESIS`](super::HYSTERESIS) the mode changes on
    /// whichever side of the event a memory stops.
    fn indicators(&self, _law: &L, _contact: Contact, _x: &[f64; N]) -> [f64; MAX_EVENTS] {
        [1.0; MAX_EVENTS]
    }

    /// Rates of the states in the present mode, if the states are integrals of the inputs as long
    /// as it lasts; then they are calculated exactly. `contact` is open or closed as the segment
    /// is.
    fn exact_rates(&self, _law: &L, _contact: Contact) -> Option<[Rate; N]> {
        (N == 0).then_some([Rate::ZERO; N])
    }

    /// Polynomials of inputs and states, of degree 5 at most, whose changes of sign are the events
    /// of the present mode in a closed contact; a law without modes has none there. With `None` the
    /// signs of the [`indicators`](Events::indicators) are sampled within an inner step, and an
    /// event that comes and goes between two samples is missed. Zeros of inputs need no polynomial:
    /// a step has breakpoints there. As for the indicators, [`handle_event`](Events::handle_event)
    /// must change the mode a little before.
    fn polynomials(&self, _law: &L, _path: &Path<N>) -> Option<[Polynomial; MAX_EVENTS]> {
        None
    }

    /// Changes the mode, and states with it, if the present one does not hold any more; returns
    /// whether it did. One change may cause another, so that callers repeat it
    /// ([`event_iteration`](super::event_iteration)).
    fn handle_event(&mut self, _law: &L, _contact: Contact, _x: &mut [f64; N]) -> bool {
        false
    }
}

/// `()` stands for no discrete states.
impl DiscreteState for () {
    fn read(_: &Values) -> Self {}

    fn write(self, _: &mut Values) {}
}

impl<L, const N: usize> Events<L, N> for () {}
