//! Sequences of calls of the C interface, legal and illegal, with any values.

use std::ptr;

use bristle_fmu::exports;
use bristle_fmu::fmi2_types::{fmi2EventInfo, fmi2Status};

use crate::input::Input;
use crate::interface::{Instance, elements, no_panic};

/// Most calls of a case.
const MOST: usize = 64;
/// Length of the arrays of a call.
const LENGTH: usize = 8;

/// Makes the calls. None may panic, and no number that a call returns with fmi2OK may be infinite
/// or NaN.
pub fn calls(data: &[u8]) {
    let mut input = Input::new(data);
    let elements = elements();
    let element = &elements[input.below(elements.len())];
    let instance = Instance::new(element, i32::from(input.byte() % 2));
    let mut state = ptr::null_mut();
    let mut time = 0.0;
    if input.byte() < 192 {
        instance.initialize();
    }
    for _ in 0..MOST {
        if input.is_empty() {
            break;
        }
        // SAFETY: the instance lives, and the state is NULL or its own.
        unsafe { call(&mut input, instance.0, &mut state, &mut time) };
    }
    // SAFETY: as above.
    unsafe { _ = exports::fmi2FreeFMUstate(instance.0, &mut state) };
}

/// Makes one call.
///
/// # Safety
/// `c` lives; `state` is NULL or a state of it.
unsafe fn call(
    input: &mut Input,
    c: *mut core::ffi::c_void,
    state: &mut *mut core::ffi::c_void,
    time: &mut f64,
) {
    let references: [u32; LENGTH] = core::array::from_fn(|_| u32::from(input.byte()) % 160);
    let count = input.below(LENGTH) + 1;
    let mut numbers = [0.0; LENGTH];
    let mut whole = [0; LENGTH];
    let kind = input.byte() % 32;
    if matches!(kind, 0..=3 | 8..=11) {
        numbers[..count]
            .iter_mut()
            .for_each(|number| *number = input.number());
    }
    let mut info = fmi2EventInfo {
        newDiscreteStatesNeeded: 0,
        terminateSimulation: 0,
        nominalsOfContinuousStatesChanged: 0,
        valuesOfContinuousStatesChanged: 0,
        nextEventTimeDefined: 0,
        nextEventTime: 0.0,
    };
    let (vr, values) = (references.as_ptr(), numbers.as_mut_ptr());
    // SAFETY: all arrays have at least `count` elements.
    let status = unsafe {
        match kind {
            0..=3 => exports::fmi2SetReal(c, vr, count, values),
            4 | 5 => exports::fmi2GetReal(c, vr, count, values),
            6 => exports::fmi2SetInteger(c, vr, count, [i32::from(input.byte()); LENGTH].as_ptr()),
            7 => exports::fmi2GetInteger(c, vr, count, whole.as_mut_ptr()),
            8 => exports::fmi2SetRealInputDerivatives(
                c,
                vr,
                count,
                [1 + i32::from(input.byte() % 4); LENGTH].as_ptr(),
                values,
            ),
            9 => exports::fmi2SetContinuousStates(c, values, count),
            10 => exports::fmi2SetTime(c, numbers[0]),
            11 => exports::fmi2SetupExperiment(
                c,
                1,
                numbers[0],
                numbers[1],
                i32::from(input.byte() % 2),
                numbers[2],
            ),
            12..=17 => {
                // Steps of 1e-2 s at most: longer ones are slow by right.
                let h = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, -1e-3, 0.0, f64::NAN][input.below(8)];
                let status = exports::fmi2DoStep(c, *time, h, 1);
                *time += if status <= fmi2Status::fmi2Warning {
                    h
                } else {
                    0.0
                };
                status
            }
            18 => exports::fmi2GetFMUstate(c, state),
            19 => exports::fmi2SetFMUstate(c, *state),
            20 => exports::fmi2EnterInitializationMode(c),
            21 => exports::fmi2ExitInitializationMode(c),
            22 => exports::fmi2Terminate(c),
            23 => {
                *time = 0.0;
                exports::fmi2Reset(c)
            }
            24 => exports::fmi2EnterEventMode(c),
            25 => exports::fmi2NewDiscreteStates(c, &mut info),
            26 => exports::fmi2EnterContinuousTimeMode(c),
            27 => exports::fmi2GetDerivatives(c, values, count),
            28 => exports::fmi2GetEventIndicators(c, values, count),
            29 => exports::fmi2GetRealOutputDerivatives(c, vr, count, [1; LENGTH].as_ptr(), values),
            30 => exports::fmi2GetDirectionalDerivative(
                c,
                vr,
                1,
                vr.add(1),
                1,
                [1.0].as_ptr(),
                values,
            ),
            _ => {
                let [mut enter, mut end] = [0, 0];
                exports::fmi2CompletedIntegratorStep(c, 1, &mut enter, &mut end)
            }
        }
    };
    no_panic(status);
    if status == fmi2Status::fmi2OK && matches!(kind, 4 | 5 | 27..=30) {
        assert!(
            numbers[..count].iter().all(|number| number.is_finite()),
            "call {kind} returned {numbers:?}"
        );
    }
}
