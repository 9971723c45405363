//! Common parts of the measurements: the packaged element, CVODE, FMUs of cards, a clock and the
//! arguments of the programs.
//!
//! Everything but instruction counts is measured on the packaged FMU, and compared with reference
//! laws that share nothing with it.

pub mod arguments;
pub mod card;
pub mod clock;
pub mod cvode;
pub mod element;
