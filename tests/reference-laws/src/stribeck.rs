//! \[KS\] (5)–(6): Stribeck's curve.

use crate::characteristic::Characteristic;
use crate::law::{parameters, sgn};
use crate::trajectory::Contact;

parameters! {
    /// Parameters, \[KS\] Table 3.
    Stribeck {
        /// Static coefficient of friction.
        mu_s = 0.1, element 0.6;
        /// Kinetic coefficient of friction.
        mu_d = 0.1, element 0.3;
        /// Stribeck velocity, m/s.
        v_Stribeck = 0.5, element 5e-3;
        /// Exponent of the curve.
        delta_sigma = 2.0;
        /// Viscous friction, N.s/m.
        sigma_2 = 0.0;
    } => core::convert::identity
}

impl Characteristic for Stribeck {
    #[allow(non_snake_case)] // the paper's symbols
    fn force(&self, Contact { F_N, v, .. }: Contact) -> f64 {
        let Stribeck {
            mu_s,
            mu_d,
            v_Stribeck,
            delta_sigma,
            sigma_2,
        } = *self;
        // (1) and (6).
        let [F_c, F_s] = [mu_d * F_N, mu_s * F_N];
        // (5).
        (F_c + (F_s - F_c) * libm::exp(-libm::pow(v.abs() / v_Stribeck, delta_sigma))) * sgn(v)
            + sigma_2 * v
    }

    fn coefficient(&self) -> f64 {
        self.mu_s
    }
}
