//! What the tests of the packaged FMUs share: a small importer, an independent reference, the workloads and every
//! tolerance with its reason.
//!
//! Nothing here looks into an FMU but through its description and the C functions of its library, as users do.

pub mod bench;
pub mod chart;
pub mod description;
pub mod drive;
pub mod fmi2;
pub mod host;
pub mod host_environment;
pub mod instance;
pub mod judge;
pub mod logger;
pub mod python;
pub mod random;
pub mod reference;
pub mod scatter;
pub mod sensible;
pub mod solver;
pub mod tolerances;
pub mod walk;
pub mod workloads;
