//! \[SW\] (2): Popp and Stelter's curve.

use crate::characteristic::Characteristic;
use crate::law::{parameters, sgn};
use crate::trajectory::Contact;

parameters! {
    /// Parameters.
    PoppStelter {
        /// Static coefficient of friction.
        mu_s = 0.3, element 0.6;
        /// Coulomb coefficient of friction.
        mu_d = 0.25, element 0.3;
        /// Decay with the velocity, s/m.
        eta_1 = 1.42, element 320.0;
        /// Rise with the velocity's square, s²/m².
        eta_2 = 0.01, element 0.0;
    } => core::convert::identity
}

impl Characteristic for PoppStelter {
    fn force(&self, contact: Contact) -> f64 {
        let PoppStelter {
            mu_s,
            mu_d,
            eta_1,
            eta_2,
        } = *self;
        let v = contact.v;
        contact.F_N * ((mu_s - mu_d) / (1.0 + eta_1 * v.abs()) + mu_d + eta_2 * v * v) * sgn(v)
    }

    fn coefficient(&self) -> f64 {
        self.mu_s
    }
}
