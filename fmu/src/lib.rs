//! The FMI 2.0 C interface over friction force elements: all 44 functions, for Co-Simulation and
//! Model Exchange.
//!
//! [`export_fmi2!`] makes a shared library of an array of models, with a section in which the
//! exporter writes the card of one element. The crate `bristle-elements` does so for the catalogue,
//! and a crate with a law of its own for that law.
//!
//! A call runs through the same rooms each time: [`export_fmi2!`] has the C symbols, `exports` the
//! function behind each, `ffi` turns pointers into references, checks the call against the
//! `calling_sequence` and catches panics, `instance` does the work on an element, and `log` sends
//! messages to the importer. Unsafe code that users run is here alone.

mod calling_sequence;
#[doc(hidden)] // for the macro
pub mod card_section;
mod clock;
mod export_fmi2;
#[doc(hidden)] // for the macro
pub mod exports;
mod ffi;
mod floating_point;
#[doc(hidden)] // for the macro
pub mod fmi2_types;
#[cfg(target_family = "wasm")]
#[doc(hidden)] // for the macro
pub mod host;
mod instance;
mod lifecycle;
mod log;
mod outcome;
mod state;

pub use bristle::catalogue::Model;
