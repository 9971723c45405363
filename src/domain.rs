//! The domain in which results are accurate. Outside it they are finite, bounded by F_s where the
//! law promises it, and timely, or a clear error.
//!
//! | quantity | domain |
//! |---|---|
//! | normal force | 0, or [`OPEN_FORCE`] and more; ordinarily 1e-6 to 1e6 of [`NOMINAL_FORCE`] |
//! | speed | up to [`MAX_SPEED`]; below [`REST_SPEED`] it is rest |
//! | communication step | [`STEPS`] |
//! | inputs within a step | polynomials of order 3 with at most two reversals each |
//!
//! As every solver of differential equations has one, the error has an absolute tolerance: |error
//! of F_R| ≤ tolerance · max(F_s, μ_s F) with F = [`LIGHT`] of the nominal normal force of the
//! contact. One that barely touches is measured by the scale of the machine, not by itself. The
//! error of E_loss is ten times that, times max|v| H, and [`ENERGY_ROUNDING`] of E_loss so far;
//! that of F_R_mean is ten times that.

use core::ops::RangeInclusive;

/// Nominal normal force of a contact whose card states no other, N. Convention: the weight of a
/// kilogram.
pub const NOMINAL_FORCE: f64 = 10.0;
/// Normal force up to which a contact counts as open, N: 1e-9 of the nominal one. Laws divide by
/// F_N.
pub const OPEN_FORCE: f64 = 1e-9 * NOMINAL_FORCE;
/// Normal force that errors are measured by at least, over the nominal one, 1.
pub const LIGHT: f64 = 1e-3;
/// Normal force that errors are measured by at least in a contact of [`NOMINAL_FORCE`], N.
pub const LIGHT_FORCE: f64 = LIGHT * NOMINAL_FORCE;
/// Acceleration of gravity, m/s²: the mass that a normal force suggests is that of a body under its
/// weight.
pub const GRAVITY: f64 = 9.81;

/// Acceleration that the friction at rest gives the lightest body that is likely on a joint whose
/// friction is stated, m/s² and rad/s²: that of the laws' contact under its weight, at a radius of
/// 20 mm.
pub const LIGHT_BODY_ACCELERATIONS: [f64; 2] = [0.6 * GRAVITY, 0.6 * GRAVITY / 0.02];
/// Largest speed, m/s: beyond it the velocity of a contact is in other units.
pub const MAX_SPEED: f64 = 1e3;
/// Speed below which a contact rests, m/s: 30 µm a year.
pub const REST_SPEED: f64 = 1e-12;
/// Lengths of communication steps, s.
pub const STEPS: RangeInclusive<f64> = 1e-9..=10.0;
/// Error of E_loss over its value, 1: that of a sum of many steps.
pub const ENERGY_ROUNDING: f64 = 1e-12;
