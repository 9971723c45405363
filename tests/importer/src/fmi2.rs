//! The C interface of FMI 2.0 as its headers print it: types, structures, and the 44 functions of
//! one library.
//!
//! Written from the standard and independent of the library's own declarations, so that those are
//! tested, too.

#![allow(clippy::upper_case_acronyms)]

use core::ffi::{c_char, c_int, c_void};
use std::path::Path;

/// `fmi2Component`.
pub type Component = *mut c_void;
/// `fmi2ComponentEnvironment`.
pub type Environment = *mut c_void;
/// `fmi2ValueReference`.
pub type Reference = u32;
/// `fmi2Boolean`.
pub type Boolean = c_int;
/// `fmi2String`.
pub type Text = *const c_char;
/// `fmi2Byte`.
pub type Byte = c_char;
/// `fmi2Type`.
pub type InterfaceType = c_int;
/// `fmi2ModelExchange`.
pub const MODEL_EXCHANGE: InterfaceType = 0;
/// `fmi2CoSimulation`.
pub const CO_SIMULATION: InterfaceType = 1;
/// `fmi2Status` as it crosses the interface: any number that a wrong library may return.
pub type RawStatus = c_int;
/// `fmi2StatusKind`.
pub type StatusKind = c_int;

/// `fmi2FMUstate`: null or a pointer that a library gave.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FmuState(*mut c_void);

impl FmuState {
    /// No state.
    pub const NULL: FmuState = FmuState(core::ptr::null_mut());
}

/// `fmi2Status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use]
#[allow(missing_docs)] // the standard's names say it
pub enum Status {
    OK,
    Warning,
    Discard,
    Error,
    Fatal,
    Pending,
}

impl Status {
    /// Status that a library returned.
    ///
    /// # Panics
    /// If the standard has no such status.
    pub fn from_raw(raw: RawStatus) -> Self {
        match raw {
            0 => Status::OK,
            1 => Status::Warning,
            2 => Status::Discard,
            3 => Status::Error,
            4 => Status::Fatal,
            5 => Status::Pending,
            other => panic!("the library returned {other}, which is no fmi2Status"),
        }
    }
}

/// `fmi2CallbackLogger`, variadic.
pub type Logger = unsafe extern "C" fn(Environment, Text, RawStatus, Text, Text, ...);
/// `fmi2CallbackAllocateMemory`.
pub type AllocateMemory = unsafe extern "C" fn(usize, usize) -> *mut c_void;
/// `fmi2CallbackFreeMemory`.
pub type FreeMemory = unsafe extern "C" fn(*mut c_void);
/// `fmi2StepFinished`.
pub type StepFinished = unsafe extern "C" fn(Environment, RawStatus);

/// `fmi2CallbackFunctions`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // the standard's names say it
pub struct Callbacks {
    pub logger: Option<Logger>,
    pub allocate_memory: Option<AllocateMemory>,
    pub free_memory: Option<FreeMemory>,
    pub step_finished: Option<StepFinished>,
    pub component_environment: Environment,
}

/// `fmi2EventInfo`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)] // the standard's names say it
pub struct EventInfo {
    pub new_discrete_states_needed: Boolean,
    pub terminate_simulation: Boolean,
    pub nominals_of_continuous_states_changed: Boolean,
    pub values_of_continuous_states_changed: Boolean,
    pub next_event_time_defined: Boolean,
    pub next_event_time: f64,
}

/// Declares the table of functions, and how it is read from a library.
macro_rules! functions {
    ($($name:ident = $symbol:literal ($($argument:ty),*) -> $result:ty;)*) => {
        /// The functions of one loaded library.
        #[derive(Debug)]
        pub struct Functions {
            $(
                #[doc = concat!("`", $symbol, "`.")]
                pub $name: unsafe extern "C" fn($($argument),*) -> $result,
            )*
            /// Keeps the functions' code loaded.
            _library: libloading::Library,
        }

        /// The names of all functions of FMI 2.0.
        pub const NAMES: &[&str] = &[$($symbol),*];

        impl Functions {
            /// Loads the library at `path` and finds every function in it.
            ///
            /// # Panics
            /// If it cannot be loaded or lacks a function.
            pub fn load(path: &Path) -> Self {
                // SAFETY: the library is one that this workspace built; loading it runs nothing but
                // its own initialisers.
                let library = unsafe { libloading::Library::new(path) }
                    .unwrap_or_else(|error| panic!("{} cannot be loaded: {error}", path.display()));
                $(
                    // SAFETY: the type is the one that FMI 2.0 gives the function of this name.
                    let $name = *unsafe { library.get($symbol.as_bytes()) }
                        .unwrap_or_else(|error| panic!("{} lacks {}: \
                                                        {error}", path.display(), $symbol));
                )*
                Functions { $($name,)* _library: library }
            }
        }
    };
}

functions! {
    get_types_platform = "fmi2GetTypesPlatform" () -> Text;
    get_version = "fmi2GetVersion" () -> Text;
    set_debug_logging = "fmi2SetDebugLogging" (Component, Boolean, usize, *const Text) -> RawStatus;
    instantiate = "fmi2Instantiate" (Text, InterfaceType, Text, Text, *const Callbacks, Boolean, Boolean) -> Component;
    free_instance = "fmi2FreeInstance" (Component) -> ();
    setup_experiment = "fmi2SetupExperiment" (Component, Boolean, f64, f64, Boolean, f64) -> RawStatus;
    enter_initialization_mode = "fmi2EnterInitializationMode" (Component) -> RawStatus;
    exit_initialization_mode = "fmi2ExitInitializationMode" (Component) -> RawStatus;
    terminate = "fmi2Terminate" (Component) -> RawStatus;
    reset = "fmi2Reset" (Component) -> RawStatus;
    get_real = "fmi2GetReal" (Component, *const Reference, usize, *mut f64) -> RawStatus;
    get_integer = "fmi2GetInteger" (Component, *const Reference, usize, *mut c_int) -> RawStatus;
    get_boolean = "fmi2GetBoolean" (Component, *const Reference, usize, *mut Boolean) -> RawStatus;
    get_string = "fmi2GetString" (Component, *const Reference, usize, *mut Text) -> RawStatus;
    set_real = "fmi2SetReal" (Component, *const Reference, usize, *const f64) -> RawStatus;
    set_integer = "fmi2SetInteger" (Component, *const Reference, usize, *const c_int) -> RawStatus;
    set_boolean = "fmi2SetBoolean" (Component, *const Reference, usize, *const Boolean) -> RawStatus;
    set_string = "fmi2SetString" (Component, *const Reference, usize, *const Text) -> RawStatus;
    get_fmu_state = "fmi2GetFMUstate" (Component, *mut FmuState) -> RawStatus;
    set_fmu_state = "fmi2SetFMUstate" (Component, FmuState) -> RawStatus;
    free_fmu_state = "fmi2FreeFMUstate" (Component, *mut FmuState) -> RawStatus;
    serialized_fmu_state_size = "fmi2SerializedFMUstateSize" (Component, FmuState, *mut usize) -> RawStatus;
    serialize_fmu_state = "fmi2SerializeFMUstate" (Component, FmuState, *mut Byte, usize) -> RawStatus;
    deserialize_fmu_state = "fmi2DeSerializeFMUstate" (Component, *const Byte, usize, *mut FmuState) -> RawStatus;
    get_directional_derivative = "fmi2GetDirectionalDerivative"
        (Component, *const Reference, usize, *const Reference, usize, *const f64, *mut f64) -> RawStatus;
    set_real_input_derivatives = "fmi2SetRealInputDerivatives"
        (Component, *const Reference, usize, *const c_int, *const f64) -> RawStatus;
    get_real_output_derivatives = "fmi2GetRealOutputDerivatives"
        (Component, *const Reference, usize, *const c_int, *mut f64) -> RawStatus;
    do_step = "fmi2DoStep" (Component, f64, f64, Boolean) -> RawStatus;
    cancel_step = "fmi2CancelStep" (Component) -> RawStatus;
    get_status = "fmi2GetStatus" (Component, StatusKind, *mut RawStatus) -> RawStatus;
    get_real_status = "fmi2GetRealStatus" (Component, StatusKind, *mut f64) -> RawStatus;
    get_integer_status = "fmi2GetIntegerStatus" (Component, StatusKind, *mut c_int) -> RawStatus;
    get_boolean_status = "fmi2GetBooleanStatus" (Component, StatusKind, *mut Boolean) -> RawStatus;
    get_string_status = "fmi2GetStringStatus" (Component, StatusKind, *mut Text) -> RawStatus;
    enter_event_mode = "fmi2EnterEventMode" (Component) -> RawStatus;
    new_discrete_states = "fmi2NewDiscreteStates" (Component, *mut EventInfo) -> RawStatus;
    enter_continuous_time_mode = "fmi2EnterContinuousTimeMode" (Component) -> RawStatus;
    completed_integrator_step = "fmi2CompletedIntegratorStep"
        (Component, Boolean, *mut Boolean, *mut Boolean) -> RawStatus;
    set_time = "fmi2SetTime" (Component, f64) -> RawStatus;
    set_continuous_states = "fmi2SetContinuousStates" (Component, *const f64, usize) -> RawStatus;
    get_derivatives = "fmi2GetDerivatives" (Component, *mut f64, usize) -> RawStatus;
    get_event_indicators = "fmi2GetEventIndicators" (Component, *mut f64, usize) -> RawStatus;
    get_continuous_states = "fmi2GetContinuousStates" (Component, *mut f64, usize) -> RawStatus;
    get_nominals_of_continuous_states = "fmi2GetNominalsOfContinuousStates" (Component, *mut f64, usize) -> RawStatus;
}
