//! \[KS\] (7): Brown and McPhee's continuous curve.

use crate::characteristic::Characteristic;
use crate::law::{parameters, sgn};
use crate::trajectory::Contact;

parameters! {
    /// Parameters, \[KS\] Table 3.
    BrownMcPhee {
        /// Static coefficient of friction.
        mu_s = 0.1, element 0.6;
        /// Kinetic coefficient of friction.
        mu_d = 0.1, element 0.3;
        /// Stribeck velocity, m/s.
        v_Stribeck = 0.5, element 5e-3;
        /// Viscous friction, N.s/m.
        sigma_2 = 0.0;
    } => core::convert::identity
}

impl Characteristic for BrownMcPhee {
    #[allow(non_snake_case)] // the paper's symbols
    fn force(&self, Contact { F_N, v, .. }: Contact) -> f64 {
        let BrownMcPhee {
            mu_s,
            mu_d,
            v_Stribeck,
            sigma_2,
        } = *self;
        let [F_c, F_s] = [mu_d * F_N, mu_s * F_N];
        let ratio = v.abs() / v_Stribeck;
        let bump = ratio / libm::pow(0.25 * ratio * ratio + 0.75, 2.0);
        (F_c * libm::tanh(4.0 * ratio) + (F_s - F_c) * bump) * sgn(v) + sigma_2 * v
    }

    fn coefficient(&self) -> f64 {
        self.mu_s
    }
}
