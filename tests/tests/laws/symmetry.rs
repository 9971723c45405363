//! Symmetry of every law: F_R(−v) = −F_R(v), with every other input mirrored as well.

use crate::laws::motions::{self, PRESCRIBED};
use bristle_importer::co_simulation::Master;
use bristle_importer::fmu::Fmu;
use bristle_random::Random;
use bristle_reference_laws::LawParameters;
use bristle_reference_laws::workloads::{WEIGHT, steps};
use bristle_tests::tolerances::MIRRORED;

/// Drives a law and its mirror image, step by step, with held inputs and with moving ones.
pub fn mirrored<L: LawParameters>(law: &L) {
    let fmu = Fmu::packaged(L::ELEMENT);
    for motion in PRESCRIBED {
        let [mut one, mut other] = [(); 2].map(|()| Master::with_law(&fmu, law));
        for t in steps(motion.duration, 1e-3) {
            let contact = (motion.at)(t);
            let forces = [
                one.step(contact, t, 1e-3),
                other.step(contact.mirrored(), t, 1e-3),
            ];
            assert_eq!(
                forces[0], -forces[1],
                "{contact:?} in {} at {t} s",
                motion.name
            );
        }
    }
    let mut random = Random::new(3);
    let [mut one, mut other] = [(); 2].map(|()| Master::with_law(&fmu, law));
    let (mut t, h) = (0.0, 1e-2);
    for _ in 0..100 {
        let course = motions::course(&mut random, h);
        let forces = [
            one.step_with_derivatives(&course, t, h),
            other.step_with_derivatives(&course.mirrored(), t, h),
        ];
        assert!(
            (forces[0] + forces[1]).abs() <= MIRRORED * WEIGHT,
            "{forces:?} N for {course:?} at {t} s"
        );
        t += h;
    }
}
