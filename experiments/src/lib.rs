//! The papers' experiments: monolithic solutions of each rig with a law's equations, and each rig coupled step by step to the packaged
//! FMU; the numbers that the papers print, the data of their figures, and costs. `motions` has the rigs of rotational, planar and several
//! contacts.

pub mod case;
pub mod choosing;
pub mod compare;
pub mod coupled;
pub mod coupling;
pub mod creep;
mod driven;
pub mod elements;
pub mod figures;
pub mod instructions;
pub mod monolithic;
pub mod motions;
pub mod numbers;
mod parallel;
pub mod regularisations;
pub mod rows;
mod scenes;
pub mod study;
pub mod survey;
mod table;
pub mod trace;
