//! \[KS\] (12)–(14), \[SW\] (8)–(9): the LuGre bristle.

use crate::dop853::{TOLERANCE, solve};
use crate::law::{ReferenceLaw, parameters, sgn};
use crate::segments::{integrate, integrated_length, segments};
use crate::trajectory::{Contact, InputTrajectory};

parameters! {
    /// Parameters, \[KS\] Table 3.
    LuGre {
        /// Static coefficient of friction.
        mu_s = 0.1, element 0.6;
        /// Kinetic coefficient of friction.
        mu_d = 0.1, element 0.3;
        /// Stribeck velocity, m/s.
        v_Stribeck = 0.5, element 5e-3;
        /// Exponent of the Stribeck curve.
        delta_sigma = 2.0;
        /// Stiffness of the bristle, N/m.
        sigma_0 = 400.0, element 5e6;
        /// Damping of the bristle, N.s/m.
        sigma_1 = 0.1, element 3192.75;
        /// Viscous friction, N.s/m.
        sigma_2 = 0.0;
    } => Solution::new
}

/// The law and its bristle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Solution {
    law: LuGre,
    /// Deflection z, m.
    pub z: f64,
}

impl Solution {
    /// Relaxed bristle.
    pub fn new(law: LuGre) -> Self {
        Solution { law, z: 0.0 }
    }

    /// (14), a force, N.
    #[allow(non_snake_case)] // the paper's symbols
    pub fn g(&self, contact: Contact) -> f64 {
        let LuGre {
            mu_s,
            mu_d,
            v_Stribeck,
            delta_sigma,
            ..
        } = self.law;
        let [F_c, F_s] = [mu_d * contact.F_N, mu_s * contact.F_N];
        F_c + (F_s - F_c) * libm::exp(-libm::pow(contact.v.abs() / v_Stribeck, delta_sigma))
    }

    /// (12), m/s.
    fn rate(&self, contact: Contact, z: f64) -> f64 {
        if !contact.is_closed() {
            return 0.0;
        }
        contact.v - self.law.sigma_0 * contact.v.abs() / self.g(contact) * z
    }
}

impl Solution {
    /// (13), N.
    fn force(&self, contact: Contact, z: f64) -> f64 {
        let LuGre {
            mu_s,
            sigma_0,
            sigma_1,
            sigma_2,
            ..
        } = self.law;
        // The limit acts where F_N falls faster than the bristle relaxes.
        let reach = mu_s * contact.F_N / sigma_0;
        let z = z.clamp(-reach, reach);
        sigma_0 * z + sigma_1 * self.rate(contact, z) + sigma_2 * contact.v
    }
}

impl ReferenceLaw for Solution {
    fn advance(&mut self, inputs: &InputTrajectory, h: f64) -> f64 {
        let LuGre { mu_s, sigma_0, .. } = self.law;
        for [start, end] in segments(inputs, h) {
            let contact = inputs.at(0.5 * (start + end));
            if !contact.is_closed() {
                self.z = 0.0;
            } else if let InputTrajectory::Held(_) = inputs {
                // (12) is linear in z: an exponential to its steady state.
                let g = self.g(contact);
                let steady = g / sigma_0 * sgn(contact.v);
                let decay = libm::exp(-sigma_0 * contact.v.abs() / g * (end - start));
                if contact.v != 0.0 {
                    self.z = steady + (self.z - steady) * decay;
                }
            } else {
                let rate = |t: f64, [z]: [f64; 1]| [self.rate(inputs.at(start + t), z)];
                let scale = mu_s * contact.F_N / sigma_0;
                [self.z] = solve(
                    rate,
                    [self.z],
                    [scale],
                    integrated_length(inputs, [start, end]),
                    TOLERANCE,
                );
            }
        }
        let contact = inputs.at(h);
        if !contact.is_closed() {
            self.z = 0.0;
            return 0.0;
        }
        self.force(contact, self.z)
    }

    fn integrate(&mut self, inputs: &InputTrajectory, h: f64, tolerance: f64) -> Option<[f64; 3]> {
        let law = *self;
        let reach = |contact: Contact| law.law.mu_s * contact.F_N / law.law.sigma_0;
        let rate = |contact, z| law.rate(contact, z);
        let force = |contact, z| law.force(contact, z);
        let [z, impulse, energy] = integrate(inputs, h, self.z, tolerance, reach, rate, force);
        self.z = z;
        let contact = inputs.at(h);
        let end = if contact.is_closed() {
            self.force(contact, z)
        } else {
            0.0
        };
        Some([end, impulse, energy])
    }

    fn boxed(&self) -> Box<dyn ReferenceLaw> {
        Box::new(*self)
    }

    fn synchronise(&mut self, _: Contact, value: &dyn Fn(&str) -> f64) {
        self.z = value("z");
    }

    fn static_friction(&self) -> f64 {
        self.law.mu_s
    }
}
