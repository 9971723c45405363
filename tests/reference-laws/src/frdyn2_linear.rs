//! Reference of FrDyn2Linear: \[RS\]'s Listing A4 with a shift and a characteristic that are linear
//! up to v_s, written down afresh and integrated by Dormand and Prince's explicit method of order
//! 8.

use crate::dop853::{TOLERANCE, solve};
use crate::law::{ReferenceLaw, parameters, sgn};
use crate::segments::parts;
use crate::trajectory::{Contact, InputTrajectory, SMALLEST_SCALE};
use std::cell::Cell;

/// Evaluations of the law in a step after which the reference gives up.
const EVALUATIONS: u32 = 300_000;

parameters! {
    /// Parameters, \[RS\] Listing A1.
    FrDyn2Linear {
        /// Stiffness of the bristle, N/m.
        sigma_0 = 5e6;
        /// Damping of the bristle, N.s/m.
        sigma_1 = 3192.75;
        /// Static coefficient of friction.
        mu_s = 0.6;
        /// End of the regularisation range, m/s.
        v_s = 1e-3;
        /// Dynamic coefficient of friction.
        mu_d = 0.3;
        /// Begin of full sliding, m/s.
        v_d = 1e-2;
        /// Viscous friction beyond v_d, N.s/m.
        sigma_2 = 0.0;
    } => Solution::at_rest
}

impl FrDyn2Linear {
    /// The friction force, N, and the rates of z and ż.
    pub fn law(&self, contact: Contact, [z, z_dot]: [f64; 2]) -> (f64, [f64; 2]) {
        let mass = self.sigma_1 * self.sigma_1 / self.sigma_0 / 4.0;
        let spring = self.sigma_0 * z + self.sigma_1 * z_dot;
        if !contact.is_closed() {
            return (0.0, [z_dot, -spring / mass]);
        }
        let largest = self.mu_s * contact.F_N;
        let needed = self.sigma_0 * z + self.sigma_1 * contact.v;
        let shift = if needed >= largest {
            self.v_s
        } else if needed <= -largest {
            -self.v_s
        } else {
            needed / largest * self.v_s
        };
        let w = contact.v - z_dot + shift;
        let size = self.size(contact.F_N, w.abs());
        let force = size * sgn(w);
        (force, [z_dot, (force - spring) / mass])
    }

    /// Size of the force at a speed |w| (m/s) under a normal force (N), N.
    pub fn size(&self, normal_force: f64, speed: f64) -> f64 {
        let [largest, sliding] = [self.mu_s * normal_force, self.mu_d * normal_force];
        if speed <= self.v_s {
            largest * speed / self.v_s
        } else if speed < self.v_d {
            // A cubic, level at both ends.
            let xi = (self.v_d - speed) / (self.v_d - self.v_s);
            sliding + (largest - sliding) * xi * xi * (3.0 - 2.0 * xi)
        } else {
            sliding + self.sigma_2 * (speed - self.v_d)
        }
    }
}

/// The law and its bristle.
#[derive(Clone, Copy, Debug)]
pub struct Solution {
    law: FrDyn2Linear,
    /// z in m, ż in m/s.
    pub x: [f64; 2],
}

impl Solution {
    /// Relaxed bristle.
    pub fn at_rest(law: FrDyn2Linear) -> Self {
        Solution { law, x: [0.0; 2] }
    }
}

impl ReferenceLaw for Solution {
    fn advance(&mut self, inputs: &InputTrajectory, h: f64) -> f64 {
        self.integrate(inputs, h, TOLERANCE)
            .map_or(f64::NAN, |[force, ..]| force)
    }

    fn integrate(&mut self, inputs: &InputTrajectory, h: f64, tolerance: f64) -> Option<[f64; 3]> {
        let law = self.law;
        let contacts = || (0..=64).map(|i| inputs.at(h * f64::from(i) / 64.0));
        let force =
            law.mu_s * contacts().fold(SMALLEST_SCALE, |most: f64, contact| contact.F_N.max(most));
        let speed = contacts().fold(law.v_s, |most: f64, contact| contact.v.abs().max(most));
        let scale = [force / law.sigma_0, law.v_s, force * h, force * speed * h];
        let count = Cell::new(0);
        let mut x = [self.x[0], self.x[1], 0.0, 0.0];
        for [start, end] in parts(inputs, h) {
            let rate = |t: f64, [z, z_dot, _, _]: [f64; 4]| {
                count.set(count.get() + 1);
                assert!(count.get() < EVALUATIONS, "too stiff at {t}");
                let contact = inputs.at(start + t);
                let (force, [z_dot, z_dot_dot]) = law.law(contact, [z, z_dot]);
                [z_dot, z_dot_dot, force, force * contact.v]
            };
            x = solve(rate, x, scale, end - start, tolerance);
        }
        self.x = [x[0], x[1]];
        Some([law.law(inputs.at(h), self.x).0, x[2], x[3]])
    }

    fn boxed(&self) -> Box<dyn ReferenceLaw> {
        Box::new(*self)
    }

    fn synchronise(&mut self, _: Contact, value: &dyn Fn(&str) -> f64) {
        self.x = [value("z"), value("z_dot")];
    }

    fn static_friction(&self) -> f64 {
        self.law.mu_s
    }
}

/// Displacement and velocity of a body of `mass` (kg), z and ż of its bristle, after `duration` (s)
/// of the load `force` (N, a function of time) in a constant contact, from `start`: body and law
/// solved as one system.
pub fn test_bench(
    law: FrDyn2Linear,
    mass: f64,
    normal_force: f64,
    force: impl Fn(f64) -> f64,
    start: [f64; 4],
    duration: f64,
) -> [f64; 4] {
    let rate = |t: f64, [_, v, z, z_dot]: [f64; 4]| {
        let (friction, [z_dot, z_dot_dot]) = law.law(Contact::new(normal_force, v), [z, z_dot]);
        [v, (force(t) - friction) / mass, z_dot, z_dot_dot]
    };
    let length = law.mu_s * normal_force / law.sigma_0;
    solve(
        rate,
        start,
        [length, law.v_s, length, law.v_s],
        duration,
        TOLERANCE,
    )
}
