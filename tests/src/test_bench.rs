//! The paper's virtual test bench, coupled to an FMU as a multibody code couples one: serial, the
//! FMU first, values held over each communication step. The body is the rig's.

use bristle_importer::co_simulation::Master;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::PAPER;
use bristle_rigs::test_bench::{Body, G, MASS, StepLoad};

/// The body of the test bench with the FMU under it.
#[derive(Debug)]
pub struct Bench<'a> {
    element: Master<'a>,
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
    /// The element reports stick.
    pub sticking: bool,
    /// Bristle deflection, m.
    pub z: f64,
}

impl<'a> Bench<'a> {
    /// The paper's body at rest on the FMU with the paper's parameters, to be stepped by `h`.
    pub fn at_rest(fmu: &'a Fmu, load: StepLoad, h: f64) -> Self {
        Bench {
            element: Master::with_parameters(fmu, &PAPER),
            load,
            h,
            step: 0,
        }
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

    fn advance(&mut self, Sample { t, u, v, .. }: Sample) -> Sample {
        let h = self.h;
        let friction = self
            .element
            .step(Contact::new(MASS * G, v), f64::from(self.step) * h, h);
        assert!(
            friction.abs() <= STATIC_FRICTION,
            "|{friction}| exceeds F_s in step {}",
            self.step
        );
        self.step += 1;
        let mut body = Body { u, v };
        body.advance([self.load.at(t), self.load.at(t + h)], h, friction);
        let t = f64::from(self.step) * h;
        Sample {
            t,
            u: body.u,
            v: body.v,
            F: self.load.at(t),
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
