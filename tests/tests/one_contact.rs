//! The defaults of every element describe one contact, that of FrDyn2's paper: the table of
//! docs/elements.md. The parameters of each law's own source are a card.

use bristle::catalogue::ELEMENTS;
use bristle_export::card;
use bristle_importer::co_simulation::Master;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::workloads::WEIGHT;
use bristle_reference_laws::{
    AdamsStickSlip, Armstrong, BrownMcPhee, Contact, Coulomb, Dahl, FrDyn2Linear, LawParameters,
    LuGre, ModelicaFriction, NonReversible, PoppStelter, SimpackStickSlip, StaticRegularized,
    Stefanski2003, Stefanski2006, Stribeck,
};
use core::f64::consts::TAU;
use std::path::Path;

const MU_S: f64 = 0.6;
const MU_D: f64 = 0.3;
const SIGMA_0: f64 = 5e6;
/// Acceleration at which the memory terms of Stefański and others, which grow with it, have their
/// whole size at low speeds, m/s².
const JERKED: f64 = 1e3;
/// Error of F_R that a slow ramp in steps leaves, and the part of the memory terms that is left
/// out, over F_N.
const STATIC: f64 = 0.01;

/// Master of an element that has its defaults, with its name.
fn each(mut check: impl FnMut(&str, &mut Master)) {
    for model in ELEMENTS {
        let fmu = Fmu::packaged(model.metadata.name);
        let mut element = Master::start(&fmu, &[]);
        check(model.metadata.name, &mut element);
        let mut log = element.instance.take_log();
        // The velocities are prescribed.
        log.retain(|entry| !["logEvents", "logCoupling"].contains(&&*entry.category));
        assert!(log.is_empty(), "{} says {log:?}", model.metadata.name);
    }
}

fn has(element: &Master, name: &str) -> bool {
    element
        .instance
        .fmu()
        .description
        .variables
        .iter()
        .any(|variable| variable.name == name)
}

/// FrDyn2's coefficient in steady sliding: its characteristic with the shift v_s in the direction
/// of motion.
fn steady(speed: f64) -> f64 {
    let x = (speed / 9e-3).min(1.0);
    MU_S - (MU_S - MU_D) * x * x * (3.0 - 2.0 * x)
}

/// Largest distance of the coefficient in steady sliding from that of FrDyn2 at any speed from 1e-4
/// m/s on, as docs/elements.md has it; None for a law that stands for stick with its range of low
/// speeds, or has no Stribeck effect.
fn distance(name: &str) -> Option<f64> {
    match name {
        "FrDyn2" | "FrDyn2Linear" => Some(1e-6),
        "Stribeck" | "LuGre" => Some(0.017),
        "PoppStelter" => Some(0.080),
        "NonReversible" => Some(0.058),
        "Armstrong" => Some(0.076),
        "ModelicaFriction" => Some(0.009),
        _ => None,
    }
}

/// Checks that the card of a law's source states each of its parameters, with the values of the
/// reference law.
fn has_card<L: LawParameters>(law: &L) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cards/papers");
    let path = folder.join(format!("Paper{}.toml", L::ELEMENT));
    let variant = card::read_file(&path, &ELEMENTS)
        .unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    let text = std::fs::read_to_string(&path).expect("the card");
    for (name, value) in law.parameters() {
        assert!(
            text.contains(&format!("\n{name} = ")),
            "{} does not state {name}",
            path.display()
        );
        assert_eq!(
            variant.find(name).and_then(|variable| variable.start),
            Some(value),
            "{name} of {}",
            L::ELEMENT
        );
    }
    assert_eq!(
        variant.metadata().parameters.len(),
        law.parameters().len(),
        "{}",
        L::ELEMENT
    );
}

#[test]
fn every_source_has_a_card_with_its_parameters() {
    // The parameters of FrDyn2 are those of FrDyn2Linear without its viscous friction.
    assert!(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../cards/papers/PaperFrDyn2.toml")
            .exists()
    );
    has_card(&FrDyn2Linear::paper());
    has_card(&StaticRegularized::paper());
    has_card(&Coulomb::paper());
    has_card(&Stribeck::paper());
    has_card(&BrownMcPhee::paper());
    has_card(&PoppStelter::paper());
    has_card(&NonReversible::paper());
    has_card(&Armstrong::paper());
    has_card(&Dahl::paper());
    has_card(&LuGre::paper());
    has_card(&Stefanski2003::paper());
    has_card(&Stefanski2006::paper());
    has_card(&ModelicaFriction::paper());
    has_card(&SimpackStickSlip::paper());
    has_card(&AdamsStickSlip::paper());
}

#[test]
fn every_element_slides_with_the_dynamic_force() {
    each(|name, element| {
        // A third of a per cent of μ_d for the tail of Popp and Stelter's characteristic.
        let tolerance = if name == "PoppStelter" { 1e-3 } else { 1e-5 };
        for (n, v) in [1.0, -1.0].into_iter().enumerate() {
            let force = (0..100).map(|i| {
                element.step(
                    Contact::new(WEIGHT, v),
                    n as f64 + 0.01 * f64::from(i),
                    0.01,
                )
            });
            let mu = force.last().expect("a step") / WEIGHT * v;
            println!("{name:18} at {v} m/s: {mu}");
            assert!((mu - MU_D).abs() <= tolerance, "{name}: {mu}");
        }
    });
}

#[test]
fn every_element_with_a_static_coefficient_has_the_static_force() {
    each(|name, element| {
        if !has(element, "mu_s") && !has(element, "mu_0") {
            println!("{name:18} has no static coefficient");
            return;
        }
        let (h, mut t, mut peak) = (1e-5, 0.0, 0.0_f64);
        let mut step = |v: f64, a: f64, applied: f64, h: f64| {
            let force = element.step(
                Contact {
                    F_N: WEIGHT,
                    v,
                    a,
                    F_t: applied,
                },
                t,
                h,
            );
            t += h;
            force
        };
        // A long time at rest, for the growth of Armstrong's break-away force.
        step(0.0, 0.0, 0.0, 1e6);
        // A rising force on a body at rest, a slow displacement, a ramp of the velocity; and, for
        // the laws of the acceleration, a jerk.
        for i in 0..10_000 {
            let share = f64::from(i) * 1e-4;
            peak = peak.max(step(0.0, 0.0, share * WEIGHT, h));
        }
        for _ in 0..3000 {
            peak = peak.max(step(1e-5, 0.0, 0.0, 1e-4));
        }
        for i in 0..10_000 {
            peak = peak.max(step(1e-4 + 2e-6 * f64::from(i), 0.0, 0.0, 1e-4));
        }
        for v in [1e-4, 0.1] {
            peak = peak.max(step(v, JERKED, 0.0, h));
        }
        println!("{name:18} {}", peak / WEIGHT);
        assert!(
            (peak / WEIGHT - MU_S).abs() <= STATIC,
            "{name}: {}",
            peak / WEIGHT
        );
    });
}

#[test]
fn every_pre_sliding_has_one_stiffness() {
    let mut found = 0;
    each(|name, element| {
        let is_compliant = name == "Stefanski2006";
        if !is_compliant && !has(element, "z") {
            return;
        }
        let displacement = 1e-9;
        let force = if is_compliant {
            // Its displacement since a reversal is v²/(2|a|).
            element.step(
                Contact {
                    F_N: WEIGHT,
                    v: (2.0 * displacement * JERKED).sqrt(),
                    a: JERKED,
                    F_t: 0.0,
                },
                0.0,
                1e-3,
            )
        } else {
            element.step(Contact::new(WEIGHT, 0.0), 0.0, 1e-3);
            element.step(Contact::new(WEIGHT, displacement / 1e-3), 1e-3, 1e-3);
            element.step(Contact::new(WEIGHT, 0.0), 2e-3, 0.1)
        };
        let stiffness = force / displacement;
        println!("{name:18} {stiffness:e} N/m");
        // The stiffness falls with the force, here 0.2 % of F_c; F_R is within 1e-6 of F_s, a
        // thousandth of this force.
        assert!(
            (stiffness / SIGMA_0 - 1.0).abs() <= 0.01,
            "{name}: {stiffness:e} N/m"
        );
        found += 1;
    });
    assert_eq!(found, 8);
}

#[test]
fn steady_sliding_is_that_of_frdyn2_as_far_as_the_law_permits() {
    each(|name, element| {
        let Some(allowed) = distance(name) else {
            return;
        };
        let (mut worst, mut t) = (0.0_f64, 0.0);
        // Armstrong's force grows with the dwell time of the last stick. Then from fast to slow:
        // ModelicaFriction holds speeds below v_small.
        element.step(Contact::new(WEIGHT, 0.0), t, 1e6);
        t += 1e6;
        for v in (1..=150).rev().map(|n| 1e-4 * f64::from(n)) {
            let force = (0..4).map(|_| {
                t += 0.02;
                element.step(Contact::new(WEIGHT, v), t - 0.02, 0.02)
            });
            worst = worst.max((force.last().expect("a step") / WEIGHT - steady(v)).abs());
        }
        println!("{name:18} {worst:.3}");
        assert!(worst <= allowed, "{name}: {worst}");
    });
}

#[test]
fn chosen_slopes_are_those_of_the_least_distance() {
    // μ over v of both laws, and the largest distance from FrDyn2's over the range of
    // docs/elements.md.
    let worst = |mu: &dyn Fn(f64) -> f64| {
        (1..=150)
            .map(|n| 1e-4 * f64::from(n))
            .map(|v| (mu(v) - steady(v)).abs())
            .fold(0.0, f64::max)
    };
    let popp_stelter = |eta_1: f64| worst(&|v| MU_D + (MU_S - MU_D) / (1.0 + eta_1 * v));
    let non_reversible = |a_u: f64| worst(&|v| MU_D + (MU_S - MU_D) * libm::exp(-a_u * v));
    let stribeck = |v_stribeck: f64| {
        worst(&|v| MU_D + (MU_S - MU_D) * libm::exp(-v * v / (v_stribeck * v_stribeck)))
    };
    for (distance, chosen) in [
        (&popp_stelter as &dyn Fn(f64) -> f64, 320.0),
        (&non_reversible, 190.0),
        (&stribeck, 5e-3),
    ] {
        let (less, more) = (distance(0.95 * chosen), distance(1.05 * chosen));
        assert!(
            distance(chosen) < less && distance(chosen) < more,
            "{chosen}: {less}, {more}"
        );
    }
}

#[test]
fn one_loop_runs_with_every_element() {
    each(|name, element| {
        let (h, mut largest, mut sliding) = (1e-4, 0.0_f64, f64::NAN);
        for i in 0..6000 {
            let t = f64::from(i) * h;
            let [v, a] = [
                0.02 * libm::sin(TAU * 5.0 * t),
                0.02 * TAU * 5.0 * libm::cos(TAU * 5.0 * t),
            ];
            let force = element.step(
                Contact {
                    F_N: WEIGHT,
                    v,
                    a,
                    F_t: 0.0,
                },
                t,
                h,
            );
            largest = largest.max(force.abs());
            if i == 500 {
                sliding = force;
            }
        }
        println!("{name:18} at most {largest:.3} N, {sliding:.3} N at 0.02 m/s");
        // That of SimpackStickSlip is not limited to F_s: where stick ends, at 1.2e-3 m/s, its
        // damper adds sigma_1 v.
        let damping = if name == "SimpackStickSlip" {
            3192.75 * 1.3e-3
        } else {
            0.0
        };
        let allowed = MU_D * WEIGHT * (1.0 - STATIC)..=MU_S * WEIGHT * (1.0 + STATIC) + damping;
        assert!(allowed.contains(&largest), "{name}: {largest} N");
        // These characteristics have still 13 % and 18 % to fall.
        let tolerance = if ["PoppStelter", "BrownMcPhee"].contains(&name) {
            0.2
        } else {
            0.03
        };
        assert!(
            (sliding / (MU_D * WEIGHT) - 1.0).abs() <= tolerance,
            "{name}: {sliding} N"
        );
    });
}
