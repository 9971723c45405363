//! `cargo xtask test`: three circles of checks. `--quick` is for every change, the full one for
//! every submission, `--long` for a release.
//!
//! A stage whose tools this machine lacks (Python, a Rust component) is reported with a sentence
//! and counted as skipped. After a failure the later stages still run, so that one run finds all
//! there is to mend.

mod cards;
mod fmus;
mod lab;
mod others;
mod own_law;
mod platforms;
mod publishing;
mod python;
mod quick;
mod sources;
mod stage;

use anyhow::{Result, ensure};

use crate::console::say;
use stage::{Session, Stage, Tally};

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Formatting, lints and unit tests of the core, links and messages, one FMU in FMPy: about two
    /// minutes
    #[arg(long)]
    quick: bool,
    /// Also the stages that take hours: platforms, figures and tables, long random runs
    #[arg(long, conflicts_with = "quick")]
    long: bool,
    /// The stages whose names hold this text, no more; may be given several times. Stages that
    /// these need, as `packaging`, have to be given, too
    #[arg(long = "stage", value_name = "TEXT", conflicts_with = "quick")]
    stages: Vec<String>,
}

/// The command. It ends the program, so that the counts are the last lines.
pub fn command(options: &Options) -> Result<()> {
    let stages = if options.quick {
        quick::stages()
    } else {
        choose(stages(), &options.stages)
    };
    ensure!(
        !stages.is_empty(),
        "no stage has such a name; `cargo xtask test` prints the names"
    );
    say!("{} stages", stages.len());
    let mut tally = Tally::new(stages.len());
    let mut session = Session::new();
    for stage in stages {
        let is_left_out = stage.long && !options.long && options.stages.is_empty();
        tally.run(
            if is_left_out { stage.left_out() } else { stage },
            &mut session,
        );
    }
    tally.finish()
}

/// Every stage, in the order of running.
fn stages() -> Vec<Stage> {
    [
        sources::stages(),
        cards::stages(),
        fmus::stages(),
        others::stages(),
        python::stages(),
        publishing::stages(),
        lab::stages(),
        platforms::stages(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Stages whose names are or hold one of the parts, all where there is none. A part that is a whole
/// name stands for that stage alone.
fn choose(mut stages: Vec<Stage>, parts: &[String]) -> Vec<Stage> {
    let names: Vec<String> = stages.iter().map(|stage| stage.name.clone()).collect();
    let is_named = |name: &str, part: &String| {
        name == part || !names.contains(part) && name.contains(part.as_str())
    };
    stages.retain(|stage| parts.is_empty() || parts.iter().any(|part| is_named(&stage.name, part)));
    stages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_chosen_by_their_names_or_parts_of_them() {
        let chosen = |part: &str| choose(stages(), &[part.to_owned()]).len();
        assert_eq!(chosen("packaging"), 1);
        assert!(chosen("packaging for") > 1);
        assert_eq!(chosen("no stage"), 0);
        assert_eq!(choose(stages(), &[]).len(), stages().len());
    }
}
