//! \[SW\] (3): Powell and Wiercigroch's non-reversible characteristic.

use crate::characteristic::Characteristic;
use crate::law::{parameters, sgn};
use crate::trajectory::Contact;

parameters! {
    /// Parameters.
    NonReversible {
        /// Static coefficient of friction.
        f_s = 0.3,
        /// Coulomb coefficient of friction.
        f_c = 0.25,
        /// Slope of the upper branch, s/m.
        a_u = 10.0,
        /// Slope of the lower branch, s/m.
        b_l = 10.0,
    } => core::convert::identity
}

impl Characteristic for NonReversible {
    fn force(&self, Contact { F_N, v, a, .. }: Contact) -> f64 {
        let NonReversible { f_s, f_c, a_u, b_l } = *self;
        // The printed condition is sgn(dv/dt), which is right for v > 0 only: Fig. 3b is symmetric.
        let coefficient = if v * a >= 0.0 {
            f_c * (1.0 + (f_s - f_c) / f_c * libm::exp(-a_u * v.abs()))
        } else {
            f_c * (1.0 - libm::exp(-b_l * v.abs()))
        };
        F_N * coefficient * sgn(v)
    }

    fn coefficient(&self) -> f64 {
        self.f_s
    }
}
