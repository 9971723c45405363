//! Lever of a contact: the friction radius of a rotational one, and the offset of its force.
//!
//! A law sees a velocity along the contact, v = r ω, and its force F_R is the torque M_R = r F_R.
//! The table of values holds the variables as the user sees them, ω and M_R, so that a rotational
//! element differs from a translational one in factors alone.

use super::{F_OFFSET, RADIUS};
use crate::law::{Contact, MAX_INPUT_DERIVATIVE_ORDER};
use crate::variable::Values;

/// Factors between the user's variables and the law's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lever {
    /// Friction radius r, m; 1 where the motion is not rotational.
    pub radius: f64,
    /// 1/r, 1/m.
    pub inverse: f64,
    /// Force that is added to the law's, in the user's unit.
    pub offset: f64,
}

impl Lever {
    /// No lever: the user's variables are the law's.
    pub const ONE: Lever = Lever {
        radius: 1.0,
        inverse: 1.0,
        offset: 0.0,
    };

    /// Lever of an element with these values; a contact that is not rotational has the radius 0
    /// there.
    pub fn of(values: &Values) -> Self {
        let (radius, offset) = (values[&RADIUS], values[&F_OFFSET]);
        let inverse = 1.0 / radius;
        if inverse.is_finite() {
            Lever {
                radius,
                inverse,
                offset,
            }
        } else {
            Lever {
                offset,
                ..Lever::ONE
            }
        }
    }

    /// The user's force or torque for a force of the law.
    #[inline(always)]
    pub fn force(self, of_law: f64) -> f64 {
        self.with_offset(of_law * self.radius)
    }

    /// A force in the user's unit with the offset: to the bit what it was where there is none.
    #[inline(always)]
    pub fn with_offset(self, force: f64) -> f64 {
        if self.offset == 0.0 {
            force
        } else {
            force + self.offset
        }
    }

    /// Applied force for the law, of the user's: all that the law's force alone has to balance.
    #[inline(always)]
    pub fn applied(self, of_user: f64) -> f64 {
        if self.offset == 0.0 {
            of_user * self.inverse
        } else {
            (of_user - self.offset) * self.inverse
        }
    }

    /// Time derivatives of the law's inputs after a change of the lever, for the same ones of the
    /// user's.
    pub fn convert(self, previous: Lever, derivatives: &mut [Contact; MAX_INPUT_DERIVATIVE_ORDER]) {
        let factor = self.radius * previous.inverse;
        for derivative in derivatives {
            derivative.v *= factor;
            derivative.a *= factor;
            derivative.F_t /= factor;
        }
    }
}
