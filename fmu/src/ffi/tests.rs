//! A panic within a call, which only a defect could cause.

use super::*;
use crate::card_section::{CardSection, Library};
use crate::exports;
use bristle::catalogue::{ELEMENTS, section};
use core::ptr;
use std::env;
use std::ffi::CString;
use std::process::Command;

/// Set in the process that panics.
const PANICKING: &str = "BRISTLE_TEST_OF_PANICS";

/// Instance of the first element, without a logger.
fn instance() -> fmi2Component {
    let variant = ELEMENTS[0].stock();
    let mut bytes = section::blank(&ELEMENTS);
    section::stamp(&mut bytes, &variant).expect("a card of the catalogue");
    let section = Box::leak(Box::new(CardSection::of(bytes)));
    let library = Box::leak(Box::new(Library::new(&ELEMENTS, section)));
    let guid = CString::new(variant.guid()).expect("a GUID");
    // SAFETY: terminated strings, and no callbacks.
    unsafe { exports::fmi2Instantiate(library, c"one".as_ptr(), 1, guid.as_ptr(), ptr::null(), 0) }
}

/// The hook of panics belongs to the process: another one runs this test.
#[test]
#[cfg_attr(miri, ignore = "Miri starts no processes")]
fn panic_within_a_call_stops_the_instance_and_prints_nothing() {
    if env::var_os(PANICKING).is_none() {
        let name = "ffi::tests::panic_within_a_call_stops_the_instance_and_prints_nothing";
        let mut other = Command::new(env::current_exe().expect("this program"));
        let output = other.args(["--exact", name, "--nocapture"]).env(PANICKING, "1").output().expect("it starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    let c = instance();
    assert!(!c.is_null());
    // SAFETY: the instance lives until it is freed.
    unsafe {
        assert_eq!(exports::fmi2EnterInitializationMode(c), fmi2Status::fmi2OK);
        assert_eq!(call(c, Function::GetReal, |_| -> Outcome { panic!("a defect") }), fmi2Status::fmi2Fatal);
        assert_eq!(exports::fmi2ExitInitializationMode(c), fmi2Status::fmi2Fatal);
        assert_eq!(exports::fmi2Reset(c), fmi2Status::fmi2Fatal);
        exports::fmi2FreeInstance(c);
    }
    assert_eq!(guarded(7, || panic!("a defect")), 7);
}
