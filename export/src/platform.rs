//! Platforms that an FMU can serve, with the targets that are built for each.

use std::env::consts;

pub use object::Architecture;

use crate::error::{Context, Error, Result};
use crate::names::nearest;

/// Oldest glibc that portable libraries run with: that of RHEL 7.
pub const GLIBC: [u32; 2] = [2, 17];

/// Oldest macOS that portable libraries run with: the first for arm64.
pub const MACOS: [u32; 2] = [11, 0];

/// Platform of an importer.
#[derive(Debug, PartialEq)]
pub struct Platform {
    /// Name of its folder below `binaries/`.
    pub folder: &'static str,
    /// Operating system.
    pub system: System,
    /// One library for each target; where there are two, they are joined into one file.
    pub targets: &'static [Target],
}

/// Processor and system that a library is built for.
#[derive(Debug, PartialEq)]
pub struct Target {
    /// Name of the target in Rust.
    pub triple: &'static str,
    /// Instruction set.
    pub processor: Architecture,
}

/// Operating system of a platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the systems' names
pub enum System {
    Linux,
    Windows,
    Mac,
}

impl System {
    /// Extension of its libraries in an FMU.
    pub fn extension(self) -> &'static str {
        match self {
            System::Linux => "so",
            System::Windows => "dll",
            System::Mac => "dylib",
        }
    }
}

/// All platforms. FMI 2 has no name for Linux on arm64; FMI 3 calls it `aarch64-linux`. `darwin64`
/// serves both kinds of Mac.
pub static PLATFORMS: [Platform; 6] = [
    Platform {
        folder: "linux64",
        system: System::Linux,
        targets: &[Target {
            triple: "x86_64-unknown-linux-gnu",
            processor: Architecture::X86_64,
        }],
    },
    Platform {
        folder: "win64",
        system: System::Windows,
        targets: &[Target {
            triple: "x86_64-pc-windows-gnu",
            processor: Architecture::X86_64,
        }],
    },
    Platform {
        folder: "darwin64",
        system: System::Mac,
        targets: &[
            Target {
                triple: "x86_64-apple-darwin",
                processor: Architecture::X86_64,
            },
            Target {
                triple: "aarch64-apple-darwin",
                processor: Architecture::Aarch64,
            },
        ],
    },
    Platform {
        folder: "aarch64-linux",
        system: System::Linux,
        targets: &[Target {
            triple: "aarch64-unknown-linux-gnu",
            processor: Architecture::Aarch64,
        }],
    },
    Platform {
        folder: "linux32",
        system: System::Linux,
        targets: &[Target {
            triple: "i686-unknown-linux-gnu",
            processor: Architecture::I386,
        }],
    },
    Platform {
        folder: "win32",
        system: System::Windows,
        targets: &[Target {
            triple: "i686-pc-windows-gnu",
            processor: Architecture::I386,
        }],
    },
];

/// Platform of this machine.
pub fn host() -> Result<&'static Platform> {
    let folder = match (consts::ARCH, consts::OS) {
        ("x86_64", "linux") => Ok("linux64"),
        ("aarch64", "linux") => Ok("aarch64-linux"),
        (processor, system) => Err(Error::new(format!(
            "FMUs cannot be built on {processor} {system}, only on Linux on x86_64 and aarch64; \
             use such a machine or container"
        ))),
    };
    find(folder?)
}

/// Platform of this folder; an error names the nearest, or all where none is near.
pub fn find(folder: &str) -> Result<&'static Platform> {
    PLATFORMS
        .iter()
        .find(|platform| platform.folder == folder)
        .with_context(|| {
            let known: Vec<_> = PLATFORMS.iter().map(|platform| platform.folder).collect();
            match nearest(folder, known.iter().copied()) {
                Some(nearest) => {
                    format!("there is no platform `{folder}`; did you mean `{nearest}`?")
                }
                None => format!(
                    "there is no platform `{folder}`; the platforms are {}",
                    known.join(", ")
                ),
            }
        })
}
