//! `cargo xtask realtime`: processor time of the worst steps at 1 kHz, beside the goals of a rig,
//! into `docs/realtime.md`.
//!
//! Times depend on the machine: no stage of `cargo xtask test` checks them. The table shows goals
//! that are not met; the command fails where a step returned an error.

use anyhow::{Result, ensure};
use bristle::catalogue::Model;

use crate::console::say;
use crate::{arguments, files, package, page, performance, workspace};

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Steps in each column
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    steps: u64,
    /// Seed of the random inputs
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Measure this element alone and write nothing; may be given several times
    #[arg(long = "element", value_name = "NAME", value_parser = arguments::element())]
    elements: Vec<&'static Model>,
}

/// Packages and measures; the table of all elements goes into the page.
pub fn command(options: &Options) -> Result<()> {
    package::for_this_machine()?;
    let quantiles = workspace::made()?.join("realtime.csv");
    let mut measure = performance::measurement("realtime");
    measure
        .arg(&quantiles)
        .args([options.steps, options.seed].map(|number| number.to_string()));
    measure.args(options.elements.iter().map(|element| element.metadata.name));
    let made = workspace::output(measure.env("BRISTLE_RUSTC", performance::rustc()?))?;
    say!("{made}");
    if options.elements.is_empty() {
        let docs = workspace::root().join("docs");
        files::copy(&quantiles, &docs.join("data/realtime.csv"))?;
        page::update_dated(&docs.join("realtime.md"), &made, "realtime")?;
    }
    ensure!(
        !made.contains("FAILED"),
        "what is marked FAILED above does not hold"
    );
    Ok(())
}
