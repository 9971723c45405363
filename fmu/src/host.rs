//! The host of a WebAssembly module: the C source of an FMU, `source/fmi2.c`.
//!
//! The module's memory is its own. The host copies arguments into it, and the importer's callbacks
//! stay with the host.

use crate::fmi2_types::{c_char, fmi2Status};
use core::ffi::CStr;
use std::alloc::{Layout, alloc, dealloc};

/// Alignment of arguments, bytes: that of a double.
const ALIGNMENT: usize = 8;

/// Memory for arguments, NULL where none is left.
pub fn allocate(size: usize) -> *mut u8 {
    match layout(size) {
        // SAFETY: the size is above 0.
        Some(layout) => unsafe { alloc(layout) },
        None => core::ptr::null_mut(),
    }
}

/// Frees memory of [`allocate`].
///
/// # Safety
/// `memory` came from `allocate` with this size and was not freed.
pub unsafe fn free(memory: *mut u8, size: usize) {
    if let Some(layout) = layout(size) {
        // SAFETY: the caller's promise.
        unsafe { dealloc(memory, layout) }
    }
}

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.max(1), ALIGNMENT).ok()
}

/// Sends a message to the importer's logger.
pub fn log(status: fmi2Status, category: &CStr, message: &CStr) {
    // SAFETY: both strings are terminated and live through the call.
    unsafe { bristle_log(status, category.as_ptr(), message.as_ptr()) }
}

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    fn bristle_log(status: fmi2Status, category: *const c_char, message: *const c_char);
}
