//! \[RS\] Fig. 1b: FrDyn2's characteristic without a bristle.

use crate::characteristic::Characteristic;
use crate::law::{parameters, sgn};
use crate::trajectory::Contact;

parameters! {
    /// Parameters, \[RS\] Fig. 2c.
    StaticRegularized {
        /// Static coefficient of friction.
        mu_s = 0.6;
        /// End of the regularisation range, m/s.
        v_s = 1e-3;
        /// Dynamic coefficient of friction.
        mu_d = 0.3;
        /// Begin of full sliding, m/s.
        v_d = 1e-2;
    } => core::convert::identity
}

impl Characteristic for StaticRegularized {
    fn force(&self, contact: Contact) -> f64 {
        let StaticRegularized {
            mu_s,
            v_s,
            mu_d,
            v_d,
        } = *self;
        let speed = contact.v.abs();
        let mu = if speed <= v_s {
            // A parabola with its vertex at (v_s, mu_s).
            mu_s * (1.0 - (1.0 - speed / v_s) * (1.0 - speed / v_s))
        } else if speed < v_d {
            // A cubic, level at both ends.
            let xi = (v_d - speed) / (v_d - v_s);
            mu_d + (mu_s - mu_d) * xi * xi * (3.0 - 2.0 * xi)
        } else {
            mu_d
        };
        mu * contact.F_N * sgn(contact.v)
    }

    fn coefficient(&self) -> f64 {
        self.mu_s
    }
}
