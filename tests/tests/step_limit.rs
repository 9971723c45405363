//! `inner_steps_max`: a bound on the work of a step, and the estimated error beside fmi2Warning.

use bristle_importer::fmi2::{CO_SIMULATION, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_random::Random;

const H: f64 = 1e-3;

/// Instance with this limit, or without.
fn start<'a>(fmu: &'a Fmu, limit: Option<f64>) -> Instance<'a> {
    let mut instance = fmu.instantiate(CO_SIMULATION);
    if let Some(limit) = limit {
        instance.set("inner_steps_max", limit);
    }
    let status = instance.enter_initialization_mode();
    instance.ok(status);
    let status = instance.exit_initialization_mode();
    instance.ok(status);
    instance
}

/// One step under F_N and v and their derivatives; returns its status and F_R.
fn step(
    instance: &mut Instance,
    t: f64,
    [normal_force, v]: [f64; 2],
    derivatives: [f64; 2],
) -> (Status, f64) {
    instance.set("F_N", normal_force);
    instance.set("v", v);
    let references = ["F_N", "v"].map(|name| instance.fmu().description.reference(name));
    let status = instance.set_real_input_derivatives(&references, &[1, 1], &derivatives);
    instance.ok(status);
    (instance.do_step(t, H), instance.get("F_R"))
}

#[test]
fn the_estimated_error_covers_the_error_of_a_stable_bristle() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut random = Random::new(1);
    let (mut warned, mut uncovered) = (0, 0);
    for _ in 0..300 {
        // Both from the same state, after a long step.
        let begin = [random.between(1.0, 60.0), random.between(-0.01, 0.01)];
        let then = [random.between(1.0, 60.0), random.between(-0.05, 0.05)];
        let derivatives = [random.between(-1e3, 1e3), random.between(-100.0, 100.0)];
        let [(_, exact, _), (status, relaxed, log)] = [None, Some(5.0)].map(|limit| {
            let mut instance = start(&fmu, None);
            let (status, _) = step(&mut instance, 0.0, begin, [0.0; 2]);
            instance.ok(status);
            if let Some(limit) = limit {
                instance.set("inner_steps_max", limit);
            }
            instance.take_log();
            let (status, force) = step(&mut instance, H, then, derivatives);
            let text = instance
                .take_log()
                .into_iter()
                .map(|entry| entry.text)
                .collect::<String>();
            (status, force, text)
        });
        let static_force = 0.6 * then[0].max(then[0] + derivatives[0] * H);
        let error = (relaxed - exact).abs() / static_force;
        if status == Status::Warning {
            warned += 1;
            let estimate = log
                .split("off by ")
                .nth(1)
                .and_then(|rest| rest.split(' ').next()?.parse::<f64>().ok());
            let estimate = estimate.expect("the warning has an estimate");
            uncovered += u32::from(error > 10.0 * estimate.max(1e-6));
        } else {
            assert_eq!(status, Status::OK);
            uncovered += u32::from(error > 1e-5);
        }
    }
    assert!(warned > 100, "{warned} steps were warned of");
    // One step in a hundred may be off by more.
    assert!(
        uncovered <= 3,
        "{uncovered} steps are off by more than ten times the estimate, or without a warning"
    );
}

#[test]
fn the_warning_names_the_limit_once_and_the_status_stays() {
    for name in ["FrDyn2", "FrDyn2Linear", "LuGre", "Dahl"] {
        let fmu = Fmu::packaged(name);
        let mut instance = start(&fmu, Some(1.0));
        instance.take_log();
        let statuses: Vec<_> = (0..20)
            .map(|i| {
                let t = H * f64::from(i);
                step(
                    &mut instance,
                    t,
                    [10.0, 1e-3 * libm::sin(3e3 * t)],
                    [500.0, 60.0],
                )
                .0
            })
            .collect();
        let warned = statuses
            .iter()
            .filter(|status| **status == Status::Warning)
            .count();
        assert!(warned > 1, "{name}: {statuses:?}");
        let log = instance.take_log();
        let said: Vec<_> = log
            .iter()
            .filter(|entry| entry.text.contains("inner_steps_max"))
            .collect();
        assert_eq!(said.len(), 1, "{name}: {log:?}");
        assert!(said[0].text.contains("may be off by"), "{}", said[0].text);
    }
}

#[test]
fn a_limit_below_1_is_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = fmu.instantiate(CO_SIMULATION);
    let status = instance.set_real(&[fmu.description.reference("inner_steps_max")], &[0.0]);
    let said = instance.complaint(status);
    assert!(
        said.contains("inner_steps_max") && said.contains("at least 1"),
        "{said}"
    );
}
