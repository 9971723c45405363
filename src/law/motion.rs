//! Stick and direction of sliding as discrete state, and the margins by which events lie beyond
//! their limits.

use super::DiscreteState;
use crate::domain::REST_SPEED;
use crate::variable::Values;

/// Margin of an event beyond its limit, relative to the limit: far above the rounding of the
/// event's instant, and not larger than the tightest tolerance.
pub const BEYOND: f64 = 1e-10;
/// Hysteresis of event indicators in Model Exchange, for indicators of order 1. It is far above the
/// error with which a solver locates an event, the rounding of time multiplied by the rate of the
/// indicator (1e-11 for 1e4 1/s at 1 s), and small beside tolerances of F_R: 1e-7 N, 1e-10 m/s.
pub const HYSTERESIS: f64 = 1e-8;
/// Speed up to which a sliding contact counts as resting, m/s. It is far above the rounding of v at
/// an event where v passes through 0, and small beside physical speeds (30 µm a year). The
/// threshold is absolute, because a single instant gives no scale of v; a law that sticks with a
/// spring has one, [`resting_speed`].
pub const REST: f64 = REST_SPEED;
/// Shortest duration of stick at the resting speed, s: far longer than a communication step. It
/// lowers the resting speed where the break-away force is less than 1e-12 s·m/s times the
/// stiffness, 5e-6 N with the defaults.
pub const MIN_STICK_DURATION: f64 = 1.0;

/// Speed up to which a sliding contact counts as resting, m/s, where stick ends at `force` (N) of a
/// spring with this stiffness (N/m): [`REST`], or less where stick at that speed would end within a
/// second. Under a negligible normal force a contact would else alternate between stick and slip,
/// and begin to slide too late.
#[inline]
pub fn resting_speed(force: f64, stiffness: f64) -> f64 {
    REST.min(force / (stiffness * MIN_STICK_DURATION))
}

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
