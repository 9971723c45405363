//! `cargo xtask performance`: cost and error of a step beside CVODE, into `docs/performance.md`.

use std::process::Command;

use anyhow::{Result, ensure};

use crate::package::toolchain;
use crate::{console, cvode, experiments, files, package, page, workspace};

/// The command.
pub fn command() -> Result<()> {
    let fmus = workspace::target().join("fmu");
    experiments::require_python()?;
    package::for_this_machine()?;
    let docs = workspace::root().join("docs");
    let points = workspace::made()?.join("work_precision.tsv");

    let mut measure = measurement("performance");
    measure.arg(&points).env("BRISTLE_FMU_DIR", &fmus).env("BRISTLE_RUSTC", rustc()?);
    if let Some(library) = cvode::compile()? {
        measure.env("BRISTLE_CVODE", library).env("BRISTLE_CC", cvode::compiler()?);
    }
    let made = workspace::output(measure.stderr(std::process::Stdio::inherit()))?;
    console::text(&made);

    page::update(&docs.join("performance.md"), &(made.clone() + &dated("performance")?))?;
    let table = docs.join("data/work_precision.tsv");
    files::copy(&points, &table)?;
    experiments::draw("work_precision", &[&table, &docs.join("figures/work_precision.svg")])?;
    ensure!(!made.contains("MISSED"), "a tolerance was not kept, see the table");
    Ok(())
}

/// The section of a page with the command that made its tables, and the date.
pub fn dated(command: &str) -> Result<String> {
    let day = page::today()?;
    Ok(format!("<!-- begin made {command} -->\n*`cargo xtask {command}`, {day}.*\n<!-- end made {command} -->\n"))
}

/// A program of `benches`, compiled as the FMUs are.
pub fn measurement(name: &str) -> Command {
    let mut command = workspace::cargo();
    command.args(["run", "--quiet", "-p", "bristle-benches", "--profile", "fmu", "--bin", name, "--"]);
    command
}

/// The compiler's version, without its hash and date.
pub fn rustc() -> Result<String> {
    let said = toolchain::rustc(&["--version"])?;
    Ok(said.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
}
