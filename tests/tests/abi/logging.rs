//! Logging: messages, categories and their selection.

use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::co_simulation::Master;
use bristle_importer::fmi2::{
    CO_SIMULATION, Callbacks, Environment, FmuState, Logger, MODEL_EXCHANGE, RawStatus, Status,
    Text,
};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::{Instance, Options};
use bristle_importer::lifecycle::{bring, initialize, instance_in};
use bristle_importer::raw;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::PAPER;
use core::ffi::CStr;
use std::ffi::CString;
use std::mem::transmute;
use std::ptr::null;
use std::sync::Mutex;

/// Steady deflection of the paper's bristle under 1 kN at 5 mm/s, m.
const AT_REST: f64 = 8.974857075543632e-5;

/// Message as an importer that does not format receives it.
static RAW: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// A logger that takes no further arguments.
type Unformatted = extern "C" fn(Environment, Text, RawStatus, Text, Text);

/// Logger that keeps the format string itself.
extern "C" fn unformatted(_: Environment, _: Text, _: RawStatus, _: Text, message: Text) {
    // SAFETY: an FMU passes a C string.
    let message = unsafe { CStr::from_ptr(message) }
        .to_string_lossy()
        .into_owned();
    RAW.lock().expect("no test panics in here").push(message);
}

#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))] // where a variadic call finds its named arguments alike
fn log_messages_escape_percent_and_hash() {
    let fmu = Fmu::packaged("FrDyn2");
    // SAFETY: on this platform named arguments are passed alike with and without further ones.
    let logger = unsafe { transmute::<Unformatted, Logger>(unformatted) };
    let callbacks = Callbacks {
        logger: Some(logger),
        allocate_memory: None,
        free_memory: None,
        step_finished: None,
        component_environment: std::ptr::null_mut(),
    };
    // SAFETY: strings and callbacks live through the call.
    let component = unsafe {
        (fmu.functions.instantiate)(
            c"raw".as_ptr(),
            CO_SIMULATION,
            c"50 %s of #r1#\n".as_ptr(),
            null(),
            &callbacks,
            0,
            1,
        )
    };
    assert!(component.is_null());
    let messages = std::mem::take(&mut *RAW.lock().expect("no test panics in here"));
    let [message] = &messages[..] else {
        panic!("{messages:?}")
    };
    assert!(message.contains("50 %%s of ##r1##"), "{message}");
    assert!(!message.ends_with('\n'), "{message}");
}

#[test]
fn formatted_log_messages_are_the_original_text() {
    let fmu = Fmu::packaged("FrDyn2");
    let options = Options {
        guid: CString::from(c"%s %n %d 100 %"),
        ..Options::of(&fmu)
    };
    let refused = fmu.try_instantiate(&options).expect_err("a wrong GUID");
    assert!(
        refused.log[0].text.contains("\"%s %n %d 100 %\""),
        "{}",
        refused.log[0].text
    );
}

/// Categories of the messages of a short simulation with one mistake.
fn categories(instance: &mut Instance) -> Vec<String> {
    let status = instance.reset();
    assert_eq!(status, Status::OK);
    initialize(instance, None, 0.0, None);
    let status = instance.do_step(0.0, -1.0);
    assert_eq!(status, Status::Error);
    instance
        .take_log()
        .into_iter()
        .map(|entry| entry.category)
        .collect()
}

#[test]
fn log_categories_select_events_and_errors_are_always_logged() {
    let fmu = Fmu::packaged("FrDyn2");
    let has_events =
        |categories: &[String]| categories.iter().any(|category| category == "logEvents");
    let errors = |categories: &[String]| {
        categories
            .iter()
            .filter(|category| *category == "logStatusError")
            .count()
    };
    for logging_on in [false, true] {
        let options = Options {
            logging_on,
            ..Options::of(&fmu)
        };
        let mut instance = fmu.try_instantiate(&options).expect("an instance");
        let said = categories(&mut instance);
        assert_eq!(
            (has_events(&said), errors(&said)),
            (logging_on, 1),
            "{said:?}"
        );
        for (on, selected, events) in [
            (true, &[][..], true),
            (false, &[], false),
            (true, &[c"logStatusError"], false),
            (true, &[c"logEvents"], true),
            (false, &[c"logEvents"], false),
            (true, &[c"logStatusWarning", c"logEvents"], true),
            (true, &[c"logAll"], true),
            (false, &[c"logAll"], false),
        ] {
            let status = instance.set_debug_logging(on, selected);
            instance.ok(status);
            let said = categories(&mut instance);
            assert_eq!(
                (has_events(&said), errors(&said)),
                (events, 1),
                "{on}, {selected:?}: {said:?}"
            );
        }
    }
}

#[test]
fn declared_log_categories_alone_are_selectable() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::Instantiated);
    assert!(!fmu.description.log_categories.is_empty());
    for category in &fmu.description.log_categories {
        let category = CString::new(&**category).expect("no NUL in it");
        let status = instance.set_debug_logging(true, &[&category]);
        instance.ok(status);
    }
    for category in [c"", c"logEverything", c"logevents", c"logEvents "] {
        let status = instance.set_debug_logging(true, &[c"logEvents", category]);
        let said = instance.complaint(status);
        assert!(said.contains("LogCategories"), "{said}");
    }
    let status = raw!(instance, set_debug_logging, 1, 1, &null());
    instance.complaint(status);
}

#[test]
fn declared_log_categories_alone_are_used() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = fmu.instantiate(CO_SIMULATION);
    initialize(&mut instance, None, 0.0, None);
    instance.set("F_N", 100.0);
    for (t, h) in [(0.0, 1e-3), (0.0, f64::NAN)] {
        let _ = instance.do_step(t, h);
    }
    let log = instance.take_log();
    assert!(log.len() > 3, "{log:#?}");
    for entry in log {
        assert!(
            fmu.description.log_categories.contains(&entry.category),
            "{entry:?}"
        );
        assert!(
            !entry.text.is_empty() && !entry.text.ends_with('\n') && !entry.text.contains('\n'),
            "{entry:?}"
        );
    }
}

#[test]
fn inaccurate_result_returns_warning_and_is_logged_once() {
    // Steady sliding on the falling branch is an unstable equilibrium.
    let fmu = Fmu::packaged("FrDyn2");
    let inputs = ["F_N", "v"].map(|name| fmu.description.reference(name));
    let mut instance = fmu.instantiate(CO_SIMULATION);
    let status = instance.set_real(
        &[inputs[0], inputs[1], fmu.description.reference("z")],
        &[1e3, 5e-3, AT_REST],
    );
    instance.ok(status);
    initialize(&mut instance, None, 0.0, None);
    instance.take_log();
    let mut start = FmuState::NULL;
    let status = instance.get_fmu_state(&mut start);
    instance.ok(status);
    for told in [1, 0] {
        let status = instance.set_fmu_state(start);
        instance.ok(status);
        assert_eq!(instance.do_step(0.0, 0.01), Status::Warning);
        let log = instance.take_log();
        let doubts = log.iter().filter(|entry| {
            entry.category == "logStatusWarning" && entry.text.contains("multiplies")
        });
        assert_eq!(doubts.count(), told, "{log:?}");
    }
    let status = instance.free_fmu_state(&mut start);
    instance.ok(status);
    // Fast sliding is accurate.
    let status = instance.set_real(&inputs, &[1e3, 0.1]);
    instance.ok(status);
    let status = instance.do_step(0.01, 0.01);
    instance.ok(status);
}

#[test]
fn stability_limit_is_logged_once_above_63_86_n() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut element = Master::with_parameters(&fmu, &PAPER);
    element.instance.take_log();
    let warnings = |element: &Master| {
        let log = element.instance.take_log();
        log.iter()
            .filter(|entry| entry.status == Status::Warning && entry.category == "logStatusWarning")
            .count()
    };
    for (n, (normal_force, expected)) in [
        (9.81, 0),
        (63.85, 0),
        (63.86, 1),
        (1e3, 0),
        (9.81, 0),
        (63.86, 0),
    ]
    .into_iter()
    .enumerate()
    {
        element.step(Contact::new(normal_force, 0.0), n as f64 * 1e-3, 1e-3);
        assert_eq!(warnings(&element), expected, "F_N = {normal_force}");
    }
    // A new experiment logs it again.
    let status = element.instance.reset();
    element.instance.ok(status);
    bring(&mut element.instance, InstanceState::StepComplete);
    element.step(Contact::new(1e3, 0.0), 0.0, 1e-3);
    assert_eq!(warnings(&element), 1);
}

#[test]
fn contact_that_was_never_closed_is_logged_once_when_it_moves() {
    let fmu = Fmu::packaged("FrDyn2");
    for normal_force in [0.0, -9.81] {
        let mut element = Master::with_parameters(&fmu, &PAPER);
        element.instance.take_log();
        for n in 0..50 {
            element.step(
                Contact::new(normal_force, if n < 20 { 0.0 } else { 0.01 }),
                f64::from(n) * 1e-3,
                1e-3,
            );
        }
        let log = element.instance.take_log();
        let [entry] = &log[..] else { panic!("{log:?}") };
        assert!(
            entry.text.contains(&format!("F_N = {normal_force:?} N")),
            "{}",
            entry.text
        );
    }
}

#[test]
fn enumeration_set_as_real_names_the_right_function() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::Instantiated);
    let coupling = fmu.description.reference("coupling");
    let status = instance.set_real(&[coupling], &[2.0]);
    let said = instance.complaint(status);
    assert!(
        said.contains("coupling") && said.contains("fmi2SetInteger"),
        "{said}"
    );
    let said = instance.complaint(raw!(instance, set_integer, &coupling, 1, &7));
    assert!(
        said.contains("coupling = 7 was given") && said.contains("3 (prescribed)"),
        "{said}"
    );
    let flag = fmu.description.reference("sticking");
    let status = instance.set_real(&[flag], &[1.0]);
    let said = instance.complaint(status);
    assert!(
        said.contains("sticking is of the type Boolean") && said.contains("fmi2GetBoolean"),
        "{said}"
    );
}

/// A block of 1 kg that is pushed by 0.95 F_s, by explicit Euler steps of 1 ms in Model Exchange
/// without events: the warnings and the reason for the last discard.
fn euler(element: &str) -> (Vec<String>, Option<String>) {
    let fmu = Fmu::packaged(element);
    let mut instance = fmu.instantiate(MODEL_EXCHANGE);
    instance.set("F_N", 9.81);
    bring(&mut instance, InstanceState::ContinuousTime);
    let states = fmu.description.derivatives.len();
    let (mut x, mut v, h) = (vec![0.0; states], 0.0, 1e-3);
    let (mut warnings, mut discarded) = (Vec::new(), None);
    for n in 0..20_000 {
        let mut rates = vec![f64::NAN; states];
        let mut force = [f64::NAN];
        let reference = fmu.description.reference("F_R");
        let statuses = [
            instance.set_time(f64::from(n) * h),
            instance.set_continuous_states(&x),
            instance.set_real(&[fmu.description.reference("v")], &[v]),
            instance.get_derivatives(&mut rates),
            instance.get_real(&[reference], &mut force),
            instance.completed_integrator_step().0,
        ];
        for entry in instance.take_log() {
            match entry.status {
                Status::Warning => warnings.push(entry.text),
                Status::Discard => discarded = Some(entry.text),
                _ => {}
            }
        }
        if statuses.iter().any(|status| *status > Status::Warning) {
            break;
        }
        x.iter_mut().zip(rates).for_each(|(x, rate)| *x += h * rate);
        v += h * (0.95 * 0.6 * 9.81 - force[0]);
    }
    (warnings, discarded)
}

#[test]
fn too_long_solver_steps_are_logged() {
    let (_, discarded) = euler("FrDyn2");
    let reason = discarded.expect("explicit Euler cannot integrate the bristle in steps of 1 ms");
    assert!(
        reason.contains("solver") && reason.contains("shorten its steps"),
        "{reason}"
    );
    let (warnings, _) = euler("SimpackStickSlip");
    let [warning] = &warnings[..] else {
        panic!("one warning is due: {warnings:?}")
    };
    assert!(
        warning.contains("solver") && warning.contains("F_R"),
        "{warning}"
    );
}

#[test]
fn force_above_ten_times_the_static_friction_force_is_logged_once() {
    let fmu = Fmu::packaged("SimpackStickSlip");
    let mut instance = fmu.instantiate(MODEL_EXCHANGE);
    instance.set("F_N", 10.0);
    bring(&mut instance, InstanceState::ContinuousTime);
    // At rest and before the break-away is handled the force is that of the spring.
    let of_static_force = 10.0 * instance.get("mu_s") / instance.get("sigma_0");
    for (ratio, expected) in [
        (1.0, 0),
        (9.9, 0),
        (-9.9, 0),
        (-10.1, 1),
        (10.1, 0),
        (1.0, 0),
    ] {
        let status = instance.set_continuous_states(&[ratio * of_static_force]);
        instance.ok(status);
        assert_eq!(instance.completed_integrator_step().0, Status::OK);
        let log = instance.take_log();
        let warnings = log
            .iter()
            .filter(|entry| entry.text.contains("far above the static friction force"))
            .count();
        assert_eq!(warnings, expected, "{ratio} F_s");
    }
}
