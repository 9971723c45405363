//! Laws in the plane: v, z and F_R are vectors.
//!
//! The static laws take F_R = F_N μ(|v|) v/|v| with their own characteristic. Dahl and LuGre have the coupled form of E. Velenis,
//! P. Tsiotras, C. Canudas de Wit, *Extension of the LuGre dynamic tire friction model to 2D motion*, IEEE Mediterranean Conference on
//! Control and Automation 2002; the uncoupled form, one law an axis, leaves the friction cone. FrDyn2 and FrDyn2Linear are our own
//! extension: the published equations with vectors, so that every motion along a line is that of the law along a line.
//!
//! A motion along a line is advanced by the law along that line, with all its closed forms and series. Others take closed forms of
//! held inputs where there are, else the general integrator.

mod bristle;
mod bristle_metadata;
mod frdyn2;
mod frdyn2_metadata;
mod line;
mod metadata;
mod openings;
mod regularisation;
mod relaxation;
mod sliding;
mod static_laws;
mod stick;

#[cfg(test)]
mod tests;

pub use self::bristle::PlanarBristle;
pub use self::frdyn2::PlanarFrDyn2;
pub use self::regularisation::{Linear, Parabola};
#[cfg(test)] // the relaxation's own tests are beside it
pub use self::relaxation::InPlane;
pub use self::static_laws::PlanarStatic;
