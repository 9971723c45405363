//! Stick and sliding as discrete state, and the margins by which events lie beyond their limits.

/// Margin of an event beyond its limit, over the limit: far above the rounding of the event's instant, far below any tolerance.
pub const BEYOND: f64 = 1e-10;
/// The speed up to which a sliding contact has come to rest, m/s: far above the rounding of v at an event where it passes through
/// 0, far below any speed that matters. It is absolute, because one instant has no scale of v: a contact
/// that moves by less than 1e-12 m/s (30 µm a year) counts as resting. Where a law has a limit beside which that
/// is much, its own threshold is smaller (`SimpackStickSlip::rest`).
pub const REST: f64 = 1e-12;

use super::DiscreteState;
use crate::variable::Values;

/// Value reference of the mode of a law with a [`Motion`] and no other discrete state.
pub const MOTION: u32 = 28;

/// Stick or direction of sliding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    /// Sliding, v < 0.
    Backward,
    /// Stick.
    #[default]
    Stuck,
    /// Sliding, v > 0.
    Forward,
}

impl Motion {
    /// The motion in the direction of `v`.
    pub fn of(v: f64) -> Self {
        if v > 0.0 {
            Motion::Forward
        } else if v < 0.0 {
            Motion::Backward
        } else {
            Motion::Stuck
        }
    }

    /// −1, 0 or 1, as in the table of values.
    pub fn sign(self) -> f64 {
        match self {
            Motion::Backward => -1.0,
            Motion::Stuck => 0.0,
            Motion::Forward => 1.0,
        }
    }
}

impl DiscreteState for Motion {
    fn read(values: &Values) -> Self {
        Motion::of(values.0[MOTION as usize])
    }

    fn write(self, values: &mut Values) {
        values.0[MOTION as usize] = self.sign();
    }
}
