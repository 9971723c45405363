//! Calling sequences of FMI 2.0, Sec. 3.2.3 and 4.2.4, from the standard's tables: for each
//! interface and each state of an instance the functions that may be called, and the state that a
//! successful call leads to.
//!
//! States that these FMUs never enter are left out: `fmi2DoStep` returns neither fmi2Pending,
//! fmi2Discard nor fmi2Fatal.

use crate::fmi2::{CO_SIMULATION, InterfaceType, MODEL_EXCHANGE};

/// State of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the standard's names say it
pub enum InstanceState {
    Instantiated,
    Initialization,
    StepComplete,
    Event,
    ContinuousTime,
    Terminated,
}

/// States of Co-Simulation.
pub const CO_SIMULATION_STATES: [InstanceState; 4] = [
    InstanceState::Instantiated,
    InstanceState::Initialization,
    InstanceState::StepComplete,
    InstanceState::Terminated,
];
/// States of Model Exchange.
pub const MODEL_EXCHANGE_STATES: [InstanceState; 5] = [
    InstanceState::Instantiated,
    InstanceState::Initialization,
    InstanceState::Event,
    InstanceState::ContinuousTime,
    InstanceState::Terminated,
];

/// States of an interface.
pub fn states(kind: InterfaceType) -> &'static [InstanceState] {
    if kind == CO_SIMULATION {
        &CO_SIMULATION_STATES
    } else {
        &MODEL_EXCHANGE_STATES
    }
}

macro_rules! calls {
    ($($name:ident)*) => {
        /// Function that is called on an instance, without its prefix `fmi2`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, clippy::enum_variant_names)] // the standard's names say it
        pub enum Call { $($name),* }

        impl Call {
            /// Every function that is called on an instance but `fmi2FreeInstance`.
            pub const ALL: &[Call] = &[$(Call::$name),*];

            /// Name in C.
            pub fn name(self) -> &'static str {
                match self { $(Call::$name => concat!("fmi2", stringify!($name))),* }
            }
        }
    };
}

calls! {
    SetDebugLogging SetupExperiment EnterInitializationMode ExitInitializationMode Terminate Reset
    GetReal GetInteger GetBoolean GetString SetReal SetInteger SetBoolean SetString
    GetFMUstate SetFMUstate FreeFMUstate SerializedFMUstateSize SerializeFMUstate DeSerializeFMUstate
    GetDirectionalDerivative
    SetRealInputDerivatives GetRealOutputDerivatives DoStep CancelStep
    GetStatus GetRealStatus GetIntegerStatus GetBooleanStatus GetStringStatus
    EnterEventMode NewDiscreteStates EnterContinuousTimeMode CompletedIntegratorStep SetTime SetContinuousStates
    GetDerivatives GetEventIndicators GetContinuousStates GetNominalsOfContinuousStates
}

use Call::*;

/// Allowed in both interfaces and every state.
const ALWAYS: &[Call] = &[
    SetDebugLogging,
    Reset,
    GetFMUstate,
    SetFMUstate,
    FreeFMUstate,
    SerializedFMUstateSize,
    SerializeFMUstate,
    DeSerializeFMUstate,
];
const START: &[Call] = &[SetupExperiment, EnterInitializationMode];
const GET: &[Call] = &[
    GetReal,
    GetInteger,
    GetBoolean,
    GetString,
    GetDirectionalDerivative,
];
const SET: &[Call] = &[SetReal, SetInteger, SetBoolean, SetString];
const STATUS: &[Call] = &[
    GetStatus,
    GetRealStatus,
    GetIntegerStatus,
    GetBooleanStatus,
    GetStringStatus,
];
const STATES: &[Call] = &[
    GetDerivatives,
    GetEventIndicators,
    GetContinuousStates,
    GetNominalsOfContinuousStates,
];

/// Functions that may be called in a state, beside [`ALWAYS`].
fn allowed(kind: InterfaceType, state: InstanceState) -> Vec<&'static [Call]> {
    match (kind, state) {
        (CO_SIMULATION, InstanceState::Instantiated) => {
            vec![START, SET, &[SetRealInputDerivatives]]
        }
        (CO_SIMULATION, InstanceState::Initialization) => {
            vec![&[ExitInitializationMode, SetRealInputDerivatives], GET, SET]
        }
        (CO_SIMULATION, InstanceState::StepComplete) => {
            vec![
                &[
                    DoStep,
                    Terminate,
                    SetRealInputDerivatives,
                    GetRealOutputDerivatives,
                ],
                GET,
                SET,
                STATUS,
            ]
        }
        (CO_SIMULATION, InstanceState::Terminated) => {
            vec![GET, STATUS, &[GetRealOutputDerivatives]]
        }
        (MODEL_EXCHANGE, InstanceState::Instantiated) => {
            vec![START, SET, &[GetNominalsOfContinuousStates]]
        }
        (MODEL_EXCHANGE, InstanceState::Initialization) => {
            vec![&[ExitInitializationMode], GET, SET, STATES]
        }
        (MODEL_EXCHANGE, InstanceState::Event) => vec![
            &[
                EnterEventMode,
                NewDiscreteStates,
                EnterContinuousTimeMode,
                Terminate,
            ],
            GET,
            SET,
            STATES,
            // The table has it in Continuous-Time Mode only, the text and importers after an event
            // as well.
            &[SetTime],
        ],
        (MODEL_EXCHANGE, InstanceState::ContinuousTime) => vec![
            // Of the variables only Reals are continuous.
            &[
                EnterEventMode,
                CompletedIntegratorStep,
                SetTime,
                SetContinuousStates,
                SetReal,
                Terminate,
            ],
            GET,
            STATES,
        ],
        (MODEL_EXCHANGE, InstanceState::Terminated) => vec![GET, STATES],
        _ => Vec::new(),
    }
}

/// The standard allows this call in this state.
pub fn allows(kind: InterfaceType, state: InstanceState, call: Call) -> bool {
    ALWAYS.contains(&call)
        || allowed(kind, state)
            .iter()
            .any(|calls| calls.contains(&call))
}

/// State after a call that returned fmi2OK, but for `SetFMUstate`, which restores a state.
pub fn after(kind: InterfaceType, state: InstanceState, call: Call) -> InstanceState {
    match call {
        EnterInitializationMode => InstanceState::Initialization,
        ExitInitializationMode if kind == CO_SIMULATION => InstanceState::StepComplete,
        ExitInitializationMode | EnterEventMode => InstanceState::Event,
        EnterContinuousTimeMode => InstanceState::ContinuousTime,
        Terminate => InstanceState::Terminated,
        Reset => InstanceState::Instantiated,
        _ => state,
    }
}
