//! The papers' experiments: each rig solved in one piece with a law's equations, and coupled step by step to the packaged
//! FMU; the numbers that the papers print, the data of their figures, and what it all costs.

pub mod case;
pub mod compare;
pub mod coupled;
pub mod coupling;
mod driven;
pub mod elements;
pub mod figures;
pub mod instructions;
pub mod monolithic;
pub mod numbers;
mod parallel;
mod scenes;
pub mod study;
mod table;
pub mod trace;
