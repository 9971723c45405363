//! Reference laws: every friction law of the catalogue implemented a second time from its paper.
//!
//! They share no code with the elements. Each evaluates the law branch by branch as the paper
//! prints it, advances its modes in short segments and bisects every event, without regard to
//! speed. FrDyn2 and the laws with bristles are integrated by [`dop853`]. Sources: \[KS\]
//! Kargaonkar and Singh 2024, \[MSL\] Modelica Standard Library, Modeling of Friction, \[RS\] Rill
//! and Schuderer 2023, \[SW\] Stefański, Wojewoda, Wiercigroch and Kapitaniak 2006.

pub mod adams_stick_slip;
pub mod armstrong;
mod brown_mcphee;
mod characteristic;
mod coulomb;
pub mod dahl;
pub mod dop853;
pub mod frdyn2;
pub mod frdyn2_linear;
mod law;
pub mod lugre;
mod modelica_friction;
mod modes;
mod non_reversible;
mod partial_friction;
pub mod planar;
mod popp_stelter;
pub mod quadrature;
pub mod segments;
pub mod simpack_stick_slip;
mod static_regularized;
mod stefanski2003;
mod stefanski2006;
mod stribeck;
pub mod trajectory;
pub mod workloads;

pub use adams_stick_slip::AdamsStickSlip;
pub use armstrong::Armstrong;
pub use brown_mcphee::BrownMcPhee;
pub use coulomb::Coulomb;
pub use dahl::Dahl;
pub use frdyn2_linear::FrDyn2Linear;
pub use law::{LawParameters, REST, ReferenceLaw, sgn};
pub use lugre::LuGre;
pub use modelica_friction::ModelicaFriction;
pub use non_reversible::NonReversible;
pub use popp_stelter::PoppStelter;
pub use simpack_stick_slip::SimpackStickSlip;
pub use static_regularized::StaticRegularized;
pub use stefanski2003::Stefanski2003;
pub use stefanski2006::Stefanski2006;
pub use stribeck::Stribeck;
pub use trajectory::{Contact, Derivatives, InputPolynomials, InputTrajectory, zeros};
