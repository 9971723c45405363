//! `cargo xtask performance`: cost and error of a step beside CVODE, into `docs/performance.md`.

use std::process::{Command, Stdio};

use anyhow::{Result, ensure};

use crate::console::say;
use crate::package::toolchain;
use crate::{cvode, experiments, files, package, page, workspace};

/// The command.
pub fn command() -> Result<()> {
    experiments::require_python()?;
    package::for_this_machine()?;
    let docs = workspace::root().join("docs");
    let points = workspace::made()?.join("work_precision.tsv");

    let mut measure = measurement("performance");
    measure.arg(&points).env("BRISTLE_RUSTC", rustc()?);
    if let Some(library) = cvode::compile()? {
        measure
            .env("BRISTLE_CVODE", library)
            .env("BRISTLE_CC", cvode::compiler()?);
    }
    let made = workspace::output(&mut measure)?;
    say!("{made}");

    page::update_dated(&docs.join("performance.md"), &made, "performance")?;
    let table = docs.join("data/work_precision.tsv");
    files::copy(&points, &table)?;
    experiments::draw(
        "work_precision",
        &[&table, &docs.join("figures/work_precision.svg")],
    )?;
    ensure!(
        !made.contains("MISSED"),
        "a tolerance was not kept, see the table"
    );
    Ok(())
}

/// A program of `benches`, compiled as the FMUs are, which finds the packaged FMUs; its errors go
/// to the terminal.
pub fn measurement(name: &str) -> Command {
    program(name, "fmu")
}

/// A program of `benches`, compiled with this profile.
pub fn program(name: &str, profile: &str) -> Command {
    let mut command = workspace::cargo();
    command.args([
        "run",
        "--quiet",
        "-p",
        "bristle-benches",
        "--profile",
        profile,
        "--bin",
        name,
        "--",
    ]);
    command
        .env("BRISTLE_FMU_DIR", workspace::target().join("fmu"))
        .stderr(Stdio::inherit());
    command
}

/// The compiler's version, without its hash and date.
pub fn rustc() -> Result<String> {
    let said = toolchain::rustc(&["--version"])?;
    Ok(said
        .split_whitespace()
        .take(2)
        .collect::<Vec<_>>()
        .join(" "))
}
