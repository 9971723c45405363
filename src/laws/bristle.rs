//! Parts that the first-order bristles of Dahl and LuGre share.

use crate::law::{Contact, MAX_EVENTS, NOMINAL_VELOCITY, REST, opening};
use crate::variable::{Unit, Variable};

/// The deflection.
pub const Z: Variable =
    Variable::state(16, "z", "z", Unit::Metre, "Bristle deflection, positive for v > 0").nominal(1e-3).reinit();
/// Its rate.
pub const DER_Z: Variable =
    Variable::derivative(17, &Z, "der(z)", r"\dot z", Unit::MetrePerSecond, "Time derivative of z");

/// The stiffness of Kargaonkar & Singh, Table 3.
pub const SIGMA_0: Variable =
    Variable::parameter(37, "sigma_0", r"\sigma_0", Unit::NewtonPerMetre, 400.0, "Bristle stiffness").positive();

/// Handles the events of [`indicators`].
pub const EVENTS: &[&str] = &["the contact opens or closes", "v passes through 0: the bristle bends back"];

/// One number for each of [`EVENTS`].
pub fn indicators(contact: Contact) -> [f64; MAX_EVENTS] {
    [opening(contact), (contact.v + REST) / NOMINAL_VELOCITY, 1.0, 1.0]
}

/// Lets the bristle of an open contact spring back; returns whether it did.
pub fn spring_back(contact: Contact, z: &mut f64) -> bool {
    let springs_back = contact.is_open() && *z != 0.0;
    if springs_back {
        *z = 0.0;
    }
    springs_back
}

/// Stick, for a bristle that deflects at `rate` (m/s): at least half of the motion goes into it.
pub fn sticks(contact: Contact, rate: f64) -> bool {
    (contact.v - rate).abs() <= 0.5 * contact.v.abs()
}
