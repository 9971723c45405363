//! The command `bristle`: element cards to FMUs, without a compiler.
//!
//! The libraries of the platforms are inside; `bristle-export` does the work. One file for each
//! command. The program `bristle` is [`main`]; the Python package calls it as well, and takes
//! [`exporter`] and [`card_of_fmu`] for functions of its own.

mod cards;
mod check;
mod commands;
mod console;
mod curve;
mod export;
mod libraries;
mod list;
mod measured;
mod new;
mod output;
mod plot;
mod show;
mod verify;

use std::ffi::OsString;

pub use libraries::{ARE_CURRENT, exporter};
pub use show::read as card_of_fmu;

/// Runs the command line, the program's name first; returns the exit code, 1 after an error, whose
/// sentence is on the standard error.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    match commands::run(arguments) {
        Ok(()) => 0,
        Err(error) => {
            console::complain(&format!("error: {error:#}"));
            1
        }
    }
}
