//! The program of `experiments/`: it runs the papers' rigs on the packaged FMUs; commands of this exporter start it and
//! put what it says into `docs/`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::workspace;

/// The program, called for what `arguments` say; progress and errors go to the terminal.
pub fn program<const N: usize>(arguments: [&std::ffi::OsStr; N]) -> Command {
    let mut command = workspace::cargo();
    command
        .args(["run", "--quiet", "--release", "-p", "bristle-experiments", "--bin", "experiments", "--"])
        .args(arguments);
    command.env("BRISTLE_FMU_DIR", workspace::target().join("fmu")).stderr(Stdio::inherit());
    command
}

/// Where the compiled program is.
pub fn built() -> Result<PathBuf> {
    let said = workspace::output(workspace::cargo().args([
        "build",
        "--quiet",
        "--release",
        "-p",
        "bristle-experiments",
        "--bin",
        "experiments",
        "--message-format",
        "json",
    ]))?;
    let artefacts = said.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut programs = artefacts.filter_map(|artefact| Some(PathBuf::from(artefact["executable"].as_str()?)));
    programs.next_back().context("cargo does not say where it put the program")
}
