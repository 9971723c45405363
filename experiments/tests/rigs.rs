//! Every rig, monolithic and through the packaged FMU: both agree, the coupling is of first order,
//! and where a system has a closed form, the solution reproduces it. `cargo xtask test` packages
//! the FMUs first.

use bristle_experiments::case::Case;
use bristle_experiments::elements::Friction;
use bristle_experiments::numbers::STATIC_FRICTION;
use bristle_experiments::trace::Trace;
use bristle_experiments::{coupled, monolithic};
use bristle_importer::fmu::Fmu;
use bristle_rigs::Rig;
use bristle_rigs::block_on_spring::BlockOnSpring;
use bristle_rigs::block_under_force::BlockUnderForce;
use bristle_rigs::festoon::Festoon;
use bristle_rigs::oscillator::{Base, Oscillator};
use bristle_rigs::roller_on_spring::RollerOnSpring;
use bristle_rigs::test_bench::{G, Load, Pulses, TestBench};

/// The samples of the reference, s.
const SAMPLED: f64 = 1e-3;

/// Rig with the friction and names of elements, the end of the run (s), and the allowed difference
/// of a displacement (m).
type Coupled<'a> = (Box<dyn Rig>, Friction, &'a [&'a str], f64, f64);

fn reference(case: &Case, rig: &dyn Rig, end: f64) -> Trace {
    monolithic::run(case, rig, SAMPLED, end).unwrap_or_else(|why| panic!("{}: {why}", case.name()))
}

fn through_the_fmu(case: &Case, rig: &dyn Rig, h: f64, end: f64) -> Trace {
    coupled::run(
        &Fmu::packaged(case.name()),
        case,
        rig,
        h,
        end,
        (SAMPLED / h).round() as usize,
    )
}

/// The largest difference of a state of the rig.
fn difference(a: &Trace, b: &Trace, state: usize) -> f64 {
    assert_eq!(a.0.len(), b.0.len());
    a.0.iter()
        .zip(&b.0)
        .map(|(a, b)| (a.y[state] - b.y[state]).abs())
        .fold(0.0, f64::max)
}

#[test]
fn coupled_rigs_match_the_monolithic_solution() {
    let bench = || Box::new(TestBench::step(0.95 * STATIC_FRICTION, 0.1));
    let pulses = TestBench {
        load: Load::Pulses(Pulses::five(0.8 * STATIC_FRICTION)),
    };
    let springs = [
        "FrDyn2",
        "Coulomb",
        "BrownMcPhee",
        "Dahl",
        "LuGre",
        "AdamsStickSlip",
    ];
    // Allowed on the bench is a twentieth of the deflection at F_s; a static model moves much
    // farther in the same time.
    let rigs: [Coupled; 8] = [
        (
            bench(),
            Friction::BENCH,
            &[
                "FrDyn2",
                "SimpackStickSlip",
                "AdamsStickSlip",
                "LuGre",
                "Dahl",
            ],
            0.3,
            6e-8,
        ),
        (
            bench(),
            Friction::BENCH,
            &["StaticRegularized", "BrownMcPhee"],
            0.3,
            1e-6,
        ),
        (
            Box::new(pulses),
            Friction::BENCH,
            &["FrDyn2", "SimpackStickSlip", "AdamsStickSlip", "LuGre"],
            1.2,
            1e-7,
        ),
        (
            Box::new(Festoon::default()),
            Friction::TROLLEY,
            &["FrDyn2", "StaticRegularized"],
            3.0,
            1e-3,
        ),
        (
            Box::new(BlockOnSpring::default()),
            Friction::SPRING,
            &springs,
            3.0,
            1e-3,
        ),
        (
            Box::new(RollerOnSpring::default()),
            Friction::SPRING,
            &springs,
            3.0,
            1e-3,
        ),
        (
            Box::new(Oscillator {
                base: Base::Harmonic(5.0),
            }),
            Friction::OSCILLATOR,
            &["FrDyn2", "StaticRegularized", "Dahl", "LuGre"],
            0.5,
            1e-3,
        ),
        (
            Box::new(BlockUnderForce::new(1.5 * Friction::SPRING.mu_s * G)),
            Friction::SPRING,
            &["FrDyn2", "ModelicaFriction", "Dahl", "LuGre"],
            1.0,
            1e-3,
        ),
    ];
    for (rig, friction, names, end, allowed) in &rigs {
        for name in *names {
            let case = friction.of(name);
            let off = difference(
                &through_the_fmu(&case, &**rig, 1e-4, *end),
                &reference(&case, &**rig, *end),
                0,
            );
            assert!(
                off < *allowed,
                "{name}, {:?}: off by {off:e} m, allowed are {allowed:e} m",
                rig.states()
            );
        }
    }
}
