//! NULL where it is allowed, NULL where it is not, and counts of 0.

use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::fmi2::{CO_SIMULATION, FmuState, MODEL_EXCHANGE, RawStatus, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::lifecycle::instance_in;
use bristle_importer::raw;
use std::ptr::{null, null_mut};

#[test]
fn empty_arrays_may_be_null() {
    let fmu = Fmu::packaged("FrDyn2");
    let i = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    for status in [
        raw!(i, get_real, null(), 0, null_mut()),
        raw!(i, get_integer, null(), 0, null_mut()),
        raw!(i, get_boolean, null(), 0, null_mut()),
        raw!(i, get_string, null(), 0, null_mut()),
        raw!(i, set_real, null(), 0, null()),
        raw!(i, set_integer, null(), 0, null()),
        raw!(i, set_boolean, null(), 0, null()),
        raw!(i, set_string, null(), 0, null()),
        raw!(i, set_real_input_derivatives, null(), 0, null(), null()),
        raw!(
            i,
            get_real_output_derivatives,
            null(),
            0,
            null(),
            null_mut()
        ),
        raw!(
            i,
            get_directional_derivative,
            null(),
            0,
            null(),
            0,
            null(),
            null_mut()
        ),
        raw!(i, set_debug_logging, 1, 0, null()),
    ] {
        i.ok(status);
    }
    let i = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::ContinuousTime);
    i.ok(raw!(i, get_event_indicators, null_mut(), 0));
}

#[test]
fn null_array_of_nonzero_length_is_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let [v, force] = ["v", "F_R"].map(|name| fmu.description.reference(name));
    let mut number = 0.0;
    let (mut integer, mut text) = (0, null());
    let i = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    for (n, status) in [
        raw!(i, get_real, null(), 1, &mut number),
        raw!(i, get_real, &v, 1, null_mut()),
        raw!(i, get_real, null(), usize::MAX, null_mut()),
        raw!(i, set_real, null(), 1, &number),
        raw!(i, set_real, &v, 1, null()),
        raw!(i, get_integer, null(), 1, &mut integer),
        raw!(i, set_integer, null(), 1, &integer),
        raw!(i, get_boolean, null(), 1, &mut integer),
        raw!(
            i,
            get_boolean,
            &fmu.description.reference("sticking"),
            1,
            null_mut()
        ),
        raw!(i, set_boolean, null(), 1, &integer),
        raw!(i, get_string, null(), 1, &mut text),
        raw!(i, set_string, null(), 1, &text),
        raw!(i, set_real_input_derivatives, &v, 1, null(), &number),
        raw!(i, set_real_input_derivatives, &v, 1, &1, null()),
        raw!(i, set_real_input_derivatives, null(), 1, &1, &number),
        raw!(
            i,
            get_real_output_derivatives,
            &force,
            1,
            null(),
            &mut number
        ),
        raw!(i, get_real_output_derivatives, &force, 1, &1, null_mut()),
        raw!(
            i,
            get_directional_derivative,
            &force,
            1,
            &v,
            1,
            null(),
            &mut number
        ),
        raw!(
            i,
            get_directional_derivative,
            &force,
            1,
            &v,
            1,
            &number,
            null_mut()
        ),
        raw!(
            i,
            get_directional_derivative,
            null(),
            1,
            &v,
            1,
            &number,
            &mut number
        ),
        raw!(i, set_debug_logging, 1, 1, null()),
        raw!(i, get_status, 0, null_mut()),
        raw!(i, get_real_status, 2, null_mut()),
        raw!(i, get_boolean_status, 3, null_mut()),
        raw!(i, get_string_status, 1, null_mut()),
        raw!(i, get_fmu_state, null_mut()),
        raw!(i, set_fmu_state, FmuState::NULL),
        raw!(i, serialized_fmu_state_size, FmuState::NULL, &mut 0),
        raw!(i, serialize_fmu_state, FmuState::NULL, null_mut(), 0),
        raw!(
            i,
            deserialize_fmu_state,
            null(),
            10,
            &mut FmuState::NULL.clone()
        ),
        raw!(i, deserialize_fmu_state, null(), 0, null_mut()),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(status, Status::Error, "call {n}");
    }
    assert_eq!(i.take_log().len(), 31);
    let i = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::ContinuousTime);
    for status in [
        raw!(i, get_derivatives, null_mut(), 2),
        raw!(i, get_continuous_states, null_mut(), 2),
        raw!(i, set_continuous_states, null(), 2),
        raw!(i, get_nominals_of_continuous_states, null_mut(), 2),
        raw!(i, completed_integrator_step, 1, null_mut(), &mut integer),
        raw!(i, completed_integrator_step, 1, &mut integer, null_mut()),
    ] {
        assert_eq!(status, Status::Error);
    }
    assert_eq!(i.take_log().len(), 6);
}

#[test]
fn array_length_beyond_memory_is_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let i = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let (reference, mut value) = (0, 0.0);
    let status = raw!(i, get_real, &reference, usize::MAX, &mut value);
    assert!(i.complaint(status).contains("cannot be an array"));
}

#[test]
fn null_instance_is_an_error() {
    let fmu = Fmu::packaged("FrDyn2");
    let f = &fmu.functions;
    let c = null_mut();
    let mut number = 0.0;
    let mut integer = 0;
    let mut state = FmuState::NULL;
    // SAFETY: the arrays are as long as announced; that NULL for the instance is noticed is the
    // claim.
    let statuses: Vec<RawStatus> = unsafe {
        vec![
            (f.set_debug_logging)(c, 1, 0, null()),
            (f.setup_experiment)(c, 0, 0.0, 0.0, 0, 0.0),
            (f.enter_initialization_mode)(c),
            (f.exit_initialization_mode)(c),
            (f.terminate)(c),
            (f.reset)(c),
            (f.get_real)(c, &0, 1, &mut number),
            (f.get_integer)(c, &0, 1, &mut integer),
            (f.get_boolean)(c, &0, 1, &mut integer),
            (f.get_string)(c, &0, 1, &mut null()),
            (f.set_real)(c, &0, 1, &number),
            (f.set_integer)(c, &0, 1, &integer),
            (f.set_boolean)(c, &0, 1, &integer),
            (f.set_string)(c, &0, 1, &null()),
            (f.get_fmu_state)(c, &mut state),
            (f.set_fmu_state)(c, state),
            (f.free_fmu_state)(c, &mut state),
            (f.serialized_fmu_state_size)(c, state, &mut 0),
            (f.serialize_fmu_state)(c, state, &mut 0, 1),
            (f.deserialize_fmu_state)(c, &0, 1, &mut state),
            (f.get_directional_derivative)(c, &0, 1, &0, 1, &number, &mut 0.0),
            (f.set_real_input_derivatives)(c, &0, 1, &1, &number),
            (f.get_real_output_derivatives)(c, &0, 1, &1, &mut number),
            (f.do_step)(c, 0.0, 1.0, 1),
            (f.cancel_step)(c),
            (f.get_status)(c, 0, &mut integer),
            (f.get_real_status)(c, 2, &mut number),
            (f.get_integer_status)(c, 0, &mut integer),
            (f.get_boolean_status)(c, 3, &mut integer),
            (f.get_string_status)(c, 1, &mut null()),
            (f.enter_event_mode)(c),
            (f.new_discrete_states)(c, null_mut()),
            (f.enter_continuous_time_mode)(c),
            (f.completed_integrator_step)(c, 1, &mut integer, &mut 0),
            (f.set_time)(c, 0.0),
            (f.set_continuous_states)(c, &number, 1),
            (f.get_derivatives)(c, &mut number, 1),
            (f.get_event_indicators)(c, &mut number, 1),
            (f.get_continuous_states)(c, &mut number, 1),
            (f.get_nominals_of_continuous_states)(c, &mut number, 1),
        ]
    };
    assert_eq!(
        statuses.len(),
        bristle_importer::calling_sequence::Call::ALL.len(),
        "every function was called"
    );
    for (n, status) in statuses.into_iter().enumerate() {
        assert_eq!(Status::from_raw(status), Status::Error, "call {n}");
    }
}

#[test]
fn freeing_null_state_does_nothing() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::Instantiated);
    let mut state = FmuState::NULL;
    let status = instance.free_fmu_state(&mut state);
    instance.ok(status);
    assert_eq!(state, FmuState::NULL);
    instance.ok(raw!(instance, free_fmu_state, null_mut()));
    // Freeing a freed state again does nothing.
    let status = instance.get_fmu_state(&mut state);
    instance.ok(status);
    for _ in 0..2 {
        let status = instance.free_fmu_state(&mut state);
        instance.ok(status);
        assert_eq!(state, FmuState::NULL);
    }
}
