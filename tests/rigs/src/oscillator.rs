//! The dry friction oscillator: a mass on springs above a shaken base, with a friction damper
//! between the two.
//!
//! Source: A. Stefański, J. Wojewoda, M. Wiercigroch, T. Kapitaniak, Proc. IMechE Part C 2006,
//! equations (11)–(13) and Sec. 4.2. Equation (19) is dimensionally wrong; (11) is the rig: M ÿ =
//! −2k(y − e) − c(ẏ − ė) − F_f.
//!
//! Printed: M, 2k, c, the pressure force N and the amplitude E. The base motions of the paper's
//! Fig. 10 are given in words only; those here are chosen: 5, 10, 15 Hz; 5 and 10 Hz; 5 and 5√2 Hz;
//! a Rössler oscillator.

use super::Rig;
use bristle::law::Contact;
use core::f64::consts::{SQRT_2, TAU};

/// Mass M with tongue, kg.
pub const MASS: f64 = 3.35;
/// Stiffness 2k of both springs, N/m.
pub const STIFFNESS: f64 = 5040.0;
/// Damping c, N·s/m.
pub const DAMPING: f64 = 16.85;
/// Pressure force N, N.
pub const PRESSURE: f64 = 25.0;
/// Amplitude E of the base, m.
pub const AMPLITUDE: f64 = 0.01;

/// Motion of the base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Base {
    /// A sine of this frequency, Hz.
    Harmonic(f64),
    /// Two sines whose frequencies (Hz) have a whole or an irrational ratio.
    Two(f64, f64),
    /// The first state of a Rössler oscillator (a = b = 0.2, c = 5.7), its mean frequency (Hz)
    /// given.
    Chaotic(f64),
}

impl Base {
    /// Two-periodic.
    pub const TWO_PERIODIC: Base = Base::Two(5.0, 10.0);
    /// Quasi-periodic.
    pub const QUASI_PERIODIC: Base = Base::Two(5.0, 5.0 * SQRT_2);
    /// Chaotic.
    pub const CHAOTIC: Base = Base::Chaotic(5.0);
}

/// The oscillator. Its states are displacement x and velocity v of the mass relative to the base,
/// and three of the Rössler oscillator, at rest where it is not used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillator {
    /// Motion of the base.
    pub base: Base,
}

/// The Rössler oscillator turns at about this angular frequency, and x and y of it reach about this
/// size.
const ROESSLER: (f64, f64) = (1.07, 11.4);

impl Oscillator {
    /// Velocity and acceleration of the base, m/s and m/s², and the rates of the Rössler
    /// oscillator.
    fn base(&self, t: f64, roessler: &[f64]) -> (f64, [f64; 3]) {
        let sine = |frequency: f64, amplitude: f64| {
            let omega = TAU * frequency;
            -amplitude * omega * omega * libm::sin(omega * t)
        };
        match self.base {
            Base::Harmonic(frequency) => (sine(frequency, AMPLITUDE), [0.0; 3]),
            Base::Two(first, second) => (
                0.5 * (sine(first, AMPLITUDE) + sine(second, AMPLITUDE)),
                [0.0; 3],
            ),
            Base::Chaotic(frequency) => {
                let speed = TAU * frequency / ROESSLER.0;
                let [x, y, z] = [roessler[0], roessler[1], roessler[2]];
                let rate = [-y - z, x + 0.2 * y, 0.2 + z * (x - 5.7)];
                // ÿ of the attractor's second coordinate, which is smooth: d(x + 0.2 y)/dt.
                let acceleration =
                    (rate[0] + 0.2 * rate[1]) * speed * speed * AMPLITUDE / ROESSLER.1;
                (acceleration, rate.map(|rate| rate * speed))
            }
        }
    }

    /// All forces on the mass but friction, in the frame of the base, N.
    fn pull(&self, t: f64, y: &[f64]) -> f64 {
        -STIFFNESS * y[0] - DAMPING * y[1] - MASS * self.base(t, &y[2..]).0
    }
}

impl Rig for Oscillator {
    fn start(&self) -> Vec<f64> {
        vec![0.0, 0.0, 1.0, 1.0, 0.0]
    }

    fn states(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("x", "m"),
            ("v", "m/s"),
            ("x_base", "1"),
            ("y_base", "1"),
            ("z_base", "1"),
        ]
    }

    fn sizes(&self) -> Vec<f64> {
        vec![0.01, 0.3, 10.0, 10.0, 10.0]
    }

    fn contact(&self, t: f64, y: &[f64], _: usize) -> Contact {
        Contact {
            F_t: self.pull(t, y),
            ..Contact::new(PRESSURE, y[1])
        }
    }

    fn mass(&self, _: usize) -> f64 {
        MASS
    }

    fn rate(&self, t: f64, y: &[f64], friction: &[f64], rate: &mut [f64]) {
        rate[0] = y[1];
        rate[1] = (self.pull(t, y) - friction[0]) / MASS;
        rate[2..].copy_from_slice(&self.base(t, &y[2..]).1);
    }

    fn longest_step(&self) -> f64 {
        2e-4
    }
}
