//! Parameters that a card makes inputs.

use bristle::catalogue::{Contacts, Variant};
use bristle::element::{F_OFFSET, RADIUS};
use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::fmi2::{CO_SIMULATION, MODEL_EXCHANGE, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::lifecycle::instance_in;
use bristle_tests::cards::{
    by_direction, card, exporter, load, model, patch, planar, reference, rotational,
};

/// Element of a law with these parameters as inputs.
fn element(law: &str, inputs: &[&str]) -> Fmu {
    let mut card = card(law, &[]);
    card.inputs = inputs
        .iter()
        .map(|name| reference(model(law), name))
        .collect();
    load(
        &exporter(),
        &Variant::new(model(law), card).expect("a card"),
    )
}

#[test]
fn input_that_breaks_the_laws_conditions_is_refused_and_the_step_may_be_repeated() {
    let fmu = element("FrDyn2", &["mu_s", "mu_d"]);
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    instance.set("F_N", 10.0);
    instance.set("v", 0.5);
    instance.set("mu_d", 0.9);
    let status = instance.do_step(0.0, 1e-3);
    let text = instance.complaint(status);
    assert!(text.contains("mu_d = 0.9 exceeds mu_s = 0.6"), "{text}");
    instance.set("mu_s", 1.0);
    let status = instance.do_step(0.0, 1e-3);
    instance.ok(status);
    assert!(
        (instance.get("F_R") - 9.0).abs() < 1e-3,
        "{}",
        instance.get("F_R")
    );
}

#[test]
fn derivatives_of_a_held_input_are_accepted_with_one_warning() {
    let fmu = element("FrDyn2", &["mu_s"]);
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let mu_s = fmu.description.reference("mu_s");
    instance.take_log();
    for step in 0..3 {
        let status = instance.set_real_input_derivatives(&[mu_s], &[1], &[0.1]);
        instance.ok(status);
        let status = instance.do_step(f64::from(step) * 1e-3, 1e-3);
        instance.ok(status);
    }
    let log = instance.take_log();
    assert_eq!(
        log.iter()
            .filter(|entry| entry.text.contains("it is held within a step"))
            .count(),
        1,
        "{log:#?}"
    );
    let status = instance.set_real_input_derivatives(&[mu_s], &[4], &[0.1]);
    assert_eq!(status, Status::Error);
}

#[test]
fn derivatives_of_0_of_a_held_input_are_no_reason_for_a_warning() {
    let fmu = element("FrDyn2", &["mu_s"]);
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let mu_s = fmu.description.reference("mu_s");
    instance.take_log();
    let status = instance.set_real_input_derivatives(&[mu_s], &[1], &[0.0]);
    instance.ok(status);
    let status = instance.do_step(0.0, 1e-3);
    instance.ok(status);
    let log = instance.take_log();
    assert!(
        log.iter()
            .all(|entry| !entry.text.contains("it is held within a step")),
        "{log:#?}"
    );
}

#[test]
fn input_of_all_points_of_a_plate_is_held_within_a_step() {
    let mut card = patch("LuGre", &[[0.1, 0.0], [-0.1, 0.0]], &[0.5; 2]);
    card.inputs = std::iter::once(reference(model("LuGre"), "mu_s")).collect();
    let fmu = load(
        &exporter(),
        &Variant::new(model("LuGre"), card).expect("a card"),
    );
    let run = |slope: Option<f64>| {
        let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
        instance.set("F_N", 10.0);
        instance.set("v_x", 0.1);
        instance.take_log();
        if let Some(slope) = slope {
            let status = instance.set_real_input_derivatives(
                &[fmu.description.reference("mu_s")],
                &[1],
                &[slope],
            );
            instance.ok(status);
        }
        let status = instance.do_step(0.0, 1e-3);
        instance.ok(status);
        let warnings = instance
            .take_log()
            .iter()
            .filter(|entry| entry.text.contains("it is held within a step"))
            .count();
        (instance.get("F_R_x").to_bits(), warnings)
    };
    let (with, without) = (run(Some(100.0)), run(None));
    assert_eq!((with.0, with.1, without.1), (without.0, 1, 0));
}

/// Compares the derivatives of unknowns by an input with differences, in Continuous-Time Mode with
/// these values.
fn compare(fmu: &Fmu, input: &str, values: &[(&str, f64)], unknowns: &[&str]) {
    let name = format!("{}, {input}", fmu.description.model_name);
    let mut instance = instance_in(fmu, MODEL_EXCHANGE, InstanceState::ContinuousTime);
    values
        .iter()
        .for_each(|(variable, value)| instance.set(variable, *value));
    let at = instance.get(input);
    let references: Vec<u32> = unknowns
        .iter()
        .map(|unknown| fmu.description.reference(unknown))
        .collect();
    let mut derivatives = vec![f64::NAN; unknowns.len()];
    let known = fmu.description.reference(input);
    let status =
        instance.get_directional_derivative(&references, &[known], &[1.0], &mut derivatives);
    instance.ok(status);
    let sides = [1.0 - 1e-4, 1.0 + 1e-4].map(|factor| {
        instance.set(input, factor * at);
        for (state, value) in values.iter().filter(|(state, _)| state.starts_with('z')) {
            assert_eq!(
                instance.get(state),
                *value,
                "{name}: a solver's state stays as it is"
            );
        }
        unknowns
            .iter()
            .map(|unknown| instance.get(unknown))
            .collect::<Vec<_>>()
    });
    let mut moved = 0;
    for (i, unknown) in unknowns.iter().enumerate() {
        let difference = (sides[1][i] - sides[0][i]) / (2e-4 * at);
        let size = difference.abs() + (sides[0][i].abs() + 1e-12) / at;
        let error = (derivatives[i] - difference).abs() / size;
        assert!(
            error < 1e-5,
            "{name}: d {unknown} is {} for {difference}",
            derivatives[i]
        );
        moved += usize::from(difference.abs() > 1e-3 * size);
    }
    assert!(moved > 0, "{name} moves nothing");
}

#[test]
fn directional_derivatives_by_inputs_are_limits_of_differences() {
    for (law, input) in [
        ("FrDyn2", "sigma_0"),
        ("FrDyn2", "mu_s"),
        ("LuGre", "sigma_0"),
        ("Dahl", "mu_d"),
    ] {
        let contact = [("F_N", 10.0), ("v", 1e-4), ("z", 1e-6)];
        compare(&element(law, &[input]), input, &contact, &["F_R", "der(z)"]);
    }
}

#[test]
fn directional_derivatives_by_values_of_a_direction_and_by_the_offset_are_limits_of_differences() {
    for (law, input, v) in [
        ("FrDyn2", "mu_s_backward", -1e-4),
        ("StaticRegularized", "mu_s_forward", 1e-4),
        ("Coulomb", "F_offset", 0.1),
    ] {
        let mut card = by_direction(law);
        let mut known = model(law)
            .metadata
            .directed
            .iter()
            .flatten()
            .chain([&F_OFFSET]);
        card.inputs = known
            .find(|known| known.name == input)
            .map(|known| known.reference)
            .into_iter()
            .collect();
        let fmu = load(
            &exporter(),
            &Variant::new(model(law), card).expect("a card"),
        );
        compare(&fmu, input, &[("F_N", 10.0), ("v", v)], &["F_R", "P_loss"]);
    }
}

#[test]
fn directional_derivatives_by_inputs_in_the_plane_are_limits_of_differences() {
    for (law, input) in [
        ("FrDyn2", "sigma_0"),
        ("FrDyn2", "mu_s"),
        ("LuGre", "sigma_0"),
        ("Dahl", "mu_d"),
    ] {
        let mut card = planar(law);
        card.inputs = [reference(model(law), input)].into();
        let fmu = load(
            &exporter(),
            &Variant::new(model(law), card).expect("a card"),
        );
        let contact = [
            ("F_N", 10.0),
            ("v_x", 1e-4),
            ("v_y", -2e-4),
            ("z_x", 1e-6),
            ("z_y", 3e-7),
        ];
        let unknowns = [
            "F_R_x", "F_R_y", "P_loss", "v_slip_x", "v_slip_y", "der(z_x)", "der(z_y)",
        ];
        compare(&fmu, input, &contact, &unknowns);
    }
}

#[test]
fn directional_derivatives_by_the_radius_are_limits_of_differences() {
    for law in ["FrDyn2", "LuGre", "BrownMcPhee"] {
        let mut card = rotational(law, 0.25);
        card.inputs = [RADIUS.reference].into();
        let fmu = load(
            &exporter(),
            &Variant::new(model(law), card).expect("a card"),
        );
        compare(
            &fmu,
            "radius",
            &[("F_N", 10.0), ("omega", 0.03)],
            &["M_R", "P_loss", "v_slip"],
        );
    }
}

#[test]
fn inputs_are_dependencies_of_what_they_move() {
    let fmu = element("FrDyn2", &["mu_s", "sigma_0"]);
    let of = |name: &str| {
        let derivatives = &fmu.description.derivatives;
        let unknown = derivatives
            .iter()
            .chain(&fmu.description.outputs)
            .find(|unknown| unknown.name == name);
        let dependencies = unknown
            .expect("an unknown")
            .dependencies
            .clone()
            .expect("declared dependencies");
        dependencies
            .into_iter()
            .map(|(name, _)| name)
            .collect::<Vec<_>>()
    };
    assert!(of("F_R").contains(&"sigma_0".to_owned()), "{:?}", of("F_R"));
    assert!(
        of("der(z_dot)").contains(&"mu_s".to_owned()),
        "{:?}",
        of("der(z_dot)")
    );
}

#[test]
fn state_with_a_changed_input_restores_to_the_same_bits() {
    let fmu = element("FrDyn2", &["mu_s", "sigma_0"]);
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    instance.set("F_N", 10.0);
    instance.set("v", 1e-4);
    let status = instance.do_step(0.0, 1e-3);
    instance.ok(status);
    instance.set("sigma_0", 1e6);
    instance.set("mu_s", 0.9);
    let mut state = bristle_importer::fmi2::FmuState::NULL;
    let status = instance.get_fmu_state(&mut state);
    instance.ok(status);
    let mut forces = [0.0; 2];
    for force in &mut forces {
        let status = instance.do_step(1e-3, 1e-3);
        instance.ok(status);
        *force = instance.get("F_R");
        let status = instance.set_fmu_state(state);
        instance.ok(status);
    }
    let status = instance.free_fmu_state(&mut state);
    instance.ok(status);
    assert_eq!(forces[0].to_bits(), forces[1].to_bits());
}

#[test]
fn input_of_one_contact_changes_its_force_and_neither_its_state_nor_another_contact() {
    /// Stiffness, N/m, and deflection, m: powers of two, so that forces are exact.
    const SOFT: f64 = 131_072.0;
    const DEFLECTION: f64 = 1.0 / 1_048_576.0;
    let stiffness = reference(model("Dahl"), "sigma_0");
    let mut card = card("Dahl", &[]);
    card.contacts = Some(Contacts {
        count: 2,
        each: [stiffness].into(),
        ..Contacts::default()
    });
    card.inputs = [stiffness].into();
    let fmu = load(
        &exporter(),
        &Variant::new(model("Dahl"), card).expect("a card"),
    );
    let mut instance = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::ContinuousTime);
    for contact in 1..=2 {
        for (name, value) in [("F_N", 10.0), ("sigma_0", SOFT), ("z", DEFLECTION)] {
            instance.set(&format!("{name}[{contact}]"), value);
        }
    }
    let forces = |instance: &mut Instance| ["F_R[1]", "F_R[2]"].map(|name| instance.get(name));
    assert_eq!(forces(&mut instance), [0.125; 2]);
    instance.set("sigma_0[2]", 4.0 * SOFT);
    assert_eq!(forces(&mut instance), [0.125, 0.5]);
    assert_eq!(
        ["z[1]", "z[2]"].map(|name| instance.get(name)),
        [DEFLECTION; 2]
    );
}
