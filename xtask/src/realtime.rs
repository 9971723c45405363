//! `cargo xtask realtime`: processor time of the worst steps at 1 kHz, beside the goals of a rig, into `docs/realtime.md`.
//!
//! Times depend on the machine: no stage of `cargo xtask test` checks them. The table shows goals that are not met; the
//! command fails where a step returned an error.

use std::process::Stdio;

use anyhow::{Result, ensure};
use clap::{ArgMatches, Command};

use crate::{arguments, console, files, package, page, performance, workspace};

/// Steps in each column of the table.
const STEPS: u64 = 100_000;

/// Arguments of the command.
pub struct Options {
    steps: u64,
    seed: u64,
    /// Elements to be measured; all where it is empty.
    elements: Vec<&'static str>,
}

impl Options {
    /// Reads the arguments from the command line.
    pub fn read(given: &ArgMatches) -> Self {
        Options {
            steps: given.get_one("steps").copied().unwrap_or(STEPS),
            seed: given.get_one("seed").copied().unwrap_or(1),
            elements: arguments::element_names(given),
        }
    }
}

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command
        .arg(arguments::number("steps", "N", "Steps in each column, 100000 unless given"))
        .arg(arguments::number("seed", "S", "Seed of the random inputs, 1 unless given"))
        .arg(arguments::elements("Measure this element alone and write nothing; may be given several times"))
}

/// Packages and measures; the table of all elements goes into the page.
pub fn command(options: &Options) -> Result<()> {
    ensure!(options.steps > 0, "--steps 0 measures nothing; give 1 or more");
    package::for_this_machine()?;
    let quantiles = workspace::made()?.join("realtime.csv");
    let mut measure = performance::measurement("realtime");
    measure
        .arg(&quantiles)
        .args([options.steps, options.seed].map(|number| number.to_string()))
        .args(&options.elements);
    measure.env("BRISTLE_FMU_DIR", workspace::target().join("fmu")).env("BRISTLE_RUSTC", performance::rustc()?);
    let made = workspace::output(measure.stderr(Stdio::inherit()))?;
    console::text(&made);
    if options.elements.is_empty() {
        let docs = workspace::root().join("docs");
        files::copy(&quantiles, &docs.join("data/realtime.csv"))?;
        page::update(&docs.join("realtime.md"), &(made.clone() + &performance::dated("realtime")?))?;
    }
    ensure!(!made.contains("FAILED"), "what is marked FAILED above does not hold");
    Ok(())
}
