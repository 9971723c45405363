//! \[SW\] (14)–(16): the characteristic of Stefański and others, 2006, with contact compliance and frictional memory.

use crate::characteristic::Characteristic;
use crate::law::{parameters, sgn};
use crate::trajectory::Contact;

parameters! {
    /// Parameters, \[SW\] Sec. 4.2; d is printed there as p.
    Stefanski2006 {
        /// Static coefficient of friction.
        f_s = 0.3,
        /// Coulomb coefficient of friction.
        f_c = 0.25,
        /// Contact stiffness, N/m.
        k_s = 1e6,
        /// Decay of the memory.
        d = 30.0,
        /// Delay of the memory, s.
        tau = 0.1,
        /// Regularisation of (15), m/s².
        epsilon = 1e-3,
        /// Regularisation of (16), m/s.
        delta = 1e-3,
    } => core::convert::identity
}

impl Characteristic for Stefanski2006 {
    fn force(&self, Contact { F_N, v, a, .. }: Contact) -> f64 {
        let Stefanski2006 { f_s, f_c, k_s, d, tau, epsilon, delta } = *self;
        // (15).
        let sticking = 0.5 * k_s / F_N * v * v / (a.abs() + epsilon) - (2.0 * f_c - f_s);
        // (16).
        let memory = libm::exp(-d * v.abs() / ((v - tau * a).abs() + delta));
        let sliding = f_c * (1.0 + (f_s - f_c) / f_c * memory * sgn(a * v));
        // (14); sgn(v) occurs in (12) too and is meant once.
        let coefficient = if a * v > 0.0 && sticking < sliding { sticking } else { sliding };
        F_N * coefficient * sgn(v)
    }

    fn coefficient(&self) -> f64 {
        self.f_s
    }
}
