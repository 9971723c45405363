//! The functions of Co-Simulation (FMI 2.0, Sec. 4.2).

#![allow(non_snake_case)] // the standard's names

use crate::calling_sequence::{Function, InstanceState};
use crate::ffi::{call, input, output};
use crate::fmi2_types::*;
use crate::instance::Instance;
use crate::outcome::Refusal;
use bristle::law::MAX_INPUT_DERIVATIVE_ORDER;
use bristle::variable::Role;

/// # Safety
/// `c` as in `ffi::call`, arrays as long as announced.
#[inline]
pub unsafe fn fmi2SetRealInputDerivatives(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    order: *const fmi2Integer,
    value: *const fmi2Real,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let (references, orders, values) = unsafe {
            (
                input(vr, nvr, "vr")?,
                input(order, nvr, "order")?,
                input(value, nvr, "value")?,
            )
        };
        // All or none.
        for ((&reference, &order), &value) in references.iter().zip(orders).zip(values) {
            check_derivative(instance, reference, order, value)?;
        }
        for ((&reference, &order), &value) in references.iter().zip(orders).zip(values) {
            let variable = *instance.real(reference)?;
            instance
                .assembly
                .set_input_derivative(&variable, order as usize, value)?;
            if instance.variant.holds(&variable) && value != 0.0 {
                instance.warn_of_held_input(&variable);
            }
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::SetRealInputDerivatives, body) }
}

fn check_derivative(
    instance: &Instance,
    reference: u32,
    order: i32,
    value: f64,
) -> Result<(), Refusal> {
    let variable = instance.real(reference)?;
    if variable.role != Role::Input {
        return Err(Refusal::call(format!(
            "{} is no input; give derivatives of inputs only",
            variable.name
        )));
    }
    if !value.is_finite() {
        return Err(Refusal::call(format!(
            "derivative {order} of {} is {value:?}; give a finite number or none",
            variable.name
        )));
    }
    if !(1..=MAX_INPUT_DERIVATIVE_ORDER as i32).contains(&order) {
        return Err(Refusal::call(format!(
            "derivative {order} of {} was given, but only derivatives 1 to \
             {MAX_INPUT_DERIVATIVE_ORDER} of inputs are supported; leave it out",
            variable.name
        )));
    }
    Ok(())
}

/// # Safety
/// `c` as in `ffi::call`, arrays as long as announced.
#[inline]
pub unsafe fn fmi2GetRealOutputDerivatives(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    order: *const fmi2Integer,
    value: *mut fmi2Real,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let (references, orders, places) = unsafe {
            (
                input(vr, nvr, "vr")?,
                input(order, nvr, "order")?,
                output(value, nvr, "value")?,
            )
        };
        for (&reference, &order) in references.iter().zip(orders) {
            let variable = instance.real(reference)?;
            let is_output = variable.role == Role::Output || variable.is_output_state();
            if !is_output || order != 1 {
                return Err(Refusal::call(format!(
                    "derivative {order} of {} was requested; request order 1 of outputs: \
                     maxOutputDerivativeOrder is 1",
                    variable.name
                )));
            }
        }
        let derivatives = instance.with_parameters(|instance| {
            let derivatives = instance.assembly.output_derivatives();
            if references
                .iter()
                .any(|&reference| !derivatives.get(reference).is_finite())
            {
                return Err(Refusal::call(
                    "an output derivative is too large for a floating-point number",
                ));
            }
            Ok(derivatives)
        })?;
        for (place, &reference) in places.iter_mut().zip(references) {
            place.write(
                instance
                    .variant
                    .of_si(reference, derivatives.get(reference)),
            );
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::GetRealOutputDerivatives, body) }
}

/// # Safety
/// `c` as in `ffi::call`.
#[inline]
pub unsafe fn fmi2DoStep(
    c: fmi2Component,
    currentCommunicationPoint: fmi2Real,
    communicationStepSize: fmi2Real,
    _noSetFMUStatePriorToCurrentPoint: fmi2Boolean,
) -> fmi2Status {
    // SAFETY: the caller's promise.
    unsafe {
        call(c, Function::DoStep, |i| {
            i.do_step(currentCommunicationPoint, communicationStepSize)
        })
    }
}

/// # Safety
/// `c` as in `ffi::call`.
#[inline]
pub unsafe fn fmi2CancelStep(c: fmi2Component) -> fmi2Status {
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::CancelStep, |_| Ok(())) }
}

/// Answers a status question about steps, which are never pending here.
///
/// # Safety
/// `c` as in `ffi::call`, `value` NULL or valid.
unsafe fn status<T>(
    c: fmi2Component,
    function: Function,
    kind: fmi2StatusKind,
    value: *mut T,
    answer: impl FnOnce(&Instance) -> Option<T>,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let [place] = unsafe { output(value, 1, "value") }? else {
            return Ok(());
        };
        place.write(answer(instance).ok_or_else(|| {
            Refusal::call(format!(
                "status kind {kind} has no value of this type; call the function that returns its \
                 type"
            ))
        })?);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, function, body) }
}

/// # Safety
/// `c` as in `ffi::call`, `value` NULL or valid.
#[inline]
pub unsafe fn fmi2GetStatus(
    c: fmi2Component,
    s: fmi2StatusKind,
    value: *mut fmi2Status,
) -> fmi2Status {
    // A step that did not succeed was refused at once and left no trace.
    let answer = |_: &Instance| (s == fmi2DoStepStatus).then_some(fmi2Status::fmi2OK);
    // SAFETY: the caller's promise.
    unsafe { status(c, Function::GetStatus, s, value, answer) }
}

/// # Safety
/// `c` as in `ffi::call`, `value` NULL or valid.
#[inline]
pub unsafe fn fmi2GetRealStatus(
    c: fmi2Component,
    s: fmi2StatusKind,
    value: *mut fmi2Real,
) -> fmi2Status {
    let answer =
        |instance: &Instance| (s == fmi2LastSuccessfulTime).then_some(instance.lifecycle.time);
    // SAFETY: the caller's promise.
    unsafe { status(c, Function::GetRealStatus, s, value, answer) }
}

/// # Safety
/// `c` as in `ffi::call`, `value` NULL or valid.
#[inline]
pub unsafe fn fmi2GetIntegerStatus(
    c: fmi2Component,
    s: fmi2StatusKind,
    value: *mut fmi2Integer,
) -> fmi2Status {
    // SAFETY: the caller's promise.
    unsafe { status(c, Function::GetIntegerStatus, s, value, |_| None) }
}

/// # Safety
/// `c` as in `ffi::call`, `value` NULL or valid.
#[inline]
pub unsafe fn fmi2GetBooleanStatus(
    c: fmi2Component,
    s: fmi2StatusKind,
    value: *mut fmi2Boolean,
) -> fmi2Status {
    let answer = |instance: &Instance| {
        (s == fmi2Terminated).then_some(if instance.lifecycle.mode == InstanceState::Terminated {
            fmi2True
        } else {
            fmi2False
        })
    };
    // SAFETY: the caller's promise.
    unsafe { status(c, Function::GetBooleanStatus, s, value, answer) }
}

/// # Safety
/// `c` as in `ffi::call`, `value` NULL or valid.
#[inline]
pub unsafe fn fmi2GetStringStatus(
    c: fmi2Component,
    s: fmi2StatusKind,
    value: *mut fmi2String,
) -> fmi2Status {
    let answer = |_: &Instance| (s == fmi2PendingStatus).then_some(c"".as_ptr());
    // SAFETY: the caller's promise.
    unsafe { status(c, Function::GetStringStatus, s, value, answer) }
}
