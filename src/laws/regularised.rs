//! The parameters of the regularised characteristic, with the values of Rill & Schuderer's Listing A1.

pub mod bristle;
mod closed_forms;
mod stick_tail;
#[cfg(test)]
mod tests;

use super::symbols::{bounds, without_rounding};
use crate::characteristic::{Measured, Regularised};
use crate::variable::{InputError, Unit, Values, Variable};

/// μ_s.
pub const MU_S: Variable = Variable::parameter(34, "mu_s", r"\mu_s", Unit::One, 0.6, "Static coefficient of friction")
    .within(bounds::STATIC_COEFFICIENT);
/// v_s.
pub const V_S: Variable = Variable::parameter(
    35,
    "v_s",
    "v_s",
    Unit::MetrePerSecond,
    1e-3,
    "Velocity at which the regularised characteristic reaches mu_s",
)
.within(bounds::SPEED);
/// μ_d.
pub const MU_D: Variable =
    Variable::parameter(36, "mu_d", r"\mu_d", Unit::One, 0.3, "Dynamic coefficient of friction, at most mu_s")
        .within(bounds::COEFFICIENT);
/// v_d.
pub const V_D: Variable = Variable::parameter(
    37,
    "v_d",
    "v_d",
    Unit::MetrePerSecond,
    1e-2,
    "Velocity from which the regularised characteristic is mu_d, above v_s",
)
.within(bounds::SPEED);

/// Reads the characteristic from a table of values; an error where the parameters contradict each other.
pub fn read(values: &Values) -> Result<Regularised, InputError> {
    let mu_s = values[&MU_S];
    let mu_d = without_rounding(values[&MU_D], mu_s);
    let curve = Regularised { mu_s, v_s: values[&V_S], mu_d, v_d: values[&V_D] };
    curve.check().map(|()| curve)
}

/// Parameters that a measured characteristic replaces.
pub const REPLACED: &[Variable] = &[MU_S, V_S, MU_D, V_D];
/// Those of them that the first point gives.
pub const AT_FIRST_POINT: &[Variable] = &[MU_S, V_S];
/// Largest friction force at rest with a measured characteristic.
pub const STATIC_FORCE: &str = "the largest coefficient of the curve times F_N";

/// Limits of a measured characteristic: its first point in place of (v_s, μ_s), its last in place of (v_d, μ_d).
pub fn limits(measured: &Measured) -> Regularised {
    let ([v_s, mu_s], [v_d, mu_d]) = (measured.first(), measured.last());
    Regularised { mu_s, v_s, mu_d, v_d }
}

/// Measured characteristic over the shifted slip velocity w of a bristle, from v_s on.
///
/// In steady sliding |F_0| exceeds F_s and the shift is v_s, so that |w| = |v| + v_s: the coefficient at |w| is the measured one at
/// |w| − v_s. The speed of the first point is v_s; up to it the measured coefficient is that of the first point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShiftedCurve {
    curve: &'static Measured,
    v_s: f64,
}

impl ShiftedCurve {
    /// Characteristic of a measured curve.
    pub fn new(curve: &'static Measured) -> Self {
        ShiftedCurve { curve, v_s: curve.first()[0] }
    }

    /// Its limits, over |w|.
    pub fn limits(&self) -> Regularised {
        let limits = limits(self.curve);
        Regularised { v_d: limits.v_d + self.v_s, ..limits }
    }

    /// The curve over the speed of sliding.
    pub fn measured(&self) -> &'static Measured {
        self.curve
    }

    /// Number of the part of the curve at |w| (m/s): 0 up to v_s, and one more beyond each point.
    pub fn part(&self, size: f64) -> u16 {
        if size > self.v_s {
            1 + self.curve.speeds().partition_point(|speed| speed + self.v_s < size) as u16
        } else {
            0
        }
    }

    /// Coefficient of friction at |w| of at least v_s (m/s), and its derivative (s/m).
    pub fn at(&self, size: f64) -> (f64, f64) {
        self.curve.at(size - self.v_s)
    }
}
