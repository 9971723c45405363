//! \[KS\] (1)–(2), \[SW\] (1): Coulomb's law, its sticking force the applied force up to F_c.

use crate::law::parameters;
use crate::partial_friction::{SlidingCurve, Solution};

parameters! {
    /// Parameters, \[KS\] Table 3.
    Coulomb {
        /// Kinetic coefficient of friction.
        mu_d = 0.1, element 0.3;
        /// Velocity up to which the contact can stick, m/s.
        v_small = 1e-3;
    } => Solution::new
}

impl SlidingCurve for Coulomb {
    fn coefficient(&self, _: f64) -> f64 {
        self.mu_d
    }

    fn peak(&self) -> f64 {
        1.0
    }

    fn v_small(&self) -> f64 {
        self.v_small
    }
}
