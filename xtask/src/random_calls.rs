//! `cargo xtask random-calls`: random legal and illegal calls on the packaged FMU, compared with a model of the standard's state machines.
//!
//! The test of `cargo xtask test` with any number of calls and any seed, or under Valgrind, which finds errors that no
//! status shows: reads and writes beyond the importer's arrays, and uninitialised values.

use anyhow::Result;
use clap::{ArgMatches, Command};

use crate::tools::{self, Tool};
use crate::{arguments, package, workspace};

/// The arguments of the command.
#[derive(Default)]
pub struct Options {
    /// Number of calls, 10 000 where none is given.
    pub calls: Option<u64>,
    /// Seed of the random numbers, 1 where none is given.
    pub seed: Option<u64>,
    /// Run under Valgrind.
    pub valgrind: bool,
}

impl Options {
    /// Reads the arguments from the command line.
    pub fn read(given: &ArgMatches) -> Self {
        Options {
            calls: given.get_one("calls").copied(),
            seed: given.get_one("seed").copied(),
            valgrind: given.get_flag("valgrind"),
        }
    }
}

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command
        .arg(arguments::number("calls", "N", "Number of calls, 10000 unless given"))
        .arg(arguments::number("seed", "S", "Seed of the random numbers, 1 unless given"))
        .arg(arguments::flag(
            "valgrind",
            "Run under Valgrind, which finds reads and writes beyond the importer's arrays",
        ))
}

/// The command.
pub fn command(options: &Options) -> Result<()> {
    if options.valgrind {
        tools::require(&[Tool::Valgrind])?;
    }
    package::for_this_machine()?;
    run(options)
}

/// Runs the calls on the packaged FMUs, and prints their counts.
pub fn run(options: &Options) -> Result<()> {
    let mut test = workspace::cargo();
    test.args([
        "test",
        "--quiet",
        "-p",
        "bristle-tests",
        "--test",
        "all",
        "random_calls::random_calls_match_the_model_of_the_standard",
        "--",
        "--nocapture",
    ]);
    test.env("BRISTLE_FMU_DIR", workspace::target().join("fmu"));
    test.env("BRISTLE_RANDOM_CALLS", options.calls.unwrap_or(10_000).to_string());
    test.env("BRISTLE_RANDOM_CALLS_SEED", options.seed.unwrap_or(1).to_string());
    if options.valgrind {
        let processor = std::env::consts::ARCH.to_uppercase();
        test.env("BRISTLE_RANDOM_CALLS_PATIENCE", "600");
        test.env(format!("CARGO_TARGET_{processor}_UNKNOWN_LINUX_GNU_RUNNER"), "valgrind --quiet --error-exitcode=99");
    }
    workspace::run(&mut test)
}
