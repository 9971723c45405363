//! From `fmi2Instantiate` to `fmi2FreeInstance`: what Model Exchange and Co-Simulation share of an
//! instance's life (FMI 2.0, Sec. 2.1.1–2.1.6).

#![allow(non_snake_case, non_upper_case_globals)] // the standard's names

use crate::calling_sequence::{Function, InstanceState, InterfaceType};
use crate::card_section::{Library, SharedVariant};
use crate::ffi::{ask_for_memory, call, guarded, input, silence_panics, string};
use crate::floating_point::DefaultEnvironment;
use crate::fmi2_types::*;
use crate::instance::Instance;
use crate::log::{self, Category, Log};
use crate::outcome::Refusal;
use core::ffi::{CStr, c_char};
use core::ptr;

#[inline]
pub fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

#[inline]
pub fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

/// # Safety
/// Strings are NULL or terminated, `functions` is NULL or points to the importer's callbacks.
#[inline]
pub unsafe fn fmi2Instantiate(
    library: &'static Library,
    instanceName: fmi2String,
    fmuType: fmi2Type,
    fmuGUID: fmi2String,
    functions: *const fmi2CallbackFunctions,
    loggingOn: fmi2Boolean,
) -> fmi2Component {
    guarded(ptr::null_mut(), || {
        silence_panics();
        let memory = ask_for_memory();
        // SAFETY: the caller's promise for `functions` and for both strings.
        let (functions, name, guid) = unsafe {
            (
                functions.as_ref().copied(),
                string(instanceName),
                string(fmuGUID),
            )
        };
        let log = Log::new(
            functions,
            name.unwrap_or(c"").to_owned(),
            loggingOn != fmi2False,
        );
        let _environment = DefaultEnvironment::enter();
        match memory.and_then(|()| identify(library, name, fmuType, guid)) {
            Ok((variant, kind)) => {
                log.event(&format!("fmi2Instantiate: {} for {kind}", variant.name()));
                Box::into_raw(Box::new(Instance::new(variant, kind, log))).cast()
            }
            Err(refusal) => {
                log.error(&format!("fmi2Instantiate: {refusal}"));
                ptr::null_mut()
            }
        }
    })
}

/// The element, if it is that of the importer's description, and the interface that is asked for.
fn identify(
    library: &'static Library,
    name: Option<&CStr>,
    kind: fmi2Type,
    guid: Option<&CStr>,
) -> Result<(SharedVariant, InterfaceType), Refusal> {
    if name.is_none() {
        return Err(Refusal::call(
            "instanceName is NULL; give the instance a name",
        ));
    }
    let kind = match kind {
        fmi2ModelExchange => InterfaceType::ModelExchange,
        fmi2CoSimulation => InterfaceType::CoSimulation,
        other => {
            return Err(Refusal::call(format!(
                "fmuType = {other} is neither fmi2ModelExchange (0) nor fmi2CoSimulation (1); \
                 pass one of them"
            )));
        }
    };
    let variant = library.variant()?;
    let given = guid.unwrap_or(c"").to_string_lossy();
    if variant.guid() != given {
        return Err(Refusal::call(format!(
            "the GUID \"{given}\" is not this library's: modelDescription.xml and library do not \
             belong together; unpack the FMU again"
        )));
    }
    Ok((variant, kind))
}

/// # Safety
/// `c` is NULL or an instance that is not used any more.
#[inline]
pub unsafe fn fmi2FreeInstance(c: fmi2Component) {
    guarded((), || {
        if !c.is_null() {
            // SAFETY: `c` came from the Box of fmi2Instantiate and is given back once, by the
            // caller's promise.
            drop(unsafe { Box::from_raw(c.cast::<Instance>()) });
        }
    });
}

/// # Safety
/// As for every function of an instance: `c` as in `ffi::call`, arrays as long as announced,
/// strings terminated.
#[inline]
pub unsafe fn fmi2SetDebugLogging(
    c: fmi2Component,
    loggingOn: fmi2Boolean,
    nCategories: usize,
    categories: *const fmi2String,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let names = unsafe { input(categories, nCategories, "categories") }?;
        let mut bits = if names.is_empty() { log::ALL } else { 0 };
        for &name in names {
            // SAFETY: the caller's promise.
            let name = unsafe { string(name) }.unwrap_or(c"");
            bits |= Category::bits_of(name.to_bytes()).ok_or_else(|| {
                let name = name.to_string_lossy();
                Refusal::call(format!(
                    "\"{name}\" is no log category; use those of LogCategories in \
                     modelDescription.xml"
                ))
            })?;
        }
        instance.log.set_debug(loggingOn != fmi2False, bits);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::SetDebugLogging, body) }
}

/// # Safety
/// `c` as in `ffi::call`.
#[inline]
pub unsafe fn fmi2SetupExperiment(
    c: fmi2Component,
    toleranceDefined: fmi2Boolean,
    tolerance: fmi2Real,
    startTime: fmi2Real,
    stopTimeDefined: fmi2Boolean,
    stopTime: fmi2Real,
) -> fmi2Status {
    let tolerance = (toleranceDefined != fmi2False).then_some(tolerance);
    let stop_time = (stopTimeDefined != fmi2False).then_some(stopTime);
    // SAFETY: the caller's promise.
    unsafe {
        call(c, Function::SetupExperiment, |i| {
            i.setup(tolerance, startTime, stop_time)
        })
    }
}

/// # Safety
/// `c` as in `ffi::call`.
#[inline]
pub unsafe fn fmi2EnterInitializationMode(c: fmi2Component) -> fmi2Status {
    let body = |instance: &mut Instance| {
        instance.lifecycle.mode = InstanceState::Initialization;
        instance.log.event("fmi2EnterInitializationMode");
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::EnterInitializationMode, body) }
}

/// # Safety
/// `c` as in `ffi::call`.
#[inline]
pub unsafe fn fmi2ExitInitializationMode(c: fmi2Component) -> fmi2Status {
    let body = |instance: &mut Instance| {
        instance.exit_initialization()?;
        instance.log.event("fmi2ExitInitializationMode");
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::ExitInitializationMode, body) }
}

/// # Safety
/// `c` as in `ffi::call`.
#[inline]
pub unsafe fn fmi2Terminate(c: fmi2Component) -> fmi2Status {
    let body = |instance: &mut Instance| {
        instance.lifecycle.mode = InstanceState::Terminated;
        instance.log.event("fmi2Terminate");
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::Terminate, body) }
}

/// # Safety
/// `c` as in `ffi::call`.
#[inline]
pub unsafe fn fmi2Reset(c: fmi2Component) -> fmi2Status {
    let body = |instance: &mut Instance| {
        instance.reset();
        instance.log.event("fmi2Reset");
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::Reset, body) }
}
