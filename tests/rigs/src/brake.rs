//! A brake with an elastic shaft: a wheel turns a disc through the shaft, and a pad presses on the
//! disc.
//!
//! Chosen: the numbers of a small holding brake. Once the disc sticks the wheel swings on the
//! shaft, which the bristle makes a little softer, at √(k_e/J_w) with 1/k_e = 1/k + 1/(r² σ_0).

use crate::planar::{PlanarRig, Twist, Wrench, rise};

/// The brake. Its states are angles and angular velocities of wheel and disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brake {
    /// Moment of inertia J_w of the wheel, kg·m².
    pub wheel: f64,
    /// Moment of inertia of the disc, kg·m².
    pub disc: f64,
    /// Stiffness k of the shaft, N·m/rad.
    pub stiffness: f64,
    /// Damping of the shaft, N·m·s/rad.
    pub damping: f64,
    /// Friction radius r of the pad, m.
    pub radius: f64,
    /// Angular velocity of wheel and disc at t = 0, rad/s.
    pub speed: f64,
    /// Normal force of the pad at the end of its rise, N.
    pub normal_force: f64,
    /// Duration of the rise, s.
    pub duration: f64,
}

impl Default for Brake {
    fn default() -> Self {
        Brake {
            wheel: 0.05,
            disc: 0.005,
            stiffness: 500.0,
            damping: 0.05,
            radius: 0.1,
            speed: 20.0,
            normal_force: 60.0,
            duration: 0.1,
        }
    }
}

impl PlanarRig for Brake {
    fn states(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("phi_w", "rad"),
            ("omega_w", "rad/s"),
            ("phi_d", "rad"),
            ("omega_d", "rad/s"),
        ]
    }

    fn start(&self) -> Vec<f64> {
        vec![0.0, self.speed, 0.0, self.speed]
    }

    fn sizes(&self) -> Vec<f64> {
        vec![1.0, self.speed, 1.0, self.speed]
    }

    /// Below the axis, where the disc moves along x.
    fn position(&self, _: usize) -> [f64; 2] {
        [0.0, -self.radius]
    }

    fn normal_force(&self, t: f64, _: usize) -> f64 {
        self.normal_force * rise(t / self.duration)
    }

    fn twist(&self, y: &[f64]) -> Twist {
        Twist {
            velocity: [0.0; 2],
            omega: y[3],
        }
    }

    fn rate(&self, _: f64, y: &[f64], friction: Wrench, rate: &mut [f64]) {
        let torque = self.stiffness * (y[0] - y[2]) + self.damping * (y[1] - y[3]);
        rate[0] = y[1];
        rate[1] = -torque / self.wheel;
        rate[2] = y[3];
        rate[3] = (torque - friction.torque) / self.disc;
    }

    fn kinks(&self) -> Vec<f64> {
        vec![self.duration]
    }

    fn longest_step(&self) -> f64 {
        1e-4
    }
}
