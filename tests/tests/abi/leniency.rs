//! Leniency: calls of importers in the field that the standard leaves open or forbids, and that
//! must not end a run.

use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::co_simulation::Master;
use bristle_importer::fmi2::{CO_SIMULATION, MODEL_EXCHANGE};
use bristle_importer::fmu::Fmu;
use bristle_importer::lifecycle::{bring, initialize, instance_in};
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::PAPER;
use bristle_tests::tolerances::ROUNDING;

const SLIDING: Contact = Contact::new(9.81, 0.05);

#[test]
fn variables_are_settable_before_setup_experiment() {
    let fmu = Fmu::packaged("FrDyn2");
    for interface in [CO_SIMULATION, MODEL_EXCHANGE] {
        let mut instance = fmu.instantiate(interface);
        let values = [("mu_s", 0.8), ("mu_d", 0.4), ("F_N", 9.81), ("v", 0.05)];
        for (name, value) in values {
            instance.set(name, value);
        }
        bring(&mut instance, InstanceState::Initialization);
        assert_eq!(values.map(|(name, _)| (name, instance.get(name))), values);
        // v alone is enough for the characteristic to be met at once: w > v_d.
        assert_eq!(instance.get("F_R"), 0.4 * 9.81);
    }
}

#[test]
fn setup_experiment_is_optional() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = fmu.instantiate(CO_SIMULATION);
    let status = instance.enter_initialization_mode();
    instance.ok(status);
    let status = instance.exit_initialization_mode();
    instance.ok(status);
    let status = instance.do_step(0.0, 1e-3);
    instance.ok(status);
}

#[test]
fn outputs_in_initialization_mode_follow_the_inputs() {
    let fmu = Fmu::packaged("FrDyn2");
    for interface in [CO_SIMULATION, MODEL_EXCHANGE] {
        let mut instance = instance_in(&fmu, interface, InstanceState::Initialization);
        assert_eq!(
            (instance.get("F_R"), instance.get_flag("sticking")),
            (0.0, false),
            "an open contact"
        );
        instance.set("F_N", 10.0);
        assert!(instance.get_flag("sticking"));
        instance.set("v", 0.05);
        assert_eq!(
            (instance.get("F_R"), instance.get_flag("sticking")),
            (3.0, false)
        );
        assert_eq!(
            (instance.get("v_slip"), instance.get("P_loss")),
            (0.05, 3.0 * 0.05)
        );
    }
}

#[test]
fn outputs_between_steps_belong_to_the_last_step() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut element = Master::with_parameters(&fmu, &PAPER);
    let force = element.step(SLIDING, 0.0, 1e-3);
    let names = [
        "F_R",
        "v_slip",
        "P_loss",
        "E_loss",
        "z",
        "z_dot",
        "der(z_dot)",
    ];
    let before = names.map(|name| element.instance.get(name).to_bits());
    element.instance.set("v", -0.05);
    element.instance.set("F_N", 20.0);
    assert_eq!(element.instance.get("F_R"), force);
    assert_eq!(
        (element.instance.get("v"), element.instance.get("F_N")),
        (-0.05, 20.0)
    );
    assert_eq!(
        names.map(|name| element.instance.get(name).to_bits()),
        before
    );
}

#[test]
fn inputs_default_to_zero() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    for n in 0..10 {
        let status = instance.do_step(f64::from(n) * 1e-3, 1e-3);
        instance.ok(status);
        assert_eq!(instance.get("F_R"), 0.0);
    }
}

/// Time and step size from the number of the step and the time added up so far.
type Clock = fn(u32, f64) -> (f64, f64);

#[test]
fn rounding_in_communication_points_is_accepted() {
    let fmu = Fmu::packaged("FrDyn2");
    let h = 1e-4;
    let count = 10_000_u32;
    // t = i h with h changed in its last bit; t added up; t off by 1e-10; integer nanoseconds.
    let clocks: [(&str, Clock); 4] = [
        ("i h", |i, _| {
            (
                f64::from(i) * 1e-4,
                f64::from(i + 1) * 1e-4 - f64::from(i) * 1e-4,
            )
        }),
        ("t += h", |_, added| (added, 1e-4)),
        ("1e-10 off", |i, _| {
            (
                f64::from(i) * 1e-4 + if i % 2 == 0 { 1e-10 } else { -1e-10 },
                1e-4,
            )
        }),
        ("ns", |i, _| (f64::from(i * 100_000) / 1e9, 1e-4)),
    ];
    for (name, clock) in clocks {
        let mut element = Master::with_parameters(&fmu, &PAPER);
        let mut added = 0.0;
        let mut force = 0.0;
        for i in 0..count {
            let (t, step) = clock(i, added);
            force = element.step(SLIDING, t, step);
            added += h;
        }
        assert!(
            (force / (0.3 * 9.81) - 1.0).abs() <= ROUNDING,
            "{name}: {force}"
        );
    }
}

#[test]
fn last_step_of_6_6e_17_s_is_accepted() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut element = Master::with_parameters(&fmu, &PAPER);
    let mut t = 0.0;
    let force = element.step(SLIDING, t, 1e-3);
    t += 1e-3;
    // In so short a step only rounding moves.
    for h in [6.6e-17, 1e-18, f64::MIN_POSITIVE, 5e-324] {
        let later = element.step(SLIDING, t, h);
        assert!(
            (later / force - 1.0).abs() <= ROUNDING,
            "{later} for {force} after {h:e} s"
        );
        t += h;
    }
    assert!(element.step(SLIDING, t, 1e-3).is_finite());
}

#[test]
fn terminate_and_free_work_after_an_error() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let status = instance.do_step(0.0, f64::NAN);
    instance.complaint(status);
    let status = instance.terminate();
    instance.ok(status);
    assert!(instance.get("F_R").is_finite());
}

#[test]
fn start_time_may_differ_from_0() {
    let fmu = Fmu::packaged("FrDyn2");
    for start in [-3.0, 1e4, 1e9] {
        let mut instance = fmu.instantiate(CO_SIMULATION);
        initialize(&mut instance, None, start, None);
        instance.set("F_N", 9.81);
        instance.set("v", 0.05);
        let mut t = start;
        for _ in 0..100 {
            let status = instance.do_step(t, 1e-2);
            instance.ok(status);
            t += 1e-2;
        }
        assert!((instance.get("F_R") / (0.3 * 9.81) - 1.0).abs() <= ROUNDING);
    }
}
