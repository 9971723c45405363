//! Numerics for one-step integrators and quadratures that are not specific to friction.

pub mod change_of_sign;
pub mod exponential;
pub mod extrema;
pub mod linear;
pub mod memory;
pub mod polynomial;
pub mod quadrature;
#[cfg(test)]
pub mod runge_kutta;
pub mod step_limit;

use core::fmt;

/// Magnitude below which a state is set to 0, and times and shares are none. Convention: far below
/// any number of a mechanism, far above subnormal numbers, whose rounding would decide and whose
/// reciprocals overflow.
pub const NEGLIGIBLE: f64 = 1e-200;

/// Sets states below 1e-200 to 0, before they become subnormal numbers, which are slow.
#[inline]
pub fn flush(states: &mut [f64]) {
    for x in states {
        if x.abs() < NEGLIGIBLE {
            *x = 0.0;
        }
    }
}

/// Error of an integration.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SolverError {
    /// No step, however small, met the tolerance at this time (s, from the start of the interval).
    StepTooSmall {
        /// Time reached, s from the start of the interval.
        t: f64,
    },
    /// The limit of inner steps was used up at this time (s, from the start of the interval).
    TooManySteps {
        /// Time reached, s from the start of the interval.
        t: f64,
        /// Limit that was reached.
        limit: u32,
    },
    /// A result is too large for a floating-point number.
    NotFinite,
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverError::StepTooSmall { t } => write!(
                f,
                "no inner step, however small, met the tolerance {t:e} s after the start of the \
                 communication step; \
                 check the parameters and inputs for extreme values, or relax the tolerance"
            ),
            SolverError::NotFinite => f.write_str(
                "a result is too large for a floating-point number; check the parameters and \
                 inputs for extreme values",
            ),
            SolverError::TooManySteps { t, limit } => write!(
                f,
                "the limit of {limit} inner steps was used up {t:e} s after the start of the \
                 communication step; \
                 use a smaller communication step or relax the tolerance"
            ),
        }
    }
}

impl std::error::Error for SolverError {}
