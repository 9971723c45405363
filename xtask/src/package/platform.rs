//! The platforms that an FMU can serve, and what is built for each.

use std::env::consts;

use anyhow::{Context, Result};
use object::Architecture;

use crate::cli::nearest;

/// A platform by its folder in an FMU.
#[derive(Debug, PartialEq)]
pub struct Platform {
    /// Its folder below `binaries/`.
    pub folder: &'static str,
    pub system: System,
    /// A library each; where there are two, they are joined into one file.
    pub targets: &'static [Target],
}

/// One kind of processor under one system.
#[derive(Debug, PartialEq)]
pub struct Target {
    /// What Rust calls it.
    pub triple: &'static str,
    pub processor: Architecture,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    Linux,
    Windows,
    Mac,
}

impl System {
    /// The library as cargo names it.
    pub fn library(self) -> &'static str {
        match self {
            System::Linux => "libbristle_fmu.so",
            System::Windows => "bristle_fmu.dll",
            System::Mac => "libbristle_fmu.dylib",
        }
    }

    /// The ending of its libraries in an FMU.
    pub fn extension(self) -> &'static str {
        match self {
            System::Linux => "so",
            System::Windows => "dll",
            System::Mac => "dylib",
        }
    }
}

/// FMI 2 has no name for Linux on arm64; `aarch64-linux` is what FMI 3 calls it. `darwin64` serves both kinds of Mac.
pub static PLATFORMS: [Platform; 6] = [
    Platform {
        folder: "linux64",
        system: System::Linux,
        targets: &[Target { triple: "x86_64-unknown-linux-gnu", processor: Architecture::X86_64 }],
    },
    Platform {
        folder: "win64",
        system: System::Windows,
        targets: &[Target { triple: "x86_64-pc-windows-gnu", processor: Architecture::X86_64 }],
    },
    Platform {
        folder: "darwin64",
        system: System::Mac,
        targets: &[
            Target { triple: "x86_64-apple-darwin", processor: Architecture::X86_64 },
            Target { triple: "aarch64-apple-darwin", processor: Architecture::Aarch64 },
        ],
    },
    Platform {
        folder: "aarch64-linux",
        system: System::Linux,
        targets: &[Target { triple: "aarch64-unknown-linux-gnu", processor: Architecture::Aarch64 }],
    },
    Platform {
        folder: "linux32",
        system: System::Linux,
        targets: &[Target { triple: "i686-unknown-linux-gnu", processor: Architecture::I386 }],
    },
    Platform {
        folder: "win32",
        system: System::Windows,
        targets: &[Target { triple: "i686-pc-windows-gnu", processor: Architecture::I386 }],
    },
];

/// The platform of this machine.
pub fn host() -> Result<&'static Platform> {
    let folder = match (consts::ARCH, consts::OS) {
        ("x86_64", "linux") => Ok("linux64"),
        ("aarch64", "linux") => Ok("aarch64-linux"),
        (processor, system) => Err(anyhow::anyhow!(
            "FMUs cannot be built on {processor} {system}, only on Linux on x86_64 and aarch64; use such a machine or container"
        )),
    };
    find(folder?)
}

/// The platform of this folder; an error names the nearest, or all where none is near.
pub fn find(folder: &str) -> Result<&'static Platform> {
    PLATFORMS.iter().find(|platform| platform.folder == folder).with_context(|| {
        let known: Vec<_> = PLATFORMS.iter().map(|platform| platform.folder).collect();
        match nearest(folder, known.iter().copied()) {
            Some(nearest) => format!("there is no platform `{folder}`; did you mean `{nearest}`?"),
            None => format!("there is no platform `{folder}`; the platforms are {}", known.join(", ")),
        }
    })
}
