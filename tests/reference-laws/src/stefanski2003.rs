//! \[SW\] (10): the characteristic of Stefański and others, 2003, which depends on the acceleration.

use crate::characteristic::Characteristic;
use crate::law::{parameters, sgn};
use crate::trajectory::Contact;

parameters! {
    /// Parameters.
    Stefanski2003 {
        /// Static coefficient of friction.
        f_s = 0.3,
        /// Coulomb coefficient of friction.
        f_c = 0.25,
        /// Decay, 1/s.
        a_1 = 30.0,
        /// Regularisation of the quotient at rest, m/s².
        a_2 = 1e-3,
    } => core::convert::identity
}

impl Characteristic for Stefanski2003 {
    fn force(&self, Contact { F_N, v, a, .. }: Contact) -> f64 {
        let Stefanski2003 { f_s, f_c, a_1, a_2 } = *self;
        let memory = libm::exp(-a_1 * v.abs() / (a.abs() + a_2)) * sgn(a * v);
        F_N * f_c * (1.0 + (f_s - f_c) / f_c * memory) * sgn(v)
    }

    fn coefficient(&self) -> f64 {
        self.f_s
    }
}
