//! The paper's virtual test bench, coupled to an FMU as a multibody code couples one: serial, the FMU first, values
//! held over each communication step.
//!
//! The load is held as well, at the mean of its values at both ends of the step: were the body moved by anything the
//! element cannot see, the two would drift apart by H² F_E/(12 m) without any fault of either.

use crate::drive::Driven;
use crate::host::Fmu;
use crate::reference::{Contact, PAPER};
use bristle::rigs::test_bench::{G, MASS, StepLoad};

/// The body of the test bench with the FMU under it.
#[derive(Debug)]
pub struct Bench<'a> {
    element: Driven<'a>,
    load: StepLoad,
    h: f64,
    step: u32,
}

/// The bench at a communication point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(non_snake_case)] // the paper's symbols
pub struct Sample {
    /// Time, s.
    pub t: f64,
    /// Displacement of the body, m.
    pub u: f64,
    /// Velocity of the body, m/s.
    pub v: f64,
    /// The load at `t`, N.
    pub F: f64,
    /// Friction force at `t`, with the velocity that the element was given for the step before, N.
    pub F_R: f64,
    /// Whether the element reports stick.
    pub sticking: bool,
    /// Bristle deflection, m.
    pub z: f64,
}

impl<'a> Bench<'a> {
    /// The paper's body at rest on the FMU with the paper's parameters, to be stepped by `h`.
    pub fn at_rest(fmu: &'a Fmu, load: StepLoad, h: f64) -> Self {
        Bench { element: Driven::with(fmu, &PAPER), load, h, step: 0 }
    }

    /// The samples at the ends of the steps, for ever.
    ///
    /// # Panics
    /// If |F_R| exceeds F_s: in none of the paper's experiments it may.
    pub fn run(mut self) -> impl Iterator<Item = Sample> {
        let mut now = Sample::default();
        std::iter::repeat_with(move || {
            now = self.advance(now);
            now
        })
    }

    fn advance(&mut self, Sample { u, v, F, .. }: Sample) -> Sample {
        let h = self.h;
        let friction = self.element.step(Contact { F_N: MASS * G, v }, f64::from(self.step) * h, h);
        assert!(friction.abs() <= STATIC_FRICTION, "|{friction}| exceeds F_s in step {}", self.step);
        self.step += 1;
        let t = f64::from(self.step) * h;
        let load = self.load.at(t);
        let a = (0.5 * (F + load) - friction) / MASS;
        Sample {
            t,
            u: u + h * v + 0.5 * h * h * a,
            v: v + h * a,
            F: load,
            F_R: friction,
            sticking: self.element.instance.get_flag("sticking"),
            z: self.element.instance.get("z"),
        }
    }
}

/// F_s of the bench, N.
pub const STATIC_FRICTION: f64 = PAPER.mu_s * (MASS * G);
/// F_d of the bench, N.
pub const DYNAMIC_FRICTION: f64 = PAPER.mu_d * (MASS * G);
