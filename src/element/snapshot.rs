//! Snapshot of the state of an element, and its saved form.

use super::{DEFAULT_TOLERANCE, INPUTS, LastStep, MAX_TOLERANCE, MIN_TOLERANCE};
use crate::integrate::memory::Memory;
use crate::law::{Contact, History, LawMetadata, MAX_EVENTS, MAX_INPUT_DERIVATIVE_ORDER};
use crate::saved_state::{Reader, SavedState, Writer};
use crate::variable::{Values, Variable};

/// State of an element. Two elements of one law with equal snapshots give equal results, bit for
/// bit.
#[derive(Debug, PartialEq)]
pub struct Snapshot {
    /// Values of all variables.
    pub values: Values,
    /// Time derivatives of the inputs, of order 1 and above, for the next step only.
    pub derivatives: Option<[Contact; MAX_INPUT_DERIVATIVE_ORDER]>,
    /// Contact at the end of the last step.
    pub end: Contact,
    /// Time derivative of the contact at the end of the last step.
    pub end_derivative: Contact,
    /// Tolerance of steps: error of F_R relative to F_s.
    pub tolerance: f64,
    /// Integrator, with its step length.
    pub solver: Memory,
    /// Time, s, on the clock of the history.
    pub time: f64,
    /// Power noted last, W; see [`AnyElement::note_power`](super::AnyElement::note_power).
    pub noted_power: f64,
    /// Stiffness for which the deflection holds,
    /// [`Numerics::stiffness`](crate::law::Numerics::stiffness); 0 before initialisation.
    pub stiffness: f64,
    /// Start of the last step.
    pub last_step: LastStep,
    /// Whether each event indicator was below 0 when it was latched.
    pub is_below: [bool; MAX_EVENTS],
    /// Past velocities, for a law with a delay.
    pub history: Option<Box<History>>,
}

impl Clone for Snapshot {
    fn clone(&self) -> Self {
        Snapshot {
            history: self.history.clone(),
            ..*self
        }
    }

    /// Copies the history into the allocation of `self` where there is one, so that repeated saving
    /// and restoring does not allocate.
    fn clone_from(&mut self, source: &Self) {
        let history = match (self.history.take(), &source.history) {
            (Some(mut kept), Some(source)) => {
                kept.clone_from(source);
                Some(kept)
            }
            (_, source) => source.clone(),
        };
        *self = Snapshot { history, ..*source };
    }
}

impl Snapshot {
    /// Snapshot with the start values of a law and of further parameters.
    pub(super) fn start<'a>(
        metadata: &'a LawMetadata,
        parameters: impl Iterator<Item = &'a Variable>,
    ) -> Snapshot {
        let states = metadata.states.iter().map(|(state, _)| state);
        Snapshot {
            values: Values::of(
                INPUTS
                    .iter()
                    .chain(metadata.inputs)
                    .chain(states)
                    .chain(metadata.parameters)
                    .chain(parameters),
            ),
            derivatives: None,
            end: Contact::ZERO,
            end_derivative: Contact::ZERO,
            tolerance: DEFAULT_TOLERANCE,
            solver: Memory::default(),
            time: 0.0,
            noted_power: 0.0,
            stiffness: 0.0,
            last_step: LastStep::NONE,
            is_below: [false; MAX_EVENTS],
            history: None,
        }
    }

    /// Advances the time, clamped to the largest finite number.
    pub(super) fn advance_time(&mut self, duration: f64) {
        self.time = (self.time + duration).min(f64::MAX);
    }
}

impl SavedState for Snapshot {
    fn write(&self, writer: &mut Writer) {
        // Without `..`: a new field does not compile until it is saved.
        let Snapshot {
            values,
            derivatives,
            end,
            end_derivative,
            tolerance,
            solver,
            time,
            noted_power,
            stiffness,
            last_step,
            is_below,
            history,
        } = self;
        values.write(writer);
        // `None` and derivatives of 0 describe the same trajectory.
        derivatives.unwrap_or_default().write(writer);
        end.write(writer);
        end_derivative.write(writer);
        tolerance.write(writer);
        solver.write(writer);
        time.write(writer);
        noted_power.write(writer);
        stiffness.write(writer);
        last_step.write(writer);
        is_below.write(writer);
        history.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let values = SavedState::read(reader)?;
        let derivatives = <[Contact; MAX_INPUT_DERIVATIVE_ORDER]>::read(reader)?;
        Some(Snapshot {
            values,
            derivatives: (derivatives != [Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER])
                .then_some(derivatives),
            end: SavedState::read(reader)?,
            end_derivative: SavedState::read(reader)?,
            tolerance: f64::read(reader)
                .filter(|tolerance| (MIN_TOLERANCE..=MAX_TOLERANCE).contains(tolerance))?,
            solver: SavedState::read(reader)?,
            time: SavedState::read(reader)?,
            noted_power: SavedState::read(reader)?,
            stiffness: SavedState::read(reader)?,
            last_step: SavedState::read(reader)?,
            is_below: SavedState::read(reader)?,
            history: SavedState::read(reader)?,
        })
    }
}
