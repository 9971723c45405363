//! The border between C and Rust: every pointer that crosses it is turned into a reference here,
//! every call is held against the chart, and no panic gets out.

use crate::calling_sequence::{Function, InstanceState, InterfaceType};
use crate::floating_point::DefaultEnvironment;
use crate::fmi2_types::{fmi2Component, fmi2Status};
use crate::instance::Instance;
use crate::outcome::{Outcome, Refusal};
use core::ffi::{CStr, c_char};
use core::hint::black_box;
use core::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

impl From<()> for fmi2Status {
    fn from((): ()) -> Self {
        fmi2Status::fmi2OK
    }
}

/// Runs `body` on the instance behind `component`, if the chart allows `function` now. A refusal is
/// logged and becomes fmi2Error, that of a point in Model Exchange fmi2Discard; the instance lives
/// on. A panic becomes fmi2Fatal.
///
/// # Safety
/// `component` is NULL or came from `fmi2Instantiate` and was not freed, and no other thread uses
/// it now.
#[inline]
pub unsafe fn call<T: Into<fmi2Status>>(
    component: fmi2Component,
    function: Function,
    body: impl FnOnce(&mut Instance) -> Result<T, Refusal>,
) -> fmi2Status {
    // SAFETY: the caller's promise; NULL becomes None.
    let Some(instance) = (unsafe { component.cast::<Instance>().as_mut() }) else {
        return fmi2Status::fmi2Error;
    };
    if instance.lifecycle.mode == InstanceState::Fatal {
        return fmi2Status::fmi2Fatal;
    }
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        function
            .allowed(instance.kind, instance.lifecycle.mode)
            .map_err(Refusal::call)?;
        if function.only_copies() {
            return body(instance);
        }
        let environment = DefaultEnvironment::enter();
        instance.log.host = *environment.host();
        body(instance)
    }));
    match outcome {
        Ok(Ok(done)) => done.into(),
        Ok(Err(refusal)) => refused(instance, function, &refusal),
        Err(_) => broken(instance, function),
    }
}

#[cold]
fn refused(instance: &Instance, function: Function, refusal: &Refusal) -> fmi2Status {
    let is_discarded =
        matches!(refusal, Refusal::Point(_)) && instance.kind == InterfaceType::ModelExchange;
    let log = || {
        let text = format!("{}: {refusal}", function.name());
        if is_discarded {
            instance.log.discard(&text)
        } else {
            instance.log.error(&text)
        }
    };
    let _ = catch_unwind(AssertUnwindSafe(log));
    if is_discarded {
        fmi2Status::fmi2Discard
    } else {
        fmi2Status::fmi2Error
    }
}

#[cold]
fn broken(instance: &mut Instance, function: Function) -> fmi2Status {
    instance.lifecycle.mode = InstanceState::Fatal;
    let text = format!(
        "{}: a defect of this FMU stopped the instance; free it, and please report the calls \
         before",
        function.name()
    );
    let _ = catch_unwind(AssertUnwindSafe(|| instance.log.fatal(&text)));
    fmi2Status::fmi2Fatal
}

/// Runs `body` outside any instance; a panic gives `otherwise`.
pub fn guarded<T>(otherwise: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}

/// Free memory required before an instance or a state is allocated, bytes: several times what the
/// largest element takes with its texts. Rust ends the process where an allocation fails, so that
/// it is asked for beforehand.
const RESERVE: usize = 1 << 16;

/// Refuses a call for which there is no memory.
pub fn ask_for_memory() -> Outcome {
    let mut reserve = Vec::<u8>::new();
    match reserve.try_reserve_exact(RESERVE) {
        // The optimiser removes an allocation that is not used.
        Ok(()) => {
            black_box(&reserve);
            Ok(())
        }
        Err(_) => Err(Refusal::call(format!(
            "{RESERVE} bytes of memory cannot be allocated; free instances or states"
        ))),
    }
}

/// Panics are caught and logged by [`call`]; the hook that would print them to the importer's
/// stderr is taken out. The library has its own copy of the Rust runtime: no hook of the host is
/// changed.
pub fn silence_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| std::panic::set_hook(Box::new(|_| ())));
}

/// The `n` elements that an importer's array holds.
///
/// # Safety
/// `array` is NULL or points to `n` initialised elements that are not changed while the result
/// lives.
pub unsafe fn input<'a, T>(array: *const T, n: usize, what: &str) -> Result<&'a [T], Refusal> {
    check(array, n, what)?;
    // An empty array may be NULL.
    if n == 0 {
        return Ok(&[]);
    }
    // SAFETY: not NULL and of a possible size by `check`; the rest is the caller's promise.
    Ok(unsafe { core::slice::from_raw_parts(array, n) })
}

/// The `n` elements of an importer's array, initialised or not.
///
/// # Safety
/// `array` is NULL or points to room for `n` elements that are not used otherwise while the result
/// lives.
pub unsafe fn output<'a, T>(
    array: *mut T,
    n: usize,
    what: &str,
) -> Result<&'a mut [MaybeUninit<T>], Refusal> {
    check(array, n, what)?;
    if n == 0 {
        return Ok(&mut []);
    }
    // SAFETY: as in `input`; uninitialised memory is what MaybeUninit is for.
    Ok(unsafe { core::slice::from_raw_parts_mut(array.cast(), n) })
}

#[inline]
fn check<T>(array: *const T, n: usize, what: &str) -> Outcome {
    let is_possible =
        !array.is_null() && array.is_aligned() && n <= isize::MAX as usize / size_of::<T>();
    if n == 0 || is_possible {
        Ok(())
    } else {
        Err(no_array(array.is_null(), n, what))
    }
}

#[cold]
fn no_array(is_null: bool, n: usize, what: &str) -> Refusal {
    Refusal::call(if is_null {
        format!("{what} is NULL, but {n} elements were announced; pass an array or a count of 0")
    } else {
        format!("{what} cannot be an array of {n} elements; pass its address and its true length")
    })
}

/// The place that an importer's pointer names.
///
/// # Safety
/// `place` is NULL or valid for reading and writing, and not used otherwise while the result lives.
pub unsafe fn place<'a, T>(place: *mut T, what: &str) -> Result<&'a mut T, Refusal> {
    // SAFETY: the caller's promise; NULL becomes None.
    unsafe { place.as_mut() }
        .ok_or_else(|| Refusal::call(format!("{what} is NULL; pass the address of the result")))
}

/// The bytes of an importer's string, without the terminating zero.
///
/// # Safety
/// `string` is NULL or a terminated string that is not changed while the result lives.
pub unsafe fn string<'a>(string: *const c_char) -> Option<&'a CStr> {
    // SAFETY: not NULL; the rest is the caller's promise.
    (!string.is_null()).then(|| unsafe { CStr::from_ptr(string) })
}

#[cfg(test)]
mod tests;
