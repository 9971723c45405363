//! What the measurements share: motions with their exact forces, the packaged element, the peers, and a clock.
//!
//! Everything is measured on the packaged FMU through its C functions, as a master would find it, and judged by the
//! tests' reference, which shares nothing with the element.

pub mod clock;
pub mod cvode;
pub mod element;
pub mod inputs;
pub mod motion;
pub mod packaged;
pub mod peers;
pub mod regimes;
