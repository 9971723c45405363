//! `cargo xtask random-calls`: random legal and illegal calls on the packaged FMU, compared with a
//! model of the standard's state machines.
//!
//! The test of `cargo xtask test` with any number of calls and any seed, or under Valgrind, which
//! finds errors that no status shows: reads and writes beyond the importer's arrays, and
//! uninitialised values.

use anyhow::Result;

use crate::tools::{self, Tool};
use crate::{package, workspace};

/// Path of the test in the program `all` of `tests/`.
const TEST: &str = "random_calls::random_calls_match_the_model_of_the_standard";

/// Options of the command.
#[derive(clap::Args, Default)]
pub struct Options {
    /// Number of calls, 10000 unless given
    #[arg(long, value_name = "N")]
    pub calls: Option<u64>,
    /// Seed of the random numbers, 1 unless given
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Run under Valgrind, which finds reads and writes beyond the importer's arrays
    #[arg(long)]
    pub valgrind: bool,
}

/// The command.
pub fn command(options: &Options) -> Result<()> {
    if options.valgrind {
        tools::refuse(Tool::Valgrind.missing().as_slice())?;
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
        TEST,
        "--",
        "--nocapture",
    ]);
    test.env("BRISTLE_FMU_DIR", workspace::target().join("fmu"));
    test.env(
        "BRISTLE_RANDOM_CALLS",
        options.calls.unwrap_or(10_000).to_string(),
    );
    test.env(
        "BRISTLE_RANDOM_CALLS_SEED",
        options.seed.unwrap_or(1).to_string(),
    );
    if options.valgrind {
        let processor = std::env::consts::ARCH.to_uppercase();
        test.env("BRISTLE_RANDOM_CALLS_PATIENCE", "600");
        test.env(
            format!("CARGO_TARGET_{processor}_UNKNOWN_LINUX_GNU_RUNNER"),
            "valgrind --quiet --error-exitcode=99",
        );
    }
    workspace::run(&mut test)
}
