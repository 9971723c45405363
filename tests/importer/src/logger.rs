//! Logger that keeps the messages of an FMU for each component environment.
//!
//! The variadic function itself is C (`c/logger.c`); it formats as importers do and calls back
//! here.

use crate::fmi2::{Environment, RawStatus, Status, Text};
use core::ffi::CStr;
use std::sync::{Mutex, PoisonError};

unsafe extern "C" {
    /// The variadic logger to put into the callback structure.
    pub fn bristle_test_logger(
        environment: Environment,
        instance: Text,
        status: RawStatus,
        category: Text,
        message: Text,
        ...
    );
}

/// One call of the logger, its message formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the standard's names say it
pub struct Entry {
    pub instance: String,
    pub status: Status,
    pub category: String,
    pub text: String,
}

/// Messages to one component environment.
#[repr(C)]
#[derive(Debug)]
pub struct Log {
    /// Function that the C shim calls; it must come first.
    record: unsafe extern "C" fn(*const Log, Text, RawStatus, Text, Text),
    entries: Mutex<Vec<Entry>>,
}

impl Log {
    /// An empty log at an address that stays.
    #[allow(clippy::new_ret_no_self)] // the FMU keeps its address
    pub fn new() -> Box<Self> {
        Box::new(Log {
            record,
            entries: Mutex::new(Vec::new()),
        })
    }

    /// This log as the component environment of a callback structure.
    pub fn environment(&self) -> Environment {
        std::ptr::from_ref(self).cast_mut().cast()
    }

    /// Messages since the last call.
    pub fn take(&self) -> Vec<Entry> {
        std::mem::take(&mut *self.entries.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// # Safety
/// `log` is a live [`Log`], the texts are null or C strings.
unsafe extern "C" fn record(
    log: *const Log,
    instance: Text,
    status: RawStatus,
    category: Text,
    text: Text,
) {
    let string = |text: Text| {
        if text.is_null() {
            return "(null)".to_owned();
        }
        // SAFETY: the caller passes null or C strings.
        unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned()
    };
    let entry = Entry {
        instance: string(instance),
        status: Status::from_raw(status),
        category: string(category),
        text: string(text),
    };
    // SAFETY: the caller passes the live log that `environment` gave out.
    let log = unsafe { &*log };
    log.entries
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(entry);
}
