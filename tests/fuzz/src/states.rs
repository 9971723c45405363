//! Forged states: a saved state with bytes changed, most with a right checksum.

use std::ptr;

use bristle_fmu::exports;
use bristle_fmu::fmi2_types::{fmi2CoSimulation, fmi2Status};

use crate::input::Input;
use crate::interface::{Instance, elements, no_panic};

/// Bytes of the checksum at the end of a state.
const CHECKSUM: usize = 8;

/// Loads a changed state and makes steps from it. A refusal is right; a wrong force is allowed; a
/// panic is not.
pub fn states(data: &[u8]) {
    let mut input = Input::new(data);
    let elements = elements();
    let element = &elements[input.below(elements.len())];
    let instance = Instance::new(element, fmi2CoSimulation);
    instance.initialize();
    let c = instance.0;
    let references = [0, 1];
    // SAFETY: the instance lives, arrays have the lengths given, states come from this library.
    unsafe {
        _ = no_panic(exports::fmi2SetReal(
            c,
            references.as_ptr(),
            2,
            [9.81, 0.02].as_ptr(),
        ));
        for i in 0..u8::from(input.byte() < 128) * 3 {
            _ = no_panic(exports::fmi2DoStep(c, f64::from(i) * 1e-3, 1e-3, 1));
        }
        let mut state = ptr::null_mut();
        assert_eq!(exports::fmi2GetFMUstate(c, &mut state), fmi2Status::fmi2OK);
        let mut size = 0;
        assert_eq!(
            exports::fmi2SerializedFMUstateSize(c, state, &mut size),
            fmi2Status::fmi2OK
        );
        let mut bytes = vec![0_u8; size];
        assert_eq!(
            exports::fmi2SerializeFMUstate(c, state, bytes.as_mut_ptr().cast(), size),
            fmi2Status::fmi2OK
        );

        let is_sealed = input.byte() < 224;
        while !input.is_empty() {
            forge(&mut bytes, &mut input);
        }
        if is_sealed {
            seal(&mut bytes);
        }
        let mut forged = ptr::null_mut();
        let status = no_panic(exports::fmi2DeSerializeFMUstate(
            c,
            bytes.as_ptr().cast(),
            bytes.len(),
            &mut forged,
        ));
        if status == fmi2Status::fmi2OK {
            if no_panic(exports::fmi2SetFMUstate(c, forged)) == fmi2Status::fmi2OK {
                steps(c);
            }
            assert_eq!(
                exports::fmi2FreeFMUstate(c, &mut forged),
                fmi2Status::fmi2OK
            );
        }
        assert_eq!(exports::fmi2FreeFMUstate(c, &mut state), fmi2Status::fmi2OK);
    }
}

/// Changes a byte, or eight bytes to a number.
fn forge(bytes: &mut Vec<u8>, input: &mut Input) {
    let at = input.below(bytes.len());
    match input.byte() % 4 {
        0 => bytes[at] = input.byte(),
        1 => bytes[at] ^= 1 << (input.byte() % 8),
        2 if input.byte() == 0 => bytes.truncate(at),
        _ => {
            let number = input.number().to_le_bytes();
            let end = (at + number.len()).min(bytes.len());
            bytes[at..end].copy_from_slice(&number[..end - at]);
        }
    }
    if bytes.is_empty() {
        bytes.push(0);
    }
}

/// Gives the state a right checksum (FNV-1a, 64 bits).
fn seal(bytes: &mut [u8]) {
    if let Some((content, sum)) = bytes.split_last_chunk_mut::<CHECKSUM>() {
        let hash =
            |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        *sum = content
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, hash)
            .to_le_bytes();
    }
}

/// Steps of three lengths from wherever the state is, and the outputs.
///
/// # Safety
/// The instance lives.
unsafe fn steps(c: *mut core::ffi::c_void) {
    let mut time = 0.0;
    // SAFETY: as above.
    unsafe {
        _ = no_panic(exports::fmi2GetRealStatus(c, 2, &mut time));
        for h in [1e-4, 1e-3, 1e-2] {
            let status = no_panic(exports::fmi2DoStep(c, time, h, 1));
            if status <= fmi2Status::fmi2Warning {
                time += h;
                let mut force = [0.0];
                let read = no_panic(exports::fmi2GetReal(c, [8].as_ptr(), 1, force.as_mut_ptr()));
                assert!(
                    read != fmi2Status::fmi2OK || force[0].is_finite(),
                    "F_R is {} after a step",
                    force[0]
                );
            }
        }
    }
}
