//! No law knows left from right: F_R(−v) = −F_R(v), with every other input mirrored as well.

use crate::motions::{self, PRESCRIBED};
use bristle_tests::drive::Driven;
use bristle_tests::host::Fmu;
use bristle_tests::judge::Law;
use bristle_tests::random::Random;
use bristle_tests::tolerances::MIRRORED;
use bristle_tests::workloads::{WEIGHT, steps};

/// Drives a law and its mirror image, step by step, with held inputs and with moving ones.
pub fn mirrored<L: Law>(law: &L) {
    let fmu = Fmu::packaged(L::ELEMENT);
    for motion in PRESCRIBED {
        let [mut one, mut other] = [(); 2].map(|()| Driven::by(&fmu, law));
        for t in steps(motion.duration, 1e-3) {
            let contact = (motion.at)(t);
            let forces = [one.hold(contact, t, 1e-3), other.hold(contact.mirrored(), t, 1e-3)];
            assert_eq!(forces[0], -forces[1], "{contact:?} in {} at {t} s", motion.name);
        }
    }
    let mut random = Random::new(3);
    let [mut one, mut other] = [(); 2].map(|()| Driven::by(&fmu, law));
    let (mut t, h) = (0.0, 1e-2);
    for _ in 0..100 {
        let course = motions::course(&mut random, h);
        let forces = [one.follow(&course, t, h), other.follow(&course.mirrored(), t, h)];
        assert!((forces[0] + forces[1]).abs() <= MIRRORED * WEIGHT, "{forces:?} N for {course:?} at {t} s");
        t += h;
    }
}
