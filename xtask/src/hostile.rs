//! `cargo xtask hostile`: random legal and illegal calls on the packaged FMU, against a model of the standard's charts.
//!
//! The same test as in `cargo xtask test`, as long as one likes, with another seed, or under Valgrind, which sees what no
//! status tells: reads and writes beyond the importer's arrays, and uninitialised values.

use anyhow::{Context, Result};

use crate::{package, workspace};

/// What the command line may say.
#[derive(Default, PartialEq)]
pub struct Options {
    pub calls: Option<u64>,
    pub seed: Option<u64>,
    pub valgrind: bool,
}

pub fn command(options: &Options) -> Result<()> {
    package::for_this_machine()?;
    run(options)
}

/// Runs the calls on what was packaged, and prints how many of each there were.
pub fn run(options: &Options) -> Result<()> {
    let mut test = workspace::cargo();
    test.args(["test", "--quiet", "-p", "bristle-tests", "--test", "hostile", "no_sequence", "--", "--nocapture"]);
    test.env("BRISTLE_FMU_DIR", workspace::target().join("fmu"));
    test.env("BRISTLE_HOSTILE_CALLS", options.calls.unwrap_or(10_000).to_string());
    test.env("BRISTLE_HOSTILE_SEED", options.seed.unwrap_or(1).to_string());
    if options.valgrind {
        std::process::Command::new("valgrind")
            .arg("--version")
            .output()
            .context("Valgrind is missing; install it with `apt-get install valgrind`")?;
        let processor = std::env::consts::ARCH.to_uppercase();
        test.env("BRISTLE_HOSTILE_PATIENCE", "600");
        test.env(format!("CARGO_TARGET_{processor}_UNKNOWN_LINUX_GNU_RUNNER"), "valgrind --quiet --error-exitcode=99");
    }
    workspace::run(&mut test)
}
