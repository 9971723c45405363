//! The project's commands, one file each; `cli` is the table of the commands.
//!
//! Results lie below `target/`. Committed results (pictures and tables of the pages, counts of
//! instructions) are written to their place in the tree. The interface of an element comes from the catalogue in `bristle`,
//! never from the FMU's code.

mod arguments;
mod assurance;
mod capabilities;
mod cli;
mod committed;
mod compare;
mod console;
mod coupling;
mod creep;
mod cvode;
mod dist;
mod documentation;
mod environment;
mod experiments;
mod figures;
mod files;
mod identification;
mod importers;
mod instructions;
mod libraries;
mod package;
mod page;
mod paper_numbers;
mod performance;
mod progress;
mod python_package;
mod random_calls;
mod realtime;
mod reproducibility;
mod signals;
mod sizes;
mod stress;
mod test;
mod tools;
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
