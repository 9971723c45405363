//! The test bench with a body of any mass under a load that pulsates about a mean.

use crate::Rig;
use crate::test_bench::{G, MASS};
use bristle::law::Contact;
use core::f64::consts::TAU;

/// F_s of the bench, N.
const STATIC_FRICTION: f64 = 0.6 * MASS * G;
/// Time in which the load rises to its full size, s: long beside the oscillation of 100 kg on the
/// bristle, 28 ms.
pub const RISE: f64 = 0.1;

/// Wave form of the load, between −1 and 1, with the mean 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wave {
    /// A sine.
    Sine,
    /// A sine and its second harmonic: peaks of 1 and −0.5.
    Asymmetric,
}

impl Wave {
    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Wave::Sine => "sine",
            Wave::Asymmetric => "asymmetric",
        }
    }

    /// Order of its highest harmonic.
    pub fn highest_harmonic(self) -> f64 {
        match self {
            Wave::Sine => 1.0,
            Wave::Asymmetric => 2.0,
        }
    }

    fn at(self, phase: f64) -> f64 {
        match self {
            Wave::Sine => libm::sin(phase),
            Wave::Asymmetric => (libm::sin(phase) - 0.5 * libm::cos(2.0 * phase)) / 1.5,
        }
    }
}

/// Load F_s (bias + amplitude · wave) on a body under the weight of 1 kg. Its states are
/// displacement and velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PulsatingBench {
    /// Mean load over F_s, 1.
    pub bias: f64,
    /// Amplitude of the load over F_s, 1.
    pub amplitude: f64,
    /// Frequency of the load, Hz.
    pub frequency: f64,
    /// Mass of the body, kg.
    pub mass: f64,
    /// Wave form.
    pub wave: Wave,
}

impl PulsatingBench {
    /// The load at time `t` (s), N.
    pub fn load(&self, t: f64) -> f64 {
        let xi = (t / RISE).clamp(0.0, 1.0);
        let size = STATIC_FRICTION * xi * xi * (3.0 - 2.0 * xi);
        size * (self.bias + self.amplitude * self.wave.at(TAU * self.frequency * t))
    }
}

impl Rig for PulsatingBench {
    fn states(&self) -> &'static [(&'static str, &'static str)] {
        &[("u", "m"), ("v", "m/s")]
    }

    fn sizes(&self) -> Vec<f64> {
        vec![1e-6, 1e-3]
    }

    fn contact(&self, t: f64, y: &[f64], _: usize) -> Contact {
        Contact {
            F_t: self.load(t),
            ..Contact::new(G, y[1])
        }
    }

    fn mass(&self, _: usize) -> f64 {
        self.mass
    }

    fn rate(&self, t: f64, y: &[f64], friction: &[f64], rate: &mut [f64]) {
        rate.copy_from_slice(&[y[1], (self.load(t) - friction[0]) / self.mass]);
    }

    fn kinks(&self) -> Vec<f64> {
        vec![RISE]
    }

    fn longest_step(&self) -> f64 {
        f64::INFINITY
    }

    fn advance(&self, t: f64, y: &mut [f64], h: f64, friction: &[f64]) {
        let acceleration = (0.5 * (self.load(t) + self.load(t + h)) - friction[0]) / self.mass;
        y[0] += h * (y[1] + 0.5 * h * acceleration);
        y[1] += h * acceleration;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wave_forms_have_no_mean_and_a_peak_of_one() {
        for wave in [Wave::Sine, Wave::Asymmetric] {
            let bench = PulsatingBench {
                bias: 0.0,
                amplitude: 1.0,
                frequency: 1.0,
                mass: 1.0,
                wave,
            };
            let values =
                (0..1000).map(|i| bench.load(1.0 + f64::from(i) / 1000.0) / STATIC_FRICTION);
            let (sum, most) = values.fold((0.0, 0.0_f64), |(sum, most), value| {
                (sum + value, most.max(value.abs()))
            });
            assert!(
                sum.abs() < 1e-9 && (most - 1.0).abs() < 1e-5,
                "{wave:?}: {sum}, {most}"
            );
        }
    }
}
