//! \[SW\] (3): Powell and Wiercigroch's non-reversible characteristic.

use crate::characteristic::Characteristic;
use crate::law::{parameters, sgn};
use crate::trajectory::Contact;

parameters! {
    /// Parameters.
    NonReversible {
        /// Static coefficient of friction.
        mu_s = 0.3, element 0.6;
        /// Coulomb coefficient of friction.
        mu_d = 0.25, element 0.3;
        /// Slope of the upper branch, s/m.
        a_u = 10.0, element 190.0;
        /// Slope of the lower branch, s/m.
        b_l = 10.0, element 190.0;
    } => core::convert::identity
}

impl Characteristic for NonReversible {
    fn force(&self, Contact { F_N, v, a, .. }: Contact) -> f64 {
        let NonReversible {
            mu_s,
            mu_d,
            a_u,
            b_l,
        } = *self;
        // The printed condition is sgn(dv/dt), which is right for v > 0 only: Fig. 3b is symmetric.
        let coefficient = if v * a >= 0.0 {
            mu_d * (1.0 + (mu_s - mu_d) / mu_d * libm::exp(-a_u * v.abs()))
        } else {
            mu_d * (1.0 - libm::exp(-b_l * v.abs()))
        };
        F_N * coefficient * sgn(v)
    }

    fn coefficient(&self) -> f64 {
        self.mu_s
    }
}
