//! The Python package of `python/`: installed in its environment for tests and studies, and built
//! as wheels for a release.

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

/// Settings of the profile `test` for the profile `dev`, which maturin builds with: cargo then
/// takes the libraries of the unit tests.
const AS_TESTS: [&str; 5] = [
    "profile.dev.opt-level=2",
    "profile.dev.package.\"*\".opt-level=0",
    "profile.dev.package.libm.opt-level=2",
    "profile.dev.package.zlib-rs.opt-level=2",
    "profile.dev.package.bristle-export.opt-level=0",
];

/// Installs the package as its sources are, with this machine's library inside and compiled as the
/// unit tests are.
pub fn develop_for_tests() -> Result<()> {
    install(AS_TESTS.iter().flat_map(|setting| ["--config", setting]))
}

/// Installs the package as its sources are, with this machine's library inside and compiled as for
/// a release.
pub fn develop() -> Result<()> {
    install(["--release"])
}

fn install<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Result<()> {
    let inside = workspace::target().join("libraries-host");
    libraries::build(&Platforms::Host, &inside)?;
    let mut command = program("maturin");
    command
        .args(["develop", "--quiet"])
        .args(arguments)
        .env("BRISTLE_LIBRARIES", inside);
    workspace::run(command.env("VIRTUAL_ENV", PACKAGE.path()))
}

/// Runs a program of the environment in the package's folder.
pub fn run(name: &str, arguments: &[&str]) -> Result<()> {
    workspace::run(program(name).args(arguments))
}

/// Program of the environment, to run in the package's folder, with the environment's programs
/// first.
pub fn program(name: &str) -> Command {
    let mut command = PACKAGE.program(name);
    command
        .current_dir(folder())
        .env("PATH", PACKAGE.search_path())
        .env("PYTHONDONTWRITEBYTECODE", "1");
    command
}
