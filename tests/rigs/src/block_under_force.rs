//! A block that slides on a surface under a force u(t), which lets it stick and start in both
//! directions.
//!
//! Source: Modelica Standard Library, *Modeling of Friction*: m dv/dt = u(t) − f. The library's
//! text leaves u open; chosen is a sine that exceeds the sliding force by half.

use super::{G, Rig};
use bristle::law::Contact;
use core::f64::consts::TAU;

/// The block under its force. Its states are position x and velocity v.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockUnderForce {
    /// Mass, kg.
    pub mass: f64,
    /// Amplitude of u, N.
    pub amplitude: f64,
    /// Frequency of u, Hz.
    pub frequency: f64,
}

impl BlockUnderForce {
    /// A block of 1 kg under a force with this amplitude (N), once a second.
    pub const fn new(amplitude: f64) -> Self {
        BlockUnderForce {
            mass: 1.0,
            amplitude,
            frequency: 1.0,
        }
    }

    /// The force u at time `t` (s), N.
    pub fn force(&self, t: f64) -> f64 {
        self.amplitude * libm::sin(TAU * self.frequency * t)
    }
}

impl Rig for BlockUnderForce {
    fn states(&self) -> &'static [(&'static str, &'static str)] {
        &[("x", "m"), ("v", "m/s")]
    }

    fn sizes(&self) -> Vec<f64> {
        vec![0.1, 0.1]
    }

    fn contact(&self, t: f64, y: &[f64], _: usize) -> Contact {
        Contact {
            F_t: self.force(t),
            ..Contact::new(self.mass * G, y[1])
        }
    }

    fn mass(&self, _: usize) -> f64 {
        self.mass
    }

    fn rate(&self, t: f64, y: &[f64], friction: &[f64], rate: &mut [f64]) {
        rate[0] = y[1];
        rate[1] = (self.force(t) - friction[0]) / self.mass;
    }

    fn longest_step(&self) -> f64 {
        1e-3
    }
}
