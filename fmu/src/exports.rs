//! The 44 functions of FMI 2.0, by chapter of the standard.

mod co_simulation;
mod lifecycle;
mod model_exchange;
mod states;
mod values;
