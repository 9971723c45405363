//! An instance of an FMU behind Rust types: lengths that match their arrays, statuses that cannot be mixed up, and
//! what it logged at hand when something goes wrong.
//!
//! It passes on whatever it is given: being refused is what many tests are about.

use crate::fmi2::{Boolean, Callbacks, Component, EventInfo, FmuState, Functions, Kind, Reference, Status, StatusKind};
use crate::host::{CO_SIMULATION, Fmu};
use crate::host_environment::HostEnvironment;
use crate::logger::{Entry, Log, bristle_test_logger};
use core::ffi::{CStr, c_int};
use std::ffi::CString;
use std::ptr::null;

/// What an importer passes to `fmi2Instantiate`.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the standard's names say it
pub struct Options {
    pub name: CString,
    pub kind: Kind,
    pub guid: CString,
    pub resource_location: Option<CString>,
    pub logging_on: bool,
}

impl Options {
    /// What most importers pass for Co-Simulation.
    pub fn of(fmu: &Fmu) -> Self {
        let string = |text: &str| CString::new(text).expect("no NUL in a description");
        Options {
            name: string(&fmu.description.model_name),
            kind: CO_SIMULATION,
            guid: string(&fmu.description.guid),
            resource_location: Some(string(&format!("file://{}/resources", fmu.folder().display()))),
            logging_on: true,
        }
    }
}

/// `fmi2Instantiate` returned NULL.
#[derive(Debug)]
pub struct Refused {
    /// What the FMU had to say.
    pub log: Vec<Entry>,
}

/// A live instance; dropping it frees it.
#[derive(Debug)]
pub struct Instance<'a> {
    fmu: &'a Fmu,
    component: Component,
    log: Box<Log>,
    /// The floating-point environment of every call.
    pub host: HostEnvironment,
}

// SAFETY: FMI lets one instance be called from different threads, one at a time; `&mut self` sees to the latter.
unsafe impl Send for Instance<'_> {}

/// Calls a function of an instance's library as C would, with whatever arguments the test is about.
#[macro_export]
macro_rules! raw {
    ($instance:expr, $function:ident $(, $argument:expr)* $(,)?) => {{
        let instance = &$instance;
        #[allow(clippy::macro_metavars_in_unsafe)] // the arguments are expressions of these tests
        let call = || {
            // SAFETY: the component is alive; arrays are as long as announced or NULL, which the library must notice.
            unsafe {
                (instance.functions().$function)(instance.component() $(, $argument)*)
            }
        };
        $crate::fmi2::Status::from_raw(instance.host.run(call))
    }};
}

/// A status of a call whose arguments need no more than the instance.
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

impl<'a> Instance<'a> {
    pub(crate) fn new(fmu: &'a Fmu, options: &Options) -> Result<Self, Refused> {
        let log = Log::new();
        // No memory functions: the description says that none are needed.
        let callbacks = Callbacks {
            logger: Some(bristle_test_logger),
            allocate_memory: None,
            free_memory: None,
            step_finished: None,
            component_environment: log.environment(),
        };
        let resource_location = options.resource_location.as_ref().map_or(null(), |uri| uri.as_ptr());
        // SAFETY: all strings end in NUL, and strings and structure live through the call; FMI has no longer claim on
        // them (a conforming FMU copies both).
        let component = unsafe {
            (fmu.functions.instantiate)(
                options.name.as_ptr(),
                options.kind,
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
        Ok(Instance { fmu, component, log, host: HostEnvironment::default() })
    }

    /// The FMU it is an instance of.
    pub fn fmu(&self) -> &'a Fmu {
        self.fmu
    }

    /// The library's functions, for calls that no wrapper offers.
    pub fn functions(&self) -> &'a Functions {
        &self.fmu.functions
    }

    /// The component to pass to them.
    pub fn component(&self) -> Component {
        self.component
    }

    /// What it logged since the last call.
    pub fn take_log(&self) -> Vec<Entry> {
        self.log.take()
    }

    /// Accepts only fmi2OK.
    ///
    /// # Panics
    /// With what the instance logged, at any other status.
    #[track_caller]
    pub fn ok(&self, status: Status) {
        assert_eq!(status, Status::OK, "{:#?}", self.take_log());
    }

    /// Accepts only fmi2Error, and gives the one sentence that was logged with it.
    ///
    /// # Panics
    /// At any other status, and where not exactly one error was logged.
    #[track_caller]
    pub fn complaint(&self, status: Status) -> String {
        let log = self.take_log();
        assert_eq!(status, Status::Error, "{log:#?}");
        let errors: Vec<_> = log.iter().filter(|entry| entry.status != Status::OK).collect();
        let [Entry { status: Status::Error, category, text, .. }] = errors[..] else {
            panic!("one error was expected: {log:#?}");
        };
        assert_eq!(category, "logStatusError", "{text}");
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
    pub fn setup_experiment(&mut self, tolerance: Option<f64>, start: f64, stop: Option<f64>) -> Status {
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
        let pointers: Vec<_> = categories.iter().map(|category| category.as_ptr()).collect();
        raw!(self, set_debug_logging, Boolean::from(on), pointers.len(), pointers.as_ptr())
    }

    /// `fmi2SetReal`.
    #[inline]
    pub fn set_real(&mut self, references: &[Reference], values: &[f64]) -> Status {
        assert_eq!(references.len(), values.len());
        raw!(self, set_real, references.as_ptr(), references.len(), values.as_ptr())
    }

    /// `fmi2GetReal`.
    #[inline]
    pub fn get_real(&mut self, references: &[Reference], values: &mut [f64]) -> Status {
        assert_eq!(references.len(), values.len());
        raw!(self, get_real, references.as_ptr(), references.len(), values.as_mut_ptr())
    }

    /// `fmi2GetInteger`.
    pub fn get_integer(&mut self, references: &[Reference], values: &mut [c_int]) -> Status {
        assert_eq!(references.len(), values.len());
        raw!(self, get_integer, references.as_ptr(), references.len(), values.as_mut_ptr())
    }

    /// `fmi2GetBoolean`.
    pub fn get_boolean(&mut self, references: &[Reference], values: &mut [Boolean]) -> Status {
        assert_eq!(references.len(), values.len());
        raw!(self, get_boolean, references.as_ptr(), references.len(), values.as_mut_ptr())
    }

    /// Sets one real variable by name.
    ///
    /// # Panics
    /// If the FMU refuses.
    #[track_caller]
    pub fn set(&mut self, name: &str, value: f64) {
        let status = self.set_real(&[self.fmu.description.reference(name)], &[value]);
        self.ok(status);
    }

    /// One real variable by name.
    ///
    /// # Panics
    /// If the FMU refuses.
    #[track_caller]
    pub fn get(&mut self, name: &str) -> f64 {
        let mut value = [f64::NAN];
        let status = self.get_real(&[self.fmu.description.reference(name)], &mut value);
        self.ok(status);
        value[0]
    }

    /// One variable of any type by name.
    ///
    /// # Panics
    /// If the FMU refuses.
    #[track_caller]
    pub fn get_any(&mut self, name: &str) -> f64 {
        match &*self.fmu.description.variable(name).kind {
            "Real" => self.get(name),
            "Boolean" => f64::from(self.get_flag(name)),
            _ => f64::from(self.get_whole(name)),
        }
    }

    /// Sets one integer variable or enumeration by name.
    ///
    /// # Panics
    /// If the FMU refuses.
    #[track_caller]
    pub fn set_whole(&mut self, name: &str, value: c_int) {
        let reference = self.fmu.description.reference(name);
        self.ok(raw!(self, set_integer, &reference, 1, &value));
    }

    /// One integer variable or enumeration by name.
    ///
    /// # Panics
    /// If the FMU refuses.
    #[track_caller]
    pub fn get_whole(&mut self, name: &str) -> c_int {
        let mut value = [c_int::MIN];
        let status = self.get_integer(&[self.fmu.description.reference(name)], &mut value);
        self.ok(status);
        value[0]
    }

    /// One Boolean variable by name.
    ///
    /// # Panics
    /// If the FMU refuses, or answers neither fmi2True nor fmi2False.
    #[track_caller]
    pub fn get_flag(&mut self, name: &str) -> bool {
        let mut value = [-1];
        let status = self.get_boolean(&[self.fmu.description.reference(name)], &mut value);
        self.ok(status);
        match value[0] {
            0 => false,
            1 => true,
            other => panic!("{name} = {other} is no fmi2Boolean"),
        }
    }

    /// `fmi2DoStep`, saying that the master will not go back.
    #[inline]
    pub fn do_step(&mut self, t: f64, h: f64) -> Status {
        raw!(self, do_step, t, h, 1)
    }

    /// `fmi2SetRealInputDerivatives`.
    pub fn set_real_input_derivatives(&mut self, references: &[Reference], orders: &[c_int], values: &[f64]) -> Status {
        assert!(references.len() == values.len() && references.len() == orders.len());
        raw!(self, set_real_input_derivatives, references.as_ptr(), references.len(), orders.as_ptr(), values.as_ptr())
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

    /// `fmi2GetFMUstate`; `state` is null or one that this instance gave.
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

    /// `fmi2SerializedFMUstateSize` and `fmi2SerializeFMUstate`; the bytes are empty where the size was refused.
    pub fn serialize_fmu_state(&mut self, state: FmuState) -> (Status, Vec<u8>) {
        let mut size = 0;
        let status = raw!(self, serialized_fmu_state_size, state, &mut size);
        if status != Status::OK {
            return (status, Vec::new());
        }
        let mut bytes = vec![0_u8; size];
        (raw!(self, serialize_fmu_state, state, bytes.as_mut_ptr().cast(), size), bytes)
    }

    /// `fmi2DeSerializeFMUstate`.
    pub fn deserialize_fmu_state(&mut self, bytes: &[u8], state: &mut FmuState) -> Status {
        raw!(self, deserialize_fmu_state, bytes.as_ptr().cast(), bytes.len(), state)
    }

    /// `fmi2NewDiscreteStates`.
    pub fn new_discrete_states(&mut self, info: &mut EventInfo) -> Status {
        raw!(self, new_discrete_states, info)
    }

    /// `fmi2CompletedIntegratorStep`: the status, whether to enter Event Mode, whether to terminate.
    pub fn completed_integrator_step(&mut self) -> (Status, bool, bool) {
        let (mut enter_event_mode, mut terminate) = (0, 0);
        let status = raw!(self, completed_integrator_step, 1, &mut enter_event_mode, &mut terminate);
        (status, enter_event_mode != 0, terminate != 0)
    }

    /// `fmi2SetTime`.
    pub fn set_time(&mut self, t: f64) -> Status {
        raw!(self, set_time, t)
    }

    /// `fmi2SetContinuousStates`.
    pub fn set_continuous_states(&mut self, x: &[f64]) -> Status {
        raw!(self, set_continuous_states, x.as_ptr(), x.len())
    }

    /// `fmi2GetContinuousStates`.
    pub fn get_continuous_states(&mut self, x: &mut [f64]) -> Status {
        raw!(self, get_continuous_states, x.as_mut_ptr(), x.len())
    }

    /// `fmi2GetDerivatives`.
    pub fn get_derivatives(&mut self, rate: &mut [f64]) -> Status {
        raw!(self, get_derivatives, rate.as_mut_ptr(), rate.len())
    }

    /// `fmi2GetEventIndicators`.
    pub fn get_event_indicators(&mut self, indicators: &mut [f64]) -> Status {
        raw!(self, get_event_indicators, indicators.as_mut_ptr(), indicators.len())
    }

    /// `fmi2GetNominalsOfContinuousStates`.
    pub fn get_nominals_of_continuous_states(&mut self, nominals: &mut [f64]) -> Status {
        raw!(self, get_nominals_of_continuous_states, nominals.as_mut_ptr(), nominals.len())
    }
}

impl Drop for Instance<'_> {
    fn drop(&mut self) {
        // SAFETY: the component came from `fmi2Instantiate` and is freed here only.
        unsafe { (self.functions().free_instance)(self.component) };
    }
}
