//! A block that a spring pulls over the ground.
//!
//! Source: A. Kargaonkar, N. K. Singh, European Journal of Mechanical Engineering Research 2024,
//! 11(2), 76–92, Fig. 6 and Tables 1–3. The spring's end starts at its natural length and moves
//! steadily.
//!
//! With Coulomb friction (μ_s = μ_k) there is a closed form: the block starts at t₀ = μ m g/(K v₀)
//! = 0.24525 s and x = v₀(t − t₀) − (v₀/ω) sin ω(t − t₀), its velocity touching 0 once in each
//! period.

use super::{G, Rig};
use bristle::law::Contact;

/// The block with its spring. Its states are position x and velocity v of the block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockOnSpring {
    /// Mass, kg.
    pub mass: f64,
    /// Stiffness K of the spring, N/m.
    pub stiffness: f64,
    /// Velocity of the spring's end, m/s.
    pub speed: f64,
}

impl Default for BlockOnSpring {
    /// Tables 1 and 2.
    fn default() -> Self {
        BlockOnSpring {
            mass: 1.0,
            stiffness: 10.0,
            speed: 0.4,
        }
    }
}

impl BlockOnSpring {
    /// The spring's force on the block at time `t` (s), N.
    pub fn pull(&self, t: f64, x: f64) -> f64 {
        self.stiffness * (self.speed * t - x)
    }
}

impl Rig for BlockOnSpring {
    fn states(&self) -> &'static [(&'static str, &'static str)] {
        &[("x", "m"), ("v", "m/s")]
    }

    fn sizes(&self) -> Vec<f64> {
        vec![0.1, self.speed]
    }

    fn contact(&self, t: f64, y: &[f64], _: usize) -> Contact {
        Contact {
            F_t: self.pull(t, y[0]),
            ..Contact::new(self.mass * G, y[1])
        }
    }

    fn mass(&self, _: usize) -> f64 {
        self.mass
    }

    fn rate(&self, t: f64, y: &[f64], friction: &[f64], rate: &mut [f64]) {
        rate[0] = y[1];
        rate[1] = (self.pull(t, y[0]) - friction[0]) / self.mass;
    }

    fn longest_step(&self) -> f64 {
        1e-3
    }
}
