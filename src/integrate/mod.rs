//! Error-controlled one-step integration of a small stiff system x′ = f(t, x).
//!
//! A system is a rate, a Jacobian and an error scale; nothing in this folder is specific to friction.

pub mod change_of_sign;
pub mod cubic;
pub mod exponential;
pub mod extrema;
pub mod linear;
pub mod memory;
pub mod polynomial;
pub mod quadrature;
pub mod radau;
#[cfg(test)]
pub mod runge_kutta;
pub mod step_limit;

use core::fmt;

/// A system x′ = f(u(t), x) for an implicit method, which evaluates the inputs u once at each time.
pub trait System<const N: usize> {
    /// Inputs u at one time.
    type Input: Copy;

    /// Whether the polynomial within a step has to be within the tolerance as well as its end, which is of a higher order: where a step may end at
    /// any share of it, as at an event, or the states within it are integrated.
    const INTERIOR_COUNTS: bool = true;

    /// u(t).
    fn input(&self, t: f64) -> Self::Input;

    /// f(u, x).
    fn rate(&self, input: Self::Input, x: &[f64; N]) -> [f64; N];

    /// ∂f/∂x as rows; finite wherever `rate` is.
    fn jacobian(&self, input: Self::Input, x: &[f64; N]) -> [[f64; N]; N];

    /// Change of each component that counts as an error of 1; at least 0.
    fn scale(&self, input: Self::Input, x: &[f64; N]) -> [f64; N];

    /// Longest step from (t, x) whose error estimate is reliable. A longer one could pass over a curved part of f without a stage in
    /// it, or damp an unstable motion.
    fn longest(&self, _t: f64, _x: &[f64; N]) -> f64 {
        f64::INFINITY
    }
}

/// Magnitude below which a state is set to 0. Convention: far below any state of a mechanism, far above subnormal numbers.
const NEGLIGIBLE: f64 = 1e-200;

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
