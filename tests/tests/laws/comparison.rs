//! The packaged FMU of a law against its judge, at every communication point.

use crate::motions::{self, PRESCRIBED};
use bristle_tests::drive::Driven;
use bristle_tests::host::Fmu;
use bristle_tests::judge::{Contact, Course, Judge, Law, Polynomial};
use bristle_tests::random::Random;
use bristle_tests::tolerances::FORCE;
use bristle_tests::workloads::steps;

/// Communication steps from large to small.
const STEPS: [f64; 3] = [1e-2, 1e-3, 1e-4];

/// Through every motion of [`PRESCRIBED`], with held inputs.
pub fn prescribed<L: Law>(law: &L) {
    let fmu = Fmu::packaged(L::ELEMENT);
    for motion in PRESCRIBED {
        for h in STEPS {
            let mut pair = Pair::of(&fmu, law);
            for t in steps(motion.duration, h) {
                pair.hold((motion.at)(t), t, h);
            }
            println!("{:17} {:32} H = {h:.0e} s: {:.1e}", L::ELEMENT, motion.name, pair.worst);
        }
    }
}

/// Through steps of any length with any inputs, held.
pub fn random<L: Law>(law: &L) {
    let fmu = Fmu::packaged(L::ELEMENT);
    let mut random = Random::new(1);
    let mut worst: f64 = 0.0;
    for _ in 0..20 {
        let mut pair = Pair::of(&fmu, law);
        let mut t = 0.0;
        for _ in 0..500 {
            let h = motions::duration(&mut random);
            pair.hold(motions::contact(&mut random), t, h);
            t += h;
        }
        worst = worst.max(pair.worst);
    }
    println!("{:17} random held inputs: {worst:.1e}", L::ELEMENT);
}

/// Through long steps with inputs that move within them.
pub fn moving<L: Law>(law: &L) {
    moving_as(law, |course| course);
}

/// The same with inputs that are changed.
pub fn moving_as<L: Law>(law: &L, change: impl Fn(Polynomial) -> Polynomial) {
    let fmu = Fmu::packaged(L::ELEMENT);
    let mut random = Random::new(2);
    let mut worst: f64 = 0.0;
    for _ in 0..20 {
        let mut pair = Pair::of(&fmu, law);
        let mut t = 0.0;
        for _ in 0..50 {
            let h = random.magnitude(1e-3, 5e-2);
            pair.follow(&change(motions::course(&mut random, h)), t, h);
            t += h;
        }
        worst = worst.max(pair.worst);
    }
    println!("{:17} inputs that move within the steps: {worst:.1e}", L::ELEMENT);
}

/// An element and its judge, side by side.
struct Pair<'a> {
    element: Driven<'a>,
    judge: Box<dyn Judge>,
    /// The largest error so far: of F_R, over the largest friction under slow motion and F_R together.
    worst: f64,
}

impl<'a> Pair<'a> {
    fn of<L: Law>(fmu: &'a Fmu, law: &L) -> Self {
        let judge = law.judge();
        let has_mode = fmu.description.variables.iter().any(|variable| variable.name == "mode");
        assert_eq!(has_mode, judge.mode().is_some(), "either both have modes, or none");
        Pair { element: Driven::by(fmu, law), judge, worst: 0.0 }
    }

    fn hold(&mut self, contact: Contact, t: f64, h: f64) {
        let forces = [self.element.hold(contact, t, h), self.judge.step(contact, h)];
        self.compare(forces, contact, &|| format!("{contact:?} held from {t} s for {h:e} s"));
    }

    fn follow(&mut self, course: &Polynomial, t: f64, h: f64) {
        let forces = [self.element.follow(course, t, h), self.judge.follow(&Course::Moving(&|t| course.at(t)), h)];
        self.compare(forces, course.at(h), &|| format!("{course:?} from {t} s for {h:e} s"));
    }

    /// Compares F_R of element and judge, and their modes, at the end of a step with the contact `end`.
    fn compare(&mut self, [force, expected]: [f64; 2], end: Contact, story: &dyn Fn() -> String) {
        if !end.is_closed() {
            assert_eq!(force, 0.0, "open contact: {}", story());
        }
        let error = (force - expected).abs() / (self.judge.static_friction() * end.F_N.abs() + expected.abs());
        assert!(error <= FORCE, "F_R = {force} N for {expected} N, {error:.1e} off: {}", story());
        self.worst = error.max(self.worst);
        if let Some(mode) = self.judge.mode() {
            assert_eq!(self.element.instance.get_whole("mode"), mode, "the mode: {}", story());
        }
    }
}
