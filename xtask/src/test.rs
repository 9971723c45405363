//! `cargo xtask test`: everything the project claims, checked by one command; with `--quick` its core, with `--long` the libraries of other
//! platforms, too.
//!
//! A stage whose tools this machine lacks (Python, a Rust component) is reported with a sentence and counted as skipped.
//! After a failure the later stages still run, so that one run finds all there is to mend.

mod cards;
mod fmus;
mod others;
mod own_law;
mod platforms;
mod python;
mod sources;
mod stage;

use anyhow::{Result, ensure};
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::console::{say, text};
use crate::progress::duration;
use crate::{arguments, files, workspace};
use stage::{Session, Stage, Tally};

/// Duration of all stages but the long ones on two cores from an empty target folder, s: an estimate, announced only where no run without a
/// failure is recorded on this machine.
const ALL: u64 = 30 * 60;
/// Duration of the stages that `--long` adds, s: an estimate, as before.
const LONG: u64 = 30 * 60;
/// Duration of the stages of `--quick` on two cores from an empty target folder, s: measured as 270 s of processor time, of
/// which most runs on both.
const QUICK: u64 = 4 * 60;

/// Checks that `--quick` leaves out.
const LEFT_OUT: &str = "\
Left out: everything in Python (the package, FMPy, fmutool, libcosim, ecos, the examples, the Cross-Check files), the crate fmi, other
platforms, identical bytes from another folder, long random calls and steps, counts of instructions, the measurements' own
tests, the papers' rigs and numbers, whether the figures and tables of the documents are current, licences of dependencies.
`cargo xtask test` checks them, and with `--long` the libraries of other platforms.
";

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command
        .arg(arguments::flag(
            "quick",
            "Formatting, lints, unit tests, packaging for this machine, the command bristle, tests of the packaged FMUs, no more",
        ))
        .arg(
            arguments::flag("long", "The libraries of all platforms, too: built here and in another folder, and run, which takes half an hour more")
                .conflicts_with("quick"),
        )
        .arg(
            Arg::new("stage")
                .long("stage")
                .value_name("TEXT")
                .action(ArgAction::Append)
                .conflicts_with("quick")
                .help("The stages whose names hold this text, no more; may be given several times. Stages that these need, as `packaging`, have to be given, too"),
        )
}

/// The command. It ends the program, so that the counts are the last lines.
pub fn command(given: &ArgMatches) -> Result<()> {
    let quick = given.get_flag("quick");
    let parts: Vec<&String> = given.get_many("stage").into_iter().flatten().collect();
    let stages = choose(stages(), quick, &parts);
    ensure!(!stages.is_empty(), "no stage has such a name; `cargo xtask test` prints the names");
    let long = given.get_flag("long");
    let (record, estimate) = match (quick, long) {
        (true, _) => ("test-quick.seconds", QUICK),
        (_, true) => ("test-long.seconds", ALL + LONG),
        _ => ("test.seconds", ALL),
    };
    let record = workspace::target().join(record);
    if parts.is_empty() {
        say!("{}", announcement(stages.len(), estimate, recorded(&record)));
    }
    if quick {
        text(LEFT_OUT);
    }

    let mut tally = Tally::new(stages.len());
    let mut session = Session::new();
    for stage in stages {
        let is_left_out = stage.long && !long && parts.is_empty();
        tally.run(if is_left_out { stage.left_out() } else { stage }, &mut session);
    }
    // A failed run may be a short one.
    if tally.failed.is_empty() && parts.is_empty() {
        files::write(&record, tally.seconds().to_string())?;
    }
    tally.finish()
}

/// Every stage, in the order of running.
fn stages() -> Vec<Stage> {
    [sources::stages(), cards::stages(), fmus::stages(), others::stages(), python::stages(), platforms::stages()]
        .into_iter()
        .flatten()
        .collect()
}

/// Stages of a run: those whose names are or hold one of the parts. A part that is a whole name stands for that stage alone.
fn choose(mut stages: Vec<Stage>, quick: bool, parts: &[&String]) -> Vec<Stage> {
    let names: Vec<String> = stages.iter().map(|stage| stage.name.clone()).collect();
    let is_named = |name: &str, part: &String| name == part || !names.contains(part) && name.contains(part.as_str());
    stages.retain(|stage| stage.quick || !quick);
    stages.retain(|stage| parts.is_empty() || parts.iter().any(|part| is_named(&stage.name, part)));
    stages
}

/// The duration of the last run without a failure on this machine, s.
fn recorded(record: &std::path::Path) -> Option<u64> {
    files::read_text(record).ok()?.trim().parse().ok()
}

fn announcement(stages: usize, estimate: u64, recorded: Option<u64>) -> String {
    match recorded {
        Some(seconds) => format!("{stages} stages; the last run on this machine took {}.", duration(seconds)),
        None => format!("{stages} stages, about {} on two cores.", duration(estimate)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announcement_has_the_number_of_stages_and_a_duration() {
        assert_eq!(announcement(12, QUICK, None), "12 stages, about 4 min on two cores.");
        assert_eq!(announcement(12, QUICK, Some(100)), "12 stages; the last run on this machine took 100 s.");
    }

    #[test]
    fn stages_are_chosen_by_their_names_or_parts_of_them() {
        let chosen = |part: &str| choose(stages(), false, &[&part.to_owned()]).len();
        assert_eq!(chosen("packaging"), 1);
        assert!(chosen("packaging for") > 1);
        assert_eq!(chosen("no stage"), 0);
        assert_eq!(choose(stages(), false, &[]).len(), stages().len());
    }

    #[test]
    fn stages_have_different_names_and_some_are_quick() {
        let stages = stages();
        let mut names: Vec<_> = stages.iter().map(|stage| stage.name.clone()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), stages.len());
        let quick = stages.iter().filter(|stage| stage.quick).count();
        let long = stages.iter().filter(|stage| stage.long).count();
        assert!(0 < quick && quick < stages.len() - long && long > 0);
        assert!(stages.iter().all(|stage| !(stage.quick && stage.long)));
    }
}
