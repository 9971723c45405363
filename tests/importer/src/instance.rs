//! Instance of an FMU behind Rust types: lengths that match their arrays, typed statuses, and its
//! log.
//!
//! Values are passed on unchecked, because many tests are about refusals. `variables` gets and sets
//! by name, `solver` has the functions of Model Exchange.

mod solver;
mod variables;

use crate::fmi2::{
    Boolean, CO_SIMULATION, Callbacks, Component, FmuState, Functions, InterfaceType, Reference,
    Status, StatusKind,
};
use crate::fmu::Fmu;
use crate::host_environment::HostEnvironment;
use crate::logger::{Entry, Log, bristle_test_logger};
use core::ffi::{CStr, c_int};
use std::ffi::CString;
use std::ptr::null;

/// Arguments of `fmi2Instantiate`.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the standard's names say it
pub struct Options {
    pub name: CString,
    pub interface: InterfaceType,
    pub guid: CString,
    pub resource_location: Option<CString>,
    pub logging_on: bool,
}

impl Options {
    /// Usual arguments for Co-Simulation.
    pub fn of(fmu: &Fmu) -> Self {
        let string = |text: &str| CString::new(text).expect("no NUL in a description");
        Options {
            name: string(&fmu.description.model_name),
            interface: CO_SIMULATION,
            guid: string(&fmu.description.guid),
            resource_location: Some(string(&format!(
                "file://{}/resources",
                fmu.folder().display()
            ))),
            logging_on: true,
        }
    }
}

/// Refusal by `fmi2Instantiate`, which returned NULL.
#[derive(Debug)]
pub struct Refused {
    /// Log of the FMU.
    pub log: Vec<Entry>,
}

/// Live instance; dropping it frees it.
#[derive(Debug)]
pub struct Instance<'a> {
    fmu: &'a Fmu,
    component: Component,
    log: Box<Log>,
    /// Floating-point environment of every call.
    pub host: HostEnvironment,
}

// SAFETY: FMI allows calls of one instance from different threads, one at a time; `&mut self`
// ensures the latter.
unsafe impl Send for Instance<'_> {}

/// Calls a function of an instance's library as C does, with any arguments.
#[macro_export]
macro_rules! raw {
    ($instance:expr, $function:ident $(, $argument:expr)* $(,)?) => {{
        let instance = &$instance;
        #[allow(clippy::macro_metavars_in_unsafe)] // the arguments are expressions of these tests
        let call = || {
            // SAFETY: the component is alive; arrays are as long as announced or NULL, which the
            // library must notice.
            unsafe {
                (instance.functions().$function)(instance.component() $(, $argument)*)
            }
        };
        $crate::fmi2::Status::from_raw(instance.host.run(call))
    }};
}

/// Methods for functions without arguments but the instance.
macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(&mut self) -> Status {
                raw!(self, $name)
            }
        )*
    };
}

impl Fmu {
    /// Instance with the usual options.
    ///
    /// # Panics
    /// With the FMU's log, if it refuses.
    pub fn instantiate(&self, interface: InterfaceType) -> Instance<'_> {
        let options = Options {
            interface,
            ..Options::of(self)
        };
        self.try_instantiate(&options)
            .unwrap_or_else(|refused| panic!("fmi2Instantiate: {:?}", refused.log))
    }

    /// Instance with these options, or the log of the refusal.
    pub fn try_instantiate(&self, options: &Options) -> Result<Instance<'_>, Refused> {
        Instance::new(self, options)
    }
}

impl<'a> Instance<'a> {
    fn new(fmu: &'a Fmu, options: &Options) -> Result<Self, Refused> {
        let log = Log::new();
        // The description claims that no memory functions are needed.
        let callbacks = Callbacks {
            logger: Some(bristle_test_logger),
            allocate_memory: None,
            free_memory: None,
            step_finished: None,
            component_environment: log.environment(),
        };
        let resource_location = options
            .resource_location
            .as_ref()
            .map_or(null(), |uri| uri.as_ptr());
        // SAFETY: all strings end in NUL, and strings and structure live through the call; a
        // conforming FMU copies both.
        let component = unsafe {
            (fmu.functions.instantiate)(
                options.name.as_ptr(),
                options.interface,
                options.guid.as_ptr(),
                resource_location,
                &callbacks,
                0,
                Boolean::from(options.logging_on),
            )
        };
        if component.is_null() {
            return Err(Refused { log: log.take() });
        }
        Ok(Instance {
            fmu,
            component,
            log,
            host: HostEnvironment::default(),
        })
    }

    /// Its FMU.
    pub fn fmu(&self) -> &'a Fmu {
        self.fmu
    }

    /// Functions of the library, for calls without a method here.
    pub fn functions(&self) -> &'a Functions {
        &self.fmu.functions
    }

    /// Component to pass to them.
    pub fn component(&self) -> Component {
        self.component
    }

    /// Log since the last call.
    pub fn take_log(&self) -> Vec<Entry> {
        self.log.take()
    }

    /// Accepts only fmi2OK.
    ///
    /// # Panics
    /// With the log, at any other status.
    #[track_caller]
    pub fn ok(&self, status: Status) {
        assert_eq!(status, Status::OK, "{:#?}", self.take_log());
    }

    /// Sentence that was logged with fmi2Error.
    ///
    /// # Panics
    /// At any other status, and where not exactly one error was logged.
    #[track_caller]
    pub fn complaint(&self, status: Status) -> String {
        self.sentence(status, Status::Error, "logStatusError")
    }

    /// Sentence that was logged with fmi2Discard.
    ///
    /// # Panics
    /// At any other status, and where not exactly one sentence was logged.
    #[track_caller]
    pub fn discarded(&self, status: Status) -> String {
        self.sentence(status, Status::Discard, "logStatusDiscard")
    }

    #[track_caller]
    fn sentence(&self, status: Status, expected: Status, named: &str) -> String {
        let log = self.take_log();
        assert_eq!(status, expected, "{log:#?}");
        let is_error =
            |entry: &&Entry| entry.status != Status::OK && entry.category != "logCoupling";
        let sentences: Vec<_> = log.iter().filter(is_error).collect();
        let [
            Entry {
                status,
                category,
                text,
                ..
            },
        ] = sentences[..]
        else {
            panic!("one sentence was expected: {log:#?}");
        };
        assert_eq!((*status, category.as_str()), (expected, named), "{text}");
        text.clone()
    }

    calls! {
        /// `fmi2EnterInitializationMode`.
        enter_initialization_mode;
        /// `fmi2ExitInitializationMode`.
        exit_initialization_mode;
        /// `fmi2Terminate`.
        terminate;
        /// `fmi2Reset`.
        reset;
        /// `fmi2CancelStep`.
        cancel_step;
        /// `fmi2EnterEventMode`.
        enter_event_mode;
        /// `fmi2EnterContinuousTimeMode`.
        enter_continuous_time_mode;
    }

    /// `fmi2SetupExperiment`.
    pub fn setup_experiment(
        &mut self,
        tolerance: Option<f64>,
        start: f64,
        stop: Option<f64>,
    ) -> Status {
        raw!(
            self,
            setup_experiment,
            Boolean::from(tolerance.is_some()),
            tolerance.unwrap_or(0.0),
            start,
            Boolean::from(stop.is_some()),
            stop.unwrap_or(0.0)
        )
    }

    /// `fmi2SetDebugLogging`.
    pub fn set_debug_logging(&mut self, on: bool, categories: &[&CStr]) -> Status {
        let pointers: Vec<_> = categories
            .iter()
            .map(|category| category.as_ptr())
            .collect();
        raw!(
            self,
            set_debug_logging,
            Boolean::from(on),
            pointers.len(),
            pointers.as_ptr()
        )
    }

    /// `fmi2SetReal`.
    #[inline]
    pub fn set_real(&mut self, references: &[Reference], values: &[f64]) -> Status {
        assert_eq!(references.len(), values.len());
        raw!(
            self,
            set_real,
            references.as_ptr(),
            references.len(),
            values.as_ptr()
        )
    }

    /// `fmi2GetReal`.
    #[inline]
    pub fn get_real(&mut self, references: &[Reference], values: &mut [f64]) -> Status {
        assert_eq!(references.len(), values.len());
        raw!(
            self,
            get_real,
            references.as_ptr(),
            references.len(),
            values.as_mut_ptr()
        )
    }

    /// `fmi2GetInteger`.
    pub fn get_integer(&mut self, references: &[Reference], values: &mut [c_int]) -> Status {
        assert_eq!(references.len(), values.len());
        raw!(
            self,
            get_integer,
            references.as_ptr(),
            references.len(),
            values.as_mut_ptr()
        )
    }

    /// `fmi2GetBoolean`.
    pub fn get_boolean(&mut self, references: &[Reference], values: &mut [Boolean]) -> Status {
        assert_eq!(references.len(), values.len());
        raw!(
            self,
            get_boolean,
            references.as_ptr(),
            references.len(),
            values.as_mut_ptr()
        )
    }

    /// `fmi2DoStep` with `noSetFMUStatePriorToCurrentPoint`.
    #[inline]
    pub fn do_step(&mut self, t: f64, h: f64) -> Status {
        raw!(self, do_step, t, h, 1)
    }

    /// `fmi2SetRealInputDerivatives`.
    pub fn set_real_input_derivatives(
        &mut self,
        references: &[Reference],
        orders: &[c_int],
        values: &[f64],
    ) -> Status {
        assert!(references.len() == values.len() && references.len() == orders.len());
        raw!(
            self,
            set_real_input_derivatives,
            references.as_ptr(),
            references.len(),
            orders.as_ptr(),
            values.as_ptr()
        )
    }

    /// `fmi2GetRealOutputDerivatives`.
    pub fn get_real_output_derivatives(
        &mut self,
        references: &[Reference],
        orders: &[c_int],
        values: &mut [f64],
    ) -> Status {
        assert!(references.len() == values.len() && references.len() == orders.len());
        raw!(
            self,
            get_real_output_derivatives,
            references.as_ptr(),
            references.len(),
            orders.as_ptr(),
            values.as_mut_ptr()
        )
    }

    /// `fmi2GetRealStatus`.
    #[inline]
    pub fn get_real_status(&mut self, kind: StatusKind, value: &mut f64) -> Status {
        raw!(self, get_real_status, kind, value)
    }

    /// `fmi2GetDirectionalDerivative`.
    pub fn get_directional_derivative(
        &mut self,
        unknown: &[Reference],
        known: &[Reference],
        seed: &[f64],
        derivative: &mut [f64],
    ) -> Status {
        assert!(unknown.len() == derivative.len() && known.len() == seed.len());
        raw!(
            self,
            get_directional_derivative,
            unknown.as_ptr(),
            unknown.len(),
            known.as_ptr(),
            known.len(),
            seed.as_ptr(),
            derivative.as_mut_ptr()
        )
    }

    /// `fmi2GetFMUstate`; `state` is null or a state of this instance.
    pub fn get_fmu_state(&mut self, state: &mut FmuState) -> Status {
        raw!(self, get_fmu_state, state)
    }

    /// `fmi2SetFMUstate`.
    pub fn set_fmu_state(&mut self, state: FmuState) -> Status {
        raw!(self, set_fmu_state, state)
    }

    /// `fmi2FreeFMUstate`.
    pub fn free_fmu_state(&mut self, state: &mut FmuState) -> Status {
        raw!(self, free_fmu_state, state)
    }

    /// `fmi2SerializedFMUstateSize` and `fmi2SerializeFMUstate`; the bytes are empty where the size
    /// was refused.
    pub fn serialize_fmu_state(&mut self, state: FmuState) -> (Status, Vec<u8>) {
        let mut size = 0;
        let status = raw!(self, serialized_fmu_state_size, state, &mut size);
        if status != Status::OK {
            return (status, Vec::new());
        }
        let mut bytes = vec![0_u8; size];
        (
            raw!(
                self,
                serialize_fmu_state,
                state,
                bytes.as_mut_ptr().cast(),
                size
            ),
            bytes,
        )
    }

    /// `fmi2DeSerializeFMUstate`.
    pub fn deserialize_fmu_state(&mut self, bytes: &[u8], state: &mut FmuState) -> Status {
        raw!(
            self,
            deserialize_fmu_state,
            bytes.as_ptr().cast(),
            bytes.len(),
            state
        )
    }
}

impl Drop for Instance<'_> {
    fn drop(&mut self) {
        // SAFETY: the component came from `fmi2Instantiate` and is freed here only.
        unsafe { (self.functions().free_instance)(self.component) };
    }
}
