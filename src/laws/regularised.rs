//! The parameters of the regularised characteristic, with the values of Rill & Schuderer's Listing A1.

use super::symbols::without_rounding;
use crate::characteristic::{Measured, Regularised};
use crate::variable::{InputError, Unit, Values, Variable};

/// μ_s.
pub const MU_S: Variable =
    Variable::parameter(34, "mu_s", r"\mu_s", Unit::One, 0.6, "Static coefficient of friction").positive();
/// v_s.
pub const V_S: Variable = Variable::parameter(
    35,
    "v_s",
    "v_s",
    Unit::MetrePerSecond,
    1e-3,
    "Velocity at which the regularised characteristic reaches mu_s",
)
.positive();
/// μ_d.
pub const MU_D: Variable =
    Variable::parameter(36, "mu_d", r"\mu_d", Unit::One, 0.3, "Dynamic coefficient of friction, at most mu_s")
        .at_least(0.0);
/// v_d.
pub const V_D: Variable = Variable::parameter(
    37,
    "v_d",
    "v_d",
    Unit::MetrePerSecond,
    1e-2,
    "Velocity from which the regularised characteristic is mu_d, above v_s",
)
.positive();

/// Reads the characteristic from a table of values; an error where the parameters contradict each other.
pub fn read(values: &Values) -> Result<Regularised, InputError> {
    let mu_s = values[&MU_S];
    let mu_d = without_rounding(values[&MU_D], mu_s);
    let curve = Regularised { mu_s, v_s: values[&V_S], mu_d, v_d: values[&V_D] };
    curve.check().map(|()| curve)
}

/// Parameters that a measured characteristic replaces.
pub const REPLACED: &[Variable] = &[MU_S, V_S, MU_D, V_D];

/// Limits of a measured characteristic: its first point in place of (v_s, μ_s), its last in place of (v_d, μ_d).
pub fn limits(measured: &Measured) -> Regularised {
    let ([v_s, mu_s], [v_d, mu_d]) = (measured.first(), measured.last());
    Regularised { mu_s, v_s, mu_d, v_d }
}
