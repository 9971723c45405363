//! Saved and serialised states (FMI 2.0, Sec. 2.1.8).

#![allow(non_snake_case)] // the standard's names

use crate::calling_sequence::Function;
use crate::ffi::{ask_for_memory, call, input, output, place};
use crate::fmi2_types::*;
use crate::instance::Instance;
use crate::outcome::Refusal;
use crate::state::FmuState;
use core::ptr;

/// # Safety
/// `c` as in `ffi::call`; `FMUstate` is NULL or points to NULL or to a state of this library.
#[inline]
pub unsafe fn fmi2GetFMUstate(c: fmi2Component, FMUstate: *mut fmi2FMUstate) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        match unsafe { kept(FMUstate) }? {
            Kept::State(state) => instance.save_into(state),
            Kept::Nothing(target) => {
                ask_for_memory()?;
                *target = Box::into_raw(Box::new(instance.save())).cast();
            }
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::GetFMUstate, body) }
}

/// State that the importer's pointer holds already.
enum Kept<'a> {
    State(&'a mut FmuState),
    Nothing(&'a mut fmi2FMUstate),
}

/// # Safety
/// `target` is NULL or points to NULL or to a state of this library.
unsafe fn kept<'a>(target: *mut fmi2FMUstate) -> Result<Kept<'a>, Refusal> {
    // SAFETY: the caller's promise.
    unsafe {
        let target = place(target, "FMUstate")?;
        Ok(match target.cast::<FmuState>().as_mut() {
            Some(state) => Kept::State(state),
            None => Kept::Nothing(target),
        })
    }
}

/// The state that the importer holds.
///
/// # Safety
/// `state` is NULL or a state of this library that is not freed while the result lives.
unsafe fn held<'a>(state: fmi2FMUstate) -> Result<&'a FmuState, Refusal> {
    // SAFETY: the caller's promise.
    unsafe { state.cast::<FmuState>().as_ref() }
        .ok_or_else(|| Refusal::call("FMUstate is NULL; pass a state that fmi2GetFMUstate gave"))
}

/// # Safety
/// `c` as in `ffi::call`; `FMUstate` is NULL or a state of this library.
#[inline]
pub unsafe fn fmi2SetFMUstate(c: fmi2Component, FMUstate: fmi2FMUstate) -> fmi2Status {
    // SAFETY: the caller's promise.
    let body = |instance: &mut Instance| instance.restore(unsafe { held(FMUstate) }?);
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::SetFMUstate, body) }
}

/// # Safety
/// `c` as in `ffi::call`; `FMUstate` is NULL or points to NULL or to a state of this library.
#[inline]
pub unsafe fn fmi2FreeFMUstate(c: fmi2Component, FMUstate: *mut fmi2FMUstate) -> fmi2Status {
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
/// `c` as in `ffi::call`; `FMUstate` is NULL or a state of this library, `size` NULL or valid.
#[inline]
pub unsafe fn fmi2SerializedFMUstateSize(
    c: fmi2Component,
    FMUstate: fmi2FMUstate,
    size: *mut usize,
) -> fmi2Status {
    let body = |_: &mut Instance| {
        // SAFETY: the caller's promise.
        unsafe {
            *place(size, "size")? = held(FMUstate)?.serialized_size();
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::SerializedFMUstateSize, body) }
}

/// # Safety
/// `c` as in `ffi::call`; `FMUstate` is NULL or a state of this library, `serializedState` as long
/// as announced.
#[inline]
pub unsafe fn fmi2SerializeFMUstate(
    c: fmi2Component,
    FMUstate: fmi2FMUstate,
    serializedState: *mut fmi2Byte,
    size: usize,
) -> fmi2Status {
    let body = |_: &mut Instance| {
        // SAFETY: the caller's promise.
        let (state, places) = unsafe {
            (
                held(FMUstate)?,
                output(serializedState, size, "serializedState")?,
            )
        };
        ask_for_memory()?;
        let bytes = state.serialize();
        if size < bytes.len() {
            return Err(Refusal::call(format!(
                "serializedState has room for {size} bytes where {} are needed; call \
                 fmi2SerializedFMUstateSize for the size",
                bytes.len()
            )));
        }
        for (place, byte) in places.iter_mut().zip(bytes) {
            place.write(byte as fmi2Byte);
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::SerializeFMUstate, body) }
}

/// # Safety
/// `c` as in `ffi::call`; `serializedState` as long as announced, `FMUstate` as in fmi2GetFMUstate.
#[inline]
pub unsafe fn fmi2DeSerializeFMUstate(
    c: fmi2Component,
    serializedState: *const fmi2Byte,
    size: usize,
    FMUstate: *mut fmi2FMUstate,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise; bytes are bytes, signed or not.
        let (bytes, kept) = unsafe {
            (
                input(serializedState.cast::<u8>(), size, "serializedState")?,
                kept(FMUstate)?,
            )
        };
        ask_for_memory()?;
        let state = FmuState::deserialize(bytes, &instance.variant)?;
        match kept {
            Kept::State(old) => *old = state,
            Kept::Nothing(target) => *target = Box::into_raw(Box::new(state)).cast(),
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::DeSerializeFMUstate, body) }
}
