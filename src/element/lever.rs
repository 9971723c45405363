//! Lever of a contact: the friction radius of a rotational one.
//!
//! A law sees a velocity along the contact, v = r ω, and its force F_R is the torque M_R = r F_R. The table of values holds the
//! variables as the user sees them, ω and M_R, so that a rotational element differs from a translational one in factors alone.

use super::RADIUS;
use crate::law::{Contact, MAX_INPUT_DERIVATIVE_ORDER};
use crate::variable::Values;

/// Factors between the user's variables and the law's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lever {
    /// Friction radius r, m; 1 where the motion is not rotational.
    pub radius: f64,
    /// 1/r, 1/m.
    pub inverse: f64,
}

impl Lever {
    /// No lever: the user's variables are the law's.
    pub const ONE: Lever = Lever { radius: 1.0, inverse: 1.0 };

    /// Lever of an element with these values; a contact that is not rotational has the radius 0 there.
    pub fn of(values: &Values) -> Self {
        let radius = values[&RADIUS];
        let inverse = 1.0 / radius;
        if inverse.is_finite() { Lever { radius, inverse } } else { Lever::ONE }
    }

    /// Time derivatives of the law's inputs after a change of the lever, for the same ones of the user's.
    pub fn convert(self, previous: Lever, derivatives: &mut [Contact; MAX_INPUT_DERIVATIVE_ORDER]) {
        let factor = self.radius * previous.inverse;
        for derivative in derivatives {
            derivative.v *= factor;
            derivative.a *= factor;
            derivative.F_t /= factor;
        }
    }
}
