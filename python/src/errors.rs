//! Errors of Rust as Python exceptions, with their sentences.

use bristle::{integrate, variable};
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::{PyErr, create_exception};

create_exception!(
    bristle,
    Error,
    PyValueError,
    "Anything that Bristle refuses; the message is a sentence."
);
create_exception!(
    bristle,
    InputError,
    Error,
    "A name or value that an element cannot take."
);
create_exception!(
    bristle,
    CardError,
    InputError,
    "A card with faults; the message has a line for each."
);
create_exception!(
    bristle,
    SolverError,
    Error,
    "A step whose result is no finite number."
);
create_exception!(
    bristle,
    ModelWarning,
    PyUserWarning,
    "A run whose result may mislead: a model outside its scope, a step too long for a coupling, \
     an error above the tolerance."
);

/// Exception for a refused input.
pub fn refused(error: impl ToString) -> PyErr {
    InputError::new_err(error.to_string())
}

/// Failure of a run: a refused value or a step without a finite result.
#[derive(Debug)]
pub enum Failure {
    /// A name or value that the element does not take.
    Input(String),
    /// A step without a finite result.
    Solver(String),
}

impl Failure {
    /// The failure with the place where it happened.
    pub fn at(self, place: impl Fn() -> String) -> Self {
        match self {
            Failure::Input(sentence) => Failure::Input(format!("{}: {sentence}", place())),
            Failure::Solver(sentence) => Failure::Solver(format!("{}: {sentence}", place())),
        }
    }
}

impl From<variable::InputError> for Failure {
    fn from(error: variable::InputError) -> Self {
        Failure::Input(error.sentence)
    }
}

impl From<integrate::SolverError> for Failure {
    fn from(error: integrate::SolverError) -> Self {
        Failure::Solver(error.to_string())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Input(sentence) => InputError::new_err(sentence),
            Failure::Solver(sentence) => SolverError::new_err(sentence),
        }
    }
}
