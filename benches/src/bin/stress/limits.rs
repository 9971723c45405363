//! Limits of all parts of the stress run.

/// Largest error in units of the tolerance: the tolerance holds for each inner step, and the errors of thousands of
/// them add up where |F_0| stays near F_s.
pub const FACTOR: f64 = 10.0;
/// From here on, in units of the tolerance, an error is confirmed by other references.
pub const MAX_ERROR: f64 = 2.0;
/// Share of an error by which references may differ, or which inputs shifted by the tolerance of event times may cause in the reference;
/// from there on it is no error of the element.
pub const AGREEMENT: f64 = 0.3;
/// Cases kept of each kind.
pub const KEPT: usize = 12;

/// Tolerance of an importer that gives none.
pub const DEFAULT: f64 = 1e-6;
/// Rounding of a force or an integral, over the largest value that it is made of: some hundred operations.
pub const ROUNDING: f64 = 1e-13;
/// Rounding of E_loss when a step's energy is added to it, over E_loss.
pub const SUM: f64 = 4.0 * f64::EPSILON;
/// F_s at the end of a step over that within it, below which its force has no scale.
pub const VANISHING: f64 = 1e-9;
