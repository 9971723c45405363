//! \[SW\] (10): the characteristic of Stefański and others, 2003, which depends on the
//! acceleration.

use crate::characteristic::Characteristic;
use crate::law::{parameters, sgn};
use crate::trajectory::Contact;

parameters! {
    /// Parameters.
    Stefanski2003 {
        /// Static coefficient of friction.
        mu_s = 0.3, element 0.6;
        /// Coulomb coefficient of friction.
        mu_d = 0.25, element 0.3;
        /// Decay, 1/s.
        a_1 = 30.0, element 200.0;
        /// Regularisation of the quotient at rest, m/s².
        a_2 = 1e-3;
    } => core::convert::identity
}

impl Characteristic for Stefanski2003 {
    fn force(&self, Contact { F_N, v, a, .. }: Contact) -> f64 {
        let Stefanski2003 {
            mu_s,
            mu_d,
            a_1,
            a_2,
        } = *self;
        let memory = libm::exp(-a_1 * v.abs() / (a.abs() + a_2)) * sgn(a * v);
        F_N * mu_d * (1.0 + (mu_s - mu_d) / mu_d * memory) * sgn(v)
    }

    fn coefficient(&self) -> f64 {
        self.mu_s
    }
}
