//! Variables and events of the first-order bristles of Dahl and LuGre.

use super::symbols::{bounds, contact};
use crate::law::{Contact, MAX_EVENTS, NOMINAL_VELOCITY, opening};
use crate::variable::{Unit, Variable};

/// Deflection z.
pub const Z: Variable =
    Variable::state(16, "z", "z", Unit::Metre, "Bristle deflection, positive for v > 0").nominal(1e-6).reinit();
/// Time derivative of z.
pub const DER_Z: Variable =
    Variable::derivative(17, &Z, "der(z)", r"\dot z", Unit::MetrePerSecond, "Time derivative of z");

/// Stiffness σ_0.
pub const SIGMA_0: Variable =
    Variable::parameter(37, "sigma_0", r"\sigma_0", Unit::NewtonPerMetre, contact::SIGMA_0, "Bristle stiffness")
        .within(bounds::STIFFNESS);

/// Descriptions of the events of [`indicators`].
pub const EVENTS: &[&str] = &["the contact opens or closes", "v passes through 0: the deflection reverses"];

/// Event indicator of each of [`EVENTS`].
pub fn indicators(contact: Contact) -> [f64; MAX_EVENTS] {
    [opening(contact), contact.v / NOMINAL_VELOCITY, 1.0, 1.0]
}

/// Rounding of the damping σ_1 dz/dt in steady sliding, N: it is the difference of two terms of the magnitude σ_1 v; also of a viscous
/// friction.
pub fn damping_rounding(sigma_1: f64, max_speed: f64) -> f64 {
    4.0 * f64::EPSILON * sigma_1 * max_speed
}
