//! Setting and getting values: a wrong value refuses the whole batch and changes nothing.

use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::fmi2::{CO_SIMULATION, MODEL_EXCHANGE, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::lifecycle::instance_in;
use bristle_importer::raw;

/// Values that no input can have.
const NO_NUMBERS: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

#[test]
fn non_finite_input_is_refused_and_keeps_the_old_value() {
    let fmu = Fmu::packaged("FrDyn2");
    for (interface, state) in [
        (CO_SIMULATION, InstanceState::Initialization),
        (CO_SIMULATION, InstanceState::StepComplete),
        (MODEL_EXCHANGE, InstanceState::Event),
        (MODEL_EXCHANGE, InstanceState::ContinuousTime),
    ] {
        let mut instance = instance_in(&fmu, interface, state);
        for name in ["F_N", "v"] {
            instance.set(name, 9.81);
            for value in NO_NUMBERS {
                let status = instance.set_real(&[fmu.description.reference(name)], &[value]);
                let said = instance.complaint(status);
                assert!(
                    said.contains(&format!("{name} = {value:?}")) && said.contains("finite"),
                    "{said}"
                );
                assert_eq!(instance.get(name), 9.81);
            }
        }
    }
}

#[test]
fn batch_with_one_bad_value_sets_nothing() {
    let fmu = Fmu::packaged("FrDyn2");
    let [normal_force, v, mu_s, force] =
        ["F_N", "v", "mu_s", "F_R"].map(|name| fmu.description.reference(name));
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::Initialization);
    for (references, values) in [
        ([v, mu_s, normal_force], [1.0, 0.7, f64::NAN]),
        ([v, mu_s, normal_force], [1.0, -0.7, 1.0]),
        ([v, mu_s, 4711], [1.0, 0.7, 1.0]),
        ([v, mu_s, force], [1.0, 0.7, 1.0]),
    ] {
        let status = instance.set_real(&references, &values);
        instance.complaint(status);
        assert_eq!(
            ["v", "mu_s", "F_N"].map(|name| instance.get(name)),
            [0.0, 0.6, 0.0]
        );
    }
}

#[test]
fn unknown_reference_is_refused_for_every_type() {
    let fmu = Fmu::packaged("FrDyn2");
    let flag = fmu.description.reference("sticking");
    let force = fmu.description.reference("F_R");
    let i = &mut instance_in(&fmu, CO_SIMULATION, InstanceState::Initialization);
    for reference in [2, 7, 60, 71, 79, 80, 1 << 16, u32::MAX] {
        let mut text = std::ptr::null();
        for (status, function) in [
            (i.get_real(&[reference], &mut [0.0]), "fmi2GetReal"),
            (i.set_real(&[reference], &[0.0]), "fmi2SetReal"),
            (i.get_boolean(&[reference], &mut [0]), "fmi2GetBoolean"),
            (raw!(i, set_boolean, &reference, 1, &0), "fmi2SetBoolean"),
            (
                raw!(i, get_integer, &reference, 1, &mut 0),
                "fmi2GetInteger",
            ),
            (raw!(i, set_integer, &reference, 1, &0), "fmi2SetInteger"),
            (
                raw!(i, get_string, &reference, 1, &mut text),
                "fmi2GetString",
            ),
            (raw!(i, set_string, &reference, 1, &text), "fmi2SetString"),
            (
                i.get_directional_derivative(&[reference], &[0], &[1.0], &mut [0.0]),
                "fmi2GetDirectionalDerivative",
            ),
            (
                i.get_directional_derivative(&[force], &[reference], &[1.0], &mut [0.0]),
                "fmi2GetDirectionalDerivative",
            ),
            (
                i.set_real_input_derivatives(&[reference], &[1], &[1.0]),
                "fmi2SetRealInputDerivatives",
            ),
        ] {
            assert_eq!(status, Status::Error, "{function} of {reference}");
        }
        let log = i.take_log();
        assert_eq!(log.len(), 11, "one sentence each: {log:#?}");
        assert!(
            log.iter()
                .all(|entry| entry.text.contains(&reference.to_string())),
            "{log:#?}"
        );
    }
    // A variable of another type is as unknown.
    let status = i.get_real(&[flag], &mut [0.0]);
    i.complaint(status);
    let status = i.get_boolean(&[force], &mut [0]);
    i.complaint(status);
}

#[test]
fn refused_get_writes_nothing() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let mut values = [4.0, 5.0];
    let status = instance.get_real(&[fmu.description.reference("F_R"), 999], &mut values);
    instance.complaint(status);
    assert_eq!(values, [4.0, 5.0]);
}

#[test]
fn calculated_variables_are_not_settable() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::Initialization);
    for name in ["F_R", "v_slip", "P_loss", "E_loss", "der(z)", "der(z_dot)"] {
        let status = instance.set_real(&[fmu.description.reference(name)], &[1.0]);
        let said = instance.complaint(status);
        assert!(said.contains(&format!("{name} is calculated")), "{said}");
    }
    let status = raw!(
        instance,
        set_boolean,
        &fmu.description.reference("sticking"),
        1,
        &1
    );
    assert!(
        instance
            .complaint(status)
            .contains("sticking is calculated")
    );
}

#[test]
fn states_are_settable_before_the_first_step_only() {
    let fmu = Fmu::packaged("FrDyn2");
    for state in [InstanceState::Instantiated, InstanceState::Initialization] {
        let mut instance = instance_in(&fmu, CO_SIMULATION, state);
        instance.set("z", 1e-7);
    }
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let status = instance.set_real(&[fmu.description.reference("z")], &[1e-7]);
    assert!(instance.complaint(status).contains("Initialization Mode"));
    assert_eq!(instance.get("z"), 0.0);
}

#[test]
fn every_variable_is_readable() {
    let fmu = Fmu::packaged("FrDyn2");
    for (interface, state) in [
        (CO_SIMULATION, InstanceState::Initialization),
        (CO_SIMULATION, InstanceState::StepComplete),
        (CO_SIMULATION, InstanceState::Terminated),
        (MODEL_EXCHANGE, InstanceState::Initialization),
        (MODEL_EXCHANGE, InstanceState::Event),
        (MODEL_EXCHANGE, InstanceState::ContinuousTime),
        (MODEL_EXCHANGE, InstanceState::Terminated),
    ] {
        let mut instance = instance_in(&fmu, interface, state);
        for variable in &fmu.description.variables {
            let value = instance.get_any(&variable.name);
            let start: Option<f64> = variable
                .start
                .as_ref()
                .map(|start| start.parse().expect("a number"));
            assert!(
                start.is_none_or(|start| start == value) && value.is_finite(),
                "{}",
                variable.name
            );
        }
    }
}
