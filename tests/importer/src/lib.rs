//! Small FMI 2.0 importer for packaged FMUs.
//!
//! It reads an FMU through its model description and the C functions of its library alone, as users
//! do, and depends on nothing of `bristle`.

pub mod calling_sequence;
pub mod co_simulation;
pub mod description;
pub mod fmi2;
pub mod fmu;
pub mod host_environment;
pub mod instance;
pub mod lifecycle;
pub mod logger;
pub mod model_exchange;
