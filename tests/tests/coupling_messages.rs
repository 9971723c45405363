//! Messages of the coupling: where it is not stated, and where a body does not follow its observer.

use crate::coupling::{
    COUPLED, PARALLEL, PRESCRIBED, SERIAL, STATIC_FORCE, UNSPECIFIED, start, step,
};
use bristle_importer::instance::Instance;
use bristle_random::Random;
use bristle_rigs::test_bench::G;
use bristle_tests::cards::stock;
use bristle_tests::tolerances::MONITORED_WORK;

/// Longest steps of FrDyn2 with held values on 1 kg, in series and in parallel, s.
const LIMITS: [f64; 2] = [4.6e-4, 2.1e-4];

/// A body with one element, pushed by a force that rises to its share of F_s at once, or swings.
struct Rig {
    mass: f64,
    /// Load over F_s at a time (s).
    load: fn(f64) -> f64,
    h: f64,
    /// Number of steps by which the master applies the force late.
    delay: usize,
}

/// Result of a run.
struct Outcome {
    messages: Vec<String>,
    /// E_loss and E_loss_error at the end.
    reported: [f64; 2],
    /// Work of the applied force, J.
    work: f64,
}

/// Messages of the coupling since the last call.
fn messages(instance: &Instance) -> Vec<String> {
    let log = instance.take_log().into_iter();
    log.filter(|entry| entry.category == "logCoupling")
        .map(|entry| entry.text)
        .collect()
}

impl Rig {
    fn run(&self, instance: &mut Instance, end: f64) -> Outcome {
        let Rig {
            mass,
            load,
            h,
            delay,
        } = *self;
        let (mut v, mut work, mut forces) = (0.0, 0.0, vec![0.0; delay]);
        for i in 0..(end / h).round() as u32 {
            let t = h * f64::from(i);
            forces.push(step(instance, G, v, t, h));
            let used = forces.remove(0);
            let next = v + h * (STATIC_FORCE * load(t + 0.5 * h) - used) / mass;
            work += 0.5 * h * used * (v + next);
            v = next;
        }
        let reported = ["E_loss", "E_loss_error"].map(|name| instance.get(name));
        Outcome {
            messages: messages(instance),
            reported,
            work,
        }
    }
}

#[test]
fn a_good_coupling_is_not_reported_and_its_loss_is_the_work_of_the_applied_force() {
    for name in [
        "FrDyn2",
        "FrDyn2Linear",
        "SimpackStickSlip",
        "AdamsStickSlip",
    ] {
        let fmu = stock(name);
        for (coupling, delay) in [(SERIAL, 0), (PARALLEL, 1)] {
            for h in [1e-4, 1e-3] {
                // A force that is 0 where stick begins is late in a parallel coupling: its work is
                // off by 1.5 %.
                if (name, coupling, h) == ("SimpackStickSlip", PARALLEL, 1e-3) {
                    continue;
                }
                let mut instance = start(&fmu, coupling, &[("m_eff", 1.0)]);
                let rig = Rig {
                    mass: 1.0,
                    load: |t| 1.5 * libm::sin(12.0 * t),
                    h,
                    delay,
                };
                let Outcome {
                    messages,
                    reported: [loss, error],
                    work,
                } = rig.run(&mut instance, 1.0);
                let what = format!("{name}, coupling {coupling}, {h} s");
                assert!(messages.is_empty(), "{what}: {messages:?}");
                assert!(error.abs() < MONITORED_WORK, "{what}: {error}");
                assert!(
                    (loss / work - 1.0).abs() < MONITORED_WORK,
                    "{what}: {loss} J, {work} J"
                );
            }
        }
    }
}

#[test]
fn released_body_with_the_right_mass_is_not_reported() {
    let fmu = stock("FrDyn2");
    for (coupling, delay) in [(SERIAL, 0), (PARALLEL, 1)] {
        for h in [1e-4, 1e-3, 1e-2] {
            let mut instance = start(&fmu, coupling, &[("m_eff", 1.0)]);
            let messages = Rig {
                mass: 1.0,
                load: |_| 1.4,
                h,
                delay,
            }
            .run(&mut instance, 200.0 * h)
            .messages;
            assert!(
                messages.is_empty(),
                "coupling {coupling}, {h} s: {messages:?}"
            );
        }
    }
}

#[test]
fn wrong_order_is_reported_once_with_the_remedy() {
    let fmu = stock("FrDyn2");
    for (coupling, delay, named) in [
        (PARALLEL, 0, "set coupling to serial"),
        (SERIAL, 1, "set coupling to parallel"),
    ] {
        for h in [1e-4, 1e-3] {
            let mut instance = start(&fmu, coupling, &[("m_eff", 1.0)]);
            let rig = Rig {
                mass: 1.0,
                load: |t| 1.2 * libm::sin(12.0 * t),
                h,
                delay,
            };
            let messages = rig.run(&mut instance, 2.0).messages;
            // An oscillation that alternates from step to step does not determine the order.
            let is_named = |text: &String| text.contains(named) || text.contains("check coupling");
            assert!(
                messages.len() == 1 && is_named(&messages[0]),
                "coupling {coupling}, {delay}, {h} s: {messages:?}"
            );
        }
    }
}

#[test]
fn mass_without_the_order_has_no_effect_and_says_so() {
    let fmu = stock("FrDyn2");
    let forces = [(UNSPECIFIED, 1.0), (PRESCRIBED, 0.0)].map(|(coupling, m_eff)| {
        let mut instance = start(&fmu, coupling, &[("m_eff", m_eff)]);
        let force = [1e-3, 2e-3, 1e-3]
            .iter()
            .enumerate()
            .map(|(i, v)| step(&mut instance, G, *v, 1e-5 * i as f64, 1e-5));
        (force.collect::<Vec<_>>(), messages(&instance))
    });
    let [(unspecified, said), (prescribed, silent)] = forces;
    assert_eq!((unspecified, silent), (prescribed, Vec::new()));
    assert!(
        said.len() == 1 && said[0].contains("m_eff = 1 kg is given, and coupling is not"),
        "{said:?}"
    );
}

#[test]
fn unstated_coupling_is_reported_in_the_first_step_that_is_too_long_with_contact_and_motion() {
    let fmu = stock("FrDyn2");
    let [_, limit] = LIMITS;
    for h in [1.1 * limit, 1e-3, 1e-2, 0.1] {
        let mut instance = start(&fmu, UNSPECIFIED, &[]);
        step(&mut instance, G, 0.0, 0.0, h);
        step(&mut instance, 0.0, 0.1, h, h);
        assert_eq!(messages(&instance), [] as [String; 0], "{h} s");
        step(&mut instance, G, 1e-6, 2.0 * h, h);
        let said = messages(&instance);
        assert_eq!(said.len(), 1, "{h} s: {said:?}");
        for part in [
            "coupling is not stated",
            "F_N/g = 1 kg",
            &format!("H = {h:.1e} s"),
            "m_eff",
            "[body]",
            "Model Exchange",
            "prescribed",
        ] {
            assert!(said[0].contains(part), "{part}: {}", said[0]);
        }
        (3..40).for_each(|i| _ = step(&mut instance, G, 0.1, f64::from(i) * h, h));
        assert_eq!(messages(&instance), [] as [String; 0], "{h} s");
    }
    let mut short = start(&fmu, UNSPECIFIED, &[]);
    (0..40).for_each(|i| {
        _ = step(
            &mut short,
            G,
            1e-3 * f64::from(i),
            f64::from(i) * 0.9 * limit,
            0.9 * limit,
        )
    });
    assert_eq!(messages(&short), [] as [String; 0]);
}

#[test]
fn first_push_that_ends_far_away_is_reported_for_every_law() {
    for name in COUPLED {
        let fmu = stock(name);
        for h in [1e-3, 1e-2, 0.1] {
            for load in [|_| 0.85, |t: f64| 0.85 * t.min(1.0)] {
                // The limit of the law's bristle, whose defaults may be soft.
                let mut known = start(&fmu, PRESCRIBED, &[("m_eff", 1.0)]);
                step(&mut known, G, 0.0, 0.0, 1e-6);
                let limit = known.get("H_max");
                let mut instance = start(&fmu, UNSPECIFIED, &[]);
                let messages = Rig {
                    mass: 1.0,
                    load,
                    h,
                    delay: 0,
                }
                .run(&mut instance, 20.0 * h)
                .messages;
                assert_eq!(
                    !messages.is_empty(),
                    h > limit,
                    "{name}, {h} s of {limit} s: {messages:?}"
                );
            }
        }
    }
}

#[test]
fn chatter_of_a_body_lighter_than_its_normal_force_shows_mass_and_order() {
    let fmu = stock("FrDyn2");
    // In steps that are short for a block of 1 kg, whose weight is F_N.
    for (mass, h, delay, order) in [
        (0.05, 1e-4, 0, "serial"),
        (0.05, 5e-5, 1, "parallel"),
        (0.02, 1e-4, 0, "serial"),
    ] {
        for share in [|_| 0.1, |_| 0.3] {
            let mut instance = start(&fmu, UNSPECIFIED, &[]);
            let messages = Rig {
                mass,
                load: share,
                h,
                delay,
            }
            .run(&mut instance, 0.5)
            .messages;
            let seen = messages.first().and_then(|text| {
                text.split("a body of ")
                    .nth(1)?
                    .split(' ')
                    .next()?
                    .parse::<f64>()
                    .ok()
            });
            let is_right = seen.is_some_and(|seen| (seen / mass - 1.0).abs() < 0.15);
            let is_named =
                messages.len() == 1 && messages[0].contains(&format!("a {order} coupling"));
            assert!(
                is_right && is_named,
                "{mass} kg, {h} s, {delay}: {messages:?}"
            );
        }
    }
}

#[test]
fn prescribed_motions_show_no_body() {
    let mut wrong = Vec::new();
    for name in COUPLED {
        let fmu = stock(name);
        for seed in 0..20 {
            for size in [1e-9, 1e-7, 1e-5] {
                let (mut instance, mut random) = (start(&fmu, UNSPECIFIED, &[]), Random::new(seed));
                for i in 0..400 {
                    step(
                        &mut instance,
                        G,
                        size * random.between(-1.0, 1.0),
                        1e-3 * f64::from(i),
                        1e-3,
                    );
                }
                // The message about a coupling that is not stated is no finding.
                if messages(&instance)
                    .iter()
                    .any(|text| text.contains("the motion shows a body"))
                {
                    wrong.push(format!("{name}, noise of {size} m/s, seed {seed}"));
                }
            }
        }
        for frequency in [1.0, 30.0, 170.0, 450.0] {
            let mut instance = start(&fmu, UNSPECIFIED, &[]);
            for i in 0..2000 {
                let t = 1e-3 * f64::from(i);
                step(
                    &mut instance,
                    G,
                    0.02 * libm::sin(core::f64::consts::TAU * frequency * t),
                    t,
                    1e-3,
                );
            }
            if messages(&instance)
                .iter()
                .any(|text| text.contains("the motion shows a body"))
            {
                wrong.push(format!("{name}, {frequency} Hz"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn prescribed_coupling_is_silent() {
    let (fmu, mut random) = (stock("FrDyn2"), Random::new(1));
    let mut instance = start(&fmu, PRESCRIBED, &[]);
    (0..400).for_each(|i| {
        _ = step(
            &mut instance,
            G,
            random.between(-1.0, 1.0),
            0.1 * f64::from(i),
            0.1,
        )
    });
    assert_eq!(messages(&instance), [] as [String; 0]);
}

#[test]
fn a_normal_force_that_is_not_resolved_is_reported() {
    let fmu = stock("FrDyn2");
    for (coupling, delay, rate, is_reported) in [
        (SERIAL, 0, 1200.0, true),
        (PARALLEL, 1, 1200.0, true),
        (SERIAL, 0, 60.0, false),
        (PARALLEL, 1, 60.0, false),
    ] {
        let h = 1e-3;
        let mut instance = start(&fmu, coupling, &[("m_eff", 1.0)]);
        let (mut v, mut forces) = (0.0, vec![0.0; delay]);
        for i in 0..1000 {
            let t = h * f64::from(i);
            forces.push(step(
                &mut instance,
                G * (1.0 + 0.5 * libm::sin(rate * t)),
                v,
                t,
                h,
            ));
            v += h * (3.0 * STATIC_FORCE * libm::sin(12.0 * t) - forces.remove(0));
        }
        let log = messages(&instance);
        let found = log.iter().any(|text| text.contains("F_N is not resolved"));
        assert_eq!(
            found, is_reported,
            "coupling {coupling}, {rate} 1/s: {log:?}"
        );
    }
}

#[test]
fn first_step_too_short_to_observe_a_body_has_the_bits_of_the_law() {
    let fmu = stock("LuGre");
    let force = |coupling: i32, m_eff: f64, h: f64| {
        let mut instance = start(&fmu, coupling, &[("m_eff", m_eff), ("z", 2e-5)]);
        step(&mut instance, G, 0.1, 0.0, h).to_bits()
    };
    for coupling in [SERIAL, PARALLEL] {
        assert_eq!(
            force(coupling, 1.0, 1e-13),
            force(PRESCRIBED, 0.0, 1e-13),
            "{coupling}"
        );
    }
    assert_ne!(force(SERIAL, 1.0, 1e-3), force(PRESCRIBED, 0.0, 1e-3));
}
