//! The packaged FMU of a law against its reference law, at every communication point.

use crate::laws::motions::{self, PRESCRIBED};
use bristle_importer::co_simulation::Master;
use bristle_importer::fmu::Fmu;
use bristle_random::Random;
use bristle_reference_laws::workloads::steps;
use bristle_reference_laws::{
    Contact, InputPolynomials, InputTrajectory, LawParameters, ReferenceLaw,
};
use bristle_tests::tolerances::FORCE;

/// Communication steps from large to small.
const STEPS: [f64; 3] = [1e-2, 1e-3, 1e-4];

/// Compares every motion of [`PRESCRIBED`] with held inputs.
pub fn prescribed<L: LawParameters>(law: &L) {
    let fmu = Fmu::packaged(L::ELEMENT);
    for motion in PRESCRIBED {
        for h in STEPS {
            let mut pair = Pair::of(&fmu, law);
            for t in steps(motion.duration, h) {
                pair.step((motion.at)(t), t, h);
            }
            println!(
                "{:17} {:32} H = {h:.0e} s: {:.1e}",
                L::ELEMENT,
                motion.name,
                pair.worst
            );
        }
    }
}

/// Compares steps of random length with random held inputs.
pub fn random<L: LawParameters>(law: &L) {
    let fmu = Fmu::packaged(L::ELEMENT);
    let mut random = Random::new(1);
    let mut worst: f64 = 0.0;
    for _ in 0..20 {
        let mut pair = Pair::of(&fmu, law);
        let mut t = 0.0;
        for _ in 0..500 {
            let h = motions::duration(&mut random);
            pair.step(motions::contact(&mut random), t, h);
            t += h;
        }
        worst = worst.max(pair.worst);
    }
    println!("{:17} random held inputs: {worst:.1e}", L::ELEMENT);
}

/// Compares long steps with inputs that vary within them.
pub fn moving<L: LawParameters>(law: &L) {
    moving_as(law, |course| course);
}

/// Compares steps with moving inputs, after `change` of each.
pub fn moving_as<L: LawParameters>(law: &L, change: impl Fn(InputPolynomials) -> InputPolynomials) {
    let fmu = Fmu::packaged(L::ELEMENT);
    let mut random = Random::new(2);
    let mut worst: f64 = 0.0;
    for _ in 0..20 {
        let mut pair = Pair::of(&fmu, law);
        let mut t = 0.0;
        for _ in 0..50 {
            let h = random.magnitude(1e-3, 5e-2);
            pair.step_with_derivatives(&change(motions::course(&mut random, h)), t, h);
            t += h;
        }
        worst = worst.max(pair.worst);
    }
    println!(
        "{:17} inputs that move within the steps: {worst:.1e}",
        L::ELEMENT
    );
}

/// Element and its reference law.
struct Pair<'a> {
    element: Master<'a>,
    reference: Box<dyn ReferenceLaw>,
    /// The largest error so far: of F_R, over the largest friction under slow motion and F_R
    /// together.
    worst: f64,
    /// Steps with an error beyond the tolerance.
    beyond: u32,
}

impl<'a> Pair<'a> {
    fn of<L: LawParameters>(fmu: &'a Fmu, law: &L) -> Self {
        let reference = law.at_rest();
        let has_mode = fmu
            .description
            .variables
            .iter()
            .any(|variable| variable.name == "mode");
        assert_eq!(
            has_mode,
            reference.mode().is_some(),
            "either both have modes, or none"
        );
        Pair {
            element: Master::with_law(fmu, law),
            reference,
            worst: 0.0,
            beyond: 0,
        }
    }

    fn step(&mut self, contact: Contact, t: f64, h: f64) {
        let force = self.element.step(contact, t, h);
        let expected = self.reference.step(contact, h);
        self.compare(force, expected, contact, &|| {
            format!("{contact:?} held from {t} s for {h:e} s")
        });
    }

    fn step_with_derivatives(&mut self, inputs: &InputPolynomials, t: f64, h: f64) {
        let force = self.element.step_with_derivatives(inputs, t, h);
        let trajectory = InputTrajectory::Moving(&|t| inputs.at(t));
        let expected = self.reference.advance(&trajectory, h);
        self.compare(force, expected, inputs.at(h), &|| {
            format!("{inputs:?} from {t} s for {h:e} s")
        });
    }

    /// Compares F_R of element and reference, and their modes, at the end of a step with the
    /// contact `end`.
    fn compare(&mut self, force: f64, expected: f64, end: Contact, story: &dyn Fn() -> String) {
        if !end.is_closed() {
            assert_eq!(force, 0.0, "open contact: {}", story());
        }
        let error = (force - expected).abs()
            / (self.reference.static_friction() * end.F_N.abs() + expected.abs());
        // A step in ten thousand may have three tolerances.
        assert!(
            error <= 3.0 * FORCE,
            "F_R = {force} N for {expected} N, {error:.1e} off: {}",
            story()
        );
        self.beyond += u32::from(error > FORCE);
        assert!(
            self.beyond <= 1,
            "a second step is beyond the tolerance, {error:.1e} off: {}",
            story()
        );
        self.worst = error.max(self.worst);
        if let Some(mode) = self.reference.mode() {
            assert_eq!(
                self.element.instance.get_whole("mode"),
                mode,
                "the mode: {}",
                story()
            );
        }
    }
}
