//! Laws in the plane: v, z and F_R are vectors.
//!
//! The static laws take F_R = F_N μ(|v|) v/|v| with their own characteristic. Dahl and LuGre have
//! the coupled form of E. Velenis, P. Tsiotras, C. Canudas de Wit, *Extension of the LuGre dynamic
//! tire friction model to 2D motion*, IEEE Mediterranean Conference on Control and Automation 2002;
//! the uncoupled form, one law an axis, leaves the friction cone. FrDyn2 and FrDyn2Linear are our
//! own extension: the published equations with vectors, so that every motion along a line is that
//! of the law along a line.

pub(super) mod metadata;
mod static_laws;

#[cfg(test)]
mod tests;

pub use self::static_laws::PlanarStatic;
