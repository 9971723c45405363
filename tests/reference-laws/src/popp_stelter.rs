//! \[SW\] (2): Popp and Stelter's curve.

use crate::characteristic::Characteristic;
use crate::law::{parameters, sgn};
use crate::trajectory::Contact;

parameters! {
    /// Parameters.
    PoppStelter {
        /// Static coefficient of friction.
        f_s = 0.3,
        /// Coulomb coefficient of friction.
        f_c = 0.25,
        /// Decay with the velocity, s/m.
        eta_1 = 1.42,
        /// Rise with the velocity's square, s²/m².
        eta_2 = 0.01,
    } => core::convert::identity
}

impl Characteristic for PoppStelter {
    fn force(&self, contact: Contact) -> f64 {
        let PoppStelter { f_s, f_c, eta_1, eta_2 } = *self;
        let v = contact.v;
        contact.F_N * ((f_s - f_c) / (1.0 + eta_1 * v.abs()) + f_c + eta_2 * v * v) * sgn(v)
    }

    fn coefficient(&self) -> f64 {
        self.f_s
    }
}
