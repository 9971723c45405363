//! A block on an inclined plane that vibrates in its own plane on a circle.
//!
//! Chosen: the weight pulls with 0.4 F_s down the slope and the inertial force turns with 0.3 F_s,
//! so that the block never slides: it stays within stick by 0.3 F_s.

use crate::G;
use crate::planar::{PlanarRig, Twist, Wrench, rise};
use core::f64::consts::TAU;

/// The block on the plane. Its states are position and velocity relative to the plane, x down the
/// slope and y across.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InclinedPlane {
    /// Mass of the block, kg.
    pub mass: f64,
    /// Tangent of the slope.
    pub slope: f64,
    /// Acceleration of the plane on its circle, m/s².
    pub acceleration: f64,
    /// Frequency, Hz.
    pub frequency: f64,
    /// Duration in which weight and vibration rise, s.
    pub duration: f64,
}

impl InclinedPlane {
    /// A plane for this static coefficient of friction, under a block that presses on it as 1 kg
    /// does on level ground.
    pub fn new(mu_s: f64) -> Self {
        let slope = 0.4 * mu_s;
        let normal = G / (1.0 + slope * slope).sqrt();
        InclinedPlane {
            mass: (1.0 + slope * slope).sqrt(),
            slope,
            acceleration: 0.3 * mu_s * normal,
            frequency: 100.0,
            duration: 0.1,
        }
    }

    /// Normal acceleration g cos α, m/s².
    fn normal_acceleration(&self) -> f64 {
        G / (1.0 + self.slope * self.slope).sqrt()
    }
}

impl PlanarRig for InclinedPlane {
    fn states(&self) -> &'static [(&'static str, &'static str)] {
        &[("x", "m"), ("y", "m"), ("v_x", "m/s"), ("v_y", "m/s")]
    }

    fn sizes(&self) -> Vec<f64> {
        vec![1e-6, 1e-6, 1e-3, 1e-3]
    }

    fn position(&self, _: usize) -> [f64; 2] {
        [0.0; 2]
    }

    fn normal_force(&self, _: f64, _: usize) -> f64 {
        self.mass * self.normal_acceleration()
    }

    fn twist(&self, y: &[f64]) -> Twist {
        Twist {
            velocity: [y[2], y[3]],
            omega: 0.0,
        }
    }

    fn rate(&self, t: f64, y: &[f64], friction: Wrench, rate: &mut [f64]) {
        let (part, angle) = (rise(t / self.duration), TAU * self.frequency * t);
        let weight = self.slope * self.normal_acceleration();
        let inertia = [libm::cos(angle), libm::sin(angle)].map(|along| -self.acceleration * along);
        rate[0] = y[2];
        rate[1] = y[3];
        rate[2] = part * (weight + inertia[0]) - friction.force[0] / self.mass;
        rate[3] = part * inertia[1] - friction.force[1] / self.mass;
    }

    fn kinks(&self) -> Vec<f64> {
        vec![self.duration]
    }

    fn longest_step(&self) -> f64 {
        1e-4
    }
}
