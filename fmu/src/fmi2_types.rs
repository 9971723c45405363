//! The C types of FMI 2.0 (fmi2TypesPlatform.h "default", fmi2FunctionTypes.h), spelled as the
//! standard spells them.

#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals)]

pub use core::ffi::c_char;
use core::ffi::{c_int, c_uint, c_void};

pub type fmi2Component = *mut c_void;
pub type fmi2ComponentEnvironment = *mut c_void;
pub type fmi2FMUstate = *mut c_void;
pub type fmi2ValueReference = c_uint;
pub type fmi2Real = f64;
pub type fmi2Integer = c_int;
pub type fmi2Boolean = c_int;
pub type fmi2String = *const c_char;
pub type fmi2Byte = c_char;

pub const fmi2True: fmi2Boolean = 1;
pub const fmi2False: fmi2Boolean = 0;

/// A C enumeration: an `int` that this side only ever creates.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(dead_code)] // Pending is the standard's; no function of this library returns it
pub enum fmi2Status {
    fmi2OK,
    fmi2Warning,
    fmi2Discard,
    fmi2Error,
    fmi2Fatal,
    fmi2Pending,
}

/// The enumerations that the importer creates arrive as plain integers: any value may come.
pub type fmi2Type = c_int;
pub const fmi2ModelExchange: fmi2Type = 0;
pub const fmi2CoSimulation: fmi2Type = 1;

pub type fmi2StatusKind = c_int;
pub const fmi2DoStepStatus: fmi2StatusKind = 0;
pub const fmi2PendingStatus: fmi2StatusKind = 1;
pub const fmi2LastSuccessfulTime: fmi2StatusKind = 2;
pub const fmi2Terminated: fmi2StatusKind = 3;

pub type fmi2CallbackLogger = unsafe extern "C" fn(
    componentEnvironment: fmi2ComponentEnvironment,
    instanceName: fmi2String,
    status: fmi2Status,
    category: fmi2String,
    message: fmi2String,
    ...
);
pub type fmi2CallbackAllocateMemory = unsafe extern "C" fn(usize, usize) -> *mut c_void;
pub type fmi2CallbackFreeMemory = unsafe extern "C" fn(*mut c_void);
pub type fmi2StepFinished = unsafe extern "C" fn(fmi2ComponentEnvironment, fmi2Status);

/// Callbacks of the importer; each may be NULL.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fmi2CallbackFunctions {
    pub logger: Option<fmi2CallbackLogger>,
    pub allocateMemory: Option<fmi2CallbackAllocateMemory>,
    pub freeMemory: Option<fmi2CallbackFreeMemory>,
    pub stepFinished: Option<fmi2StepFinished>,
    pub componentEnvironment: fmi2ComponentEnvironment,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fmi2EventInfo {
    pub newDiscreteStatesNeeded: fmi2Boolean,
    pub terminateSimulation: fmi2Boolean,
    pub nominalsOfContinuousStatesChanged: fmi2Boolean,
    pub valuesOfContinuousStatesChanged: fmi2Boolean,
    pub nextEventTimeDefined: fmi2Boolean,
    pub nextEventTime: fmi2Real,
}
