//! `cargo xtask stress`: random steps through the packaged FMU against independent integrators, and a long rest.
//!
//! `--long-run` does a million steps and 10⁸ steps of rest and writes `docs/stress.md`; otherwise fewer of both are done and
//! nothing is written.

use std::process::Stdio;

use anyhow::{Result, ensure};
use clap::{ArgAction, ArgMatches, Command};

use crate::{cli, console, package, page, peer, performance, workspace};

/// The arguments of the command.
#[derive(Default)]
pub struct Options {
    long_run: bool,
    steps: Option<u64>,
    seed: Option<u64>,
    /// Sequences to be repeated, and nothing else.
    sequences: Vec<u64>,
}

impl Options {
    /// Reads what the command line gives.
    pub fn read(given: &ArgMatches) -> Self {
        Options {
            long_run: given.get_flag("long-run"),
            steps: given.get_one("steps").copied(),
            seed: given.get_one("seed").copied(),
            sequences: given.get_many("sequence").into_iter().flatten().copied().collect(),
        }
    }
}

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command
        .arg(cli::flag("long-run", "A million steps and 1e8 steps of rest, written into docs/stress.md"))
        .arg(cli::number("steps", "N", "Random steps, 20000 unless given"))
        .arg(cli::number("seed", "S", "Seed of the random numbers, 1 unless given"))
        .arg(
            cli::number("sequence", "K", "Repeat this sequence alone; may be given several times")
                .action(ArgAction::Append),
        )
}

/// Random steps and steps of rest.
const USUAL: [u64; 2] = [20_000, 1_000_000];
const LONG: [u64; 2] = [1_000_000, 100_000_000];

/// The command.
pub fn command(options: &Options) -> Result<()> {
    package::for_this_machine()?;
    run(options)
}

/// Runs the programs on what was packaged.
pub fn run(options: &Options) -> Result<()> {
    let [steps, rest] = if options.long_run { LONG } else { USUAL };
    let (steps, seed) = (options.steps.unwrap_or(steps), options.seed.unwrap_or(1));
    let mut stress = performance::measurement("stress");
    stress.args([steps, seed, rest].iter().chain(&options.sequences).map(u64::to_string));
    stress.env("BRISTLE_FMU_DIR", workspace::target().join("fmu")).stderr(Stdio::inherit());
    if let Some(library) = peer::cvode()? {
        stress.env("BRISTLE_CVODE", library);
    }
    let made = workspace::output(&mut stress)?;
    console::text(&made);
    if options.long_run && options.sequences.is_empty() {
        page::update(&workspace::root().join("docs/stress.md"), &made)?;
    }
    ensure!(!made.contains("FAILED"), "what is marked FAILED above does not hold");
    Ok(())
}
