//! A slider on four feet with different normal forces, pushed beside its heaviest foot.
//!
//! Chosen: a push that grows until the slider turns about the heaviest foot, which sticks, while
//! the three others slide. In the limit P d = Σ μ_s F_N,i r_i over the sliding feet, with the
//! distances d and r_i from the heaviest foot.

use crate::G;
use crate::planar::{PlanarRig, Twist, Wrench, turned};
use core::f64::consts::PI;

/// Positions of the feet, m; the first is the heaviest.
pub const FEET: [[f64; 2]; 4] = [[-0.15, -0.1], [0.15, -0.1], [0.15, 0.1], [-0.15, 0.1]];
/// Normal forces of the feet, N.
pub const NORMAL_FORCES: [f64; 4] = [60.0, 16.0, 12.0, 10.0];
/// Foot at which the slider is pushed along y.
pub const PUSHED: usize = 1;

/// The slider. Its states are position of the centre of mass, angle, and their velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FourFeet {
    /// Largest push, N.
    pub push: f64,
    /// Duration of the push, s: it rises and falls as 1 − cos.
    pub duration: f64,
}

impl FourFeet {
    /// Push at which the slider turns about its heaviest foot, N.
    pub fn limit(mu_s: f64) -> f64 {
        let distance =
            |foot: usize| libm::hypot(FEET[foot][0] - FEET[0][0], FEET[foot][1] - FEET[0][1]);
        let torque: f64 = (1..4)
            .map(|foot| mu_s * NORMAL_FORCES[foot] * distance(foot))
            .sum();
        torque / (FEET[PUSHED][0] - FEET[0][0])
    }

    /// Push at time `t` (s), N.
    pub fn push_at(&self, t: f64) -> f64 {
        let part = (t / self.duration).clamp(0.0, 1.0);
        0.5 * self.push * (1.0 - libm::cos(2.0 * PI * part))
    }

    /// Mass, kg.
    fn mass() -> f64 {
        NORMAL_FORCES.iter().sum::<f64>() / G
    }

    /// Moment of inertia about the centre of mass, kg·m²: that of a plate between the feet.
    fn inertia() -> f64 {
        Self::mass() * (0.3 * 0.3 + 0.2 * 0.2) / 12.0
    }

    /// Centre of mass, m: where the normal forces are in equilibrium with the weight.
    fn centre() -> [f64; 2] {
        let weight: f64 = NORMAL_FORCES.iter().sum();
        [0, 1].map(|axis| {
            (0..4)
                .map(|foot| NORMAL_FORCES[foot] * FEET[foot][axis])
                .sum::<f64>()
                / weight
        })
    }

    /// Displacement of a foot in a state, m.
    pub fn displacement(&self, y: &[f64], foot: usize) -> [f64; 2] {
        let centre = Self::centre();
        let arm = [FEET[foot][0] - centre[0], FEET[foot][1] - centre[1]];
        // Exact for small angles, too: cos φ − 1 = −2 sin² φ/2.
        let (half, sin) = (libm::sin(0.5 * y[2]), libm::sin(y[2]));
        let turn = -2.0 * half * half;
        [
            y[0] + turn * arm[0] - sin * arm[1],
            y[1] + sin * arm[0] + turn * arm[1],
        ]
    }
}

impl PlanarRig for FourFeet {
    fn sizes(&self) -> Vec<f64> {
        vec![1e-3, 1e-3, 1e-2, 1e-2, 1e-2, 0.1]
    }

    fn contacts(&self) -> usize {
        4
    }

    fn position(&self, contact: usize) -> [f64; 2] {
        FEET[contact]
    }

    fn normal_force(&self, _: f64, contact: usize) -> f64 {
        NORMAL_FORCES[contact]
    }

    fn twist(&self, y: &[f64]) -> Twist {
        let [x, c_y] = Self::centre();
        let v = turned([y[3], y[4]], -y[2]);
        Twist {
            velocity: [v[0] + y[5] * c_y, v[1] - y[5] * x],
            omega: y[5],
        }
    }

    fn rate(&self, t: f64, y: &[f64], friction: Wrench, rate: &mut [f64]) {
        // The push follows the body.
        let mut load = Wrench {
            force: friction.force.map(|force| -force),
            torque: -friction.torque,
        };
        load.add(FEET[PUSHED], [0.0, self.push_at(t)]);
        let [x, c_y] = Self::centre();
        let torque = load.torque - (x * load.force[1] - c_y * load.force[0]);
        let force = turned(load.force, y[2]);
        rate[..3].copy_from_slice(&y[3..6]);
        rate[3] = force[0] / Self::mass();
        rate[4] = force[1] / Self::mass();
        rate[5] = torque / Self::inertia();
    }

    fn kinks(&self) -> Vec<f64> {
        vec![self.duration]
    }

    fn longest_step(&self) -> f64 {
        1e-3
    }
}
