//! Warnings of the coupling with `m_eff`, and the coupling that finds mass and scheme by itself.

use bristle_importer::fmi2::CO_SIMULATION;
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_rigs::test_bench::G;
use bristle_tests::cards::stock;
use bristle_tests::tolerances::{HELD_FALLBACK, IDENTIFIED_MASS, MONITORED_WORK};

const SERIAL: i32 = 1;
const PARALLEL: i32 = 2;
const HELD: i32 = 3;
const AUTO: i32 = 4;
/// Static friction force at F_N = 9.81 N and mu_s = 0.6, N.
const STATIC_FORCE: f64 = 0.6 * G;

/// A body of 1 kg on a grounded spring, with one element.
struct Rig {
    /// Stiffness of the spring, N/m.
    spring: f64,
    /// Amplitude of the load, N, at 2 Hz.
    load: f64,
    h: f64,
    /// Number of steps by which the master applies the force late.
    delay: usize,
    /// Noise on v, m/s.
    noise: f64,
}

/// Result of a run.
struct Outcome {
    warnings: Vec<String>,
    /// E_loss and E_loss_error at the end.
    reported: [f64; 2],
    /// Work of the applied force, J.
    work: f64,
    /// Largest |F_R| over F_s in the second half.
    late_peak: f64,
}

fn start<'a>(fmu: &'a Fmu, coupling: i32, parameters: &[(&str, f64)]) -> Instance<'a> {
    let mut instance = fmu.instantiate(CO_SIMULATION);
    parameters.iter().for_each(|(name, value)| instance.set(name, *value));
    instance.set_whole("coupling", coupling);
    let status = instance.enter_initialization_mode();
    instance.ok(status);
    let status = instance.exit_initialization_mode();
    instance.ok(status);
    instance
}

impl Rig {
    fn run(&self, instance: &mut Instance, end: f64) -> Outcome {
        let Rig { spring, load, h, delay, noise } = *self;
        let [mut x, mut v, mut work, mut late_peak] = [0.0_f64; 4];
        let mut forces = vec![0.0; delay];
        let mut random = bristle_random::Random::new(1);
        let count = (end / h).round() as usize;
        for i in 0..count {
            let t = h * i as f64;
            instance.set("F_N", G);
            instance.set("v", v + noise * random.between(-1.0, 1.0));
            let status = instance.do_step(t, h);
            instance.ok(status);
            let force = instance.get("F_R");
            if 2 * i > count {
                late_peak = late_peak.max(force.abs() / STATIC_FORCE);
            }
            forces.push(force);
            let used = forces.remove(0);
            // The spring acts within the step, in short steps.
            let before = x;
            for k in 0..50 {
                let dt = h / 50.0;
                let t = t + dt * (f64::from(k) + 0.5);
                v += dt * (load * libm::sin(core::f64::consts::TAU * 2.0 * t) - spring * x - used);
                x += dt * v;
            }
            work += used * (x - before);
        }
        let log = instance.take_log();
        let warnings = log.into_iter().filter(|entry| entry.category == "logCoupling").map(|entry| entry.text);
        let reported = [instance.get("E_loss"), instance.get("E_loss_error")];
        Outcome { warnings: warnings.collect(), reported, work, late_peak }
    }
}

#[test]
fn a_good_coupling_is_not_reported_and_its_loss_is_the_work_of_the_applied_force() {
    for name in ["FrDyn2", "FrDyn2Linear", "SimpackStickSlip", "AdamsStickSlip"] {
        let fmu = stock(name);
        for (coupling, delay) in [(SERIAL, 0), (PARALLEL, 1)] {
            for h in [1e-4, 1e-3] {
                let mut instance = start(&fmu, coupling, &[("m_eff", 1.0)]);
                let rig = Rig { spring: 0.0, load: 1.5 * STATIC_FORCE, h, delay, noise: 0.0 };
                let Outcome { warnings, reported: [loss, error], work, .. } = rig.run(&mut instance, 1.0);
                assert!(warnings.is_empty(), "{name}, coupling {coupling}, {h} s: {warnings:?}");
                assert!(error.abs() < MONITORED_WORK, "{name}, coupling {coupling}, {h} s: {error}");
                assert!(
                    (loss / work - 1.0).abs() < MONITORED_WORK,
                    "{name}, coupling {coupling}, {h} s: {loss} J, {work} J"
                );
            }
        }
    }
}

#[test]
fn elastic_bodies_and_wrong_orders_are_reported_once_with_the_remedy() {
    let fmu = stock("FrDyn2");
    // c H²/m = 1 in series.
    let mut instance = start(&fmu, SERIAL, &[("m_eff", 1.0)]);
    let elastic = Rig { spring: 4e4, load: 20.0 * STATIC_FORCE, h: 5e-3, delay: 0, noise: 0.0 };
    let warnings = elastic.run(&mut instance, 2.0).warnings;
    assert!(warnings.len() == 1 && warnings[0].contains("elastic within a step"), "{warnings:?}");
    for (coupling, delay, named) in
        [(PARALLEL, 0, "set coupling to serial"), (SERIAL, 1, "set coupling to parallel"), (PARALLEL, 2, "no setting")]
    {
        for h in [1e-4, 1e-3] {
            let mut instance = start(&fmu, coupling, &[("m_eff", 1.0)]);
            let rig = Rig { spring: 0.0, load: 0.8 * STATIC_FORCE, h, delay, noise: 0.0 };
            let warnings = rig.run(&mut instance, 1.0).warnings;
            // An oscillation that alternates from step to step does not determine the order; the text says to check it.
            let text = warnings.first().map_or("", String::as_str);
            let is_named = [named, "check the order", "Check the order"].iter().any(|part| text.contains(part));
            assert!(warnings.len() == 1 && is_named, "coupling {coupling}, {delay}, {h} s: {warnings:?}");
        }
    }
}

#[test]
fn a_mass_that_is_wrong_by_a_large_factor_is_learnt() {
    let fmu = stock("FrDyn2");
    for (coupling, delay) in [(SERIAL, 0), (PARALLEL, 1)] {
        for ratio in [3.0, 10.0, 30.0, 60.0] {
            let mut instance = start(&fmu, coupling, &[("m_eff", ratio)]);
            let rig = Rig { spring: 0.0, load: 0.5 * STATIC_FORCE, h: 1e-3, delay, noise: 0.0 };
            let Outcome { warnings, late_peak, .. } = rig.run(&mut instance, 1.0);
            assert_eq!(warnings.len(), 1, "coupling {coupling}, {ratio}: {warnings:?}");
            let mass = warnings[0].split("effective mass of ").nth(1).and_then(|rest| rest.split(' ').next());
            let mass: f64 = mass.and_then(|mass| mass.parse().ok()).unwrap_or(f64::NAN);
            assert!((mass - 1.0).abs() < IDENTIFIED_MASS, "coupling {coupling}, {ratio}: {warnings:?}");
            assert!(late_peak < 1.0, "coupling {coupling}, {ratio}: {late_peak} F_s");
        }
    }
}

#[test]
fn automatic_coupling_holds_a_body_in_stick_and_leaves_prescribed_motions_alone() {
    let fmu = stock("FrDyn2");
    for delay in [0, 1] {
        for (h, probe, noise) in
            [(1e-4, 0.01, 0.0), (1e-3, 0.0, 0.0), (1e-3, 0.01, 0.0), (1e-3, 0.01, 1e-7), (5e-3, 0.0, 0.0)]
        {
            let mut instance = start(&fmu, AUTO, &[("probe", probe)]);
            let rig = Rig { spring: 0.0, load: 0.5 * STATIC_FORCE, h, delay, noise };
            let Outcome { late_peak, .. } = rig.run(&mut instance, 2.0);
            assert!(late_peak < 0.6, "delay {delay}, {h} s, probe {probe}, noise {noise}: {late_peak} F_s");
        }
    }
    // The velocity is prescribed: the force is the law's own.
    let mut automatic = start(&fmu, AUTO, &[]);
    let mut held = start(&fmu, 3, &[]);
    for i in 0..2000 {
        let t = 1e-3 * f64::from(i);
        let v = 0.02 * libm::sin(15.0 * t) + 1e-3 * libm::sin(170.0 * t);
        let forces = [&mut automatic, &mut held].map(|instance| {
            instance.set("F_N", G);
            instance.set("v", v);
            let status = instance.do_step(t, 1e-3);
            instance.ok(status);
            instance.get("F_R")
        });
        assert_eq!(forces[0].to_bits(), forces[1].to_bits(), "{t} s");
    }
    let log = automatic.take_log();
    assert!(!log.iter().any(|entry| entry.category == "logCoupling"), "{log:?}");
}

#[test]
fn automatic_coupling_stays_held_where_the_step_is_short() {
    let fmu = stock("FrDyn2");
    // 1 kg is stable with held values up to 4.6e-4 s in series and 2.1e-4 s in parallel.
    for (delay, h, is_held) in
        [(0, 1e-4, true), (0, 4e-4, true), (0, 6e-4, false), (1, 8e-5, true), (1, 1.5e-4, true), (1, 3e-4, false)]
    {
        let mut instance = start(&fmu, AUTO, &[("probe", 0.01)]);
        let rig = Rig { spring: 0.0, load: 0.5 * STATIC_FORCE, h, delay, noise: 0.0 };
        let Outcome { warnings, late_peak, .. } = rig.run(&mut instance, 0.5);
        assert!(late_peak < 0.51, "delay {delay}, {h} s: {late_peak} F_s");
        assert_eq!(warnings, [] as [String; 0], "delay {delay}, {h} s");
        let is_own = instance.get("F_R") == instance.get("F_law");
        assert_eq!(is_own, is_held, "delay {delay}, {h} s");
    }
}

#[test]
fn swings_of_an_automatic_coupling_before_the_mass_is_found_are_reported() {
    let fmu = stock("FrDyn2");
    for delay in [0, 1] {
        let mut instance = start(&fmu, AUTO, &[("probe", 0.01)]);
        let rig = Rig { spring: 0.0, load: 0.8 * STATIC_FORCE, h: 1e-2, delay, noise: 0.0 };
        let warnings = rig.run(&mut instance, 1.0).warnings;
        assert!(warnings.len() == 1 && warnings[0].contains("until then F_R jumped"), "delay {delay}: {warnings:?}");
    }
}

#[test]
fn held_values_of_an_automatic_coupling_that_fail_are_reported() {
    let fmu = stock("FrDyn2");
    // On this spring neither order shows a mass at once, and the body chatters.
    let mut instance = start(&fmu, AUTO, &[]);
    let rig = Rig { spring: 1e5, load: 6.0 * STATIC_FORCE, h: 1e-2, delay: 1, noise: 0.0 };
    let warnings = rig.run(&mut instance, 2.0).warnings;
    assert!(warnings.len() == 1 && warnings[0].contains("coupling = auto h"), "{warnings:?}");
}

/// Steps a body of 1 kg in a serial coupling from its state at time `t` (s), and returns the bits of the forces.
fn forces(instance: &mut Instance, mut v: f64, first: usize, count: usize) -> Vec<u64> {
    let h = 1e-3;
    let step = |i: usize| {
        let t = h * (first + i) as f64;
        instance.set("F_N", G);
        instance.set("v", v);
        let status = instance.do_step(t, h);
        instance.ok(status);
        let force = instance.get("F_R");
        v += h * (0.5 * STATIC_FORCE * libm::sin(12.0 * t) - force);
        force.to_bits()
    };
    (0..count).map(step).collect()
}

#[test]
fn a_saved_state_carries_the_automatic_coupling() {
    let fmu = Fmu::packaged("FrDyn2");
    for steps in [3, 7, 11, 40] {
        let mut instance = start(&fmu, AUTO, &[("probe", 0.01)]);
        forces(&mut instance, 0.0, 0, steps);
        let mut state = bristle_importer::fmi2::FmuState::NULL;
        let status = instance.get_fmu_state(&mut state);
        instance.ok(status);
        let runs = [(); 2].map(|()| {
            let status = instance.set_fmu_state(state);
            instance.ok(status);
            forces(&mut instance, 1e-5, steps, 30)
        });
        assert_eq!(runs[0], runs[1], "after {steps} steps");
        let status = instance.free_fmu_state(&mut state);
        instance.ok(status);
    }
}

/// Forces over F_s, the time of the last step in which one is not the law's own (s), and warnings of two separate elements on a body of 1 kg
/// in a parallel coupling, over 0.3 s in steps of 1e-4 s.
fn two_elements_on_a_body(fmu: &Fmu, coupling: i32) -> (Vec<[f64; 2]>, f64, Vec<String>) {
    let h = 1e-4;
    let mut elements = [(); 2].map(|()| start(fmu, coupling, &[("m_eff", 0.5)]));
    let (mut v, mut held, mut forces, mut observed) = (0.0, [0.0; 2], Vec::new(), 0.0);
    for i in 0..3000 {
        let t = h * f64::from(i);
        let mut new = [0.0; 2];
        for ((element, force), share) in elements.iter_mut().zip(&mut new).zip([0.55, 0.45]) {
            element.set("F_N", share * G);
            element.set("v", v);
            let status = element.do_step(t, h);
            element.ok(status);
            *force = element.get("F_R");
            if *force != element.get("F_law") {
                observed = t;
            }
        }
        v += h * (0.9 * STATIC_FORCE * libm::sin(12.0 * t) - held[0] - held[1]);
        held = new;
        forces.push([new[0] / (0.55 * STATIC_FORCE), new[1] / (0.45 * STATIC_FORCE)]);
    }
    let warnings = elements.iter().flat_map(|element| element.take_log());
    (forces, observed, warnings.filter(|entry| entry.category == "logCoupling").map(|entry| entry.text).collect())
}

#[test]
fn a_parallel_force_without_an_answer_gives_way_to_held_values() {
    let fmu = stock("FrDyn2");
    let (observed, last, warnings) = two_elements_on_a_body(&fmu, PARALLEL);
    assert!(warnings.iter().any(|text| text.contains("F_R is the law's own force from now on")), "{warnings:?}");
    // Once for all: no observer starts again.
    assert!(0.0 < last && last < 0.02, "{last} s");
    let (held, ..) = two_elements_on_a_body(&fmu, 3);
    for (i, (observed, held)) in observed.iter().zip(&held).enumerate() {
        let difference = observed.iter().zip(held).fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs()));
        assert!(difference < HELD_FALLBACK, "step {i}: {observed:?}, held {held:?}");
    }
}

#[test]
fn a_normal_force_that_is_not_resolved_is_reported() {
    let fmu = Fmu::packaged("FrDyn2");
    for (coupling, delay, rate, is_reported) in
        [(SERIAL, 0, 1200.0, true), (PARALLEL, 1, 1200.0, true), (SERIAL, 0, 60.0, false), (PARALLEL, 1, 60.0, false)]
    {
        let h = 1e-3;
        let mut instance = start(&fmu, coupling, &[("m_eff", 1.0)]);
        let (mut v, mut forces) = (0.0, vec![0.0; delay]);
        for i in 0..1000 {
            let t = h * f64::from(i);
            instance.set("F_N", G * (1.0 + 0.5 * libm::sin(rate * t)));
            instance.set("v", v);
            let status = instance.do_step(t, h);
            instance.ok(status);
            forces.push(instance.get("F_R"));
            v += h * (3.0 * STATIC_FORCE * libm::sin(12.0 * t) - forces.remove(0));
        }
        let log = instance.take_log();
        let found = log.iter().any(|entry| entry.text.contains("F_N is not resolved"));
        assert_eq!(found, is_reported, "coupling {coupling}, {rate} 1/s: {log:?}");
    }
}

#[test]
fn automatic_coupling_says_that_a_master_is_two_steps_late() {
    let fmu = stock("FrDyn2");
    let mut instance = start(&fmu, AUTO, &[]);
    let rig = Rig { spring: 0.0, load: 1.5 * STATIC_FORCE, h: 1e-4, delay: 2, noise: 0.0 };
    let Outcome { warnings, .. } = rig.run(&mut instance, 1.0);
    let late =
        warnings.iter().filter(|text| text.contains("the second step after that, for which there is no setting"));
    assert_eq!(late.count(), 1, "{warnings:?}");
}

#[test]
fn first_step_too_short_to_observe_a_body_has_the_bits_of_the_law() {
    let fmu = Fmu::packaged("LuGre");
    let force = |coupling: i32, m_eff: f64, h: f64| {
        let mut instance = start(&fmu, coupling, &[("m_eff", m_eff), ("z", 2e-5)]);
        instance.set("F_N", G);
        instance.set("v", 0.1);
        let status = instance.do_step(0.0, h);
        instance.ok(status);
        instance.get("F_R").to_bits()
    };
    for (coupling, m_eff) in [(SERIAL, 1.0), (PARALLEL, 1.0), (AUTO, 0.0)] {
        assert_eq!(force(coupling, m_eff, 1e-13), force(HELD, 0.0, 1e-13), "{coupling}");
    }
    assert_ne!(force(SERIAL, 1.0, 1e-3), force(HELD, 0.0, 1e-3));
}

#[test]
fn test_signal_is_left_out_of_a_step_that_begins_with_an_open_contact() {
    let fmu = Fmu::packaged("FrDyn2");
    let normal = fmu.description.reference("F_N");
    let force = |probe: f64, normal_force: f64| {
        let mut instance = start(&fmu, AUTO, &[("probe", probe)]);
        instance.set("F_N", normal_force);
        instance.set("v", 0.0);
        let status = instance.set_real_input_derivatives(&[normal], &[1], &[2e4]);
        instance.ok(status);
        let status = instance.do_step(0.0, 1e-3);
        instance.ok(status);
        assert!(instance.get_flag("sticking"));
        instance.get("F_R")
    };
    assert_eq!(force(0.05, -10.0), force(0.0, -10.0));
    assert!((force(0.05, 10.0) - force(0.0, 10.0)).abs() > 0.01 * STATIC_FORCE);
}

#[test]
fn error_of_the_work_with_held_values_stays_while_the_contact_is_open() {
    let fmu = stock("FrDyn2");
    let mut instance = start(&fmu, AUTO, &[]);
    let errors: Vec<f64> = [(G, 0.1), (G, 0.1), (G, 0.1), (G, -0.1), (G, -0.1), (0.0, -0.1), (0.0, -0.1), (0.0, -0.1)]
        .into_iter()
        .enumerate()
        .map(|(step, (normal_force, v))| {
            instance.set("F_N", normal_force);
            instance.set("v", v);
            let status = instance.do_step(0.1 * step as f64, 0.1);
            instance.ok(status);
            instance.get("E_loss_error")
        })
        .collect();
    println!("{errors:?}");
    assert!(errors[7].abs() > 0.1, "{errors:?}");
}

#[test]
fn automatic_coupling_to_a_body_that_becomes_lighter_does_not_ask_for_m_eff() {
    let fmu = Fmu::packaged("FrDyn2");
    let (mut instance, mut v, h) = (start(&fmu, AUTO, &[]), 0.0, 1e-3);
    for step in 0..4000 {
        let (t, mass) = (h * f64::from(step), if step < 2000 { 1.0 } else { 0.3 });
        instance.set("F_N", G);
        instance.set("v", v);
        let status = instance.do_step(t, h);
        instance.ok(status);
        v += h / mass * (1.2 * STATIC_FORCE * libm::sin(core::f64::consts::TAU * 2.0 * t) - instance.get("F_R"));
    }
    let log = instance.take_log();
    assert!(log.iter().all(|entry| !entry.text.contains("set m_eff to that")), "{log:?}");
}
