//! Chatter without `m_eff`: one warning where held values chatter, none over the papers' rigs and real stick–slip.

use bristle_importer::fmi2::{CO_SIMULATION, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::logger::Entry;
use bristle_rigs::Rig;
use bristle_rigs::block_on_spring::BlockOnSpring;
use bristle_rigs::festoon::Festoon;
use bristle_rigs::oscillator::{Base, Oscillator};
use bristle_rigs::test_bench::{G, Load, Pulses, StepLoad, TestBench};

/// The elements that have m_eff, and so the warning.
const COUPLED: [&str; 6] = ["FrDyn2", "FrDyn2Linear", "Dahl", "LuGre", "SimpackStickSlip", "AdamsStickSlip"];
/// F_s of FrDyn2 by default at F_N = 9.81 N, N.
const STATIC_FORCE: f64 = 0.6 * G;

fn initialised(fmu: &Fmu) -> Instance<'_> {
    let mut instance = fmu.instantiate(CO_SIMULATION);
    let status = instance.enter_initialization_mode();
    instance.ok(status);
    let status = instance.exit_initialization_mode();
    instance.ok(status);
    instance
}

fn step(instance: &mut Instance, normal_force: f64, v: f64, t: f64, h: f64) -> f64 {
    instance.set("F_N", normal_force);
    instance.set("v", v);
    let status = instance.do_step(t, h);
    assert!(status <= Status::Warning, "{:?}", instance.take_log());
    instance.get("F_R")
}

/// Warnings of the coupling.
fn warnings(instance: &Instance) -> Vec<Entry> {
    instance.take_log().into_iter().filter(|entry| entry.category == "logCoupling").collect()
}

/// Warnings of a run of a body (kg) under a load (N) over time (s) in `count` steps of `h` (s).
fn warnings_of_body(
    fmu: &Fmu,
    mass: f64,
    load: impl Fn(f64) -> f64,
    is_serial: bool,
    h: f64,
    count: u32,
) -> Vec<Entry> {
    let mut instance = initialised(fmu);
    let [mut v, mut held] = [0.0; 2];
    for i in 0..count {
        let t = h * f64::from(i);
        let new = step(&mut instance, G, v, t, h);
        let used = if is_serial { new } else { held };
        v += h * (0.5 * (load(t) + load(t + h)) - used) / mass;
        held = new;
    }
    warnings(&instance)
}

#[test]
fn held_values_above_the_limit_are_reported_once() {
    // SimpackStickSlip slips sooner, and is not reported in all of these runs.
    for name in ["FrDyn2", "FrDyn2Linear"] {
        let fmu = Fmu::packaged(name);
        // Limits in parallel and in series, s.
        for (mass, limits) in [(0.1, [2.5e-5, 5e-5]), (1.0, [2.1e-4, 4.7e-4]), (10.0, [5.2e-4, 2.2e-3])] {
            for (limit, is_serial) in limits.into_iter().zip([false, true]) {
                // A period takes some ten steps, and the contact slips before six masses agree.
                if mass == 10.0 && !is_serial {
                    continue;
                }
                for ratio in [1.5, 2.0, 4.0] {
                    for share in [0.1, 0.5, 0.9] {
                        let load = |t: f64| StepLoad { force: share * 0.3 * G, duration: 0.1 }.at(t);
                        let h = ratio * limit;
                        let log = warnings_of_body(&fmu, mass, load, is_serial, h, 3000);
                        let what = format!("{name}, {mass} kg, {ratio} times the limit, serial: {is_serial}, {share}");
                        assert_eq!(log.len(), 1, "{what}: {log:?}");
                        let text = &log[0].text;
                        assert!(text.contains(&format!("H = {h:.3e} s exceeds")), "{what}: {text}");
                        let seen = text.split("effective mass of ").nth(1).and_then(|rest| rest.split(' ').next());
                        let seen: f64 = seen.and_then(|seen| seen.parse().ok()).expect("the text names a mass");
                        assert!((seen / mass - 1.0).abs() < 0.15, "{what}: {text}");
                    }
                }
            }
        }
    }
}

#[test]
fn held_values_below_the_limit_are_not_reported() {
    // AdamsStickSlip has a stiffer contact by default, and lower limits.
    for name in COUPLED.into_iter().filter(|name| *name != "AdamsStickSlip") {
        let fmu = Fmu::packaged(name);
        for (mass, limits) in [(0.1, [2.5e-5, 5e-5]), (1.0, [2.1e-4, 4.7e-4]), (10.0, [5.2e-4, 2.2e-3])] {
            for (limit, is_serial) in limits.into_iter().zip([false, true]) {
                for (force, frequency) in [(0.9, 0.0), (0.9, 40.0), (1.5, 3.0), (3.0, 150.0)] {
                    let load = |t: f64| {
                        let rise = StepLoad { force: force * STATIC_FORCE, duration: 0.01 }.at(t);
                        rise * libm::cos(core::f64::consts::TAU * frequency * t)
                    };
                    let log = warnings_of_body(&fmu, mass, load, is_serial, 0.7 * limit, 3000);
                    assert!(log.is_empty(), "{name}, {mass} kg, serial: {is_serial}, {force}, {frequency} Hz: {log:?}");
                }
            }
        }
    }
}

/// Steps a rig from 0 to `end` (s) in steps of `h` (s) and asserts that no element reports chatter.
fn assert_silent(name: &str, rig: &dyn Rig, h: f64, end: f64) {
    let fmu = Fmu::packaged(name);
    let mut elements: Vec<_> = (0..rig.contacts()).map(|_| initialised(&fmu)).collect();
    let mut y = rig.start();
    for i in 0..(end / h).round() as u32 {
        let t = h * f64::from(i);
        let mut friction = Vec::new();
        for (k, element) in elements.iter_mut().enumerate() {
            let contact = rig.contact(t, &y, k);
            friction.push(step(element, contact.F_N, contact.v, t, h));
        }
        rig.advance(t, &mut y, h, &friction);
    }
    for element in &elements {
        let log = warnings(element);
        assert!(log.is_empty(), "{name}: {log:?}");
    }
}

#[test]
fn rigs_of_the_papers_and_stick_slip_are_not_reported() {
    for name in COUPLED {
        for duration in [0.1, 1e-2, 1e-3, 1e-4] {
            assert_silent(name, &TestBench::step(0.95 * STATIC_FORCE, duration), 1e-5, 0.3);
        }
        assert_silent(name, &TestBench::step(1.05 * STATIC_FORCE, 1.0), 1e-4, 2.0);
        assert_silent(name, &TestBench { load: Load::Pulses(Pulses::five(0.8 * STATIC_FORCE)) }, 1e-4, 1.0);
        assert_silent(name, &BlockOnSpring::default(), 1e-4, 10.0);
        // Some hundred slips a second.
        assert_silent(name, &BlockOnSpring { stiffness: 1e5, speed: 0.02, ..BlockOnSpring::default() }, 1e-5, 1.0);
        // On a trolley of 0.25 kg AdamsStickSlip chatters with 1e-4 s.
        assert_silent(name, &Festoon::default(), if name == "AdamsStickSlip" { 5e-6 } else { 1e-4 }, 8.0);
        assert_silent(name, &Oscillator { base: Base::CHAOTIC }, 1e-5, 1.0);
    }
}
