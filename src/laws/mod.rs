//! The friction laws, one file each: equations, variables with units and defaults, source, tests.

pub mod adams_stick_slip;
pub mod armstrong;
pub mod axes;
pub mod brown_mcphee;
pub mod coulomb;
pub mod dahl;
mod directions;
pub mod first_order;
pub mod frdyn2;
pub mod frdyn2_linear;
pub mod lugre;
pub mod modelica_friction;
#[cfg(test)]
mod moving_inputs;
pub mod non_reversible;
pub mod planar;
pub mod popp_stelter;
pub mod regularised;
pub mod simpack_stick_slip;
pub mod static_regularized;
pub mod stefanski_2003;
pub mod stefanski_2006;
pub mod stick_slip;
pub mod stribeck;
mod symbols;
#[cfg(test)]
pub(crate) mod tests;
