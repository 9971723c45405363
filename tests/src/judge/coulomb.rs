//! \[KS\] (1)–(2), \[SW\] (1): Coulomb's law, its sticking force the applied force up to F_c.

use super::course::Course;
use super::machine::{Mode, Sliding, follow};
use super::{Judge, parameters};

parameters! {
    /// Parameters, \[KS\] Table 3.
    Coulomb {
        /// Kinetic coefficient of friction.
        mu_k = 0.1,
        /// Velocity up to which the contact can stick, m/s.
        v_small = 1e-3,
    } => Follower::new
}

/// The law and its mode.
#[derive(Clone, Copy, Debug, Default)]
pub struct Follower {
    law: Coulomb,
    mode: Mode,
}

impl Follower {
    /// Before its first step.
    pub fn new(law: Coulomb) -> Self {
        Follower { law, ..Self::default() }
    }
}

impl Sliding for Coulomb {
    fn coefficient(&self, _: f64) -> f64 {
        self.mu_k
    }

    fn peak(&self) -> f64 {
        1.0
    }

    fn v_small(&self) -> f64 {
        self.v_small
    }
}

impl Judge for Follower {
    fn follow(&mut self, course: &Course, h: f64) -> f64 {
        let (mode, force) = follow(&self.law, self.mode, course, h);
        self.mode = mode;
        force
    }

    fn static_friction(&self) -> f64 {
        self.law.mu_k
    }

    fn mode(&self) -> Option<i32> {
        Some(self.mode.number())
    }
}
