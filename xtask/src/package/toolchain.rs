//! Toolchains that build the library for a platform: cargo and a linker with the platform's system libraries.
//!
//! Without options, this machine's own compiler builds for this machine, as it does for any Rust program. A library for
//! others is built by one recipe per system, whatever else a machine has, so that its bytes do not depend on it:
//!
//! - Linux: zig, against glibc 2.17, with cargo-zigbuild, both from PyPI;
//! - Windows: MinGW's gcc;
//! - macOS: the linker that Rust brings, against the list of system functions that zig brings.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, iter};

use anyhow::{Context, Result, bail};
use bristle_export::platform::{self, Architecture, GLIBC, MACOS, PLATFORMS, Platform, System, Target};

use super::platforms::Platforms;
use crate::console::say;
use crate::environment::MATURIN;
use crate::{files, workspace};

/// Packages of PyPI, in the versions that made the released libraries.
pub const ZIG_PACKAGES: [&str; 2] = ["ziglang==0.15.2", "cargo-zigbuild==0.24.0"];

/// Seconds that an installation may take.
const PATIENCE: &str = "300";

/// Cargo building for a target, and the flags of its linker.
pub struct Toolchain {
    pub cargo: Command,
    pub flags: Vec<String>,
}

/// The machine's own compiler, for this machine.
pub fn own(target: &Target) -> Toolchain {
    let mut cargo = workspace::cargo();
    cargo.args(["rustc", "--target", target.triple]);
    Toolchain { cargo, flags: Vec::new() }
}

/// Compiler and linker of portable libraries. `build` is a folder for files of the linker.
pub fn portable(platform: &Platform, target: &Target, build: &Path) -> Result<Toolchain> {
    match platform.system {
        System::Linux => {
            let zig = Zig::find()?;
            let mut cargo = Command::new(zig.programs.join("cargo-zigbuild"));
            cargo.current_dir(workspace::root()).env("PATH", zig.path()).arg("rustc");
            cargo.args(["--target", &format!("{}.{}.{}", target.triple, GLIBC[0], GLIBC[1])]);
            Ok(Toolchain { cargo, flags: Vec::new() })
        }
        System::Windows => {
            let mut own = own(target);
            let variable = format!("CARGO_TARGET_{}_LINKER", target.triple.to_uppercase().replace('-', "_"));
            own.cargo.env(variable, mingw(target)?);
            Ok(own)
        }
        System::Mac => {
            let mut own = own(target);
            own.cargo.env("SDKROOT", system_functions(build)?);
            own.cargo.env("MACOSX_DEPLOYMENT_TARGET", format!("{}.{}", MACOS[0], MACOS[1]));
            own.flags = [MAC_LINKER, "-Clinker-flavor=ld64.lld"]
                .into_iter()
                // Otherwise the name would be where the library was built …
                .chain(["-Clink-arg=-install_name", "-Clink-arg=@rpath/bristle.dylib"])
                // The UUID is a hash of the object files' paths, which are stripped only later.
                .chain(["-Clink-arg=-S"])
                .map(str::to_owned)
                .collect();
            Ok(own)
        }
    }
}

/// Flag that names the linker for macOS.
pub const MAC_LINKER: &str = "-Clinker=rust-lld";

/// Flags of a program's linker, which takes no name of a library, and symbols are stripped.
pub fn of_a_program(flags: Vec<String>) -> Vec<String> {
    let names = ["-Clink-arg=-install_name", "-Clink-arg=@rpath/bristle.dylib"];
    flags.into_iter().filter(|flag| !names.contains(&&**flag)).chain(["-Cstrip=symbols".to_owned()]).collect()
}

/// Every tool that is missing to build for these platforms, a sentence each with the way to get it.
pub fn missing(platforms: &Platforms) -> Result<Vec<String>> {
    let mut missing = Vec::new();
    let (platforms, is_portable) = match platforms {
        Platforms::Host => (vec![platform::host()?], false),
        Platforms::Portable(platforms) => (platforms.clone(), true),
    };
    let targets = || platforms.iter().flat_map(|platform| platform.targets);
    let lacking: Vec<_> = targets().filter(|target| !has_std(target)).map(|target| target.triple).collect();
    if !lacking.is_empty() {
        missing.push(format!(
            "Rust's standard library for {} is missing; install it with `rustup target add {}`",
            lacking.join(", "),
            lacking.join(" ")
        ));
    }
    if is_portable {
        let needs_zig = platforms.iter().any(|platform| platform.system != System::Windows);
        missing.extend(needs_zig.then(Zig::find).and_then(Result::err).map(|error| error.to_string()));
        let windows = platforms.iter().filter(|platform| platform.system == System::Windows);
        let linkers: Vec<_> = windows
            .flat_map(|platform| platform.targets)
            .map(Linker::of)
            .filter(|linker| workspace::find(&linker.program).is_none())
            .collect();
        missing.extend(Linker::missing(&linkers));
    }
    Ok(missing)
}

/// Whether Rust's standard library for a target is installed.
fn has_std(target: &Target) -> bool {
    let folder = rustc(&["--print", "target-libdir", "--target", target.triple]).unwrap_or_default();
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_std = |name: OsString| name.to_string_lossy().starts_with("libstd-");
    files.map(|file| file.file_name()).any(is_std)
}

/// A linker for Windows.
struct Linker {
    program: String,
    /// The package of Debian that has it.
    package: String,
}

impl Linker {
    fn of(target: &Target) -> Self {
        let processor = if target.processor == Architecture::I386 { "i686" } else { "x86_64" };
        Linker {
            program: format!("{processor}-w64-mingw32-gcc"),
            package: format!("gcc-mingw-w64-{}-win32", processor.replace('_', "-")),
        }
    }

    /// One sentence for linkers that are missing.
    fn missing(linkers: &[Linker]) -> Option<String> {
        let [programs, packages] = [|linker: &Linker| linker.program.clone(), |linker: &Linker| linker.package.clone()]
            .map(|part| linkers.iter().map(part).collect::<Vec<_>>());
        let (what, them) = if linkers.len() == 1 { ("linker", "it") } else { ("linkers", "them") };
        let verb = if linkers.len() == 1 { "is" } else { "are" };
        (!linkers.is_empty()).then(|| {
            format!(
                "the {what} {} {verb} missing; install {them}, on Debian with `apt-get install {}`",
                programs.join(", "),
                packages.join(" ")
            )
        })
    }
}

/// MinGW's compiler for a target.
pub fn mingw(target: &Target) -> Result<String> {
    let linker = Linker::of(target);
    if workspace::find(&linker.program).is_none() {
        bail!("{}", Linker::missing(&[linker]).unwrap_or_default());
    }
    Ok(linker.program)
}

/// A compiler of C for Linux, against the same old glibc as the libraries.
pub fn c_compiler(target: &Target) -> Result<Command> {
    let processor = match target.processor {
        Architecture::Aarch64 => "aarch64",
        Architecture::I386 => "x86",
        _ => "x86_64",
    };
    let zig = Zig::find()?;
    let mut command = Command::new(zig.programs.join("python"));
    command.args(["-m", "ziglang", "cc", "-target", &format!("{processor}-linux-gnu.{}.{}", GLIBC[0], GLIBC[1])]);
    Ok(command)
}

/// zig and cargo-zigbuild in a Python environment.
struct Zig {
    /// The folder of the environment's programs.
    programs: PathBuf,
}

impl Zig {
    /// The environment below `target/`, or else the active one.
    fn find() -> Result<Self> {
        let program = zig_environment().join("bin/cargo-zigbuild");
        let program = if program.exists() { Some(program) } else { workspace::find("cargo-zigbuild") };
        let programs = program.and_then(|program| Some(program.parent()?.to_owned())).with_context(|| {
            format!(
                "zig and cargo-zigbuild are missing; install them with `python3 -m venv target/zig && target/zig/bin/pip install {}`",
                ZIG_PACKAGES.join(" ")
            )
        })?;
        Ok(Zig { programs })
    }

    /// Search path with the environment first, where cargo-zigbuild finds the Python that has zig.
    fn path(&self) -> OsString {
        let path = env::var_os("PATH").unwrap_or_default();
        env::join_paths(iter::once(self.programs.clone()).chain(env::split_paths(&path))).unwrap_or(path)
    }
}

fn zig_environment() -> PathBuf {
    workspace::target().join("zig")
}

/// Makes the Python environment with zig; an existing one needs no network.
pub fn install_zig() -> Result<()> {
    let environment = zig_environment();
    if !environment.join("bin/pip").exists() {
        workspace::output(Command::new("python3").args(["-m", "venv"]).arg(&environment)).context(
            "zig needs Python 3 with its module venv; install it, on Debian with `apt-get install python3-venv`",
        )?;
    }
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    workspace::output(
        Command::new("timeout").arg(PATIENCE).arg(environment.join("bin/python")).args(pip).args(ZIG_PACKAGES),
    )
    .context("zig and cargo-zigbuild were not installed; they come from PyPI, which needs the network this once")?;
    Ok(())
}

/// The builder of wheels, in the environment with zig, which it finds there.
pub fn maturin() -> Result<Command> {
    let zig = Zig::find()?;
    let program = zig.programs.join("maturin");
    if !program.exists() {
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", MATURIN];
        workspace::output(Command::new("timeout").arg(PATIENCE).arg(zig.programs.join("python")).args(pip))
            .context("maturin was not installed; it comes from PyPI, which needs the network this once")?;
    }
    let mut command = Command::new(program);
    command.env("PATH", zig.path()).env("VIRTUAL_ENV", zig.programs.parent().unwrap_or(&zig.programs));
    Ok(command)
}

/// Asks rustup for the standard library of every target that lacks one.
pub fn install_standard_libraries() -> Result<()> {
    for target in PLATFORMS.iter().flat_map(|platform| platform.targets) {
        if !has_std(target) {
            say!("rustup target add {}", target.triple);
            workspace::output(Command::new("timeout").args([PATIENCE, "rustup", "target", "add", target.triple]))?;
        }
    }
    Ok(())
}

/// The search path with zig's environment first, where there is one.
pub fn search_path() -> OsString {
    Zig::find().map_or_else(|_| env::var_os("PATH").unwrap_or_default(), |zig| zig.path())
}

/// A folder laid out as Apple's development kit, with the functions of macOS' system library and nothing else.
fn system_functions(build: &Path) -> Result<PathBuf> {
    let zig = Zig::find()?;
    let script = "import os, ziglang; print(os.path.dirname(ziglang.__file__))";
    let package = workspace::output(Command::new(zig.programs.join("python")).args(["-c", script]))?;
    let list = files::read(&Path::new(package.trim()).join("lib/libc/darwin/libSystem.tbd"))?;

    let kit = build.join("macos");
    let folder = kit.join("usr/lib");
    files::make_folder(&folder)?;
    // Rust links the library by three names, and programs link iconv by a fourth, of which they call nothing.
    for name in ["libSystem.tbd", "libc.tbd", "libm.tbd", "libiconv.tbd"] {
        files::write(&folder.join(name), &list)?;
    }
    Ok(kit)
}

/// Output of the compiler.
pub fn rustc(arguments: &[&str]) -> Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let printed = workspace::output(Command::new(rustc).current_dir(workspace::root()).args(arguments))?;
    Ok(printed.trim_end().to_owned())
}
