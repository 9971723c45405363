//! The command `bristle`: element cards to FMUs, without a compiler.
//!
//! The libraries of the platforms are inside; `bristle-export` does the work. One file for each command.

mod cards;
mod check;
mod commands;
mod console;
mod export;
mod libraries;
mod list;
mod new;
mod plot;
mod show;

use std::process::ExitCode;

fn main() -> ExitCode {
    match commands::run(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            console::complain(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
