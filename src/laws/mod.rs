//! The friction laws, one file each: equations, variables with units and defaults, source, tests.

pub mod frdyn2;
