//! Model Exchange between events: discrete values are constant, derivatives are those of the frozen
//! mode, a point that cannot be evaluated is discarded, and no indicator is 0 after an event.

use bristle::catalogue::{ELEMENTS, Variant};
use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::fmi2::{CO_SIMULATION, EventInfo, MODEL_EXCHANGE, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::lifecycle::{bring, initialize, instance_in};
use bristle_tests::cards::{all_elements, card, exporter, load, model, reference};
use bristle_tests::plausible_values::without_contact;

/// Names of the variables of an FMU whose name without contact is one of `names`.
fn named(fmu: &Fmu, names: &[&str]) -> Vec<String> {
    let variables = fmu
        .description
        .variables
        .iter()
        .map(|variable| variable.name.clone());
    variables
        .filter(|name| names.contains(&without_contact(name)))
        .collect()
}

/// Sets the velocity of every contact along x, m/s; that of a rotational element has the lever 0.04
/// m.
fn set_velocity(instance: &mut Instance, fmu: &Fmu, v: f64) {
    for name in named(fmu, &["v", "v_x"]) {
        instance.set(&name, v);
    }
    for name in named(fmu, &["omega"]) {
        let is_lever = fmu
            .description
            .variables
            .iter()
            .all(|variable| variable.name != "v_x");
        instance.set(&name, if is_lever { v / 0.04 } else { 0.0 });
    }
}

/// Element in Continuous-Time Mode under its weight, with v = 0.
fn loaded(fmu: &Fmu) -> Instance<'_> {
    let mut instance = fmu.instantiate(MODEL_EXCHANGE);
    for name in named(fmu, &["F_N"]) {
        // That of a joint follows from its reactions.
        let of_joint = fmu.description.variables.iter().any(|v| &*v.name == "N_0");
        instance.set(if of_joint { "N_0" } else { &name }, 9.81);
    }
    initialize(&mut instance, None, 0.0, None);
    new_discrete_states(&mut instance);
    instance
}

/// From Event Mode to Continuous-Time Mode; no event indicator is 0 then.
fn new_discrete_states(instance: &mut Instance) {
    let mut info = EventInfo::default();
    for status in [
        instance.new_discrete_states(&mut info),
        instance.enter_continuous_time_mode(),
    ] {
        instance.ok(status);
    }
    let mut indicators = vec![f64::NAN; instance.fmu().description.event_indicators];
    let status = instance.get_event_indicators(&mut indicators);
    instance.ok(status);
    assert!(
        indicators.iter().all(|indicator| indicator.abs() >= 9e-9),
        "{indicators:?}"
    );
}

fn event(instance: &mut Instance) {
    let status = instance.enter_event_mode();
    instance.ok(status);
    new_discrete_states(instance);
}

/// Discrete variables with their values.
fn discrete_values(instance: &mut Instance) -> Vec<(String, f64)> {
    let fmu = instance.fmu();
    let of_kind = |kind: &'static str| {
        fmu.description
            .variables
            .iter()
            .filter(move |v| v.kind == kind && v.causality != "parameter")
    };
    let mut values = Vec::new();
    for variable in of_kind("Boolean") {
        values.push((
            variable.name.clone(),
            f64::from(instance.get_flag(&variable.name)),
        ));
    }
    for variable in of_kind("Integer") {
        values.push((
            variable.name.clone(),
            f64::from(instance.get_whole(&variable.name)),
        ));
    }
    values
}

#[test]
fn discrete_values_change_at_events_only() {
    let (h, mut changes, mut most) = (2e-6, 0, 0);
    for (element, fmu) in all_elements() {
        let mut instance = loaded(&fmu);
        let count = fmu.description.derivatives.len();
        let (mut x, mut rate) = (vec![0.0; count], vec![0.0; count]);
        let (mut at_event, mut events) = (discrete_values(&mut instance), 0);
        let before = at_event.clone();
        for step in 1..=10_000 {
            let t = f64::from(step) * h;
            if count > 0 {
                for status in [
                    instance.get_continuous_states(&mut x),
                    instance.get_derivatives(&mut rate),
                ] {
                    instance.ok(status);
                }
                x.iter_mut().zip(&rate).for_each(|(x, rate)| *x += h * rate);
                let status = instance.set_continuous_states(&x);
                instance.ok(status);
            }
            let status = instance.set_time(t);
            instance.ok(status);
            // At rest again at the end of the way back.
            set_velocity(&mut instance, &fmu, 0.02 - (t - 0.01).abs() * 2.0);
            assert_eq!(
                discrete_values(&mut instance),
                at_event,
                "{element} at {t} s"
            );
            let (status, due, _) = instance.completed_integrator_step();
            instance.ok(status);
            assert_eq!(
                discrete_values(&mut instance),
                at_event,
                "{element} at {t} s"
            );
            if due {
                event(&mut instance);
                at_event = discrete_values(&mut instance);
                events += 1;
            }
        }
        // Nothing is left to an event: an event without a cause changes nothing.
        event(&mut instance);
        assert_eq!(discrete_values(&mut instance), at_event, "{element}");
        changes += u32::from(before != at_event || events > 0);
        most = most.max(events);
        println!("{element:32} {events} events");
    }
    assert!(
        changes > 20 && most < 100,
        "{changes} elements with changes, {most} events"
    );
}

/// F_R at a velocity and the derivative by it, in the present mode.
fn at(instance: &mut Instance, v: f64) -> [f64; 2] {
    instance.set("v", v);
    let [force, velocity] = ["F_R", "v"].map(|name| instance.fmu().description.reference(name));
    let mut slope = [f64::NAN];
    let status = instance.get_directional_derivative(&[force], &[velocity], &[1.0], &mut slope);
    instance.ok(status);
    [instance.get("F_R"), slope[0]]
}

#[test]
fn derivatives_beyond_an_event_are_those_of_the_frozen_mode() {
    for entry in &ELEMENTS {
        let name = entry.metadata.name;
        let fmu = Fmu::packaged(name);
        let has_acceleration = !named(&fmu, &["a"]).is_empty();
        for a in if has_acceleration {
            &[1.0, -1.0, 0.0][..]
        } else {
            &[0.0][..]
        } {
            let mut instance = loaded(&fmu);
            let status = instance.enter_event_mode();
            instance.ok(status);
            instance.set("v", 0.004);
            if has_acceleration {
                instance.set("a", *a);
            }
            new_discrete_states(&mut instance);
            let frozen: Vec<_> = discrete_values(&mut instance);
            for (v, a) in [
                (0.004, *a),
                (-0.004, *a),
                (-0.02, *a),
                (0.004, -0.5 * a),
                (-0.004, -0.5 * a),
            ] {
                if has_acceleration {
                    instance.set("a", a);
                }
                let d = 1e-7;
                let [below, here, above] = [v - d, v, v + d].map(|v| at(&mut instance, v));
                let difference = (above[0] - below[0]) / (2.0 * d);
                let size = here[1].abs().max(here[0].abs() / v.abs());
                assert!(
                    (difference - here[1]).abs() <= 1e-5 * size,
                    "{name} at {v}, {a}: {} for {difference}",
                    here[1]
                );
            }
            // No kink at the event: value and slope are continuous.
            if !frozen.is_empty()
                && entry
                    .metadata
                    .modes
                    .iter()
                    .any(|mode| mode.name == "direction")
            {
                let d = 1e-9;
                let [left, right] = [-d, d].map(|v| at(&mut instance, v));
                let change = 2.0 * d * right[1];
                assert!(
                    (right[0] - left[0] - change).abs() <= 1e-3 * change.abs() + 1e-8,
                    "{name}: {left:?}, {right:?}"
                );
                assert!(
                    (left[1] - right[1]).abs() <= 1e-5 * right[1].abs(),
                    "{name}: {left:?}, {right:?}"
                );
            }
        }
    }
}

#[test]
fn state_outside_the_domain_of_the_law_is_discarded() {
    let fmu = Fmu::packaged("Armstrong");
    let mut instance = loaded(&fmu);
    for x in [[0.0, -1e-7], [f64::NAN, 0.0], [0.0, f64::INFINITY]] {
        let status = instance.set_continuous_states(&x);
        let said = instance.discarded(status);
        assert!(said.contains("t_d") || said.contains('z'), "{said}");
    }
    let status = instance.set_real(&[fmu.description.reference("t_d")], &[-1e-7]);
    instance.discarded(status);
    let status = instance.set_real(&[fmu.description.reference("v")], &[f64::NAN]);
    instance.complaint(status);
    // The run continues, and a wrong call is an error.
    let status = instance.set_continuous_states(&[0.0, 1e-7]);
    instance.ok(status);
    assert_eq!(instance.get("der(t_d)"), 1.0);
    let status = instance.set_continuous_states(&[0.0]);
    instance.complaint(status);
}

/// Element of a law whose coefficients are inputs.
fn with_coefficients_as_inputs(law: &str) -> Fmu {
    let mut card = card(law, &[("mu_s", 0.4), ("mu_d", 0.4)]);
    card.inputs = ["mu_s", "mu_d"]
        .map(|name| reference(model(law), name))
        .into();
    let variant =
        Variant::new(model(law), card).unwrap_or_else(|refusal| panic!("{law}: {refusal}"));
    load(&exporter(), &variant)
}

#[test]
fn coefficients_that_rounding_exchanges_are_equal_and_others_are_discarded() {
    for entry in &ELEMENTS {
        let (law, has) = (entry.metadata.name, |name: &str| {
            entry.metadata.parameters.iter().any(|p| p.name == name)
        });
        if !has("mu_s") || !has("mu_d") {
            continue;
        }
        let fmu = with_coefficients_as_inputs(law);
        let mut instance = loaded(&fmu);
        instance.set("v", 0.1);
        instance.set("mu_d", 0.4);
        let equal = instance.get("F_R");
        for excess in [1e-9, 0.9e-6 * 0.4] {
            instance.set("mu_d", 0.4 + excess);
            assert!((instance.get("F_R") - equal).abs() <= 1e-5, "{law}");
        }
        instance.set("mu_d", 0.401);
        let [force, v] = ["F_R", "v"].map(|name| fmu.description.reference(name));
        let [states, indicators] = [
            fmu.description.derivatives.len(),
            fmu.description.event_indicators,
        ];
        let getters: [&dyn Fn(&mut Instance) -> Status; 5] = [
            &|instance| instance.get_real(&[force], &mut [0.0]),
            &|instance| instance.get_derivatives(&mut vec![0.0; states]),
            &|instance| instance.get_event_indicators(&mut vec![0.0; indicators]),
            &|instance| instance.get_directional_derivative(&[force], &[v], &[1.0], &mut [0.0]),
            &|instance| instance.get_boolean(&[fmu.description.reference("sticking")], &mut [0]),
        ];
        for getter in getters {
            let status = getter(&mut instance);
            let said = instance.discarded(status);
            assert!(
                said.contains("mu_d") && said.contains("mu_s"),
                "{law}: {said}"
            );
        }
        instance.set("mu_d", 0.4);
        assert_eq!(instance.get("F_R"), equal, "{law}");

        let mut stepped = fmu.instantiate(CO_SIMULATION);
        bring(&mut stepped, InstanceState::StepComplete);
        stepped.set("F_N", 9.81);
        stepped.set("mu_d", 0.4 + 1e-9);
        let status = stepped.do_step(0.0, 1e-3);
        stepped.ok(status);
        stepped.set("mu_d", 0.401);
        let status = stepped.do_step(1e-3, 1e-3);
        assert!(stepped.complaint(status).contains("mu_d"), "{law}");
    }
}

#[test]
fn start_values_that_rounding_exchanges_are_accepted() {
    for entry in &ELEMENTS {
        let has = |name: &str| {
            entry
                .metadata
                .parameters
                .iter()
                .any(|parameter| parameter.name == name)
        };
        if has("mu_s") && has("mu_d") {
            let mut element = instance_in_with(entry.metadata.name, 0.4, 0.4 + 1e-9);
            let status = element.do_step(0.0, 1e-3);
            element.ok(status);
        }
    }
}

/// Element of a law in Co-Simulation with these coefficients.
fn instance_in_with(law: &str, mu_s: f64, mu_d: f64) -> Instance<'static> {
    let fmu: &'static Fmu = Box::leak(Box::new(Fmu::packaged(law)));
    let mut instance = instance_in(fmu, CO_SIMULATION, InstanceState::Instantiated);
    for (name, value) in [("mu_s", mu_s), ("mu_d", mu_d), ("F_N", 9.81)] {
        instance.set(name, value);
    }
    initialize(&mut instance, None, 0.0, None);
    instance
}

#[test]
fn sign_that_rounding_changes_is_no_event() {
    for (law, events) in [
        ("NonReversible", 0),
        ("Stefanski2003", 0),
        ("Stefanski2006", 0),
    ] {
        let fmu = Fmu::packaged(law);
        let mut instance = loaded(&fmu);
        let status = instance.enter_event_mode();
        instance.ok(status);
        instance.set("v", 0.05);
        instance.set("a", 1e-3);
        new_discrete_states(&mut instance);
        let mut found = 0;
        // Steady sliding: the difference of two forces is 0 but for rounding.
        for step in 0..100 {
            instance.set("a", if step % 2 == 0 { 2e-15 } else { -2e-15 });
            let (status, due, _) = instance.completed_integrator_step();
            instance.ok(status);
            if due {
                event(&mut instance);
                found += 1;
            }
        }
        assert_eq!(found, events, "{law}");
        // A velocity that comes to exactly 0 ends sliding.
        instance.set("v", 0.0);
        assert_eq!(
            instance.completed_integrator_step(),
            (Status::OK, true, false),
            "{law}"
        );
        event(&mut instance);
        assert_eq!(instance.get("F_R"), 0.0, "{law}");
    }
}

#[test]
fn body_at_rest_under_a_law_without_stick_is_told_of() {
    let warnings = |law: &str| {
        let fmu = Fmu::packaged(law);
        let mut instance = loaded(&fmu);
        // The load, 1 N, is below the static friction force: v goes to and fro.
        let (mut v, mut count) = (1e-9, 0);
        for _ in 0..300 {
            instance.set("v", v);
            let (status, due, _) = instance.completed_integrator_step();
            assert_eq!(status, Status::OK);
            if due {
                event(&mut instance);
            }
            v = (1.0 - instance.get("F_R")) * 1e-9;
            count += instance
                .take_log()
                .iter()
                .filter(|entry| entry.text.contains("events in a row"))
                .count();
        }
        count
    };
    assert_eq!(
        ["Stribeck", "PoppStelter", "NonReversible"].map(warnings),
        [1; 3]
    );
    assert_eq!(
        ["FrDyn2", "StaticRegularized", "LuGre"].map(warnings),
        [0; 3]
    );
}
