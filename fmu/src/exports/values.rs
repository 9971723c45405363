//! Values of variables and their partial derivatives (FMI 2.0, Sec. 2.1.7 and 2.1.9).

#![allow(non_snake_case)] // the standard's names

use crate::calling_sequence::{Function, InstanceState};
use crate::ffi::{call, input, output};
use crate::floating_point::DefaultEnvironment;
use crate::fmi2_types::*;
use crate::instance::Instance;
use crate::outcome::Refusal;
use bristle::assembly::Table;
use bristle::catalogue::Access;
use bristle::variable::Role;

/// # Safety
/// `c` as in `ffi::call`, arrays as long as announced.
#[inline]
pub unsafe fn fmi2GetReal(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    value: *mut fmi2Real,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let (references, places) = unsafe { (input(vr, nvr, "vr")?, output(value, nvr, "value")?) };
        let mut all = Access::NONE;
        for &reference in references {
            let access = instance.variant.access(reference);
            if !access.is_real() {
                return Err(instance.unknown("Real", reference).into());
            }
            all = all.and(access);
        }
        // All or none: what may fail comes first.
        instance.readable(all.is_calculated())?;
        let details = if all.is_on_demand() {
            Some(instance.details(references)?)
        } else {
            None
        };
        for (place, &reference) in places.iter_mut().zip(references) {
            place.write(instance.assembly.value(reference));
        }
        if let Some(details) = details {
            let is_on_demand =
                |(_, reference): &(_, &u32)| instance.variant.access(**reference).is_on_demand();
            for (place, &reference) in places.iter_mut().zip(references).filter(is_on_demand) {
                place.write(details.get(reference));
            }
        }
        if all.is_scaled() {
            let _environment = DefaultEnvironment::enter();
            for (place, &reference) in places.iter_mut().zip(references) {
                // SAFETY: every place was written above.
                let value = unsafe { place.assume_init() };
                place.write(instance.variant.of_si(reference, value));
            }
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::GetReal, body) }
}

/// # Safety
/// `c` as in `ffi::call`, arrays as long as announced.
#[inline]
pub unsafe fn fmi2GetInteger(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    value: *mut fmi2Integer,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let (references, places) = unsafe { (input(vr, nvr, "vr")?, output(value, nvr, "value")?) };
        let mut calculated = false;
        for &reference in references {
            calculated |= matches!(
                instance.integer(reference)?.role,
                Role::DiscreteState { .. }
            );
        }
        let values = instance.readable(calculated)?;
        for (place, &reference) in places.iter_mut().zip(references) {
            place.write(values.value(reference) as fmi2Integer);
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::GetInteger, body) }
}

/// # Safety
/// `c` as in `ffi::call`, arrays as long as announced.
#[inline]
pub unsafe fn fmi2GetBoolean(
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
            place.write(if values.value(reference) != 0.0 {
                fmi2True
            } else {
                fmi2False
            });
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::GetBoolean, body) }
}

/// # Safety
/// `c` as in `ffi::call`, arrays as long as announced.
#[inline]
pub unsafe fn fmi2SetReal(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    value: *const fmi2Real,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let (references, values) = unsafe { (input(vr, nvr, "vr")?, input(value, nvr, "value")?) };
        instance.set_real(references, values)
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::SetReal, body) }
}

/// # Safety
/// `c` as in `ffi::call`, arrays as long as announced.
#[inline]
pub unsafe fn fmi2SetInteger(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    value: *const fmi2Integer,
) -> fmi2Status {
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        let (references, values) = unsafe { (input(vr, nvr, "vr")?, input(value, nvr, "value")?) };
        instance.set(references, values, Instance::integer)
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::SetInteger, body) }
}

/// # Safety
/// `c` as in `ffi::call`, arrays as long as announced.
#[inline]
pub unsafe fn fmi2SetBoolean(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    _value: *const fmi2Boolean,
) -> fmi2Status {
    // All Booleans are calculated: only an empty request can be met.
    let body = |instance: &mut Instance| {
        // SAFETY: the caller's promise.
        match unsafe { input(vr, nvr, "vr") }? {
            [] => Ok(()),
            &[reference, ..] => {
                let name = instance.boolean(reference)?.name;
                Err(Refusal::call(format!(
                    "{name} is calculated by the element; it can be read, but not be set"
                )))
            }
        }
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::SetBoolean, body) }
}

/// The elements have no variables of this type, so that only an empty request can be met.
///
/// # Safety
/// `c` as in `ffi::call`, `vr` as long as announced.
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
            &[reference, ..] => Err(instance.unknown(kind, reference).into()),
        }
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, function, body) }
}

/// # Safety
/// `c` as in `ffi::call`, arrays as long as announced.
#[inline]
pub unsafe fn fmi2GetString(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    _value: *mut fmi2String,
) -> fmi2Status {
    // SAFETY: the caller's promise.
    unsafe { none_of_type(c, Function::GetString, "String", vr, nvr) }
}

/// # Safety
/// `c` as in `ffi::call`, arrays as long as announced.
#[inline]
pub unsafe fn fmi2SetString(
    c: fmi2Component,
    vr: *const fmi2ValueReference,
    nvr: usize,
    _value: *const fmi2String,
) -> fmi2Status {
    // SAFETY: the caller's promise.
    unsafe { none_of_type(c, Function::SetString, "String", vr, nvr) }
}

/// # Safety
/// `c` as in `ffi::call`, arrays as long as announced.
#[inline]
pub unsafe fn fmi2GetDirectionalDerivative(
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
        let mut seed = Table::ZERO;
        for (&reference, &d) in known.iter().zip(seeds) {
            let variable = instance.real(reference)?;
            // Among the initial unknowns' dependencies are parameters.
            let is_initial = variable.role == Role::Parameter
                && instance.lifecycle.mode == InstanceState::Initialization;
            if !is_initial && !matches!(variable.role, Role::Input | Role::State) {
                return Err(Refusal::call(format!(
                    "{} is no known of a directional derivative {}; derive with respect to inputs \
                     and states, and in Initialization Mode \
                     to parameters",
                    variable.name, instance.lifecycle.mode
                )));
            }
            if !d.is_finite() {
                return Err(Refusal::call(format!(
                    "dvKnown of {} is {d:?}; give a finite number",
                    variable.name
                )));
            }
            *seed.entry(variable) += variable.to_si(d);
        }
        for &reference in unknown {
            let variable = instance.real(reference)?;
            if !matches!(variable.role, Role::Output | Role::Derivative { .. })
                && !variable.is_output_state()
            {
                return Err(Refusal::call(format!(
                    "{} is no unknown of a directional derivative; derive outputs and derivatives",
                    variable.name
                )));
            }
        }
        let change = instance.with_values(|instance| {
            let change = instance.assembly.directional_derivative(&seed);
            if unknown
                .iter()
                .any(|&reference| !change.get(reference).is_finite())
            {
                return Err(Refusal::point(
                    "a derivative is too large for a floating-point number; give smaller seeds",
                ));
            }
            Ok(change)
        })?;
        for (place, &reference) in places.iter_mut().zip(unknown) {
            place.write(instance.variant.of_si(reference, change.get(reference)));
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(c, Function::GetDirectionalDerivative, body) }
}
