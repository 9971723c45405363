//! \[KS\] (8)–(11), \[SW\] (5)–(7): Dahl's bristle.

use crate::dop853::{TOLERANCE, solve};
use crate::law::{ReferenceLaw, parameters, sgn};
use crate::segments::{integrate, integrated_length, segments};
use crate::trajectory::{Contact, InputTrajectory};

parameters! {
    /// Parameters, \[KS\] Table 3.
    Dahl {
        /// Kinetic coefficient of friction.
        mu_d = 0.1, element 0.3;
        /// Stiffness of the bristle, N/m.
        sigma_0 = 400.0, element 5e6;
        /// Exponent of the stress–strain curve.
        alpha = 1.0;
    } => Solution::new
}

/// The law and its bristle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Solution {
    law: Dahl,
    /// Deflection z, m.
    pub z: f64,
}

impl Solution {
    /// Relaxed bristle.
    pub fn new(law: Dahl) -> Self {
        Solution { law, z: 0.0 }
    }

    /// The rate of z, (9) and (10); a negative bracket keeps its sign under any exponent. m/s.
    pub fn rate(&self, contact: Contact, z: f64) -> f64 {
        if !contact.is_closed() {
            return 0.0;
        }
        let b = self.bracket(contact, z);
        sgn(b) * libm::pow(b.abs(), self.law.alpha) * contact.v
    }

    /// Bracket of (8), with (10) for F: the remaining share of the stiffness.
    fn bracket(&self, contact: Contact, z: f64) -> f64 {
        1.0 - self.law.sigma_0 * z / (self.law.mu_d * contact.F_N) * sgn(contact.v)
    }

    /// z after a displacement (m) in one direction under a constant normal force: (8) separated,
    /// for the bracket b and the displacement s: db/ds = −(σ_0/F_C) sgn(b)|b|^α.
    fn after_sliding(&self, contact: Contact, z: f64, distance: f64) -> f64 {
        let Dahl {
            mu_d,
            sigma_0,
            alpha,
        } = self.law;
        if contact.v == 0.0 {
            return z;
        }
        let limit = mu_d * contact.F_N;
        let b = self.bracket(contact, z);
        let progress = sigma_0 * distance.abs() / limit;
        let size = if alpha == 1.0 {
            b.abs() * libm::exp(-progress)
        } else if b == 0.0 {
            0.0
        } else {
            // |b|^(1 − α) falls or rises linearly; for α < 1 it comes to rest at 0.
            let power = libm::pow(b.abs(), 1.0 - alpha) - (1.0 - alpha) * progress;
            if power <= 0.0 {
                0.0
            } else {
                libm::pow(power, 1.0 / (1.0 - alpha))
            }
        };
        (1.0 - sgn(b) * size) * sgn(contact.v) * limit / sigma_0
    }
}

impl ReferenceLaw for Solution {
    fn advance(&mut self, inputs: &InputTrajectory, h: f64) -> f64 {
        let Dahl {
            mu_d,
            sigma_0,
            alpha,
        } = self.law;
        for [start, end] in segments(inputs, h) {
            let contact = inputs.at(0.5 * (start + end));
            if !contact.is_closed() {
                self.z = 0.0;
            } else if let InputTrajectory::Held(_) = inputs {
                self.z = self.after_sliding(contact, self.z, contact.v * (end - start));
            } else if alpha >= 1.0 {
                let rate = |t: f64, [z]: [f64; 1]| [self.rate(inputs.at(start + t), z)];
                let scale = mu_d * contact.F_N / sigma_0;
                [self.z] = solve(
                    rate,
                    [self.z],
                    [scale],
                    integrated_length(inputs, [start, end]),
                    TOLERANCE,
                );
            } else {
                // (9) is not smooth at the limit, but under a constant normal force its closed form
                // holds whatever v does. Under a moving F_N the reference is accurate to a
                // thousandth only, and tests skip it.
                let dt = (end - start) / f64::from(inputs.grid());
                for t in (0..inputs.grid()).map(|i| start + f64::from(i) * dt) {
                    self.z = self.after_sliding(
                        inputs.at(t + 0.5 * dt),
                        self.z,
                        inputs.displacement(t, dt),
                    );
                }
            }
        }
        let contact = inputs.at(h);
        if !contact.is_closed() {
            self.z = 0.0;
            return 0.0;
        }
        // The limit acts where F_N falls faster than the bristle relaxes.
        let limit = mu_d * contact.F_N;
        (sigma_0 * self.z).clamp(-limit, limit)
    }

    fn integrate(&mut self, inputs: &InputTrajectory, h: f64, tolerance: f64) -> Option<[f64; 3]> {
        let law = *self;
        let Dahl {
            mu_d,
            sigma_0,
            alpha,
        } = self.law;
        if alpha < 1.0 {
            return None;
        }
        let force = |contact: Contact, z: f64| {
            let limit = mu_d * contact.F_N;
            (sigma_0 * z).clamp(-limit, limit)
        };
        let reach = |contact: Contact| mu_d * contact.F_N / sigma_0;
        let [z, impulse, energy] = integrate(
            inputs,
            h,
            self.z,
            tolerance,
            reach,
            |c, z| law.rate(c, z),
            force,
        );
        self.z = z;
        let contact = inputs.at(h);
        Some([
            if contact.is_closed() {
                force(contact, z)
            } else {
                0.0
            },
            impulse,
            energy,
        ])
    }

    fn boxed(&self) -> Box<dyn ReferenceLaw> {
        Box::new(*self)
    }

    fn synchronise(&mut self, _: Contact, value: &dyn Fn(&str) -> f64) {
        self.z = value("z");
    }

    fn static_friction(&self) -> f64 {
        self.law.mu_d
    }
}
