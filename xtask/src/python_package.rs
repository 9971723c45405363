//! The Python package of `python/`: installed in its environment for tests and studies, and built as wheels for a release.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::environment::PACKAGE;
use crate::package::platforms::Platforms;
use crate::{libraries, workspace};

/// Folder of the package.
pub fn folder() -> PathBuf {
    workspace::root().join("python")
}

/// Installs the package as its sources are, with this machine's library inside.
pub fn develop() -> Result<()> {
    let inside = workspace::target().join("libraries-host");
    libraries::build(&Platforms::Host, &inside)?;
    let mut command = program("maturin");
    command.args(["develop", "--release", "--quiet"]).env("BRISTLE_LIBRARIES", inside);
    workspace::run(command.env("VIRTUAL_ENV", PACKAGE.path()))
}

/// Runs a program of the environment in the package's folder.
pub fn run(name: &str, arguments: &[&str]) -> Result<()> {
    workspace::run(program(name).args(arguments))
}

/// Program of the environment, to run in the package's folder, with the environment's programs first.
pub fn program(name: &str) -> Command {
    let mut command = PACKAGE.program(name);
    command.current_dir(folder()).env("PATH", PACKAGE.search_path()).env("PYTHONDONTWRITEBYTECODE", "1");
    command
}
