//! The shared library of the FMUs: built once per platform for all elements, since the card that the exporter writes into it
//! selects the element.

use std::env;
use std::ffi::{OsStr, OsString};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result};
use bristle_export::inspection::{self, Facts, Portability};
use bristle_export::platform::{self, Platform, System, Target};

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
    match platforms {
        Platforms::Host => Ok(vec![build_for(
            platform::host()?,
            &Build { portability: Portability::Local, folder, quiet: false },
            progress,
        )?]),
        Platforms::Portable(platforms) => {
            let processors = thread::available_parallelism().map_or(1, NonZero::get);
            let mut libraries = Vec::new();
            // Link-time optimisation keeps one processor busy.
            for together in platforms.chunks(processors) {
                // Two of cargo's progress bars on one terminal would overwrite each other.
                let build = &Build { portability: Portability::Portable, folder, quiet: together.len() > 1 };
                let built: Vec<_> = thread::scope(|scope| {
                    let start = |platform| scope.spawn(move || build_for(platform, build, progress));
                    let started: Vec<_> = together.iter().copied().map(start).collect();
                    started.into_iter().map(|build| build.join().expect("a build does not panic")).collect()
                });
                for library in built {
                    libraries.push(library?);
                }
            }
            Ok(libraries)
        }
    }
}

/// The manner of a build.
struct Build<'a> {
    portability: Portability,
    /// Cargo's target folder.
    folder: &'a Path,
    /// Without cargo's progress.
    quiet: bool,
}

fn build_for(platform: &'static Platform, build: &Build, progress: &Progress) -> Result<Library> {
    progress.begin(&format!("the shared library for {}", platform.folder));
    let mut parts = Vec::new();
    let mut facts = Vec::new();
    for target in platform.targets {
        let (bytes, found) = build_part(platform, target, build)?;
        say!("         {}, {:?}: {found}", platform.folder, target.processor);
        parts.push(bytes);
        facts.push((target, found));
    }
    let bytes = if let [one] = &mut parts[..] { std::mem::take(one) } else { universal::join(&parts)? };
    Ok(Library { platform, bytes, facts })
}

fn build_part(platform: &Platform, target: &Target, build: &Build) -> Result<(Vec<u8>, Facts)> {
    let Build { portability, folder, quiet } = *build;
    // A target folder of its own: cargo does not rebuild for another linker, and locks the folder during a build.
    let folder = if portability == Portability::Local { folder.to_owned() } else { folder.join(platform.folder) };
    let Toolchain { mut cargo, flags } = match portability {
        Portability::Local => toolchain::own(target),
        Portability::Portable => toolchain::portable(platform, target, &folder)?,
    };
    let places = Places::new()?;
    workspace::run(
        cargo
            .args(quiet.then_some("--quiet"))
            .args(["-p", "bristle-elements", "--lib", "--profile", "fmu"])
            .arg("--target-dir")
            .arg(&folder)
            .env("CARGO_ENCODED_RUSTFLAGS", places.flags(flags))
            .env("SOURCE_DATE_EPOCH", "315532800")
            .env_remove("RUSTFLAGS"),
    )
    .with_context(|| format!("the shared library for {} was not built", platform.folder))?;

    let path = folder.join(target.triple).join("fmu").join(file_name(platform.system));
    let bytes = files::read(&path)?;
    let forbidden: Vec<String> = places.0.iter().map(|(place, _)| place.display().to_string()).collect();
    let facts = inspection::inspect(&bytes, platform.system, target, portability, &forbidden)
        .with_context(|| format!("{} cannot be shipped", path.display()))?;
    Ok((bytes, facts))
}

/// File name of the library as cargo writes it.
pub fn file_name(system: System) -> &'static str {
    match system {
        System::Linux => "libbristle_elements.so",
        System::Windows => "bristle_elements.dll",
        System::Mac => "libbristle_elements.dylib",
    }
}

/// Compiler flags that leave no folder of this machine in the output, after these others.
pub fn flags(others: Vec<String>) -> Result<OsString> {
    Ok(Places::new()?.flags(others))
}

/// Folders of this machine that a compiler writes into its output, each with its replacement.
struct Places([(PathBuf, &'static str); 3]);

impl Places {
    fn new() -> Result<Self> {
        let sysroot = rustc(&["--print", "sysroot"])?;
        let home = || env::home_dir().map(|home| home.join(".cargo"));
        let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home);
        let cargo_home = cargo_home.context("cargo's folder is not known; set CARGO_HOME")?;
        Ok(Places([(workspace::root(), "bristle"), (cargo_home, "cargo"), (sysroot.into(), "rust")]))
    }

    /// Compiler flags, these after others, in cargo's encoding, which stands spaces in paths.
    fn flags(&self, others: Vec<String>) -> OsString {
        let mut flags: Vec<OsString> = others.into_iter().map(OsString::from).collect();
        for (place, name) in &self.0 {
            let mut flag = OsString::from("--remap-path-prefix=");
            flag.push(place);
            flag.push("=");
            flag.push(name);
            flags.push(flag);
        }
        flags.join(OsStr::new("\x1f"))
    }
}
