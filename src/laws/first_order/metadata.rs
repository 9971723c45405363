//! Variables and events of the bristles of first order, Dahl's and LuGre.

pub mod dahl;
pub mod in_plane;
pub mod lugre;

use crate::laws::symbols::{bounds, contact};
use crate::variable::{Unit, Variable};

/// Deflection z.
pub const Z: Variable = Variable::state(
    16,
    "z",
    "z",
    Unit::Metre,
    "Bristle deflection, positive for v > 0",
)
.nominal(1e-6)
.reinit();
/// Time derivative of z.
pub const DER_Z: Variable = Variable::derivative(
    17,
    &Z,
    "der(z)",
    r"\dot z",
    Unit::MetrePerSecond,
    "Time derivative of z",
);

/// Stiffness σ_0.
pub const SIGMA_0: Variable = Variable::parameter(
    37,
    "sigma_0",
    r"\sigma_0",
    Unit::NewtonPerMetre,
    contact::SIGMA_0,
    "Bristle stiffness",
)
.within(bounds::STIFFNESS);

/// Descriptions of the events of [`indicators`](super::indicators).
pub const EVENTS: &[&str] = &[
    "the contact opens or closes",
    "v passes through 0: the deflection reverses",
];
