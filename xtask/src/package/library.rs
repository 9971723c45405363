//! The shared library of the FMUs: built once for all elements, since the GUID tells an instance which one it is.

use std::env::{self, consts};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::inspection::{self, Facts};
use crate::workspace;

/// A platform that libraries are built for.
pub struct Platform {
    /// Its folder in an FMU.
    pub folder: &'static str,
    /// The ending of its libraries in an FMU.
    pub extension: &'static str,
    /// What Rust calls it.
    triple: &'static str,
    /// The processor and the system it is the native platform of.
    host: (&'static str, &'static str),
    /// The library as cargo names it.
    file: &'static str,
}

/// The `aarch64` folder is named as FMI 3 names it: FMI 2 has no name for it.
const PLATFORMS: [Platform; 2] = [
    Platform {
        folder: "linux64",
        extension: "so",
        triple: "x86_64-unknown-linux-gnu",
        host: ("x86_64", "linux"),
        file: "libbristle_fmu.so",
    },
    Platform {
        folder: "aarch64-linux",
        extension: "so",
        triple: "aarch64-unknown-linux-gnu",
        host: ("aarch64", "linux"),
        file: "libbristle_fmu.so",
    },
];

/// A library that passed its inspection.
pub struct Library {
    pub platform: &'static Platform,
    pub bytes: Vec<u8>,
    pub facts: Facts,
}

/// The platform of this machine.
pub fn host() -> Result<&'static Platform> {
    let Some(platform) = PLATFORMS.iter().find(|platform| platform.host == (consts::ARCH, consts::OS)) else {
        let known: Vec<_> = PLATFORMS.iter().map(|platform| platform.triple).collect();
        bail!(
            "FMUs cannot be built on {} {}, only on {}; use such a machine or container",
            consts::ARCH,
            consts::OS,
            known.join(" and ")
        );
    };
    Ok(platform)
}

/// Builds and inspects the library for every platform that is packaged: this machine's.
pub fn build(folder: &Path) -> Result<Vec<Library>> {
    Ok(vec![build_for(host()?, folder)?])
}

fn build_for(platform: &'static Platform, folder: &Path) -> Result<Library> {
    let sysroot = PathBuf::from(rustc("sysroot")?);
    if !sysroot.join("lib/rustlib").join(platform.triple).join("lib").is_dir() {
        bail!("Rust's standard library for {0} is missing; install it with `rustup target add {0}`", platform.triple);
    }
    let places = Places::new(&sysroot)?;
    workspace::run(
        workspace::cargo()
            .args(["rustc", "--quiet", "-p", "bristle-fmu", "--lib", "--crate-type", "cdylib", "--profile", "fmu"])
            // Named even where it is the host's: its flags then stay out of build scripts and its place is known.
            .args(["--target", platform.triple, "--target-dir"])
            .arg(folder)
            .env("CARGO_ENCODED_RUSTFLAGS", places.flags())
            .env("SOURCE_DATE_EPOCH", "315532800")
            .env_remove("RUSTFLAGS"),
    )
    .with_context(|| format!("the shared library for {} was not built", platform.folder))?;

    let path = folder.join(platform.triple).join("fmu").join(platform.file);
    let bytes = workspace::read(&path)?;
    let forbidden: Vec<String> = places.0.iter().map(|(place, _)| place.display().to_string()).collect();
    let facts =
        inspection::inspect(&bytes, &forbidden).with_context(|| format!("{} cannot be shipped", path.display()))?;
    Ok(Library { platform, bytes, facts })
}

/// The folders of this machine that a compiler writes into what it builds, each with what stands there instead.
struct Places([(PathBuf, &'static str); 3]);

impl Places {
    fn new(sysroot: &Path) -> Result<Self> {
        let home = || env::home_dir().map(|home| home.join(".cargo"));
        let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home);
        let cargo_home = cargo_home.context("cargo's folder is not known; set CARGO_HOME")?;
        Ok(Places([(workspace::root(), "bristle"), (cargo_home, "cargo"), (sysroot.to_owned(), "rust")]))
    }

    /// Compiler flags in cargo's encoding, which stands spaces in paths.
    fn flags(&self) -> OsString {
        let mut flags = OsString::new();
        for (i, (place, name)) in self.0.iter().enumerate() {
            flags.push(if i == 0 { "" } else { "\x1f" });
            flags.push("--remap-path-prefix=");
            flags.push(place);
            flags.push("=");
            flags.push(name);
        }
        flags
    }
}

fn rustc(what: &str) -> Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let printed =
        workspace::output(std::process::Command::new(rustc).current_dir(workspace::root()).args(["--print", what]))?;
    Ok(printed.trim_end().to_owned())
}
