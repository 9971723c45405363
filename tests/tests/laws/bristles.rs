//! Dahl and LuGre: hysteresis loop, bound of the force, and the drift that \[RS\] reports for both.

use crate::laws::rig::{pulses, push};
use crate::laws::{claims, compared, comparison, symmetry};
use bristle_importer::co_simulation::Master;
use bristle_importer::fmu::Fmu;
use bristle_random::Random;
use bristle_reference_laws::workloads::{WEIGHT, steps};
use bristle_reference_laws::{Contact, Dahl, InputPolynomials, LawParameters, LuGre};
use bristle_tests::tolerances::{CLOSED_LOOP, FORCE, LEFT_BY_PULSES};
use core::f64::consts::TAU;

compared!(dahl:
    Dahl::default(), Dahl::paper(),
    Dahl { alpha: 1.5, ..Dahl::paper() },
    Dahl { alpha: 2.0, sigma_0: 1e5, ..Dahl::paper() },
    Dahl { mu_d: 0.6, sigma_0: 5e6, ..Dahl::paper() },
);
compared!(lugre:
    LuGre::default(), LuGre::paper(),
    LuGre { mu_s: 0.15, sigma_0: 1e5, delta_sigma: 1.0, ..LuGre::paper() },
    LuGre { mu_s: 0.6, mu_d: 0.3, v_Stribeck: 5e-3, sigma_0: 5e6, sigma_1: 3192.75, sigma_2: 0.5, ..LuGre::paper() },
);

/// Below 1, under a constant normal force when inputs move: only there the reference is exact.
#[test]
fn dahl_with_alpha_0_5_reaches_its_limit_and_reverses() {
    let law = Dahl {
        alpha: 0.5,
        ..Dahl::paper()
    };
    comparison::prescribed(&law);
    comparison::random(&law);
    comparison::moving_as(&law, |course| InputPolynomials {
        F_N: [WEIGHT, 0.0, 0.0, 0.0],
        ..course
    });
    symmetry::mirrored(&law);
    claims::restored(&law);
}

/// v and F_R at the communication points of two periods of v = 0.1 sin(2π5t), the fortieth and the
/// one after it.
fn periods<L: LawParameters>(law: &L) -> Vec<[f64; 2]> {
    let fmu = Fmu::packaged(L::ELEMENT);
    let mut element = Master::with_law(&fmu, law);
    let points = steps(8.4, 1e-3).map(|t| {
        let v = 0.1 * libm::sin(TAU * 5.0 * t);
        [v, element.step(Contact::new(WEIGHT, v), t, 1e-3)]
    });
    points.collect::<Vec<_>>().split_off(8000)
}

#[test]
fn hysteresis_loop_closes_after_one_period() {
    fn check<L: LawParameters>(law: &L, mu: f64) {
        let points = periods(law);
        let gaps = (0..200).map(|n| (points[n][1] - points[n + 200][1]).abs() / (mu * WEIGHT));
        let gap = gaps.fold(0.0, f64::max);
        println!("{}: {gap:.1e}", L::ELEMENT);
        assert!(gap <= CLOSED_LOOP, "{gap:e}");
    }
    check(&Dahl::paper(), 0.1);
    check(
        &Dahl {
            alpha: 2.0,
            ..Dahl::paper()
        },
        0.1,
    );
    check(&LuGre::paper(), 0.1);
    check(
        &LuGre {
            mu_s: 0.15,
            sigma_0: 1e5,
            ..LuGre::paper()
        },
        0.15,
    );
}

#[test]
fn force_depends_on_the_direction_of_velocity_change() {
    fn check<L: LawParameters>(law: &L) {
        let points = periods(law);
        // The points n and 100 − n have the same velocity, once while it rises, once while it
        // falls.
        let widest = (1..50)
            .map(|n| points[100 - n][1] - points[n][1])
            .fold(0.0, f64::max);
        println!("{}: {widest} N", L::ELEMENT);
        assert!((points[30][0] / points[70][0] - 1.0).abs() < 1e-9);
        assert!(
            widest > 0.5,
            "coming from the other side, the bristle is bent the other way: {widest} N"
        );
    }
    check(&Dahl::paper());
    check(&LuGre {
        mu_s: 0.15,
        ..LuGre::paper()
    });
}

#[test]
fn dahl_force_is_bounded_by_coulomb_force() {
    let fmu = Fmu::packaged("Dahl");
    for alpha in [0.5, 1.0, 2.0] {
        let mut element = Master::with_law(
            &fmu,
            &Dahl {
                alpha,
                ..Dahl::paper()
            },
        );
        let (mut random, mut t) = (Random::new(5), 0.0);
        for _ in 0..5000 {
            let h = crate::laws::motions::duration(&mut random);
            let contact = crate::laws::motions::contact(&mut random);
            let force = element.step(contact, t, h);
            assert!(
                force.abs() <= 0.1 * contact.F_N.max(0.0),
                "{force} N at {contact:?}"
            );
            t += h;
        }
    }
}

#[test]
fn lugre_steady_force_is_the_stribeck_curve() {
    let fmu = Fmu::packaged("LuGre");
    let mut element = Master::with_law(
        &fmu,
        &LuGre {
            mu_s: 0.15,
            sigma_2: 0.4,
            ..LuGre::paper()
        },
    );
    for (t, v) in [0.1, -0.5, 2.0].into_iter().enumerate() {
        let force = element.step(Contact::new(WEIGHT, v), t as f64, 1.0);
        let expected =
            (WEIGHT * (0.1 + 0.05 * libm::exp(-(v / 0.5) * (v / 0.5)))).copysign(v) + 0.4 * v;
        assert!(
            (force - expected).abs() <= FORCE * WEIGHT,
            "{force} N for {expected} N at {v} m/s"
        );
    }
}

#[test]
fn sticking_is_reported_while_the_bristle_takes_half_of_the_motion() {
    for element in ["Dahl", "LuGre"] {
        let fmu = Fmu::packaged(element);
        // So soft that the bristle takes much of the motion.
        let mut element = Master::start(&fmu, &[("sigma_0", 400.0), ("mu_d", 0.1)]);
        let mut seen = [0; 2];
        for t in steps(1.0, 1e-3) {
            let v = 0.2 * libm::sin(TAU * 5.0 * t);
            element.step(Contact::new(WEIGHT, v), t, 1e-3);
            let [slip, rate] = ["v_slip", "der(z)"].map(|name| element.instance.get(name));
            assert_eq!(slip, v - rate);
            let sticking = element.instance.get_flag("sticking");
            assert_eq!(
                sticking,
                slip.abs() <= 0.5 * v.abs(),
                "v_slip = {slip} of {v} m/s"
            );
            seen[usize::from(sticking)] += 1;
        }
        assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
        element.step(
            Contact {
                v: 0.0,
                F_N: WEIGHT,
                ..Contact::default()
            },
            1.0,
            1e-3,
        );
        assert!(element.instance.get_flag("sticking"), "at rest");
        element.step(
            Contact {
                v: 0.0,
                F_N: 0.0,
                ..Contact::default()
            },
            1.001,
            1e-3,
        );
        assert!(!element.instance.get_flag("sticking"), "open");
        assert_eq!(element.instance.get("z"), 0.0);
    }
}

#[test]
fn drift_after_five_pulses_is_that_of_the_law() {
    fn check<L: LawParameters>(law: &L, expected: f64) {
        let fmu = Fmu::packaged(L::ELEMENT);
        let mut element = Master::with_law(&fmu, law);
        // Dahl's bristle has no damping: the body continues to oscillate, and the middle of the
        // last 0.05 s counts.
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        push(
            |contact, t, h| element.step(contact, t, h),
            pulses,
            1.1,
            1e-5,
            |sample| {
                if sample.t > 1.05 {
                    (low, high) = (low.min(sample.u), high.max(sample.u));
                }
            },
        );
        let left = 0.5 * (low + high);
        println!(
            "{}: {left:e} m, oscillating by {:e} m",
            L::ELEMENT,
            high - low
        );
        assert!(
            (left - expected).abs() <= LEFT_BY_PULSES,
            "{left:e} m for {expected:e} m"
        );
    }
    check(
        &LuGre {
            mu_s: 0.6,
            mu_d: 0.3,
            v_Stribeck: 5e-3,
            sigma_0: 5e6,
            sigma_1: 3192.75,
            ..LuGre::paper()
        },
        6.3e-6,
    );
    check(
        &Dahl {
            mu_d: 0.6,
            sigma_0: 5e6,
            ..Dahl::paper()
        },
        15.6e-6,
    );
}
