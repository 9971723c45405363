//! The extension module of the Python package `bristle`: elements, cards and the exporter behind
//! Python's types.
//!
//! The binding works on the declarations of the catalogue, by the names of variables, so that an
//! input or output of a new law needs no code here. Errors are Python exceptions with the sentence
//! of the Rust error. The package around it is `python/bristle`.

#![deny(unsafe_code)]

mod batch;
mod card;
mod element;
mod errors;
mod export;
mod files;
mod laws;
mod many;
mod run;
mod state;
mod table;
mod threads;

use pyo3::prelude::*;

/// Extension module of the package `bristle`.
#[pymodule(gil_used = false)]
mod _bristle {
    #[pymodule_export]
    use super::batch::{delayed, simulate_batch};
    #[pymodule_export]
    use super::card::Card;
    #[pymodule_export]
    use super::element::Element;
    #[pymodule_export]
    use super::errors::{CardError, Error, InputError, ModelWarning, SolverError};
    #[pymodule_export]
    use super::export::{export, main, show};
    #[pymodule_export]
    use super::files::refuse_existing;
    #[pymodule_export]
    use super::laws::{Law, Variable, laws};
    #[pymodule_export]
    use super::many::Batch;
    #[pymodule_export]
    use super::state::State;
    #[pymodule_export]
    use super::table::{find_signals, read_record, split_header, unit_factor};
    #[allow(unused_imports)]
    use super::*;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
