//! The program of `experiments/`: it runs the papers' rigs on the packaged FMUs; commands of this exporter start it and
//! put what it says into `docs/`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Result;

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
    workspace::built(&["--release", "-p", "bristle-experiments", "--bin", "experiments"])
}
