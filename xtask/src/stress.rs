//! `cargo xtask stress`: random steps through the packaged FMU against independent integrators, and a long rest.
//!
//! `--long-run` does a million steps and 10⁸ steps of rest and writes `docs/stress.md`; otherwise fewer of both are done and
//! nothing is written.

use std::process::Stdio;

use anyhow::{Result, ensure};

use crate::{package, page, peer, performance, workspace};

/// What the command line may say.
#[derive(Default, PartialEq)]
pub struct Options {
    pub long_run: bool,
    pub steps: Option<u64>,
    pub seed: Option<u64>,
    /// Sequences to be repeated, and nothing else.
    pub sequences: Vec<u64>,
}

/// Random steps and steps of rest.
const USUAL: [u64; 2] = [20_000, 1_000_000];
const LONG: [u64; 2] = [1_000_000, 100_000_000];

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
    print!("{made}");
    if options.long_run && options.sequences.is_empty() {
        page::update(&workspace::root().join("docs/stress.md"), &made)?;
    }
    ensure!(!made.contains("FAILED"), "what is marked FAILED above does not hold");
    Ok(())
}
