//! The functions that Model Exchange and Co-Simulation share (FMI 2.0, Sec. 2.1).

#![allow(non_snake_case, non_upper_case_globals)] // the standard's names

use crate::boundary::{call, guarded, input, output, place, silence_panics, string};
use crate::c::*;
use crate::chart::{Function, Kind, Mode};
use crate::instance::Instance;
use crate::log::{self, Category, Log};
use crate::state::{FmuState, SERIALIZED_SIZE};
use bristle::catalogue::{ELEMENTS, Entry};
use bristle::variable::{Refusal, Role, Values};
use core::ffi::{CStr, c_char};
use core::ptr;

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

/// # Safety
/// Strings are NULL or terminated, `functions` is NULL or points to the importer's callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Instantiate(
    instanceName: fmi2String,
    fmuType: fmi2Type,
    fmuGUID: fmi2String,
    _fmuResourceLocation: fmi2String,
    functions: *const fmi2CallbackFunctions,
    _visible: fmi2Boolean,
    loggingOn: fmi2Boolean,
) -> fmi2Component {
    guarded(ptr::null_mut(), || {
        silence_panics();
        // SAFETY: the caller's promise for `functions` and for both strings.
        let (functions, name, guid) = unsafe { (functions.as_ref().copied(), string(instanceName), string(fmuGUID)) };
        let log = Log::new(functions, name.unwrap_or(c"").to_owned(), loggingOn != fmi2False);
        match identify(name, fmuType, guid) {
            Ok((entry, kind)) => {
                log.event(&format!("fmi2Instantiate: {} for {kind}", entry.declaration.name));
                Box::into_raw(Box::new(Instance::new(entry, kind, log))).cast()
            }
            Err(Refusal(text)) => {
                log.error(&format!("fmi2Instantiate: {text}"));
                ptr::null_mut()
            }
        }
    })
}

/// Which element is asked for, and for which interface.
fn identify(name: Option<&CStr>, kind: fmi2Type, guid: Option<&CStr>) -> Result<(&'static Entry, Kind), Refusal> {
    if name.is_none() {
        return Err(Refusal("instanceName is NULL; give the instance a name".to_owned()));
    }
    let kind = match kind {
        fmi2ModelExchange => Kind::ModelExchange,
        fmi2CoSimulation => Kind::CoSimulation,
        other => {
            return Err(Refusal(format!(
                "fmuType = {other} is neither fmi2ModelExchange (0) nor fmi2CoSimulation (1); pass one of them"
            )));
        }
    };
    let given = guid.unwrap_or(c"").to_string_lossy();
    let entry = ELEMENTS.iter().find(|entry| entry.guid() == given).ok_or_else(|| {
        let known: Vec<_> = ELEMENTS.iter().map(|e| format!("{} {}", e.declaration.name, e.guid())).collect();
        Refusal(format!(
            "the GUID \"{given}\" is none of this library's ({}): modelDescription.xml and library do not belong together; \
             unpack the FMU again",
            known.join(", ")
        ))
    })?;
    Ok((entry, kind))
}

/// # Safety
/// `c` is NULL or an instance that is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeInstance(c: fmi2Component) {
    guarded((), || {
        if !c.is_null() {
            // SAFETY: `c` came from the Box of fmi2Instantiate and is given back once, by the caller's promise.
            drop(unsafe { Box::from_raw(c.cast::<Instance>()) });
        }
    });
}

/// # Safety
/// As for every function of an instance: `c` as in [`call`], arrays as long as announced, strings terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetDebugLogging(
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
                Refusal(format!("\"{name}\" is no log category; use those of LogCategories in modelDescription.xml"))
            })?;
        }
        instance.log.set_debug(loggingOn != fmi2False, bits);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::SetDebugLogging, body) }
}

/// # Safety
/// `c` as in [`call`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetupExperiment(
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
    unsafe { call(c, Function::SetupExperiment, |i| i.setup(tolerance, startTime, stop_time)) }
}

/// # Safety
/// `c` as in [`call`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2EnterInitializationMode(c: fmi2Component) -> fmi2Status {
    let body = |instance: &mut Instance| {
        instance.progress.mode = Mode::Initialization;
        instance.log.event("fmi2EnterInitializationMode");
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::EnterInitializationMode, body) }
}

/// # Safety
/// `c` as in [`call`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2ExitInitializationMode(c: fmi2Component) -> fmi2Status {
    let body = |instance: &mut Instance| {
        instance.exit_initialization()?;
        instance.log.event("fmi2ExitInitializationMode");
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::ExitInitializationMode, body) }
}

/// # Safety
/// `c` as in [`call`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Terminate(c: fmi2Component) -> fmi2Status {
    let body = |instance: &mut Instance| {
        instance.progress.mode = Mode::Terminated;
        instance.log.event("fmi2Terminate");
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::Terminate, body) }
}

/// # Safety
/// `c` as in [`call`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Reset(c: fmi2Component) -> fmi2Status {
    let body = |instance: &mut Instance| {
        instance.reset();
        instance.log.event("fmi2Reset");
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::Reset, body) }
}

/// # Safety
/// `c` as in [`call`], arrays as long as announced.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetReal(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    value: *mut fmi2Real,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let (references, places) = unsafe { (input(vr, nvr, "vr")?, output(value, nvr, "value")?) };
        let mut calculated = false;
        for &reference in references {
            calculated |= !matches!(instance.real(reference)?.role, Role::Input | Role::Parameter | Role::State);
        }
        let values = instance.readable(calculated)?;
        for (place, &reference) in places.iter_mut().zip(references) {
            place.write(values.0[reference as usize]);
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::GetReal, body) }
}

/// # Safety
/// `c` as in [`call`], arrays as long as announced.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBoolean(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    value: *mut fmi2Boolean,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let (references, places) = unsafe { (input(vr, nvr, "vr")?, output(value, nvr, "value")?) };
        for &reference in references {
            instance.boolean(reference)?;
        }
        let values = instance.readable(!references.is_empty())?;
        for (place, &reference) in places.iter_mut().zip(references) {
            place.write(if values.0[reference as usize] != 0.0 { fmi2True } else { fmi2False });
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::GetBoolean, body) }
}

/// # Safety
/// `c` as in [`call`], arrays as long as announced.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetReal(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    value: *const fmi2Real,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let (references, values) = unsafe { (input(vr, nvr, "vr")?, input(value, nvr, "value")?) };
        instance.set_reals(references, values)
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::SetReal, body) }
}

/// # Safety
/// `c` as in [`call`], arrays as long as announced.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetBoolean(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    _value: *const fmi2Boolean,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        match unsafe { input(vr, nvr, "vr") }? {
            [] => Ok(()),
            &[reference, ..] => {
                let name = instance.boolean(reference)?.name;
                Err(Refusal(format!("{name} is calculated by the element; it can be read, but not be set")))
            }
        }
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::SetBoolean, body) }
}

/// The elements have no variables of this type: only an empty request can be met.
///
/// # Safety
/// `c` as in [`call`], `vr` as long as announced.
unsafe fn none_of_type(
    c: fmi2Component,
    function: Function,
    kind: &str,
    vr: *const fmi2ValueReference,
    nvr: usize,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        match unsafe { input(vr, nvr, "vr") }? {
            [] => Ok(()),
            &[reference, ..] => Err(instance.unknown(kind, reference)),
        }
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, function, body) }
}

/// # Safety
/// `c` as in [`call`], arrays as long as announced.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetInteger(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    _value: *mut fmi2Integer,
) -> fmi2Status {
    // SAFETY: the caller's promise.
    unsafe { none_of_type(c, Function::GetInteger, "Integer", vr, nvr) }
}

/// # Safety
/// `c` as in [`call`], arrays as long as announced.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetString(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    _value: *mut fmi2String,
) -> fmi2Status {
    // SAFETY: the caller's promise.
    unsafe { none_of_type(c, Function::GetString, "String", vr, nvr) }
}

/// # Safety
/// `c` as in [`call`], arrays as long as announced.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetInteger(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    _value: *const fmi2Integer,
) -> fmi2Status {
    // SAFETY: the caller's promise.
    unsafe { none_of_type(c, Function::SetInteger, "Integer", vr, nvr) }
}

/// # Safety
/// `c` as in [`call`], arrays as long as announced.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetString(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    _value: *const fmi2String,
) -> fmi2Status {
    // SAFETY: the caller's promise.
    unsafe { none_of_type(c, Function::SetString, "String", vr, nvr) }
}

/// # Safety
/// `c` as in [`call`]; `FMUstate` is NULL or points to NULL or to a state of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetFMUstate(c: fmi2Component, FMUstate: *mut fmi2FMUstate) -> fmi2Status {
    // SAFETY: the caller's promise.
    let body = |instance: &mut Instance| unsafe { store(FMUstate, instance.save()) };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::GetFMUstate, body) }
}

/// Puts a state where the importer wants it, into the memory that is there already if there is one.
///
/// # Safety
/// `target` is NULL or points to NULL or to a state of this library.
unsafe fn store(target: *mut fmi2FMUstate, state: FmuState) -> Result<(), Refusal> {
    // SAFETY: the caller's promise.
    unsafe {
        let target = place(target, "FMUstate")?;
        match target.cast::<FmuState>().as_mut() {
            Some(old) => *old = state,
            None => *target = Box::into_raw(Box::new(state)).cast(),
        }
    }
    Ok(())
}

/// The state that the importer holds.
///
/// # Safety
/// `state` is NULL or a state of this library that is not freed while the result lives.
unsafe fn held<'a>(state: fmi2FMUstate) -> Result<&'a FmuState, Refusal> {
    // SAFETY: the caller's promise.
    unsafe { state.cast::<FmuState>().as_ref() }
        .ok_or_else(|| Refusal("FMUstate is NULL; pass a state that fmi2GetFMUstate gave".to_owned()))
}

/// # Safety
/// `c` as in [`call`]; `FMUstate` is NULL or a state of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetFMUstate(c: fmi2Component, FMUstate: fmi2FMUstate) -> fmi2Status {
    // SAFETY: the caller's promise.
    let body = |instance: &mut Instance| instance.restore(unsafe { held(FMUstate) }?);
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::SetFMUstate, body) }
}

/// # Safety
/// `c` as in [`call`]; `FMUstate` is NULL or points to NULL or to a state of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeFMUstate(c: fmi2Component, FMUstate: *mut fmi2FMUstate) -> fmi2Status {
    let body = |_: &mut Instance| {
        // SAFETY: the caller's promise; a state that is freed is forgotten in its place.
        unsafe {
            if let Some(state) = FMUstate.as_mut()
                && !state.is_null()
            {
                drop(Box::from_raw(state.cast::<FmuState>()));
                *state = ptr::null_mut();
            }
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::FreeFMUstate, body) }
}

/// # Safety
/// `c` as in [`call`]; `FMUstate` is NULL or a state of this library, `size` NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializedFMUstateSize(
    c: fmi2Component,
    FMUstate: fmi2FMUstate,
    size: *mut usize,
) -> fmi2Status {
    let body = |_: &mut Instance| {
        // SAFETY: the caller's promise.
        unsafe {
            held(FMUstate)?;
            *place(size, "size")? = SERIALIZED_SIZE;
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::SerializedFMUstateSize, body) }
}

/// # Safety
/// `c` as in [`call`]; `FMUstate` is NULL or a state of this library, `serializedState` as long as announced.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializeFMUstate(
    c: fmi2Component,
    FMUstate: fmi2FMUstate,
    serializedState: *mut fmi2Byte,
    size: usize,
) -> fmi2Status {
    let body = |_: &mut Instance| {
        // SAFETY: the caller's promise.
        let (state, places) = unsafe { (held(FMUstate)?, output(serializedState, size, "serializedState")?) };
        if size < SERIALIZED_SIZE {
            return Err(Refusal(format!(
                "serializedState has room for {size} bytes where {SERIALIZED_SIZE} are needed; ask fmi2SerializedFMUstateSize"
            )));
        }
        let mut bytes = [0; SERIALIZED_SIZE];
        state.serialize(&mut bytes);
        for (place, byte) in places.iter_mut().zip(bytes) {
            place.write(byte as fmi2Byte);
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::SerializeFMUstate, body) }
}

/// # Safety
/// `c` as in [`call`]; `serializedState` as long as announced, `FMUstate` as in fmi2GetFMUstate.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DeSerializeFMUstate(
    c: fmi2Component,
    serializedState: *const fmi2Byte,
    size: usize,
    FMUstate: *mut fmi2FMUstate,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise; bytes are bytes, signed or not.
        unsafe {
            let bytes = input(serializedState.cast::<u8>(), size, "serializedState")?;
            store(FMUstate, FmuState::deserialize(bytes, instance.entry)?)
        }
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::DeSerializeFMUstate, body) }
}

/// # Safety
/// `c` as in [`call`], arrays as long as announced.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetDirectionalDerivative(
    c: fmi2Component,
    vUnknown_ref: *const fmi2ValueReference,
    nUnknown: usize,
    vKnown_ref: *const fmi2ValueReference,
    nKnown: usize,
    dvKnown: *const fmi2Real,
    dvUnknown: *mut fmi2Real,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let (unknown, known, seeds, places) = unsafe {
            (
                input(vUnknown_ref, nUnknown, "vUnknown_ref")?,
                input(vKnown_ref, nKnown, "vKnown_ref")?,
                input(dvKnown, nKnown, "dvKnown")?,
                output(dvUnknown, nUnknown, "dvUnknown")?,
            )
        };
        let mut seed = Values::ZERO;
        for (&reference, &d) in known.iter().zip(seeds) {
            let variable = instance.real(reference)?;
            if !matches!(variable.role, Role::Input | Role::State) {
                return Err(Refusal(format!(
                    "{} is no known of a directional derivative; derive with respect to inputs and states",
                    variable.name
                )));
            }
            if !d.is_finite() {
                return Err(Refusal(format!("dvKnown of {} is {d:?}; give a finite number", variable.name)));
            }
            seed[variable] += d;
        }
        for &reference in unknown {
            let variable = instance.real(reference)?;
            if !matches!(variable.role, Role::Output | Role::Derivative { .. }) {
                return Err(Refusal(format!(
                    "{} is no unknown of a directional derivative; derive outputs and derivatives",
                    variable.name
                )));
            }
        }
        instance.element.prepare()?;
        let change = instance.element.tangent(&seed);
        if unknown.iter().any(|&reference| !change.0[reference as usize].is_finite()) {
            return Err(Refusal(
                "a derivative is too large for a floating-point number; give smaller seeds".to_owned(),
            ));
        }
        for (place, &reference) in places.iter_mut().zip(unknown) {
            place.write(change.0[reference as usize]);
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::GetDirectionalDerivative, body) }
}
