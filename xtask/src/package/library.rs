//! The shared library of the FMUs: built once per platform for all elements, since the card that
//! the exporter writes into it selects the element.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use bristle_export::inspection::{self, Facts, Portability};
use bristle_export::platform::{self, Platform, System, Target};
use rayon::prelude::*;

use super::platforms::Platforms;
use super::toolchain::{self, Toolchain, rustc};
use super::universal;
use crate::console::say;
use crate::progress::Progress;
use crate::{files, workspace};

/// A platform's library, which passed its inspection.
pub struct Library {
    pub platform: &'static Platform,
    pub bytes: Vec<u8>,
    /// Of each of its parts.
    pub facts: Vec<(&'static Target, Facts)>,
}

/// Builds and inspects the libraries; `folder` is cargo's target folder.
pub fn build(platforms: &Platforms, folder: &Path, progress: &Progress) -> Result<Vec<Library>> {
    let build = |platform, portability| build_for(platform, portability, folder, progress);
    match platforms {
        Platforms::Host => Ok(vec![build(platform::host()?, Portability::Local)?]),
        Platforms::Portable(platforms) => platforms
            .par_iter()
            .map(|platform| build(platform, Portability::Portable))
            .collect(),
    }
}

fn build_for(
    platform: &'static Platform,
    portability: Portability,
    folder: &Path,
    progress: &Progress,
) -> Result<Library> {
    progress.begin(&format!("the shared library for {}", platform.folder));
    let mut parts = Vec::new();
    let mut facts = Vec::new();
    for target in platform.targets {
        let (bytes, found) = build_part(platform, target, portability, folder)?;
        say!(
            "         {}, {:?}: {found}",
            platform.folder,
            target.processor
        );
        parts.push(bytes);
        facts.push((target, found));
    }
    Ok(Library {
        platform,
        bytes: universal::join(parts)?,
        facts,
    })
}

fn build_part(
    platform: &Platform,
    target: &Target,
    portability: Portability,
    folder: &Path,
) -> Result<(Vec<u8>, Facts)> {
    // A target folder of its own: cargo does not rebuild for another linker.
    let folder = if portability == Portability::Local {
        folder.to_owned()
    } else {
        folder.join(platform.folder)
    };
    let Toolchain { mut cargo, flags } = match portability {
        Portability::Local => toolchain::own(target),
        Portability::Portable => toolchain::portable(platform, target, &folder)?,
    };
    cargo
        .args([
            "-p",
            "bristle-elements",
            "--lib",
            "--profile",
            "fmu",
            "--target-dir",
        ])
        .arg(&folder);
    workspace::run(reproducible(&mut cargo, &flags)?)
        .with_context(|| format!("the shared library for {} was not built", platform.folder))?;

    let file = match platform.system {
        System::Linux => "libbristle_elements.so",
        System::Windows => "bristle_elements.dll",
        System::Mac => "libbristle_elements.dylib",
    };
    let path = folder.join(target.triple).join("fmu").join(file);
    let bytes = files::read(&path)?;
    let forbidden = places()?.map(|(place, _)| place.display().to_string());
    let facts = inspection::inspect(&bytes, platform.system, target, portability, &forbidden)
        .with_context(|| format!("{} cannot be shipped", path.display()))?;
    Ok((bytes, facts))
}

/// Adds to a build these flags, and the environment that leaves no folder and no time of this
/// machine in its output.
pub fn reproducible<'a>(cargo: &'a mut Command, flags: &[&str]) -> Result<&'a mut Command> {
    let mut flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
    for (place, name) in places()? {
        let mut flag = OsString::from("--remap-path-prefix=");
        flag.push(place);
        flag.push("=");
        flag.push(name);
        flags.push(flag);
    }
    // Cargo's encoding, which stands spaces in paths.
    cargo
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join(OsStr::new("\x1f")))
        .env_remove("RUSTFLAGS");
    Ok(cargo.env("SOURCE_DATE_EPOCH", "315532800"))
}

/// Folders of this machine that a compiler writes into its output, each with its replacement.
fn places() -> Result<[(PathBuf, &'static str); 3]> {
    let sysroot = rustc(&["--print", "sysroot"])?;
    let home = || env::home_dir().map(|home| home.join(".cargo"));
    let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home);
    let cargo_home = cargo_home.context("cargo's folder is not known; set CARGO_HOME")?;
    Ok([
        (workspace::root(), "bristle"),
        (cargo_home, "cargo"),
        (sysroot.into(), "rust"),
    ])
}
