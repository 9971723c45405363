//! Common parts of the measurements: the packaged element, CVODE, FMUs of cards, a clock and the arguments of the programs.
//!
//! Everything but the instruction counts is measured on the packaged FMU through its C functions, as a master calls them, and compared
//! with the reference laws, which share nothing with the element.

pub mod arguments;
pub mod card;
pub mod clock;
pub mod cvode;
pub mod element;
