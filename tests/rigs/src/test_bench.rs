//! The virtual friction test bench: a body on a plate, pushed by a force that rises smoothly and
//! stays.
//!
//! Source: G. Rill, M. Schuderer, Modelling 2023, 4(3), 366–381, Fig. 2 and Listings A1–A3.

pub use super::G;
use super::Rig;
use bristle::law::Contact;

/// Mass of the body, kg (Listing A1).
pub const MASS: f64 = 1.0;

/// A force that rises as a cubic from 0 at t = 0 to `force` at `duration` (Listing A3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLoad {
    /// Final force F_E, N.
    pub force: f64,
    /// Time of the rise t_E, s.
    pub duration: f64,
}

impl StepLoad {
    /// The force F at time `t`, N.
    pub fn at(&self, t: f64) -> f64 {
        let xi = (t / self.duration).clamp(0.0, 1.0);
        self.force * xi * xi * (3.0 - 2.0 * xi)
    }
}

/// The body of the test bench, moved over steps in which the friction force is held.
///
/// The load is held, too, at the mean of its values at both ends. An element sees only velocities
/// at the ends of steps: were the body moved by a load that varies in between, the two would drift
/// apart by h² F_E/(12 m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Displacement u, m.
    pub u: f64,
    /// Velocity v, m/s.
    pub v: f64,
}

impl Body {
    /// The body at rest at the origin.
    pub const AT_REST: Body = Body { u: 0.0, v: 0.0 };

    /// Moves the body over `h` (s) under a load with these values at both ends (N), against the
    /// friction force `friction` (N), held.
    pub fn advance(&mut self, load: [f64; 2], h: f64, friction: f64) {
        let acceleration = (0.5 * (load[0] + load[1]) - friction) / MASS;
        self.u += h * (self.v + 0.5 * h * acceleration);
        self.v += h * acceleration;
    }
}

/// Pulses that each rise and fall as a cubic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pulses {
    /// The height of a pulse, N.
    pub force: f64,
    /// Number of pulses.
    pub count: u32,
    /// The time from the start of a pulse to the start of its fall, s: as long as the pause after
    /// it.
    pub duration: f64,
    /// The time of a rise and of a fall, s.
    pub ramp: f64,
}

impl Pulses {
    /// Pulses of Sec. 5: five of 0.1 s with ramps of 20 ms.
    pub const fn five(force: f64) -> Self {
        Pulses {
            force,
            count: 5,
            duration: 0.1,
            ramp: 0.02,
        }
    }

    /// The force at time `t`, N.
    pub fn at(&self, t: f64) -> f64 {
        let rise = StepLoad {
            force: self.force,
            duration: self.ramp,
        };
        let period = 2.0 * self.duration;
        let number = (t / period).floor().clamp(0.0, f64::from(self.count - 1));
        let within = t - number * period;
        rise.at(within) - rise.at(within - self.duration)
    }
}

/// The load of the bench.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    /// A force that rises and stays.
    Step(StepLoad),
    /// Pulses.
    Pulses(Pulses),
}

impl Load {
    /// The force at time `t`, N.
    pub fn at(&self, t: f64) -> f64 {
        match self {
            Load::Step(load) => load.at(t),
            Load::Pulses(load) => load.at(t),
        }
    }
}

/// The bench with a load. Its states are displacement u and velocity v of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestBench {
    /// The load.
    pub load: Load,
}

impl TestBench {
    /// The bench with a force that rises to `force` (N) within `duration` (s).
    pub const fn step(force: f64, duration: f64) -> Self {
        TestBench {
            load: Load::Step(StepLoad { force, duration }),
        }
    }
}

impl Rig for TestBench {
    fn states(&self) -> &'static [(&'static str, &'static str)] {
        &[("u", "m"), ("v", "m/s")]
    }

    fn sizes(&self) -> Vec<f64> {
        vec![1e-6, 1e-3]
    }

    fn contact(&self, t: f64, y: &[f64], _: usize) -> Contact {
        Contact {
            F_t: self.load.at(t),
            ..Contact::new(MASS * G, y[1])
        }
    }

    fn mass(&self, _: usize) -> f64 {
        MASS
    }

    fn rate(&self, t: f64, y: &[f64], friction: &[f64], rate: &mut [f64]) {
        rate[0] = y[1];
        rate[1] = (self.load.at(t) - friction[0]) / MASS;
    }

    fn kinks(&self) -> Vec<f64> {
        match self.load {
            Load::Step(load) => vec![load.duration],
            Load::Pulses(Pulses {
                count,
                duration,
                ramp,
                ..
            }) => (0..2 * count)
                .flat_map(|i| [f64::from(i) * duration, f64::from(i) * duration + ramp])
                .filter(|t| *t > 0.0)
                .collect(),
        }
    }

    fn longest_step(&self) -> f64 {
        1e-3
    }

    /// Moves the body under the held mean load, as [`Body::advance`].
    fn advance(&self, t: f64, y: &mut [f64], h: f64, friction: &[f64]) {
        let mut body = Body { u: y[0], v: y[1] };
        body.advance([self.load.at(t), self.load.at(t + h)], h, friction[0]);
        y.copy_from_slice(&[body.u, body.v]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn body_gains_the_impulse_of_the_load() {
        let load = StepLoad {
            force: 2.0,
            duration: 0.3,
        };
        let mut body = Body::AT_REST;
        for i in 0..1000 {
            let t = 1e-3 * f64::from(i);
            body.advance([load.at(t), load.at(t + 1e-3)], 1e-3, 0.5);
        }
        // The cubic's mean is half its end: ∫F dt = 2 (0.15 + 0.7); its double integral adds 2
        // (0.15·0.3² + …).
        let v = 2.0 * (0.15 + 0.7) - 0.5;
        let u = 2.0 * (0.15 * 0.09 + 0.15 * 0.7 + 0.5 * 0.49) - 0.25;
        assert!(
            (body.v - v).abs() < 1e-12 && (body.u - u).abs() < 1e-6,
            "{body:?} for {u}, {v}"
        );
    }

    #[test]
    fn pulses_have_the_papers_shape() {
        let load = Pulses::five(4.0);
        for (t, expected) in [
            (0.0, 0.0),
            (0.01, 2.0),
            (0.02, 4.0),
            (0.1, 4.0),
            (0.11, 2.0),
            (0.12, 0.0),
            (0.25, 4.0),
        ] {
            assert!(
                (load.at(t) - expected).abs() < 1e-12,
                "{} at {t}",
                load.at(t)
            );
        }
        assert!(
            (load.at(0.85) - 4.0).abs() < 1e-12
                && load.at(0.95).abs() < 1e-12
                && load.at(7.0).abs() < 1e-12
        );
    }

    #[test]
    fn load_reaches_f_s_at_the_printed_time() {
        // Sec. 4: F_E = 1.05 F_s in 10 s passes F_s at t_B = 8.6808 s.
        let load = StepLoad {
            force: 1.05,
            duration: 10.0,
        };
        assert!(load.at(8.68075) < 1.0 && load.at(8.68085) > 1.0);
    }
}
