//! Snapshot: everything that changes in an element, and its saved form.

use super::{DEFAULT_TOLERANCE, INPUTS, LastStep, MAX_TOLERANCE, MIN_TOLERANCE};
use crate::coupling::BodyObserver;
use crate::integrate::radau::Radau;
use crate::law::{Contact, History, LawMetadata, MAX_INPUT_DERIVATIVE_ORDER};
use crate::saved_state::{Reader, SavedState, Writer};
use crate::variable::{Values, Variable};

/// Everything that changes in an element's life. Two elements of one law with equal snapshots behave the same, bit
/// for bit.
#[derive(Debug, PartialEq)]
pub struct Snapshot {
    /// The table of values.
    pub values: Values,
    /// Time derivatives of the inputs, of order 1 and above, that hold for the next step only.
    pub derivatives: Option<[Contact; MAX_INPUT_DERIVATIVE_ORDER]>,
    /// The contact at the end of the last step.
    pub end: Contact,
    /// Time derivative of the contact at the end of the last step.
    pub end_derivative: Contact,
    /// The error of F_R relative to F_s that steps keep.
    pub tolerance: f64,
    /// The integrator's memory.
    pub solver: Radau,
    /// The time, s, on the clock of the history.
    pub time: f64,
    /// The stiffness of the law that the deflection belongs to, [`Law::stiffness`](crate::law::Law::stiffness); 0 before the simulation begins.
    pub stiffness: f64,
    /// Where the last step began.
    pub last_step: LastStep,
    /// The observer of the body, while there is one.
    pub observer: Option<BodyObserver>,
    /// The velocities of the past, for a law with a delay.
    pub history: Option<Box<History>>,
}

impl Clone for Snapshot {
    fn clone(&self) -> Self {
        Snapshot { history: self.history.clone(), ..*self }
    }

    /// Into the memory that is there already: a master that goes back and forth allocates nothing.
    fn clone_from(&mut self, source: &Self) {
        let kept = self.history.take();
        let history = match (kept, &source.history) {
            (Some(mut kept), Some(history)) => {
                *kept = **history;
                Some(kept)
            }
            (_, history) => history.clone(),
        };
        *self = Snapshot { history, ..*source };
    }
}

impl Snapshot {
    /// The start values of a law and of further parameters.
    pub(super) fn start(metadata: &LawMetadata, parameters: &[&Variable]) -> Snapshot {
        let states = metadata.states.iter().map(|(state, _)| state);
        Snapshot {
            values: Values::of(
                INPUTS
                    .iter()
                    .chain(metadata.inputs)
                    .chain(states)
                    .chain(metadata.parameters)
                    .chain(parameters.iter().copied()),
            ),
            derivatives: None,
            end: Contact::ZERO,
            end_derivative: Contact::ZERO,
            tolerance: DEFAULT_TOLERANCE,
            solver: Radau::default(),
            time: 0.0,
            stiffness: 0.0,
            last_step: LastStep::NONE,
            observer: None,
            history: None,
        }
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
            stiffness,
            last_step,
            observer,
            history,
        } = self;
        values.write(writer);
        // No derivatives and derivatives of 0 are the same trajectory.
        derivatives.unwrap_or_default().write(writer);
        end.write(writer);
        end_derivative.write(writer);
        tolerance.write(writer);
        solver.write(writer);
        time.write(writer);
        stiffness.write(writer);
        last_step.write(writer);
        observer.write(writer);
        history.is_some().write(writer);
        if let Some(history) = history {
            history.write(writer);
        }
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let values = SavedState::read(reader)?;
        let derivatives = <[Contact; MAX_INPUT_DERIVATIVE_ORDER]>::read(reader)?;
        Some(Snapshot {
            values,
            derivatives: (derivatives != [Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER]).then_some(derivatives),
            end: SavedState::read(reader)?,
            end_derivative: SavedState::read(reader)?,
            tolerance: f64::read(reader).filter(|tolerance| (MIN_TOLERANCE..=MAX_TOLERANCE).contains(tolerance))?,
            solver: SavedState::read(reader)?,
            time: SavedState::read(reader)?,
            stiffness: reader.at_least_zero()?,
            last_step: SavedState::read(reader)?,
            observer: SavedState::read(reader)?,
            history: if bool::read(reader)? { Some(Box::new(History::read(reader)?)) } else { None },
        })
    }
}
