//! Friction laws as force elements: normal force and contact velocity in, friction force out.
//!
//! The floors, from the ground up; an import only ever points down: [`saved_state`], [`integrate`], [`characteristic`] and [`variable`],
//! [`law`], [`laws`], [`coupling`], [`element`], [`catalogue`]. Nothing here depends on FMI, reads a file or allocates in a
//! step.

#![forbid(unsafe_code)]

pub mod catalogue;
pub mod characteristic;
pub mod coupling;
pub mod element;
pub mod integrate;
pub mod law;
pub mod laws;
pub mod saved_state;
pub mod variable;
