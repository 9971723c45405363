//! Every function in every state of both interfaces, with right arguments: accepted exactly where
//! the standard's calling sequence allows it, and a refused call changes nothing.

use bristle_importer::calling_sequence::{Call, InstanceState, after, allows, states};
use bristle_importer::fmi2::{
    CO_SIMULATION, EventInfo, FmuState, MODEL_EXCHANGE, Reference, Status,
};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::lifecycle::instance_in;
use bristle_importer::raw;
use std::ptr::{null, null_mut};

#[test]
fn calls_are_accepted_as_the_standard_allows() {
    let fmu = Fmu::packaged("FrDyn2");
    for interface in [CO_SIMULATION, MODEL_EXCHANGE] {
        let mut counts = [0; 2];
        for &state in states(interface) {
            for &call in Call::ALL {
                let mut instance = instance_in(&fmu, interface, state);
                let mut held = Held::by(&mut instance);
                let status = held.perform(&mut instance, call);
                let may = allows(interface, state, call);
                counts[usize::from(may)] += 1;
                if may && call == Call::GetIntegerStatus {
                    // No status is an integer: in its place the call is refused for that.
                    assert!(instance.complaint(status).contains("no value of this type"));
                } else if may {
                    instance.ok(status);
                    expect_mode(&mut instance, interface, after(interface, state, call));
                } else {
                    let said = instance.complaint(status);
                    assert!(said.starts_with(&format!("{}: ", call.name())), "{said}");
                    assert!(
                        said.len() > 60 && !said.ends_with('\n'),
                        "a sentence that helps: {said}"
                    );
                    expect_mode(&mut instance, interface, state);
                }
                held.free(&mut instance);
            }
        }
        println!(
            "interface {interface}: {} calls allowed, {} refused",
            counts[1], counts[0]
        );
    }
}

#[test]
fn functions_of_the_other_interface_are_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut co_simulation = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let status = co_simulation.enter_continuous_time_mode();
    assert!(
        co_simulation
            .complaint(status)
            .contains("belongs to Model Exchange")
    );
    let mut model_exchange = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::Event);
    let status = model_exchange.do_step(0.0, 1e-3);
    assert!(
        model_exchange
            .complaint(status)
            .contains("belongs to Co-Simulation")
    );
}

/// Checks the state of an instance by the calls that it accepts: for each state there is a call
/// that distinguishes it.
fn expect_mode(instance: &mut Instance, interface: i32, state: InstanceState) {
    let mut info = EventInfo::default();
    let status = match state {
        InstanceState::Instantiated => instance.setup_experiment(None, 0.0, None),
        InstanceState::Initialization => instance.exit_initialization_mode(),
        InstanceState::StepComplete => {
            let mut now = f64::NAN;
            let _ = instance.get_real_status(2, &mut now);
            instance.do_step(now, 1e-3)
        }
        InstanceState::Event => instance.new_discrete_states(&mut info),
        InstanceState::ContinuousTime => instance.set_time(1e-3),
        InstanceState::Terminated => {
            let status = instance.terminate();
            assert!(
                instance.complaint(status).contains("after fmi2Terminate"),
                "interface {interface}"
            );
            Status::OK
        }
    };
    instance.ok(status);
}

/// Right arguments of calls: references of variables, a saved state of the instance and its bytes.
struct Held {
    input: Reference,
    parameter: Reference,
    output: Reference,
    flag: Reference,
    state: FmuState,
    bytes: Vec<u8>,
}

impl Held {
    fn by(instance: &mut Instance) -> Self {
        let reference = |name| instance.fmu().description.reference(name);
        let [input, parameter, output, flag] = ["v", "mu_s", "F_R", "sticking"].map(reference);
        let mut state = FmuState::NULL;
        let status = instance.get_fmu_state(&mut state);
        instance.ok(status);
        let (status, bytes) = instance.serialize_fmu_state(state);
        instance.ok(status);
        Held {
            input,
            parameter,
            output,
            flag,
            state,
            bytes,
        }
    }

    fn free(mut self, instance: &mut Instance) {
        let status = instance.free_fmu_state(&mut self.state);
        instance.ok(status);
    }

    /// Call that only the state of the instance can refuse.
    fn perform(&mut self, i: &mut Instance, call: Call) -> Status {
        use Call::*;
        let mut numbers = [0.0; 2];
        let mut integer = 0;
        let mut text = null();
        match call {
            SetDebugLogging => i.set_debug_logging(true, &[]),
            SetupExperiment => i.setup_experiment(Some(1e-4), 0.0, Some(10.0)),
            EnterInitializationMode => i.enter_initialization_mode(),
            ExitInitializationMode => i.exit_initialization_mode(),
            Terminate => i.terminate(),
            Reset => i.reset(),
            GetReal => i.get_real(&[self.output, self.input], &mut numbers),
            GetInteger => raw!(i, get_integer, null(), 0, null_mut()),
            GetBoolean => i.get_boolean(&[self.flag], &mut [0]),
            GetString => raw!(i, get_string, null(), 0, null_mut()),
            // In Continuous-Time Mode the inputs alone.
            SetReal if i.set_time(0.0) == Status::OK => i.set_real(&[self.input], &[1e-3]),
            SetReal => {
                i.take_log();
                i.set_real(&[self.input, self.parameter], &[1e-3, 0.5])
            }
            SetInteger => raw!(i, set_integer, null(), 0, null()),
            SetBoolean => raw!(i, set_boolean, null(), 0, null()),
            SetString => raw!(i, set_string, null(), 0, null()),
            GetFMUstate => i.get_fmu_state(&mut self.state),
            SetFMUstate => i.set_fmu_state(self.state),
            FreeFMUstate => i.free_fmu_state(&mut self.state),
            SerializedFMUstateSize => raw!(i, serialized_fmu_state_size, self.state, &mut 0),
            SerializeFMUstate => {
                raw!(
                    i,
                    serialize_fmu_state,
                    self.state,
                    self.bytes.as_mut_ptr().cast(),
                    self.bytes.len()
                )
            }
            DeSerializeFMUstate => i.deserialize_fmu_state(&self.bytes, &mut self.state),
            GetDirectionalDerivative => {
                i.get_directional_derivative(&[self.output], &[self.input], &[1.0], &mut [0.0])
            }
            SetRealInputDerivatives => i.set_real_input_derivatives(&[self.input], &[1], &[1.0]),
            GetRealOutputDerivatives => {
                i.get_real_output_derivatives(&[self.output], &[1], &mut [0.0])
            }
            DoStep => i.do_step(0.0, 1e-3),
            CancelStep => i.cancel_step(),
            GetStatus => raw!(i, get_status, 0, &mut integer),
            GetRealStatus => i.get_real_status(2, &mut numbers[0]),
            GetIntegerStatus => raw!(i, get_integer_status, 0, &mut integer),
            GetBooleanStatus => raw!(i, get_boolean_status, 3, &mut integer),
            GetStringStatus => raw!(i, get_string_status, 1, &mut text),
            EnterEventMode => i.enter_event_mode(),
            NewDiscreteStates => i.new_discrete_states(&mut EventInfo::default()),
            EnterContinuousTimeMode => i.enter_continuous_time_mode(),
            CompletedIntegratorStep => i.completed_integrator_step().0,
            SetTime => i.set_time(1e-3),
            SetContinuousStates => i.set_continuous_states(&[1e-7, 0.0]),
            GetDerivatives => i.get_derivatives(&mut numbers),
            GetEventIndicators => i.get_event_indicators(&mut []),
            GetContinuousStates => i.get_continuous_states(&mut numbers),
            GetNominalsOfContinuousStates => i.get_nominals_of_continuous_states(&mut numbers),
        }
    }
}
