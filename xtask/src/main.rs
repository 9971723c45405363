//! The exporter and the project's chores, one file per command; `cli` is the table of the commands.
//!
//! Results lie below `target/`. Committed results (pictures and tables of the pages, counts of
//! instructions) are written to their place in the tree. The interface of an element comes from the catalogue in `bristle`,
//! never from the FMU's code.

mod bench;
mod cli;
mod compare;
mod console;
mod coupling;
mod crosscheck;
mod dist;
mod elements;
mod environment;
mod examples;
mod experiment;
mod experiments;
mod figures;
mod files;
mod heat;
mod hostile;
mod identity;
mod importers;
mod instructions;
mod list;
mod numerics;
mod package;
mod page;
mod papers;
mod peer;
mod performance;
mod plot;
mod precision;
mod progress;
mod realtime;
mod signals;
mod stress;
mod study;
mod test;
mod tools;
mod typeset;
mod workspace;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            console::complain(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
