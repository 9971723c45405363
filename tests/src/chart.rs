//! The state charts of FMI 2.0, Sec. 3.2.3 and 4.2.4, written down from the standard's tables for these tests alone:
//! for each interface and each mode the functions that may be called, and the mode that a successful call leads to.
//!
//! Modes that this slave never enters are left out: its steps neither fail nor wait nor get cancelled, they are done or
//! refused.

use crate::fmi2::Kind;
use crate::host::{CO_SIMULATION, MODEL_EXCHANGE};

/// Where an instance stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the standard's names say it
pub enum Mode {
    Instantiated,
    Initialization,
    StepComplete,
    Event,
    ContinuousTime,
    Terminated,
}

/// The modes of Co-Simulation.
pub const CO_SIMULATION_MODES: [Mode; 4] =
    [Mode::Instantiated, Mode::Initialization, Mode::StepComplete, Mode::Terminated];
/// The modes of Model Exchange.
pub const MODEL_EXCHANGE_MODES: [Mode; 5] =
    [Mode::Instantiated, Mode::Initialization, Mode::Event, Mode::ContinuousTime, Mode::Terminated];

/// The modes of an interface.
pub fn modes(kind: Kind) -> &'static [Mode] {
    if kind == CO_SIMULATION { &CO_SIMULATION_MODES } else { &MODEL_EXCHANGE_MODES }
}

macro_rules! calls {
    ($($name:ident)*) => {
        /// The functions that are called on an instance, `fmi2` left out.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, clippy::enum_variant_names)] // the standard's names say it
        pub enum Call { $($name),* }

        impl Call {
            /// Every function that is called on an instance, but for the one that ends it.
            pub const ALL: &[Call] = &[$(Call::$name),*];

            /// Its name in C.
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

/// Both interfaces, every mode.
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
const GET: &[Call] = &[GetReal, GetInteger, GetBoolean, GetString, GetDirectionalDerivative];
const SET: &[Call] = &[SetReal, SetInteger, SetBoolean, SetString];
const STATUS: &[Call] = &[GetStatus, GetRealStatus, GetIntegerStatus, GetBooleanStatus, GetStringStatus];
const STATES: &[Call] = &[GetDerivatives, GetEventIndicators, GetContinuousStates, GetNominalsOfContinuousStates];

/// The functions that may be called in a mode, beside those that always may.
fn allowed(kind: Kind, mode: Mode) -> Vec<&'static [Call]> {
    match (kind, mode) {
        (CO_SIMULATION, Mode::Instantiated) => vec![START, SET, &[SetRealInputDerivatives]],
        (CO_SIMULATION, Mode::Initialization) => vec![&[ExitInitializationMode, SetRealInputDerivatives], GET, SET],
        (CO_SIMULATION, Mode::StepComplete) => {
            vec![&[DoStep, Terminate, SetRealInputDerivatives, GetRealOutputDerivatives], GET, SET, STATUS]
        }
        (CO_SIMULATION, Mode::Terminated) => vec![GET, STATUS, &[GetRealOutputDerivatives]],
        (MODEL_EXCHANGE, Mode::Instantiated) => vec![START, SET, &[GetNominalsOfContinuousStates]],
        (MODEL_EXCHANGE, Mode::Initialization) => vec![&[ExitInitializationMode], GET, SET, STATES],
        (MODEL_EXCHANGE, Mode::Event) => vec![
            &[EnterEventMode, NewDiscreteStates, EnterContinuousTimeMode, Terminate],
            GET,
            SET,
            STATES,
            // The table has it in Continuous-Time Mode only, the text and the importers after an event as well.
            &[SetTime],
        ],
        (MODEL_EXCHANGE, Mode::ContinuousTime) => vec![
            // Of the variables only Reals are continuous.
            &[EnterEventMode, CompletedIntegratorStep, SetTime, SetContinuousStates, SetReal, Terminate],
            GET,
            STATES,
        ],
        (MODEL_EXCHANGE, Mode::Terminated) => vec![GET, STATES],
        _ => Vec::new(),
    }
}

/// Whether the standard allows this call now.
pub fn allows(kind: Kind, mode: Mode, call: Call) -> bool {
    ALWAYS.contains(&call) || allowed(kind, mode).iter().any(|calls| calls.contains(&call))
}

/// The mode after a call that was answered with fmi2OK. (`SetFMUstate` leads to the mode of the state it restores.)
pub fn after(kind: Kind, mode: Mode, call: Call) -> Mode {
    match call {
        EnterInitializationMode => Mode::Initialization,
        ExitInitializationMode if kind == CO_SIMULATION => Mode::StepComplete,
        ExitInitializationMode | EnterEventMode => Mode::Event,
        EnterContinuousTimeMode => Mode::ContinuousTime,
        Terminate => Mode::Terminated,
        Reset => Mode::Instantiated,
        _ => mode,
    }
}
