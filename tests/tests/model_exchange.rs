//! Model Exchange: the calling sequence of a solver, and the right-hand side.

use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::fmi2::{EventInfo, FmuState, MODEL_EXCHANGE, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::lifecycle::instance_in;
use bristle_importer::model_exchange::TOLERANCE as SOLVER;
use bristle_importer::raw;
use bristle_reference_laws::dop853::solve;
use bristle_reference_laws::frdyn2::{Bristle, PAPER};
use bristle_reference_laws::workloads::SLIDING_SINE;
use bristle_tests::operating_points::Scatter;
use bristle_tests::tolerances::{LAW, ROUNDING, SAME_SOLVER, SOLVED};
use std::cell::RefCell;

#[test]
fn model_exchange_lifecycle_is_accepted() {
    let fmu = Fmu::packaged("FrDyn2");
    let i = &mut fmu.instantiate(MODEL_EXCHANGE);
    let mut info = EventInfo {
        next_event_time: 1.0,
        new_discrete_states_needed: 1,
        ..EventInfo::default()
    };
    for status in [
        i.setup_experiment(Some(1e-6), 0.0, Some(1.0)),
        i.enter_initialization_mode(),
        i.exit_initialization_mode(),
        i.new_discrete_states(&mut info),
        i.enter_continuous_time_mode(),
        i.set_time(1e-3),
        i.set_continuous_states(&[1e-7, 1e-4]),
        i.completed_integrator_step().0,
        i.enter_event_mode(),
        i.new_discrete_states(&mut info),
        i.enter_continuous_time_mode(),
        i.set_time(2e-3),
        i.enter_event_mode(),
        i.terminate(),
    ] {
        assert_eq!(status, Status::OK, "{:#?}", i.take_log());
    }
}

#[test]
fn frdyn2_at_rest_has_no_events() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::Event);
    // Any content of the structure before the call.
    let mut info = EventInfo {
        new_discrete_states_needed: 7,
        terminate_simulation: 7,
        nominals_of_continuous_states_changed: 7,
        values_of_continuous_states_changed: 7,
        next_event_time_defined: 7,
        next_event_time: f64::NAN,
    };
    let status = instance.new_discrete_states(&mut info);
    instance.ok(status);
    info.next_event_time = 0.0; // not defined
    assert_eq!(info, EventInfo::default());
    let status = instance.enter_continuous_time_mode();
    instance.ok(status);
    assert_eq!(
        instance.completed_integrator_step(),
        (Status::OK, false, false)
    );
    assert_eq!(instance.get_event_indicators(&mut []), Status::OK);
    let status = instance.get_event_indicators(&mut [0.0]);
    assert!(instance.complaint(status).contains("0 event indicators"));
}

#[test]
fn nominals_match_the_description() {
    let fmu = Fmu::packaged("FrDyn2");
    for mode in [
        InstanceState::Instantiated,
        InstanceState::Initialization,
        InstanceState::Event,
        InstanceState::ContinuousTime,
        InstanceState::Terminated,
    ] {
        let mut instance = instance_in(&fmu, MODEL_EXCHANGE, mode);
        let mut nominals = [0.0; 2];
        let status = instance.get_nominals_of_continuous_states(&mut nominals);
        instance.ok(status);
        assert_eq!(nominals, [1e-6, 1e-3]);
    }
}

#[test]
fn wrong_number_of_states_is_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let i = &mut instance_in(&fmu, MODEL_EXCHANGE, InstanceState::ContinuousTime);
    for n in [0, 1, 3] {
        let mut x = vec![0.0; n];
        for status in [
            i.get_continuous_states(&mut x),
            i.set_continuous_states(&vec![0.0; n]),
            i.get_derivatives(&mut vec![0.0; n]),
            i.get_nominals_of_continuous_states(&mut vec![0.0; n]),
        ] {
            assert_eq!(status, Status::Error, "nx = {n}");
        }
        assert_eq!(i.take_log().len(), 4);
    }
}

#[test]
fn wrong_number_of_states_changes_nothing() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::ContinuousTime);
    instance.set("F_N", 9.81);
    instance.set("v", 1e-3);
    let mut states = [FmuState::NULL; 2];
    let status = instance.get_fmu_state(&mut states[0]);
    instance.ok(status);
    let status = instance.get_derivatives(&mut [0.0]);
    instance.complaint(status);
    let status = instance.get_fmu_state(&mut states[1]);
    instance.ok(status);
    let [before, after] = states.map(|state| instance.serialize_fmu_state(state));
    for mut state in states {
        let status = instance.free_fmu_state(&mut state);
        instance.ok(status);
    }
    assert_eq!(before, after);
}

#[test]
fn non_finite_states_and_times_are_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::ContinuousTime);
    let status = instance.set_continuous_states(&[1e-7, 2e-4]);
    instance.ok(status);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for x in [[bad, 0.0], [0.0, bad]] {
            let status = instance.set_continuous_states(&x);
            assert!(instance.discarded(status).contains("finite"));
        }
        let status = instance.set_time(bad);
        assert!(instance.complaint(status).contains("finite"));
    }
    let mut x = [0.0; 2];
    let status = instance.get_continuous_states(&mut x);
    instance.ok(status);
    assert_eq!(x, [1e-7, 2e-4]);
}

#[test]
fn states_are_settable_in_continuous_time_mode() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::ContinuousTime);
    instance.set("z", 3e-7);
    instance.set("z_dot", -1e-4);
    let mut x = [0.0; 2];
    let status = instance.get_continuous_states(&mut x);
    instance.ok(status);
    assert_eq!(x, [3e-7, -1e-4]);
    // Parameters are not continuous.
    let status = instance.set_real(&[fmu.description.reference("mu_s")], &[0.7]);
    assert!(instance.complaint(status).contains("Event Mode"));
    let status = raw!(instance, set_boolean, std::ptr::null(), 0, std::ptr::null());
    instance.complaint(status);
}

#[test]
fn derivatives_and_outputs_match_the_paper() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::ContinuousTime);
    let mut scatter = Scatter::new(1);
    let mut worst = [0.0; 2];
    for _ in 0..10_000 {
        let (contact, x) = scatter.operating_point(&PAPER);
        instance.set("F_N", contact.F_N);
        instance.set("v", contact.v);
        let status = instance.set_continuous_states(&x);
        instance.ok(status);
        let (force, rate) = PAPER.law(contact, x);
        let mut derivatives = [f64::NAN; 2];
        let status = instance.get_derivatives(&mut derivatives);
        instance.ok(status);
        // Both are sums of forces: their rounding is counted in the largest of them.
        let size = force.abs()
            + (PAPER.sigma_0 * x[0]).abs()
            + (PAPER.sigma_1 * x[1]).abs()
            + PAPER.mu_s * contact.F_N;
        let mass = PAPER.sigma_1 * PAPER.sigma_1 / (4.0 * PAPER.sigma_0);
        let errors = [
            (instance.get("F_R") - force).abs() / size,
            (derivatives[1] - rate[1]).abs() * mass / size,
        ];
        for (worst, error) in worst.iter_mut().zip(errors) {
            assert!(error <= LAW, "{error:e} at {contact:?}, {x:?}");
            *worst = error.max(*worst);
        }
        assert_eq!(derivatives[0], x[1]);
        assert_eq!(
            ["der(z)", "der(z_dot)"].map(|name| instance.get(name)),
            derivatives
        );
        assert_eq!(instance.get("v_slip"), contact.v - x[1]);
        assert_eq!(instance.get("P_loss"), instance.get("F_R") * contact.v);
    }
    println!(
        "F_R within {:.1e}, der(z_dot) within {:.1e} of the forces at work",
        worst[0], worst[1]
    );
}

#[test]
fn order_8_solver_integrates_stick_break_away_and_slip() {
    let fmu = Fmu::packaged("FrDyn2");
    let instance = RefCell::new(instance_in(
        &fmu,
        MODEL_EXCHANGE,
        InstanceState::ContinuousTime,
    ));
    // Twice as fast as the workload: a test need not take long.
    let contact_at = |t: f64| SLIDING_SINE.contact(2.0 * t);
    let apply = |t: f64, x: &[f64; 2]| {
        let i = &mut *instance.borrow_mut();
        let contact = contact_at(t);
        let mut rate = [f64::NAN; 2];
        for status in [i.set_time(t), i.set_continuous_states(x)] {
            i.ok(status);
        }
        i.set("F_N", contact.F_N);
        i.set("v", contact.v);
        let status = i.get_derivatives(&mut rate);
        i.ok(status);
        rate
    };
    let static_friction = PAPER.mu_s * contact_at(0.0).F_N;
    let scale = [static_friction / PAPER.sigma_0, PAPER.v_s];
    let mut reference = Bristle::at_rest(PAPER, contact_at(0.0).F_N);
    // A run of the solver on the law itself differs by the interface only.
    let mut twin = reference.with_tolerance(SOLVER);
    let (mut x, mut sticks, mut events, mut energy, mut power) = ([0.0; 2], 0, 0, 0.0, 0.0);
    let [mut worst, mut apart] = [0.0_f64; 2];
    let h = 1e-3;
    // From rest to full sliding one way and to full sliding the other way.
    for n in 0..60 {
        let t = f64::from(n) * h;
        let course = |s: f64| contact_at(t + s);
        x = solve(|s, x| apply(t + s, &x), x, scale, h, SOLVER);
        apply(t + h, &x);
        let i = &mut *instance.borrow_mut();
        let force = i.get("F_R");
        let error = (force - reference.advance(course, h)).abs() / static_friction;
        assert!(error <= SOLVED, "{error:e} F_s at {t}");
        worst = error.max(worst);
        let error = (force - twin.advance(course, h)).abs() / static_friction;
        assert!(
            error <= SAME_SOLVER,
            "{error:e} F_s beside the law itself at {t}"
        );
        apart = error.max(apart);
        let (status, due, _) = i.completed_integrator_step();
        i.ok(status);
        if due {
            let mut info = EventInfo::default();
            for status in [
                i.enter_event_mode(),
                i.new_discrete_states(&mut info),
                i.enter_continuous_time_mode(),
            ] {
                i.ok(status);
            }
            events += 1;
        }
        sticks += u32::from(i.get_flag("sticking"));
        // E_loss is the trapezoidal rule over the solver's own steps.
        energy += 0.5 * (power + i.get("P_loss")) * h;
        power = i.get("P_loss");
        assert!(
            (i.get("E_loss") - energy).abs() <= ROUNDING * energy,
            "{} for {energy}",
            i.get("E_loss")
        );
    }
    println!(
        "F_R within {worst:.1e} F_s, {apart:.1e} F_s beside the law itself, {sticks} points in \
         stick"
    );
    assert!(0 < sticks && sticks < 30 && 0 < events && events < 10);
}

#[test]
fn overflow_is_laid_to_the_solver_in_continuous_time_and_to_the_inputs_elsewhere() {
    let fmu = Fmu::packaged("FrDyn2");
    for (state, advice) in [
        (InstanceState::Initialization, "extreme values"),
        (InstanceState::Event, "extreme values"),
        (InstanceState::ContinuousTime, "shorten its steps"),
    ] {
        let mut instance = instance_in(&fmu, MODEL_EXCHANGE, state);
        // The power of full sliding is mu_d F_N v.
        for name in ["F_N", "v"] {
            instance.set(name, 1e200);
        }
        let status = instance.get_real(&[fmu.description.reference("P_loss")], &mut [0.0]);
        let said = instance.discarded(status);
        assert!(
            said.contains("too large for a floating-point number") && said.contains(advice),
            "{state:?}: {said}"
        );
        // The instance lives on.
        instance.set("v", 0.0);
        assert_eq!(instance.get("P_loss"), 0.0);
    }
}
