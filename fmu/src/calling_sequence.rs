//! Which function may be called when: the state charts of FMI 2.0, Sec. 3.2.3 (Model Exchange) and
//! 4.2.4 (Co-Simulation), as one table.
//!
//! A refused call leaves the instance in the state it was in: nothing that an importer gets wrong
//! ends a simulation.

use bristle::saved_state::{Reader, SavedState, Writer};
use core::fmt;

/// The kind of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum InterfaceType {
    ModelExchange,
    CoSimulation,
}

impl SavedState for InterfaceType {
    fn write(&self, writer: &mut Writer) {
        writer.bytes(&[*self as u8]);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [number] = reader.bytes()?;
        [InterfaceType::ModelExchange, InterfaceType::CoSimulation]
            .into_iter()
            .find(|kind| *kind as u8 == number)
    }
}

impl fmt::Display for InterfaceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InterfaceType::ModelExchange => "Model Exchange",
            InterfaceType::CoSimulation => "Co-Simulation",
        })
    }
}

/// The state of an instance in its chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum InstanceState {
    Instantiated,
    Initialization,
    /// Co-Simulation, between steps.
    StepComplete,
    Event,
    ContinuousTime,
    Terminated,
    /// A defect of this library was met: nothing but freeing the instance is left.
    Fatal,
}

impl InstanceState {
    /// Every mode an instance can be restored to.
    pub const SOUND: [InstanceState; 6] = [
        InstanceState::Instantiated,
        InstanceState::Initialization,
        InstanceState::StepComplete,
        InstanceState::Event,
        InstanceState::ContinuousTime,
        InstanceState::Terminated,
    ];

    /// The mode exists for this kind of instance.
    pub fn belongs_to(self, kind: InterfaceType) -> bool {
        match self {
            InstanceState::StepComplete => kind == InterfaceType::CoSimulation,
            InstanceState::Event | InstanceState::ContinuousTime => {
                kind == InterfaceType::ModelExchange
            }
            _ => true,
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Of the states that an instance can be restored to.
impl SavedState for InstanceState {
    fn write(&self, writer: &mut Writer) {
        writer.bytes(&[*self as u8]);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [number] = reader.bytes()?;
        InstanceState::SOUND
            .into_iter()
            .find(|state| *state as u8 == number)
    }
}

impl fmt::Display for InstanceState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InstanceState::Instantiated => "after fmi2Instantiate",
            InstanceState::Initialization => "in Initialization Mode",
            InstanceState::StepComplete => "between communication steps",
            InstanceState::Event => "in Event Mode",
            InstanceState::ContinuousTime => "in Continuous-Time Mode",
            InstanceState::Terminated => "after fmi2Terminate",
            InstanceState::Fatal => "after a fatal error",
        })
    }
}

const INS: u8 = InstanceState::Instantiated.bit();
const INI: u8 = InstanceState::Initialization.bit();
const COM: u8 = InstanceState::StepComplete.bit();
const EVT: u8 = InstanceState::Event.bit();
const CTM: u8 = InstanceState::ContinuousTime.bit();
const TER: u8 = InstanceState::Terminated.bit();
const ALL: u8 = INS | INI | COM | EVT | CTM | TER;

macro_rules! chart {
    ($($function:ident: $modes:expr;)*) => {
        /// The functions that are called on an instance.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(clippy::enum_variant_names)]
        pub enum Function { $($function),* }

        impl Function {
            /// The function's name in C.
            pub fn name(self) -> &'static str {
                match self { $(Function::$function => concat!("fmi2", stringify!($function))),* }
            }

            /// The modes in which it may be called.
            const fn modes(self) -> u8 {
                match self { $(Function::$function => $modes),* }
            }
        }
    };
}

// Modes of the other kind of instance are never reached, so one row serves both charts. More is
// refused inside the functions that set values: which variable may be set depends on the mode, too.
chart! {
    SetDebugLogging: ALL;
    SetupExperiment: INS;
    EnterInitializationMode: INS;
    ExitInitializationMode: INI;
    Terminate: COM | EVT | CTM;
    Reset: ALL;
    GetReal: INI | COM | EVT | CTM | TER;
    GetInteger: INI | COM | EVT | CTM | TER;
    GetBoolean: INI | COM | EVT | CTM | TER;
    GetString: INI | COM | EVT | CTM | TER;
    SetReal: INS | INI | COM | EVT | CTM;
    SetInteger: INS | INI | COM | EVT;
    SetBoolean: INS | INI | COM | EVT;
    SetString: INS | INI | COM | EVT;
    GetFMUstate: ALL;
    SetFMUstate: ALL;
    FreeFMUstate: ALL;
    SerializedFMUstateSize: ALL;
    SerializeFMUstate: ALL;
    DeSerializeFMUstate: ALL;
    GetDirectionalDerivative: INI | COM | EVT | CTM | TER;

    SetRealInputDerivatives: INS | INI | COM;
    GetRealOutputDerivatives: COM | TER;
    DoStep: COM;
    // A step is never pending, so there is never one to cancel.
    CancelStep: 0;
    GetStatus: COM | TER;
    GetRealStatus: COM | TER;
    GetIntegerStatus: COM | TER;
    GetBooleanStatus: COM | TER;
    GetStringStatus: COM | TER;

    EnterEventMode: EVT | CTM;
    NewDiscreteStates: EVT;
    EnterContinuousTimeMode: EVT;
    CompletedIntegratorStep: CTM;
    SetTime: EVT | CTM;
    SetContinuousStates: CTM;
    GetDerivatives: INI | EVT | CTM | TER;
    GetEventIndicators: INI | EVT | CTM | TER;
    GetContinuousStates: INI | EVT | CTM | TER;
    GetNominalsOfContinuousStates: INS | INI | EVT | CTM | TER;
}

impl Function {
    /// The interface that alone has this function, if one has.
    fn only(self) -> Option<InterfaceType> {
        use Function::*;
        match self {
            SetRealInputDerivatives
            | GetRealOutputDerivatives
            | DoStep
            | CancelStep
            | GetStatus
            | GetRealStatus
            | GetIntegerStatus
            | GetBooleanStatus
            | GetStringStatus => Some(InterfaceType::CoSimulation),
            EnterEventMode
            | NewDiscreteStates
            | EnterContinuousTimeMode
            | CompletedIntegratorStep
            | SetTime
            | SetContinuousStates
            | GetDerivatives
            | GetEventIndicators
            | GetContinuousStates
            | GetNominalsOfContinuousStates => Some(InterfaceType::ModelExchange),
            _ => None,
        }
    }

    /// The function does no arithmetic by itself and needs no default floating-point environment.
    /// It gets and sets values at every step of a master: what calculates on the way enters the
    /// environment itself.
    #[inline]
    pub fn only_copies(self) -> bool {
        use Function::*;
        matches!(
            self,
            GetReal | GetInteger | GetBoolean | SetReal | SetInteger
        )
    }

    /// Checks that the function may be called; the error is a sentence with reason and remedy.
    #[inline]
    pub fn allowed(self, kind: InterfaceType, mode: InstanceState) -> Result<(), String> {
        if self.modes() & mode.bit() != 0 && self.only().is_none_or(|only| only == kind) {
            return Ok(());
        }
        Err(self.why_not(kind, mode))
    }

    #[cold]
    fn why_not(self, kind: InterfaceType, mode: InstanceState) -> String {
        if let Some(only) = self.only()
            && only != kind
        {
            return format!(
                "the function belongs to {only}, but this is a {kind} instance; do not call it here"
            );
        }
        let modes: Vec<String> = InstanceState::SOUND
            .iter()
            .filter(|m| self.modes() & m.bit() != 0 && m.belongs_to(kind))
            .map(InstanceState::to_string)
            .collect();
        if modes.is_empty() {
            return "no step is ever pending, so there is nothing to cancel; do not call it"
                .to_owned();
        }
        format!(
            "the function was called {mode}, where FMI 2.0 does not allow it; call it {}",
            modes.join(" or ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_calculate_enter_the_default_environment() {
        use Function::*;
        for function in [
            DoStep,
            ExitInitializationMode,
            GetDerivatives,
            GetEventIndicators,
            SetRealInputDerivatives,
        ] {
            assert!(!function.only_copies(), "{function:?}");
        }
        for function in [GetReal, GetInteger, GetBoolean, SetReal, SetInteger] {
            assert!(function.only_copies(), "{function:?}");
        }
    }

    #[test]
    fn functions_may_be_called_in_the_states_of_the_standard() {
        use Function::*;
        use InstanceState::*;
        let states = |function: Function, kind: InterfaceType| -> Vec<InstanceState> {
            let of_kind = InstanceState::SOUND
                .into_iter()
                .filter(|state| state.belongs_to(kind));
            of_kind
                .filter(|state| function.allowed(kind, *state).is_ok())
                .collect()
        };
        let co_simulation = [
            (
                SetDebugLogging,
                vec![Instantiated, Initialization, StepComplete, Terminated],
            ),
            (EnterInitializationMode, vec![Instantiated]),
            (ExitInitializationMode, vec![Initialization]),
            (DoStep, vec![StepComplete]),
            (GetReal, vec![Initialization, StepComplete, Terminated]),
            (Terminate, vec![StepComplete]),
            (GetDerivatives, vec![]),
            (NewDiscreteStates, vec![]),
        ];
        let model_exchange = [
            (
                SetDebugLogging,
                vec![
                    Instantiated,
                    Initialization,
                    Event,
                    ContinuousTime,
                    Terminated,
                ],
            ),
            (NewDiscreteStates, vec![Event]),
            (EnterContinuousTimeMode, vec![Event]),
            (EnterEventMode, vec![Event, ContinuousTime]),
            (SetContinuousStates, vec![ContinuousTime]),
            (
                GetDerivatives,
                vec![Initialization, Event, ContinuousTime, Terminated],
            ),
            (DoStep, vec![]),
        ];
        for (function, expected) in co_simulation {
            assert_eq!(
                states(function, InterfaceType::CoSimulation),
                expected,
                "{function:?}"
            );
        }
        for (function, expected) in model_exchange {
            assert_eq!(
                states(function, InterfaceType::ModelExchange),
                expected,
                "{function:?}"
            );
        }
    }

    #[test]
    fn refused_function_says_where_it_belongs() {
        let refusal = |function: Function, kind, mode| function.allowed(kind, mode).unwrap_err();
        let foreign = refusal(
            Function::DoStep,
            InterfaceType::ModelExchange,
            InstanceState::Event,
        );
        let expected = "the function belongs to Co-Simulation, but this is a Model Exchange \
                        instance; do not call it here";
        assert_eq!(foreign, expected);
        let early = refusal(
            Function::DoStep,
            InterfaceType::CoSimulation,
            InstanceState::Instantiated,
        );
        assert!(early.contains("between communication steps"), "{early}");
        assert!(
            !early.contains("in Event Mode") && !early.contains("belongs to"),
            "{early}"
        );
        let several = refusal(
            Function::GetContinuousStates,
            InterfaceType::ModelExchange,
            InstanceState::Instantiated,
        );
        let states = "in Initialization Mode or in Event Mode or in Continuous-Time Mode or after \
                      fmi2Terminate";
        let reason =
            "the function was called after fmi2Instantiate, where FMI 2.0 does not allow it";
        assert_eq!(several, format!("{reason}; call it {states}"));
        let never = refusal(
            Function::CancelStep,
            InterfaceType::CoSimulation,
            InstanceState::StepComplete,
        );
        assert_eq!(
            never,
            "no step is ever pending, so there is nothing to cancel; do not call it"
        );
        refusal(
            Function::DoStep,
            InterfaceType::CoSimulation,
            InstanceState::Fatal,
        );
    }
}
