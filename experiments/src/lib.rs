//! The papers' experiments: each rig solved monolithically with a law's equations, and coupled step
//! by step to the packaged FMU; the numbers that the papers print, the data of their figures, and
//! costs. `motions` has the rigs of rotational, planar and several contacts.

pub mod case;
pub mod choosing;
pub mod compare;
pub mod coupled;
pub mod coupling;
pub mod creep;
pub mod elements;
pub mod figures;
pub mod monolithic;
pub mod motions;
pub mod numbers;
pub mod references;
pub mod rows;
mod scenes;
mod table;
pub mod trace;
