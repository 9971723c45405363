//! Stick and direction of sliding as discrete state, and the margins by which events lie beyond their limits.

/// Margin of an event beyond its limit, relative to the limit: far above the rounding of the event's instant, and not larger than the
/// tightest tolerance.
pub const BEYOND: f64 = 1e-10;
/// Speed up to which a sliding contact counts as resting, m/s. It is far above the rounding of v at an event where v passes through 0,
/// and small beside physical speeds (30 µm a year). The threshold is absolute, because a single instant gives no scale of v. A
/// law with a limit of similar size has a smaller threshold of its own (`SimpackStickSlip::rest`).
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
    /// Motion in the direction of `v`; stick where `v` is 0.
    pub fn of(v: f64) -> Self {
        if v > 0.0 {
            Motion::Forward
        } else if v < 0.0 {
            Motion::Backward
        } else {
            Motion::Stuck
        }
    }

    /// Sign of the motion, −1, 0 or 1, as in the table of values.
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
