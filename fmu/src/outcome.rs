//! Result of a call that the FMU may refuse.

use bristle::variable::InputError;
use core::fmt;

/// Success, or the reason for the refusal of a call.
pub type Outcome = Result<(), Refusal>;

/// Reason for the refusal of a call, one sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The call is wrong: fmi2Error.
    Call(InputError),
    /// The law cannot be evaluated with these inputs, states and parameters: fmi2Discard in Model
    /// Exchange, so that the solver shortens its step, and fmi2Error in Co-Simulation.
    Point(InputError),
}

impl Refusal {
    /// The refusal of a function that cannot take effect with other values: an error in both
    /// interfaces.
    pub fn of_call(self) -> Self {
        match self {
            Refusal::Call(reason) | Refusal::Point(reason) => Refusal::Call(reason),
        }
    }

    /// Refusal of a call for this reason.
    pub fn call(text: impl Into<String>) -> Self {
        Refusal::Call(InputError::new(text.into()))
    }

    /// Refusal of a point for this reason.
    pub fn point(text: impl Into<String>) -> Self {
        Refusal::Point(InputError::new(text.into()))
    }
}

impl From<InputError> for Refusal {
    fn from(reason: InputError) -> Self {
        Refusal::Call(reason)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Refusal::Call(reason) | Refusal::Point(reason)) = self;
        reason.fmt(f)
    }
}
