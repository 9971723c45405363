//! The stages of the sources: formatting, lints, unit tests, and packaging of the FMUs that all
//! later stages take.

use std::path::PathBuf;
use std::process::Command;

use super::platforms;
use super::stage::{Obstacle, Outcome, Stage, cargo, passed};
use crate::committed::Verdict;
use crate::{documentation, package, sizes, workspace};

/// The stages in their order.
pub fn stages() -> Vec<Stage> {
    vec![
        Stage::new("formatting", |_| formatting()),
        Stage::new("lints", |_| lints(&["--workspace"])),
        Stage::new("pages of the crates, without warnings", |_| {
            let mut command = workspace::cargo();
            command
                .env("RUSTDOCFLAGS", "-D warnings")
                .args(["doc", "--no-deps"])
                .args(["-p", "bristle", "-p", "bristle-fmu", "-p", "bristle-export"]);
            passed(workspace::run(&mut command))
        }),
        Stage::new(
            "unit tests of the library, the C interface, the exporter and the chores",
            |_| {
                let packages = [
                    "bristle",
                    "bristle-fmu",
                    "bristle-export",
                    "bristle-random",
                    "bristle-web",
                    "bristle-rigs",
                    "bristle-fuzz-targets",
                    "xtask",
                ];
                let packages: Vec<_> = packages
                    .iter()
                    .flat_map(|package| ["-p", package])
                    .collect();
                cargo(&[&["test"], &packages[..], &["--no-fail-fast"]].concat())
            },
        ),
        Stage::new("unit tests of the measurements", |_| {
            cargo(&["test", "-p", "bristle-benches", "--no-fail-fast"])
        }),
        Stage::new("licences and sources of the dependencies", |_| {
            let Some(program) = cargo_deny() else {
                let how = "install it with `cargo install cargo-deny --locked --root target/tools`";
                return Err(Obstacle::Skipped(format!(
                    "cargo-deny is not installed; {how}."
                )));
            };
            let mut command = Command::new(program);
            command.current_dir(workspace::root()).args([
                "--workspace",
                "check",
                "licenses",
                "sources",
                "bans",
            ]);
            passed(workspace::run(&mut command))
        }),
        Stage::new(
            "documentation: quotations of log messages, links, index",
            |_| passed(documentation::check()),
        ),
        Stage::new("packaging", |session| {
            package::for_this_machine()?;
            session.packaged = true;
            Ok(())
        }),
        Stage::new("sizes of the packaged FMUs", |session| {
            session.needs_fmus()?;
            match sizes::run(false)? {
                Verdict::Held => Ok(()),
                Verdict::Skipped(why) => Err(Obstacle::Skipped(why)),
            }
        }),
        Stage::long(
            "packaging from another folder gives the same bytes",
            |session| {
                session.needs_fmus()?;
                passed(platforms::package_elsewhere(&session.fmus, &[]))
            },
        ),
    ]
}

/// Formatting of all crates.
pub fn formatting() -> Outcome {
    component("fmt", "rustfmt")?;
    cargo(&["fmt", "--all", "--check"])
}

/// Lints of the packages that the arguments name.
pub fn lints(packages: &[&str]) -> Outcome {
    component("clippy", "clippy")?;
    cargo(
        &[
            &["clippy"],
            packages,
            &["--all-targets", "--", "-D", "warnings"],
        ]
        .concat(),
    )
}

/// The program cargo-deny, below `target/tools` or in the search path.
fn cargo_deny() -> Option<PathBuf> {
    let own = workspace::target().join("tools/bin/cargo-deny");
    own.is_file()
        .then_some(own)
        .or_else(|| workspace::find("cargo-deny"))
}

/// Skips where a component of the Rust toolchain is not installed.
fn component(subcommand: &str, name: &str) -> Outcome {
    let there = workspace::cargo()
        .args([subcommand, "--version"])
        .output()
        .is_ok_and(|output| output.status.success());
    if there {
        return Ok(());
    }
    Err(Obstacle::Skipped(format!(
        "{name} is not installed; install it with `rustup component add {name}`."
    )))
}
