//! A disk that a spring pulls along the ground at its centre: it rolls.
//!
//! Source: A. Kargaonkar, N. K. Singh, European Journal of Mechanical Engineering Research 2024,
//! 11(2), 76–92, Fig. 10 and Tables 5 and 6. The spring's end starts at its natural length and
//! moves steadily.
//!
//! While it rolls without slip, x = v₀t − (v₀/ω) sin ωt with ω = √(K/(1.5 m)).

use super::{G, Rig};
use bristle::law::Contact;

/// The roller with its spring. Its states are position x and velocity v of the centre, and angular
/// velocity ω.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollerOnSpring {
    /// Mass, kg.
    pub mass: f64,
    /// Radius, m.
    pub radius: f64,
    /// Stiffness K of the spring, N/m.
    pub stiffness: f64,
    /// Velocity of the spring's end, m/s.
    pub speed: f64,
}

impl Default for RollerOnSpring {
    /// Tables 5 and 6.
    fn default() -> Self {
        RollerOnSpring {
            mass: 1.0,
            radius: 0.1,
            stiffness: 10.0,
            speed: 0.2,
        }
    }
}

impl RollerOnSpring {
    /// The spring's force on the centre at time `t` (s), N.
    pub fn pull(&self, t: f64, x: f64) -> f64 {
        self.stiffness * (self.speed * t - x)
    }

    /// Moment of inertia of the disk, kg m².
    fn inertia(&self) -> f64 {
        0.5 * self.mass * self.radius * self.radius
    }
}

impl Rig for RollerOnSpring {
    fn states(&self) -> &'static [(&'static str, &'static str)] {
        &[("x", "m"), ("v", "m/s"), ("omega", "rad/s")]
    }

    fn sizes(&self) -> Vec<f64> {
        vec![0.1, self.speed, self.speed / self.radius]
    }

    /// The contact point moves with v − Rω. A friction force of a third of the pull lets it roll on
    /// as it does.
    fn contact(&self, t: f64, y: &[f64], _: usize) -> Contact {
        let slip = y[1] - self.radius * y[2];
        Contact {
            F_t: self.pull(t, y[0]) / 3.0,
            ..Contact::new(self.mass * G, slip)
        }
    }

    /// 1/m + R²/I = 3/m.
    fn mass(&self, _: usize) -> f64 {
        self.mass / 3.0
    }

    fn rate(&self, t: f64, y: &[f64], friction: &[f64], rate: &mut [f64]) {
        rate[0] = y[1];
        rate[1] = (self.pull(t, y[0]) - friction[0]) / self.mass;
        rate[2] = self.radius * friction[0] / self.inertia();
    }

    fn longest_step(&self) -> f64 {
        1e-3
    }
}
