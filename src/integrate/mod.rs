//! Error-controlled one-step integration of a small stiff system x′ = f(t, x).
//!
//! A system is a rate, a Jacobian and an error scale; nothing in this folder is specific to friction.

pub mod collocation;
pub mod linear;
pub mod polynomial;
pub mod quadrature;
pub mod radau;
pub mod step_limit;

use core::fmt;

/// A system x′ = f(t, x) for an implicit method.
pub trait System<const N: usize> {
    /// f(t, x).
    fn rate(&self, t: f64, x: &[f64; N]) -> [f64; N];

    /// ∂f/∂x as rows; finite wherever `rate` is.
    fn jacobian(&self, t: f64, x: &[f64; N]) -> [[f64; N]; N];

    /// The size of each component that counts as 1 for the error control; at least 0.
    fn scale(&self, t: f64, x: &[f64; N]) -> [f64; N];

    /// Longest step from here whose error estimate can be trusted: a longer one could pass a bend of f without a stage in it, or damp
    /// a motion that grows.
    fn longest(&self, _t: f64, _x: &[f64; N]) -> f64 {
        f64::INFINITY
    }
}

/// States below this size are 0.
const NEGLIGIBLE: f64 = 1e-200;

/// Sets states below 1e-200 to 0, before they become denormal numbers, which are slow.
#[inline]
pub fn flush(states: &mut [f64]) {
    for x in states {
        if x.abs() < NEGLIGIBLE {
            *x = 0.0;
        }
    }
}

/// Failure of an integration.
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
        /// The limit that was met.
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
                "no inner step, however small, met the tolerance {t:e} s after the start of the communication step; \
                 check the parameters and inputs for extreme values, or relax the tolerance"
            ),
            SolverError::NotFinite => f.write_str(
                "a result is too large for a floating-point number; check the parameters and inputs for extreme values",
            ),
            SolverError::TooManySteps { t, limit } => write!(
                f,
                "the limit of {limit} inner steps was used up {t:e} s after the start of the communication step; \
                 use a smaller communication step or relax the tolerance"
            ),
        }
    }
}

impl std::error::Error for SolverError {}
