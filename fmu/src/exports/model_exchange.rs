//! The functions of Model Exchange (FMI 2.0, Sec. 3.2).

#![allow(non_snake_case)] // the standard's names

use crate::calling_sequence::{Function, InstanceState};
use crate::ffi::{call, input, output};
use crate::fmi2_types::*;
use crate::instance::Instance;
use crate::outcome::{Outcome, Refusal};
use core::mem::MaybeUninit;

/// # Safety
/// `c` as in `ffi::call`.
#[inline]
pub unsafe fn fmi2EnterEventMode(c: fmi2Component) -> fmi2Status {
    let body = |instance: &mut Instance| {
        instance.lifecycle.mode = InstanceState::Event;
        // Discrete values are constant until now.
        instance.lifecycle.outputs_dirty = true;
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::EnterEventMode, body) }
}

/// # Safety
/// `c` as in `ffi::call`, `eventInfo` NULL or valid.
#[inline]
pub unsafe fn fmi2NewDiscreteStates(c: fmi2Component, eventInfo: *mut fmi2EventInfo) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let [place] = unsafe { output(eventInfo, 1, "eventInfo") }? else {
            return Ok(());
        };
        let states_changed = instance.new_discrete_states()?;
        place.write(fmi2EventInfo {
            newDiscreteStatesNeeded: fmi2False,
            terminateSimulation: fmi2False,
            nominalsOfContinuousStatesChanged: fmi2False,
            valuesOfContinuousStatesChanged: if states_changed { fmi2True } else { fmi2False },
            nextEventTimeDefined: fmi2False,
            nextEventTime: 0.0,
        });
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::NewDiscreteStates, body) }
}

/// # Safety
/// `c` as in `ffi::call`.
#[inline]
pub unsafe fn fmi2EnterContinuousTimeMode(c: fmi2Component) -> fmi2Status {
    // SAFETY: the caller's promise.
    unsafe {
        call(
            c,
            Function::EnterContinuousTimeMode,
            Instance::enter_continuous_time,
        )
    }
}

/// # Safety
/// `c` as in `ffi::call`, the results NULL or valid.
#[inline]
pub unsafe fn fmi2CompletedIntegratorStep(
    c: fmi2Component,
    _noSetFMUStatePriorToCurrentPoint: fmi2Boolean,
    enterEventMode: *mut fmi2Boolean,
    terminateSimulation: *mut fmi2Boolean,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let places = unsafe {
            (
                output(enterEventMode, 1, "enterEventMode")?,
                output(terminateSimulation, 1, "terminateSimulation")?,
            )
        };
        let ([event], [terminate]) = places else {
            return Ok(());
        };
        event.write(if instance.completed_step()? {
            fmi2True
        } else {
            fmi2False
        });
        terminate.write(fmi2False);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::CompletedIntegratorStep, body) }
}

/// # Safety
/// `c` as in `ffi::call`.
#[inline]
pub unsafe fn fmi2SetTime(c: fmi2Component, time: fmi2Real) -> fmi2Status {
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::SetTime, |i| i.set_time(time)) }
}

/// # Safety
/// `c` as in `ffi::call`, `x` as long as announced.
#[inline]
pub unsafe fn fmi2SetContinuousStates(
    c: fmi2Component,
    x: *const fmi2Real,
    nx: usize,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        expect_states(instance, nx)?;
        // SAFETY: the caller's promise.
        let values = unsafe { input(x, nx, "x") }?;
        let states = instance.variant.states();
        for ((state, _), &value) in states.iter().zip(values) {
            state.check(value).map_err(Refusal::Point)?;
        }
        for ((state, _), &value) in states.iter().zip(values) {
            instance.assembly.set(state, value);
        }
        instance.lifecycle.outputs_dirty = true;
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::SetContinuousStates, body) }
}

/// The number that an importer takes for the number of states must be it.
fn expect_states(instance: &Instance, nx: usize) -> Outcome {
    let states = instance.variant.states().len();
    if nx == states {
        return Ok(());
    }
    Err(Refusal::call(format!(
        "nx = {nx} was given where the element has {states} states; pass arrays of that length"
    )))
}

/// The importer's room for one number per state.
///
/// # Safety
/// `array` is NULL or has room for `nx` numbers.
unsafe fn per_state<'a>(
    instance: &Instance,
    array: *mut fmi2Real,
    nx: usize,
    what: &str,
) -> Result<&'a mut [MaybeUninit<fmi2Real>], Refusal> {
    expect_states(instance, nx)?;
    // SAFETY: the caller's promise.
    unsafe { output(array, nx, what) }
}

/// # Safety
/// `c` as in `ffi::call`, `derivatives` as long as announced.
#[inline]
pub unsafe fn fmi2GetDerivatives(
    c: fmi2Component,
    derivatives: *mut fmi2Real,
    nx: usize,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let places = unsafe { per_state(instance, derivatives, nx, "derivatives") }?;
        instance.readable(true)?;
        for (place, (_, derivative)) in places.iter_mut().zip(instance.variant.states()) {
            place.write(instance.assembly.value_of(derivative));
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::GetDerivatives, body) }
}

/// Refusal of an event indicator outside the range of numbers.
const INDICATOR_TOO_LARGE: &str = "an event indicator is too large for a floating-point number; \
                                   check the states and inputs for extreme values";

/// # Safety
/// `c` as in `ffi::call`, `eventIndicators` as long as announced.
#[inline]
pub unsafe fn fmi2GetEventIndicators(
    c: fmi2Component,
    eventIndicators: *mut fmi2Real,
    ni: usize,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        let events = instance.variant.event_count();
        if ni != events {
            return Err(Refusal::call(format!(
                "ni = {ni} was given where the element has {events} event indicators; pass an \
                 array of that length"
            )));
        }
        // SAFETY: the caller's promise.
        let places = unsafe { output(eventIndicators, ni, "eventIndicators") }?;
        instance.with_parameters(|instance| {
            let each = instance.variant.metadata().events.len();
            let indicators = instance
                .assembly
                .indicators()
                .flat_map(|indicators| indicators.into_iter().take(each));
            let mut are_finite = true;
            for (place, indicator) in places.iter_mut().zip(indicators) {
                are_finite &= indicator.is_finite();
                place.write(indicator);
            }
            if are_finite {
                Ok(())
            } else {
                Err(Refusal::point(INDICATOR_TOO_LARGE))
            }
        })
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::GetEventIndicators, body) }
}

/// # Safety
/// `c` as in `ffi::call`, `x` as long as announced.
#[inline]
pub unsafe fn fmi2GetContinuousStates(c: fmi2Component, x: *mut fmi2Real, nx: usize) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let places = unsafe { per_state(instance, x, nx, "x") }?;
        for (place, (state, _)) in places.iter_mut().zip(instance.variant.states()) {
            place.write(instance.assembly.value_of(state));
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::GetContinuousStates, body) }
}

/// # Safety
/// `c` as in `ffi::call`, `x_nominal` as long as announced.
#[inline]
pub unsafe fn fmi2GetNominalsOfContinuousStates(
    c: fmi2Component,
    x_nominal: *mut fmi2Real,
    nx: usize,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let places = unsafe { per_state(instance, x_nominal, nx, "x_nominal") }?;
        for (place, (state, _)) in places.iter_mut().zip(instance.variant.states()) {
            place.write(state.nominal.unwrap_or(1.0));
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::GetNominalsOfContinuousStates, body) }
}
