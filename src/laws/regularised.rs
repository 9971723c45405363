//! FrDyn2 and FrDyn2Linear: a bristle with mass behind a shifted regularised characteristic.
//!
//! `metadata` has variables and descriptions, `equations` the law, `closed_forms` and `stick_tail`
//! what of its motion has a closed form, and `bristle` what its integration needs.

pub mod bristle;
mod closed_forms;
pub mod equations;
pub mod metadata;
mod stick_tail;
#[cfg(test)]
mod tests;

use self::metadata::{MU_D, MU_S, V_D, V_S};
use super::symbols::without_rounding;
use crate::characteristic::{Measured, Regularised};
use crate::variable::{InputError, Values};

/// Reads the characteristic from a table of values; an error where the parameters contradict each
/// other.
pub fn read(values: &Values) -> Result<Regularised, InputError> {
    let mu_s = values[&MU_S];
    let mu_d = without_rounding(values[&MU_D], mu_s);
    let curve = Regularised {
        mu_s,
        v_s: values[&V_S],
        mu_d,
        v_d: values[&V_D],
    };
    curve.check().map(|()| curve)
}

/// Measured characteristic over the shifted slip velocity w of a bristle, from v_s on.
///
/// In steady sliding |F_0| exceeds F_s and the shift is v_s, so that |w| = |v| + v_s: the
/// coefficient at |w| is the measured one at |w| − v_s. The speed of the first point is v_s; up to
/// it the measured coefficient is that of the first point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShiftedCurve {
    curve: &'static Measured,
    v_s: f64,
}

impl ShiftedCurve {
    /// Characteristic of a measured curve.
    pub fn new(curve: &'static Measured) -> Self {
        ShiftedCurve {
            curve,
            v_s: curve.first()[0],
        }
    }

    /// The curve over the speed of sliding.
    pub fn measured(&self) -> &'static Measured {
        self.curve
    }

    /// Number of the part of the curve at |w| (m/s): 0 up to v_s, and one more beyond each point.
    pub fn part(&self, size: f64) -> u16 {
        if size > self.v_s {
            1 + self.curve.points_below(|speed| speed + self.v_s < size) as u16
        } else {
            0
        }
    }

    /// Coefficient of friction at |w| of at least v_s (m/s), and its derivative (s/m).
    pub fn at(&self, size: f64) -> (f64, f64) {
        self.curve.at(size - self.v_s)
    }
}
