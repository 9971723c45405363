//! The stages of the sources: formatting, lints, unit tests, and packaging of the FMUs that all later stages take.

use super::platforms;
use super::stage::{Obstacle, Outcome, Stage, cargo, passed};
use crate::committed::Verdict;
use crate::{documentation, package, sizes, workspace};

/// The stages in their order.
pub fn stages() -> Vec<Stage> {
    vec![
        Stage::quick("formatting", |_| {
            component("fmt", "rustfmt")?;
            cargo(&["fmt", "--all", "--check"])
        }),
        Stage::quick("lints", |_| {
            component("clippy", "clippy")?;
            cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])
        }),
        Stage::quick("unit tests of the library, the C interface, the exporter and the chores", |_| {
            let packages = [
                "bristle",
                "bristle-fmu",
                "bristle-export",
                "bristle-random",
                "bristle-rigs",
                "bristle-fuzz-targets",
                "xtask",
            ];
            let packages: Vec<_> = packages.iter().flat_map(|package| ["-p", package]).collect();
            cargo(&[&["test"], &packages[..], &["--no-fail-fast"]].concat())
        }),
        Stage::new("unit tests of the measurements", |_| cargo(&["test", "-p", "bristle-benches", "--no-fail-fast"])),
        Stage::quick("documentation: entries of log messages, links, index", |_| passed(documentation::check())),
        Stage::quick("packaging", |session| {
            package::for_this_machine()?;
            session.packaged = true;
            Ok(())
        }),
        Stage::quick("sizes of the packaged FMUs", |session| {
            session.needs_fmus()?;
            match sizes::run(false)? {
                Verdict::Held => Ok(()),
                Verdict::Skipped(why) => Err(Obstacle::Skipped(why)),
            }
        }),
        Stage::new("packaging from another folder gives the same bytes", |session| {
            session.needs_fmus()?;
            passed(platforms::package_elsewhere(&session.fmus, &[]))
        }),
    ]
}

/// Skips where a component of the Rust toolchain is not installed.
fn component(subcommand: &str, name: &str) -> Outcome {
    let there = workspace::cargo().args([subcommand, "--version"]).output().is_ok_and(|output| output.status.success());
    if there {
        return Ok(());
    }
    Err(Obstacle::Skipped(format!("{name} is not installed; install it with `rustup component add {name}`.")))
}
