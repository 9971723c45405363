//! The three modes of a contact that sticks or slides.

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
