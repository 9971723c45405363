//! Common parts of the measurements: motions with their exact forces, the packaged element, the peers, and a clock.
//!
//! Everything is measured on the packaged FMU through its C functions, as a master calls them, and compared with the
//! reference laws, which share nothing with the element.

pub mod card;
pub mod clock;
pub mod cvode;
pub mod element;
pub mod inputs;
pub mod motion;
pub mod other_methods;
pub mod packaged;
pub mod regimes;
pub mod stick;
