//! The three modes of a contact that sticks or slides, and how far beyond their limits events are seen.

/// The part of a limit by which an event lies beyond it: far above the rounding of an event's instant, far below any
/// tolerance.
pub const BEYOND: f64 = 1e-10;
/// The speed up to which a sliding contact has come to rest, m/s: far above the rounding of v at an event where it passes through
/// 0, far below any speed that matters. It is absolute, because at one instant nothing tells what v is small beside: a contact
/// that is meant to move by less than 1e-12 m/s (30 µm a year) counts as resting. Where a law has a limit beside which that
/// is much, its own threshold is smaller (`SimpackStickSlip::rest`).
pub const REST: f64 = 1e-12;

use super::DiscreteState;
use crate::variable::Values;

/// The reference of the mode of a law that remembers a [`Motion`] and nothing else.
pub const MOTION: u32 = 28;

/// How a contact moves, as a mode of a law.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    /// It slides, v < 0.
    Backward,
    /// It sticks.
    #[default]
    Stuck,
    /// It slides, v > 0.
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

    /// −1, 0 or 1: what a table of values holds of it.
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
