//! Inputs of laws as variables, and the typical sizes that nominal values and event indicators use.

use super::contact::Contact;
pub use crate::domain::NOMINAL_FORCE;
use crate::domain::{LIGHT, OPEN_FORCE};
use crate::variable::{Unit, Values, Variable};

/// Typical contact velocity, m/s.
pub const NOMINAL_VELOCITY: f64 = 1e-2;

/// Nominal normal force of a contact, which its card states. It has a place in the table of values
/// and is no variable of an FMU.
pub const NORMAL_FORCE: Variable = Variable::parameter(
    79,
    "normal_force",
    r"F_\mathrm{nom}",
    Unit::Newton,
    NOMINAL_FORCE,
    "Nominal normal force, by which defaults and the absolute tolerance are scaled",
);

/// Normal force that errors are measured by at least, N: a share of the nominal one in a table of
/// values.
pub fn light_force(values: &Values) -> f64 {
    LIGHT * values[&NORMAL_FORCE]
}

/// Event indicator of an opening or closing contact: above 0 while it is closed, below 0 while it
/// is open. It is not 0 at F_N = 0, where an FMU may be initialised.
pub fn opening(contact: Contact) -> f64 {
    (contact.F_N - OPEN_FORCE) / NOMINAL_FORCE
}

/// Normal force.
pub const F_N: Variable = Variable::input(
    0,
    "F_N",
    "F_N",
    Unit::Newton,
    "Normal force; the contact is open where it is not above 0",
)
.nominal(NOMINAL_FORCE);

/// Contact velocity.
pub const V: Variable = Variable::input(
    1,
    "v",
    "v",
    Unit::MetrePerSecond,
    "Contact velocity: tangential velocity of the contact point relative to its counterpart",
)
.nominal(NOMINAL_VELOCITY);

/// Relative acceleration, for laws that need it.
pub const A: Variable = Variable::input(
    2,
    "a",
    "a",
    Unit::MetrePerSecondSquared,
    "Relative acceleration of the contact point: the time derivative of v",
)
.nominal(1.0);

/// Applied tangential force, for laws that need it.
pub const F_T: Variable = Variable::input(
    3,
    "F_t",
    "F_t",
    Unit::Newton,
    "Applied tangential force that the contact must balance to stick: all forces on the body but \
     F_R, in the direction of \
     v; a master with a fixed step H adds m v/H, so that the body comes to rest within the step",
)
.nominal(10.0);
