//! Limits of all parts of the stress run.

/// Largest errors of F_R, E_loss and F_R_mean in units of the tolerance, as `bristle::domain` and
/// docs/domain.md state them. A larger one is confirmed by other references.
pub const LIMITS: [f64; 3] = [1.0, 10.0, 10.0];
/// Share of an error by which references may differ, or which inputs shifted by the tolerance of
/// event times may cause in the reference; from there on it is no error of the element.
pub const AGREEMENT: f64 = 0.3;
/// Cases kept of each kind.
pub const KEPT: usize = 12;

/// Tolerance of an importer that gives none.
pub const DEFAULT: f64 = 1e-6;
/// Rounding of a force or an integral, over the largest value that it is made of: some hundred
/// operations.
pub const ROUNDING: f64 = 1e-13;
