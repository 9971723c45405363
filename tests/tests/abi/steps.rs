//! `fmi2DoStep`: accepted and refused times, and status queries.

use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::co_simulation::Master;
use bristle_importer::fmi2::{CO_SIMULATION, Status, Text};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::lifecycle::{initialize, instance_in};
use bristle_importer::raw;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::PAPER;
use bristle_tests::tolerances::FORCE;
use core::ffi::CStr;

const CONTACT: Contact = Contact::new(9.81, 5e-3);

#[test]
fn non_positive_step_size_is_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    for h in [0.0, -0.0, -1e-3, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let status = instance.do_step(0.0, h);
        let said = instance.complaint(status);
        assert!(said.contains("communicationStepSize"), "{said}");
        assert_eq!(last_time(&mut instance), 0.0);
    }
    let status = instance.do_step(0.0, 1e-3);
    instance.ok(status);
}

#[test]
fn step_from_another_time_is_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let status = instance.do_step(0.0, 1e-3);
    instance.ok(status);
    for t in [
        0.0,
        0.5e-3,
        2e-3,
        -1e-3,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ] {
        let status = instance.do_step(t, 1e-3);
        let said = instance.complaint(status);
        assert!(said.contains("currentCommunicationPoint"), "{said}");
    }
    let status = instance.do_step(1e-3, 1e-3);
    instance.ok(status);
}

#[test]
fn refused_step_changes_nothing() {
    let fmu = Fmu::packaged("FrDyn2");
    let [mut disturbed, mut alone] = [(); 2].map(|()| Master::with_parameters(&fmu, &PAPER));
    for n in 0..20 {
        let t = f64::from(n) * 1e-3;
        for (t, h) in [(t, 0.0), (t, f64::NAN), (t + 1.0, 1e-3), (f64::NAN, 1e-3)] {
            let status = disturbed.instance.do_step(t, h);
            disturbed.instance.complaint(status);
        }
        let forces =
            [&mut disturbed, &mut alone].map(|element| element.step(CONTACT, t, 1e-3).to_bits());
        assert_eq!(forces[0], forces[1], "step {n}");
    }
}

#[test]
fn step_beyond_the_stop_time_is_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = fmu.instantiate(CO_SIMULATION);
    initialize(&mut instance, None, 0.0, Some(1.0));
    // Ten times 0.1 added up is not 1.
    let mut t = 0.0;
    for _ in 0..9 {
        let status = instance.do_step(t, 0.1);
        instance.ok(status);
        t += 0.1;
    }
    let status = instance.do_step(t, 0.2);
    assert!(instance.complaint(status).contains("stopTime"));
    let status = instance.do_step(t, 0.1 + 1e-15);
    instance.ok(status);
    let status = instance.do_step(t + 0.1, 1e-3);
    assert!(instance.complaint(status).contains("stopTime"));
    let status = instance.terminate();
    instance.ok(status);
}

#[test]
fn drifting_communication_points_are_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    // 0.9 µs late each time: after a thousand steps 0.9 ms of motion would be missing.
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let accepted = (0..1000)
        .take_while(|n| instance.do_step(f64::from(*n) * (1e-3 + 0.9e-6), 1e-3) == Status::OK);
    assert_eq!(accepted.count(), 1);
    let last = instance.take_log().pop().expect("a sentence");
    assert!(last.text.contains("currentCommunicationPoint"), "{last:?}");
    // A thousandth of a very long step is no rounding either.
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let status = instance.do_step(0.0, 1e12);
    instance.ok(status);
    let status = instance.do_step(1e12 + 900.0, 1e12);
    instance.complaint(status);
    let status = instance.do_step(1e12, 1e12);
    instance.ok(status);
}

#[test]
fn communication_points_of_known_masters_are_accepted() {
    let fmu = Fmu::packaged("FrDyn2");
    /// Time and step number n.
    type Master = fn(u32, f64) -> [f64; 2];
    let masters: [Master; 4] = [
        |n, _| [f64::from(n) * 1e-4, 1e-4],
        |n, _| {
            [
                f64::from(n) * 1e-4,
                f64::from(n + 1) * 1e-4 - f64::from(n) * 1e-4,
            ]
        },
        |n, _| [f64::from(n) * 100_000.0 * 1e-9, 100_000.0 * 1e-9],
        |n, t| [t, if n % 100 == 99 { 6.6e-17 } else { 1e-4 }],
    ];
    for (number, master) in masters.into_iter().enumerate() {
        let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
        let mut end = 0.0;
        for n in 0..100_000 {
            let [t, h] = master(n, end);
            let status = instance.do_step(t, h);
            instance.ok(status);
            end = t + h;
        }
        assert!(instance.take_log().is_empty(), "master {number}");
    }
}

#[test]
fn single_precision_time_is_accepted_with_one_warning() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let mut warnings = 0;
    for n in 0..10_000 {
        let t = (f64::from(n) * 1e-3) as f32;
        let status = instance.do_step(f64::from(t), 1e-3);
        instance.ok(status);
        warnings += instance
            .take_log()
            .iter()
            .filter(|entry| entry.category == "logStatusWarning")
            .count();
    }
    assert_eq!(warnings, 1);
}

#[test]
fn running_sum_in_single_precision_is_accepted_with_one_warning() {
    let fmu = Fmu::packaged("FrDyn2");
    for h in [1e-2_f32, 1e-3, 1e-4] {
        let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
        let (mut t, mut warnings) = (0_f32, 0);
        for _ in 0..20_000 {
            let status = instance.do_step(f64::from(t), f64::from(h));
            instance.ok(status);
            t += h;
            warnings += instance
                .take_log()
                .iter()
                .filter(|entry| entry.category == "logStatusWarning")
                .count();
        }
        assert_eq!(warnings, 1, "{h} s");
    }
}

#[test]
fn clock_in_single_precision_is_named_where_it_is_off_by_more_than_its_rounding() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let status = instance.do_step(0.0, 1e-2);
    instance.ok(status);
    let status = instance.do_step(f64::from(0.010_01_f32), 1e-2);
    let said = instance.complaint(status);
    assert!(
        said.contains("single precision") && said.contains("1.0e-5 s away"),
        "{said}"
    );
    // A step that is left out has another cause.
    let status = instance.do_step(0.25, 1e-2);
    assert!(!instance.complaint(status).contains("single precision"));
}

#[test]
fn impossible_experiment_is_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::Instantiated);
    for (tolerance, start, stop) in [
        (Some(0.0), 0.0, None),
        (Some(-1e-6), 0.0, None),
        (Some(f64::NAN), 0.0, None),
        (Some(f64::INFINITY), 0.0, None),
        (None, f64::NAN, None),
        (None, f64::INFINITY, None),
        (None, 0.0, Some(f64::NAN)),
        (None, 1.0, Some(0.5)),
    ] {
        let status = instance.setup_experiment(tolerance, start, stop);
        instance.complaint(status);
    }
    // Undefined arguments are ignored.
    instance.ok(raw!(
        instance,
        setup_experiment,
        0,
        f64::NAN,
        2.5,
        0,
        f64::NAN
    ));
    let status = instance.enter_initialization_mode();
    instance.ok(status);
    let status = instance.exit_initialization_mode();
    instance.ok(status);
    let status = instance.do_step(2.5, 1e-3);
    instance.ok(status);
}

#[test]
fn refused_experiment_changes_nothing() {
    let fmu = Fmu::packaged("FrDyn2");
    let [mut disturbed, mut alone] = [(); 2].map(|()| fmu.instantiate(CO_SIMULATION));
    let status = disturbed.setup_experiment(Some(1e-3), f64::NAN, None);
    disturbed.complaint(status);
    let status = disturbed.setup_experiment(Some(1e-3), 1.0, Some(0.5));
    disturbed.complaint(status);
    let forces = [&mut disturbed, &mut alone].map(|instance| {
        initialize(instance, None, 0.0, None);
        instance.set("F_N", CONTACT.F_N);
        instance.set("v", CONTACT.v);
        let status = instance.do_step(0.0, 1e-3);
        instance.ok(status);
        instance.get("F_R").to_bits()
    });
    assert_eq!(forces[0], forces[1]);
}

#[test]
fn step_to_an_infinite_time_is_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = fmu.instantiate(CO_SIMULATION);
    initialize(&mut instance, None, f64::MAX, None);
    let status = instance.do_step(f64::MAX, 1e300);
    instance.complaint(status);
    assert_eq!(last_time(&mut instance), f64::MAX);
}

#[test]
fn last_successful_time_is_exact() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    instance.set("F_N", CONTACT.F_N);
    instance.set("v", CONTACT.v);
    let mut t = 0.0;
    for h in [1e-3, 1e-12, 0.1, 3e-4, 1.0, 7e-5] {
        let status = instance.do_step(t, h);
        instance.ok(status);
        t += h;
        assert_eq!(last_time(&mut instance), t);
    }
}

#[test]
fn long_step_equals_many_short_ones() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut short = Master::with_parameters(&fmu, &PAPER);
    for n in 0..1000 {
        short.step(CONTACT, f64::from(n) * 1e-3, 1e-3);
    }
    let force = Master::with_parameters(&fmu, &PAPER).step(CONTACT, 0.0, 1.0);
    let difference = (force - short.instance.get("F_R")).abs() / (PAPER.mu_s * CONTACT.F_N);
    assert!(difference <= FORCE, "{difference:e} F_s");
}

#[test]
fn status_queries_report_no_pending_step() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut i = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let status = i.do_step(0.0, 0.25);
    i.ok(status);
    let mut integer = -1;
    i.ok(raw!(i, get_status, 0, &mut integer));
    assert_eq!(Status::from_raw(integer), Status::OK);
    assert_eq!(last_time(&mut i), 0.25);
    i.ok(raw!(i, get_boolean_status, 3, &mut integer));
    assert_eq!(integer, 0, "not terminated");
    let mut text: Text = std::ptr::null();
    i.ok(raw!(i, get_string_status, 1, &mut text));
    // SAFETY: the call above was answered with a string of the library.
    assert_eq!(unsafe { CStr::from_ptr(text) }, c"");

    // A kind of status that the function does not have, or that there is not.
    for kind in [1, 2, 3, 4, -1, i32::MAX] {
        i.complaint(raw!(i, get_status, kind, &mut integer));
    }
    for kind in [0, 1, 3, 4] {
        i.complaint(raw!(i, get_real_status, kind, &mut 0.0));
    }
    for kind in 0..5 {
        i.complaint(raw!(i, get_integer_status, kind, &mut integer));
    }
    for kind in [0, 1, 2, 4] {
        i.complaint(raw!(i, get_boolean_status, kind, &mut integer));
    }
    for kind in [0, 2, 3, 4] {
        i.complaint(raw!(i, get_string_status, kind, &mut text));
    }

    let status = i.terminate();
    i.ok(status);
    i.ok(raw!(i, get_boolean_status, 3, &mut integer));
    assert_eq!(integer, 1, "terminated");
    assert_eq!(last_time(&mut i), 0.25);
}

/// `fmi2LastSuccessfulTime`.
fn last_time(instance: &mut Instance) -> f64 {
    let mut time = f64::NAN;
    let status = instance.get_real_status(2, &mut time);
    instance.ok(status);
    time
}
