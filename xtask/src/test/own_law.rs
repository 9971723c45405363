//! Export of `examples/own-law` as its author does it, by cargo in its own folder.

use std::path::PathBuf;

use anyhow::{Context, Result};
use bristle_export::inspection::{self, Portability};
use bristle_export::platform;

use crate::console::say;
use crate::{files, workspace};

/// Tests of `tests/tests` that load the FMU.
pub const TESTS: &str = "own_law::";

/// Cargo's target folder of the example, which receives the FMU as well.
pub fn folder() -> PathBuf {
    workspace::target().join("own-law")
}

/// The FMU.
pub fn fmu() -> PathBuf {
    folder().join("StribeckEyring.fmu")
}

/// Optimisation of the example's build.
#[derive(Clone, Copy)]
pub enum Build {
    /// As the exporter's: beside its files, which are there, and unoptimised.
    Quick,
    /// As its author does it.
    Release,
}

/// Exports the law and inspects its shared library: the 44 functions of FMI 2.0 and no others.
pub fn export(build: Build) -> Result<()> {
    let folder = folder();
    files::make_folder(&folder)?;
    let mut cargo = workspace::cargo();
    cargo.args(["run", "--locked", "--target-dir"]);
    let made = match build {
        Build::Quick => {
            // The settings of this workspace's profile `dev`, which let cargo take the dependencies
            // from there.
            cargo.arg(workspace::target());
            cargo.args([
                "--config",
                "profile.dev.debug=0",
                "--config",
                "profile.dev.package.zlib-rs.opt-level=2",
            ]);
            workspace::target().join("debug")
        }
        Build::Release => {
            cargo.arg(&folder).arg("--release");
            folder.join("release")
        }
    };
    cargo.arg("--").arg(&folder);
    workspace::run(cargo.current_dir(workspace::root().join("examples/own-law")))?;

    let platform = platform::host()?;
    let library = made
        .join("libown_law")
        .with_extension(platform.system.extension());
    let target = platform
        .targets
        .first()
        .context("a platform has a target")?;
    let facts = inspection::inspect(
        &files::read(&library)?,
        platform.system,
        target,
        Portability::Local,
        &[],
    )?;
    say!("{}: {facts}", library.display());
    Ok(())
}
