//! \[KS\] (1)–(2), \[SW\] (1): Coulomb's law, its sticking force the applied force up to F_c.

use super::machine::{Follower, Sliding};
use super::parameters;

parameters! {
    /// Parameters, \[KS\] Table 3.
    Coulomb {
        /// Kinetic coefficient of friction.
        mu_k = 0.1,
        /// Velocity up to which the contact can stick, m/s.
        v_small = 1e-3,
    } => Follower::new
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
