//! An instance of an FMU behind Rust types: lengths that match their arrays, statuses that cannot be mixed up, and
//! what it logged at hand when something goes wrong.
//!
//! It passes on whatever it is given: being refused is what many tests are about.

use crate::fmi2::{Boolean, Callbacks, Component, EventInfo, FmuState, Functions, Kind, Reference, Status, StatusKind};
use crate::host::{CO_SIMULATION, Fmu};
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
}

// SAFETY: FMI lets one instance be called from different threads, one at a time; `&mut self` sees to the latter.
unsafe impl Send for Instance<'_> {}

/// Calls a function of an instance's library as C would, with whatever arguments the test is about.
#[macro_export]
macro_rules! raw {
    ($instance:expr, $function:ident $(, $argument:expr)* $(,)?) => {{
        let instance = &$instance;
        // SAFETY: the component is alive; arrays are as long as announced or NULL, which the library must notice.
        let status = unsafe { (instance.functions().$function)(instance.component() $(, $argument)*) };
        $crate::fmi2::Status::from_raw(status)
    }};
}

/// A status of a call whose arguments need no more than the instance.
macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(&mut self) -> Status {
                // SAFETY: the component lives as long as `self`.
                Status::from_raw(unsafe { (self.functions().$name)(self.component) })
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
        Ok(Instance { fmu, component, log })
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
        // SAFETY: the component lives as long as `self`.
        Status::from_raw(unsafe {
            (self.functions().setup_experiment)(
                self.component,
                Boolean::from(tolerance.is_some()),
                tolerance.unwrap_or(0.0),
                start,
                Boolean::from(stop.is_some()),
                stop.unwrap_or(0.0),
            )
        })
    }

    /// `fmi2SetDebugLogging`.
    pub fn set_debug_logging(&mut self, on: bool, categories: &[&CStr]) -> Status {
        let pointers: Vec<_> = categories.iter().map(|category| category.as_ptr()).collect();
        // SAFETY: as many C strings as announced, alive through the call.
        Status::from_raw(unsafe {
            (self.functions().set_debug_logging)(self.component, Boolean::from(on), pointers.len(), pointers.as_ptr())
        })
    }

    /// `fmi2SetReal`.
    #[inline]
    pub fn set_real(&mut self, references: &[Reference], values: &[f64]) -> Status {
        assert_eq!(references.len(), values.len());
        // SAFETY: both arrays have the announced length.
        Status::from_raw(unsafe {
            (self.functions().set_real)(self.component, references.as_ptr(), references.len(), values.as_ptr())
        })
    }

    /// `fmi2GetReal`.
    #[inline]
    pub fn get_real(&mut self, references: &[Reference], values: &mut [f64]) -> Status {
        assert_eq!(references.len(), values.len());
        // SAFETY: both arrays have the announced length.
        Status::from_raw(unsafe {
            (self.functions().get_real)(self.component, references.as_ptr(), references.len(), values.as_mut_ptr())
        })
    }

    /// `fmi2GetInteger`.
    pub fn get_integer(&mut self, references: &[Reference], values: &mut [c_int]) -> Status {
        assert_eq!(references.len(), values.len());
        // SAFETY: both arrays have the announced length.
        Status::from_raw(unsafe {
            (self.functions().get_integer)(self.component, references.as_ptr(), references.len(), values.as_mut_ptr())
        })
    }

    /// `fmi2GetBoolean`.
    pub fn get_boolean(&mut self, references: &[Reference], values: &mut [Boolean]) -> Status {
        assert_eq!(references.len(), values.len());
        // SAFETY: both arrays have the announced length.
        Status::from_raw(unsafe {
            (self.functions().get_boolean)(self.component, references.as_ptr(), references.len(), values.as_mut_ptr())
        })
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
        // SAFETY: both arrays have one element.
        let status = unsafe { (self.functions().set_integer)(self.component, &reference, 1, &value) };
        self.ok(Status::from_raw(status));
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
        // SAFETY: the component lives as long as `self`.
        Status::from_raw(unsafe { (self.functions().do_step)(self.component, t, h, 1) })
    }

    /// `fmi2SetRealInputDerivatives`.
    pub fn set_real_input_derivatives(&mut self, references: &[Reference], orders: &[c_int], values: &[f64]) -> Status {
        assert!(references.len() == values.len() && references.len() == orders.len());
        // SAFETY: all arrays have the announced length.
        Status::from_raw(unsafe {
            (self.functions().set_real_input_derivatives)(
                self.component,
                references.as_ptr(),
                references.len(),
                orders.as_ptr(),
                values.as_ptr(),
            )
        })
    }

    /// `fmi2GetRealOutputDerivatives`.
    pub fn get_real_output_derivatives(
        &mut self,
        references: &[Reference],
        orders: &[c_int],
        values: &mut [f64],
    ) -> Status {
        assert!(references.len() == values.len() && references.len() == orders.len());
        // SAFETY: all arrays have the announced length.
        Status::from_raw(unsafe {
            (self.functions().get_real_output_derivatives)(
                self.component,
                references.as_ptr(),
                references.len(),
                orders.as_ptr(),
                values.as_mut_ptr(),
            )
        })
    }

    /// `fmi2GetRealStatus`.
    #[inline]
    pub fn get_real_status(&mut self, kind: StatusKind, value: &mut f64) -> Status {
        // SAFETY: the pointer is to one f64.
        Status::from_raw(unsafe { (self.functions().get_real_status)(self.component, kind, value) })
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
        // SAFETY: all arrays have the announced lengths.
        Status::from_raw(unsafe {
            (self.functions().get_directional_derivative)(
                self.component,
                unknown.as_ptr(),
                unknown.len(),
                known.as_ptr(),
                known.len(),
                seed.as_ptr(),
                derivative.as_mut_ptr(),
            )
        })
    }

    /// `fmi2GetFMUstate`; `state` is null or one that this instance gave.
    pub fn get_fmu_state(&mut self, state: &mut FmuState) -> Status {
        // SAFETY: the pointer is to one state.
        Status::from_raw(unsafe { (self.functions().get_fmu_state)(self.component, state) })
    }

    /// `fmi2SetFMUstate`.
    pub fn set_fmu_state(&mut self, state: FmuState) -> Status {
        // SAFETY: the state is null or came from a library; that it has not been freed is up to the test.
        Status::from_raw(unsafe { (self.functions().set_fmu_state)(self.component, state) })
    }

    /// `fmi2FreeFMUstate`.
    pub fn free_fmu_state(&mut self, state: &mut FmuState) -> Status {
        // SAFETY: the pointer is to one state.
        Status::from_raw(unsafe { (self.functions().free_fmu_state)(self.component, state) })
    }

    /// `fmi2SerializedFMUstateSize` and `fmi2SerializeFMUstate`; the bytes are empty where the size was refused.
    pub fn serialize_fmu_state(&mut self, state: FmuState) -> (Status, Vec<u8>) {
        let mut size = 0;
        // SAFETY: the pointer is to one size.
        let status = unsafe { (self.functions().serialized_fmu_state_size)(self.component, state, &mut size) };
        let status = Status::from_raw(status);
        if status != Status::OK {
            return (status, Vec::new());
        }
        let mut bytes = vec![0_u8; size];
        // SAFETY: the array has the announced length.
        let status =
            unsafe { (self.functions().serialize_fmu_state)(self.component, state, bytes.as_mut_ptr().cast(), size) };
        (Status::from_raw(status), bytes)
    }

    /// `fmi2DeSerializeFMUstate`.
    pub fn deserialize_fmu_state(&mut self, bytes: &[u8], state: &mut FmuState) -> Status {
        // SAFETY: the array has the announced length, the pointer is to one state.
        Status::from_raw(unsafe {
            (self.functions().deserialize_fmu_state)(self.component, bytes.as_ptr().cast(), bytes.len(), state)
        })
    }

    /// `fmi2NewDiscreteStates`.
    pub fn new_discrete_states(&mut self, info: &mut EventInfo) -> Status {
        // SAFETY: the pointer is to one structure.
        Status::from_raw(unsafe { (self.functions().new_discrete_states)(self.component, info) })
    }

    /// `fmi2CompletedIntegratorStep`: the status, whether to enter Event Mode, whether to terminate.
    pub fn completed_integrator_step(&mut self) -> (Status, bool, bool) {
        let (mut enter_event_mode, mut terminate) = (0, 0);
        // SAFETY: the pointers are to one Boolean each.
        let status = unsafe {
            (self.functions().completed_integrator_step)(self.component, 1, &mut enter_event_mode, &mut terminate)
        };
        (Status::from_raw(status), enter_event_mode != 0, terminate != 0)
    }

    /// `fmi2SetTime`.
    pub fn set_time(&mut self, t: f64) -> Status {
        // SAFETY: the component lives as long as `self`.
        Status::from_raw(unsafe { (self.functions().set_time)(self.component, t) })
    }

    /// `fmi2SetContinuousStates`.
    pub fn set_continuous_states(&mut self, x: &[f64]) -> Status {
        // SAFETY: the array has the announced length.
        Status::from_raw(unsafe { (self.functions().set_continuous_states)(self.component, x.as_ptr(), x.len()) })
    }

    /// `fmi2GetContinuousStates`.
    pub fn get_continuous_states(&mut self, x: &mut [f64]) -> Status {
        // SAFETY: the array has the announced length.
        Status::from_raw(unsafe { (self.functions().get_continuous_states)(self.component, x.as_mut_ptr(), x.len()) })
    }

    /// `fmi2GetDerivatives`.
    pub fn get_derivatives(&mut self, rate: &mut [f64]) -> Status {
        // SAFETY: the array has the announced length.
        Status::from_raw(unsafe { (self.functions().get_derivatives)(self.component, rate.as_mut_ptr(), rate.len()) })
    }

    /// `fmi2GetEventIndicators`.
    pub fn get_event_indicators(&mut self, indicators: &mut [f64]) -> Status {
        // SAFETY: the array has the announced length.
        Status::from_raw(unsafe {
            (self.functions().get_event_indicators)(self.component, indicators.as_mut_ptr(), indicators.len())
        })
    }

    /// `fmi2GetNominalsOfContinuousStates`.
    pub fn get_nominals_of_continuous_states(&mut self, nominals: &mut [f64]) -> Status {
        // SAFETY: the array has the announced length.
        Status::from_raw(unsafe {
            (self.functions().get_nominals_of_continuous_states)(self.component, nominals.as_mut_ptr(), nominals.len())
        })
    }
}

impl Drop for Instance<'_> {
    fn drop(&mut self) {
        // SAFETY: the component came from `fmi2Instantiate` and is freed here only.
        unsafe { (self.functions().free_instance)(self.component) };
    }
}
