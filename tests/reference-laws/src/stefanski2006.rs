//! \[SW\] (14)–(16): the characteristic of Stefański and others, 2006, with contact compliance and
//! frictional memory.

use crate::characteristic::Characteristic;
use crate::law::{parameters, sgn};
use crate::trajectory::Contact;

parameters! {
    /// Parameters, \[SW\] Sec. 4.2; d is printed there as p.
    Stefanski2006 {
        /// Static coefficient of friction.
        mu_s = 0.3, element 0.6;
        /// Coulomb coefficient of friction.
        mu_d = 0.25, element 0.3;
        /// Contact stiffness, N/m.
        sigma_0 = 1e6, element 5e6;
        /// Decay of the memory.
        d = 30.0, element 20.0;
        /// Delay of the memory, s.
        tau = 0.1;
        /// Regularisation of (15), m/s².
        epsilon = 1e-3;
        /// Regularisation of (16), m/s.
        delta = 1e-3;
    } => core::convert::identity
}

impl Characteristic for Stefanski2006 {
    fn force(&self, Contact { F_N, v, a, .. }: Contact) -> f64 {
        let Stefanski2006 {
            mu_s,
            mu_d,
            sigma_0,
            d,
            tau,
            epsilon,
            delta,
        } = *self;
        // (15).
        let sticking = 0.5 * sigma_0 / F_N * v * v / (a.abs() + epsilon) - (2.0 * mu_d - mu_s);
        // (16).
        let memory = libm::exp(-d * v.abs() / ((v - tau * a).abs() + delta));
        let sliding = mu_d * (1.0 + (mu_s - mu_d) / mu_d * memory * sgn(a * v));
        // (14); sgn(v) occurs in (12) too and is meant once.
        let coefficient = if a * v > 0.0 && sticking < sliding {
            sticking
        } else {
            sliding
        };
        F_N * coefficient * sgn(v)
    }

    fn coefficient(&self) -> f64 {
        self.mu_s
    }
}
