//! The FMI 2.0 C interface over Bristle's force elements: all 44 functions, for Co-Simulation and Model Exchange.
//!
//! One shared library serves every element of the catalogue; the GUID given to `fmi2Instantiate` says which one.
//! A call runs through the same rooms each time: [`exports`] has the C functions, [`ffi`] turns pointers into
//! references, asks the [`calling_sequence`] whether the call is allowed now and catches panics, [`instance`] does the work on
//! an element, and [`log`] tells the importer what was wrong. This is the workspace's only crate with unsafe code.

mod calling_sequence;
mod clock;
mod exports;
mod ffi;
mod floating_point;
mod fmi2_types;
mod instance;
mod log;
mod state;
