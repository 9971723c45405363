//! A panic within a call, which only a defect could cause.

use super::*;
use crate::card_section::{CardSection, Library};
use crate::exports;
use crate::fmi2_types::{
    fmi2CallbackFunctions, fmi2CallbackLogger, fmi2ComponentEnvironment, fmi2String,
};
use bristle::catalogue::{ELEMENTS, section};
use core::ffi::CStr;
use core::mem::transmute;
use core::ptr;
use std::env;
use std::ffi::CString;
use std::process::Command;
use std::sync::Mutex;

/// Whether the instance has a logger.
const HAS_LOGGER: bool = cfg!(all(target_os = "linux", target_arch = "x86_64", not(miri)));
/// Set in the process that panics.
const PANICKING: &str = "BRISTLE_TEST_OF_PANICS";

/// Messages of the instance, each with its status and category.
static LOGGED: Mutex<Vec<(fmi2Status, String, String)>> = Mutex::new(Vec::new());

/// Libraries, which live until the process ends; memory that a static variable reaches is no leak
/// to Miri.
static LIBRARIES: Mutex<Vec<&'static Library>> = Mutex::new(Vec::new());

/// A logger that takes no further arguments.
type Unformatted =
    unsafe extern "C" fn(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String);

/// Logger that keeps the messages.
unsafe extern "C" fn keep(
    _: fmi2ComponentEnvironment,
    _: fmi2String,
    status: fmi2Status,
    category: fmi2String,
    message: fmi2String,
) {
    let [category, message] = [category, message].map(|text| {
        // SAFETY: an FMU passes C strings.
        let text = unsafe { CStr::from_ptr(text) };
        text.to_string_lossy().into_owned()
    });
    LOGGED
        .lock()
        .expect("no panic under the lock")
        .push((status, category, message));
}

/// Instance of an element of the catalogue, with a logger where a variadic call finds its named
/// arguments alike.
fn instance(element: usize) -> fmi2Component {
    let variant = ELEMENTS[element].stock();
    let mut bytes = section::blank(&ELEMENTS);
    section::stamp(&mut bytes, &variant).expect("a card of the catalogue");
    let section = Box::leak(Box::new(CardSection::of(bytes)));
    let library: &Library = Box::leak(Box::new(Library::new(&ELEMENTS, section)));
    LIBRARIES
        .lock()
        .expect("no panic under the lock")
        .push(library);
    let guid = CString::new(variant.guid()).expect("a GUID");
    // SAFETY: on these platforms named arguments are passed alike with and without further ones.
    let logger = unsafe { transmute::<Unformatted, fmi2CallbackLogger>(keep) };
    let callbacks = fmi2CallbackFunctions {
        logger: Some(logger).filter(|_| HAS_LOGGER),
        allocateMemory: None,
        freeMemory: None,
        stepFinished: None,
        componentEnvironment: ptr::null_mut(),
    };
    // SAFETY: strings are terminated, and live through the call with the callbacks.
    unsafe { exports::fmi2Instantiate(library, c"one".as_ptr(), 1, guid.as_ptr(), &callbacks, 0) }
}

/// The hook of panics belongs to the process: another one runs this test.
#[test]
#[cfg_attr(miri, ignore = "Miri starts no processes")]
fn panic_within_a_call_stops_the_instance_and_prints_nothing() {
    if env::var_os(PANICKING).is_none() {
        let name = "ffi::tests::panic_within_a_call_stops_the_instance_and_prints_nothing";
        let mut other = Command::new(env::current_exe().expect("this program"));
        let output = other
            .args(["--exact", name, "--nocapture"])
            .env(PANICKING, "1")
            .output()
            .expect("it starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
        assert!(
            output.stderr.is_empty(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        return;
    }
    let c = instance(0);
    assert!(!c.is_null());
    // SAFETY: the instance lives until it is freed.
    unsafe {
        assert_eq!(exports::fmi2EnterInitializationMode(c), fmi2Status::fmi2OK);
        assert_eq!(
            call(c, Function::GetReal, |_| -> Outcome { panic!("a defect") }),
            fmi2Status::fmi2Fatal
        );
        assert_eq!(
            exports::fmi2ExitInitializationMode(c),
            fmi2Status::fmi2Fatal
        );
        assert_eq!(exports::fmi2Reset(c), fmi2Status::fmi2Fatal);
        exports::fmi2FreeInstance(c);
    }
    if HAS_LOGGER {
        let logged = LOGGED.lock().expect("no panic under the lock");
        let is_of_defect = |(status, category, message): &(fmi2Status, String, String)| {
            (*status, category.as_str()) == (fmi2Status::fmi2Fatal, "logStatusFatal")
                && message.starts_with("fmi2GetReal: a defect of this FMU stopped the instance")
        };
        assert_eq!(
            logged.iter().filter(|entry| is_of_defect(entry)).count(),
            1,
            "{logged:?}"
        );
    }
    assert_eq!(guarded(7, || panic!("a defect")), 7);
}

#[test]
fn state_of_another_element_is_refused_and_leaves_the_instance() {
    let [first, second] = [instance(0), instance(1)];
    let mut state = ptr::null_mut();
    // SAFETY: the instances and the state live until they are freed.
    unsafe {
        assert_eq!(
            exports::fmi2GetFMUstate(first, &mut state),
            fmi2Status::fmi2OK
        );
        assert_eq!(
            exports::fmi2SetFMUstate(second, state),
            fmi2Status::fmi2Error
        );
        assert_eq!(exports::fmi2SetFMUstate(first, state), fmi2Status::fmi2OK);
        assert_eq!(
            exports::fmi2EnterInitializationMode(second),
            fmi2Status::fmi2OK
        );
        assert_eq!(
            exports::fmi2FreeFMUstate(first, &mut state),
            fmi2Status::fmi2OK
        );
        exports::fmi2FreeInstance(first);
        exports::fmi2FreeInstance(second);
    }
}

#[test]
fn arrays_that_are_missing_or_misaligned_or_too_long_are_refused_by_name() {
    let numbers = [0.0; 2];
    let misaligned = numbers.as_ptr().cast::<u8>().wrapping_add(1).cast::<f64>();
    let refusal = |array: *const f64, n: usize| {
        // SAFETY: an array that is refused is not read.
        unsafe { input(array, n, "value") }
            .expect_err("no array")
            .to_string()
    };
    assert_eq!(
        refusal(ptr::null(), 2),
        "value is NULL, but 2 elements were announced; pass an array or a count of 0"
    );
    assert!(refusal(misaligned, 1).starts_with("value cannot be an array of 1 elements"));
    assert!(refusal(numbers.as_ptr(), usize::MAX / 8).starts_with("value cannot be an array of "));
    for (array, n) in [(numbers.as_ptr(), 2), (misaligned, 0), (ptr::null(), 0)] {
        // SAFETY: both numbers live, and no element of the others is read.
        let found = unsafe { input(array, n, "value") };
        assert_eq!(found.map(<[f64]>::len).ok(), Some(n));
    }
}
