//! Regularisations of FrDyn2 in the plane: the paper's parabola and the straight line.

use super::frdyn2_metadata::{LINEAR, PARABOLA};
use crate::law::{Law, LawMetadata};
use crate::laws::frdyn2::FrDyn2;
use crate::laws::frdyn2::constants::MIN_JACOBIAN_ROOT;
use crate::laws::frdyn2_linear::FrDyn2Linear;
use crate::laws::frdyn2_linear::metadata::SIGMA_2;
use crate::variable::Values;

/// Form of the characteristic below v_s and of the shift.
pub trait Regularisation: Copy + Send + 'static {
    /// Description of the law in the plane.
    const IN_PLANE: &'static LawMetadata;
    /// Whether stick is linear.
    const IS_LINEAR: bool;

    /// The law along a line.
    type Line: Law<2, DiscreteState = ()> + Copy;

    /// Viscous friction beyond v_d, N·s/m.
    fn viscosity(values: &Values) -> f64;

    /// f(r)/r and f′(r) for 0 ≤ r < 1.
    fn shift(r: f64) -> (f64, f64);

    /// F/F_s at |w| = x v_s, over x, and its derivative by x, for 0 ≤ x ≤ 1.
    fn rise(x: f64) -> (f64, f64);
}

/// FrDyn2's parabola.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parabola;

impl Regularisation for Parabola {
    const IN_PLANE: &'static LawMetadata = &PARABOLA;
    const IS_LINEAR: bool = false;

    type Line = FrDyn2;

    fn viscosity(_: &Values) -> f64 {
        0.0
    }

    fn shift(r: f64) -> (f64, f64) {
        let root = (1.0 - r).sqrt();
        (1.0 / (1.0 + root), 0.5 / root.max(MIN_JACOBIAN_ROOT))
    }

    fn rise(x: f64) -> (f64, f64) {
        (2.0 - x, 2.0 * (1.0 - x))
    }
}

/// FrDyn2Linear's straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear;

impl Regularisation for Linear {
    const IN_PLANE: &'static LawMetadata = &LINEAR;
    const IS_LINEAR: bool = true;

    type Line = FrDyn2Linear;

    fn viscosity(values: &Values) -> f64 {
        values[&SIGMA_2]
    }

    fn shift(_: f64) -> (f64, f64) {
        (1.0, 1.0)
    }

    fn rise(_: f64) -> (f64, f64) {
        (1.0, 1.0)
    }
}
