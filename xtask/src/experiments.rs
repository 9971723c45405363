//! Programs of `experiments/`: one runs the papers' rigs on the packaged FMUs, one draws its
//! tables. Commands start them and put their output into `docs/`.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Result;

use crate::console::say;
use crate::environment::EXAMPLES;
use crate::workspace;

/// The program of the experiments with these arguments; progress and errors go to the terminal.
pub fn program<const N: usize>(arguments: [&OsStr; N]) -> Command {
    let mut command = workspace::cargo();
    command
        .args([
            "run",
            "--quiet",
            "--release",
            "-p",
            "bristle-experiments",
            "--bin",
            "experiments",
            "--",
        ])
        .args(arguments);
    command
        .env("BRISTLE_FMU_DIR", workspace::target().join("fmu"))
        .stderr(Stdio::inherit());
    command
}

/// Runs the program of the experiments with these arguments; prints and returns its output.
pub fn run<const N: usize>(arguments: [&OsStr; N]) -> Result<String> {
    let made = workspace::output(&mut program(arguments))?;
    say!("{made}");
    Ok(made)
}

/// Draws a figure of `experiments/figures/draw.py` with tables and pictures at these paths, and
/// returns the script's output.
///
/// The Python environment of the examples, which has Matplotlib, is there: commands call
/// [`require_python`] first.
pub fn draw(figure: &str, paths: &[&Path]) -> Result<String> {
    let script = workspace::root().join("experiments/figures/draw.py");
    let mut command = EXAMPLES.program("python");
    // No caches of compiled scripts beside the sources.
    command.arg("-B").arg(script).arg(figure).args(paths);
    workspace::output(&mut command)
}

/// Makes the Python environment that draws, before the long work of a command.
pub fn require_python() -> Result<()> {
    EXAMPLES.require()
}
