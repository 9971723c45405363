//! Toolchains that build the library for a platform: cargo and a linker with the platform's system
//! libraries.
//!
//! Without options, this machine's own compiler builds for this machine, as it does for any Rust
//! program. A library for others is built by one recipe per system, whatever else a machine has, so
//! that its bytes do not depend on it:
//!
//! - Linux: zig, against glibc 2.17, with cargo-zigbuild, both from PyPI;
//! - Windows: MinGW's gcc;
//! - macOS: the linker that Rust brings, against the list of system functions that zig brings.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use bristle_export::platform::{
    self, Architecture, GLIBC, MACOS, PLATFORMS, Platform, System, Target,
};

use super::platforms::Platforms;
use crate::environment::ZIG;
use crate::{files, workspace};

/// Cargo building for a target, and the flags of its linker.
pub struct Toolchain {
    pub cargo: Command,
    pub flags: Vec<&'static str>,
}

/// The machine's own compiler, for this machine.
pub fn own(target: &Target) -> Toolchain {
    let mut cargo = workspace::cargo();
    cargo.args(["rustc", "--target", target.triple]);
    Toolchain {
        cargo,
        flags: Vec::new(),
    }
}

/// Name of macOS' libraries in the programs that load them; otherwise it would be where the library
/// was built.
const MAC_NAME: [&str; 2] = [
    "-Clink-arg=-install_name",
    "-Clink-arg=@rpath/bristle.dylib",
];

/// Compiler and linker of portable libraries. `build` is a folder for files of the linker.
pub fn portable(platform: &Platform, target: &Target, build: &Path) -> Result<Toolchain> {
    let mut toolchain = own(target);
    match platform.system {
        System::Linux => {
            toolchain.cargo = ZIG.program("cargo-zigbuild");
            toolchain
                .cargo
                .current_dir(workspace::root())
                .env("PATH", ZIG.search_path())
                .arg("rustc");
            toolchain.cargo.args([
                "--target",
                &format!("{}.{}.{}", target.triple, GLIBC[0], GLIBC[1]),
            ]);
        }
        System::Windows => {
            toolchain.cargo.env(linker_variable(target), mingw(target));
        }
        System::Mac => {
            toolchain.cargo.env("SDKROOT", system_functions(build)?);
            toolchain.cargo.env(
                "MACOSX_DEPLOYMENT_TARGET",
                format!("{}.{}", MACOS[0], MACOS[1]),
            );
            // The UUID is a hash of the object files' paths, which are stripped only later.
            toolchain.flags = vec![
                "-Clinker=rust-lld",
                "-Clinker-flavor=ld64.lld",
                "-Clink-arg=-S",
            ];
            toolchain.flags.extend(MAC_NAME);
        }
    }
    Ok(toolchain)
}

/// Flags of a program's linker, which takes no name of a library, and symbols are stripped.
pub fn of_a_program(mut flags: Vec<&'static str>) -> Vec<&'static str> {
    flags.retain(|flag| !MAC_NAME.contains(flag));
    flags.push("-Cstrip=symbols");
    flags
}

/// Every tool that is missing to build for these platforms, a sentence each with the way to get it.
/// The environment with zig is made where it is missing.
pub fn missing(platforms: &Platforms) -> Result<Vec<String>> {
    let host = [platform::host()?];
    let (platforms, is_portable) = match platforms {
        Platforms::Host => (&host[..], false),
        Platforms::Portable(platforms) => (&platforms[..], true),
    };
    let mut missing = Vec::new();
    for platform in platforms {
        for target in platform.targets {
            if !has_std(target.triple) {
                missing.push(get_std(target.triple));
            }
            let linker = mingw(target);
            if is_portable
                && platform.system == System::Windows
                && workspace::find(&linker).is_none()
            {
                let package = linker.replace("x86_64", "x86-64");
                missing.push(format!(
                    "{linker}; install it, on Debian with `apt-get install {package}`"
                ));
            }
        }
    }
    if is_portable
        && platforms
            .iter()
            .any(|platform| platform.system != System::Windows)
    {
        missing.extend(ZIG.make()?);
    }
    Ok(missing)
}

/// Sentence with the way to get Rust's standard library for a target.
pub fn get_std(triple: &str) -> String {
    format!("Rust's library for {triple}; install it with `rustup target add {triple}`")
}

/// Whether Rust's standard library for a target is installed.
pub fn has_std(triple: &str) -> bool {
    let folder = rustc(&["--print", "target-libdir", "--target", triple]).unwrap_or_default();
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .map(|file| file.file_name())
        .any(|name| name.to_string_lossy().starts_with("libstd-"))
}

/// Asks rustup for the standard library of every target that lacks one.
pub fn install_standard_libraries() -> Result<()> {
    let targets = PLATFORMS
        .iter()
        .flat_map(|platform| platform.targets)
        .filter(|target| !has_std(target.triple));
    install(targets.map(|target| target.triple).collect())
}

/// Installs the standard library of a target, where it is missing.
pub fn require_std(triple: &str) -> Result<()> {
    if has_std(triple) {
        return Ok(());
    }
    install(vec![triple])
}

/// Asks rustup for the standard library of targets.
pub fn install(triples: Vec<&str>) -> Result<()> {
    if triples.is_empty() {
        return Ok(());
    }
    workspace::run(
        Command::new("timeout")
            .args(["300", "rustup", "target", "add"])
            .args(triples),
    )
}

/// Variable of cargo that names the linker for a target.
pub fn linker_variable(target: &Target) -> String {
    format!(
        "CARGO_TARGET_{}_LINKER",
        target.triple.to_uppercase().replace('-', "_")
    )
}

/// MinGW's compiler for a target.
pub fn mingw(target: &Target) -> String {
    let processor = if target.processor == Architecture::I386 {
        "i686"
    } else {
        "x86_64"
    };
    format!("{processor}-w64-mingw32-gcc")
}

/// A compiler of C for Linux, against the same old glibc as the libraries.
pub fn c_compiler(target: &Target) -> Command {
    let processor = match target.processor {
        Architecture::Aarch64 => "aarch64",
        Architecture::I386 => "x86",
        _ => "x86_64",
    };
    zig_cc(&format!("{processor}-linux-gnu.{}.{}", GLIBC[0], GLIBC[1]))
}

/// Zig's compiler of C, which is clang, for a system by its name in zig.
pub fn zig_cc(system: &str) -> Command {
    let mut command = ZIG.program("python");
    command.args(["-m", "ziglang", "cc", "-target", system]);
    command
}

/// A folder laid out as Apple's development kit, with the functions of macOS' system library and
/// nothing else.
fn system_functions(build: &Path) -> Result<PathBuf> {
    let script = "import os, ziglang; print(os.path.dirname(ziglang.__file__))";
    let package = workspace::output(ZIG.program("python").args(["-c", script]))?;
    let list = files::read(&Path::new(package.trim()).join("lib/libc/darwin/libSystem.tbd"))?;
    let kit = build.join("macos");
    // Rust links the library by three names, and programs link iconv by a fourth, of which they
    // call nothing.
    for name in ["libSystem.tbd", "libc.tbd", "libm.tbd", "libiconv.tbd"] {
        files::write_below(&kit, &format!("usr/lib/{name}"), &list)?;
    }
    Ok(kit)
}

/// Output of the compiler.
pub fn rustc(arguments: &[&str]) -> Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let printed = workspace::output(
        Command::new(rustc)
            .current_dir(workspace::root())
            .args(arguments),
    )?;
    Ok(printed.trim_end().to_owned())
}
