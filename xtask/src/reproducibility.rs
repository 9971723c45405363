//! Reproducibility: an FMU gives the same bits on every platform and in every floating-point
//! environment of a host: each library that this machine can run, by itself or through Wine or
//! QEMU, is taken from the packaged FMUs and stepped by one C program through one reference run of
//! every element, once in the default environment and once in all of them in turns. So is an
//! element's C source, compiled for other systems.
//!
//! The inputs are calculated here, once, and passed as bits: a difference can only come from the
//! library.

mod reference_run;

pub use reference_run::STEPS;

use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::slice::from_ref;

use anyhow::{Context, Result, bail, ensure};
use bristle::catalogue::Variant;
use bristle_export::Exporter;
use bristle_export::platform::{self, Architecture, Platform, System};
use sha2::{Digest, Sha256};
use zip::ZipArchive;

use crate::package::toolchain;
use crate::{files, workspace};

/// Reference run of one element on one platform.
pub struct Run {
    pub name: String,
    /// Messages about mistakes, then a line for each step.
    lines: String,
}

impl Run {
    /// The line of each step begins with its status.
    fn steps(&self) -> impl Iterator<Item = &str> {
        self.lines
            .split_inclusive('\n')
            .filter(|line| line.starts_with(|first: char| first.is_ascii_digit()))
    }

    /// First half of the SHA-256 of all steps, enough to distinguish runs.
    pub fn hash(&self) -> String {
        Sha256::digest(self.steps().collect::<String>())[..16]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// Steps that the element refused.
    pub fn refused(&self) -> usize {
        self.steps().filter(|line| line.starts_with("3 ")).count()
    }

    /// An error that names the first line in which runs on two systems differ.
    pub fn compare(&self, other: &Run, [first, second]: [&str; 2]) -> Result<()> {
        let difference = difference(&self.lines, &other.lines);
        difference.with_context(|| format!("{} differs between {first} and {second}", self.name))
    }
}

/// An error that names the first line in which two outputs differ.
fn difference(one: &str, other: &str) -> Result<()> {
    for (line, (a, b)) in one.lines().zip(other.lines()).enumerate() {
        ensure!(
            a == b,
            "line {line} is `{a}` in the one, `{b}` in the other"
        );
    }
    ensure!(one.len() == other.len(), "one ends early");
    Ok(())
}

/// Runs elements in the libraries of `platform`, as the FMUs in the folder `fmus` hold them, behind
/// the words of [`runner`].
pub fn run(
    platform: &Platform,
    runner: &[&str],
    fmus: &Path,
    elements: &[Variant],
) -> Result<Vec<Run>> {
    let folder = made(platform.folder)?;
    let target = &platform.targets[0];
    let mut compiler = match platform.system {
        System::Windows => Command::new(toolchain::mingw(target)),
        _ => toolchain::c_compiler(target),
    };
    let program = program_in(&folder, platform);
    compile_host(&mut compiler, &program)?;
    let libraries = elements
        .iter()
        .map(|element| unpack(element.name(), platform, fmus, &folder))
        .collect::<Result<Vec<_>>>()?;
    run_program(&program, platform, runner, elements, &libraries)
}

/// Compiles the C source of an element by clang for a system, by its name in zig, and runs it as a
/// program of `platform`.
pub fn run_source(
    system: &str,
    platform: &Platform,
    runner: &[&str],
    element: &Variant,
    source: &[u8],
) -> Result<Run> {
    let folder = made(system)?;
    let mut exporter = Exporter::new();
    exporter.add_source(source)?;
    let fmu = exporter.export(element)?;
    ZipArchive::new(Cursor::new(fmu))?.extract(&folder)?;
    let program = program_in(&folder, platform);
    let mut zig = toolchain::zig_cc(system);
    zig.args(["-static", "-DLINKED", "-DFMI2_OVERRIDE_FUNCTION_PREFIX="]);
    if platform.targets[0].processor == Architecture::I386 {
        zig.args(["-msse2", "-mfpmath=sse"]);
    }
    zig.arg("-I").arg(workspace::root().join("tests/c/fmi2"));
    compile_host(zig.arg(folder.join("sources/fmi2.c")), &program)?;
    let elements = from_ref(element);
    let mut runs = run_program(&program, platform, runner, elements, &["-".to_owned()])?;
    runs.pop().context("the element was not run")
}

/// Folder of the runs on a system.
fn made(system: &str) -> Result<PathBuf> {
    let folder = workspace::target().join("reproducibility").join(system);
    files::make_folder(&folder)?;
    Ok(folder)
}

/// The C program in a folder, for a platform.
fn program_in(folder: &Path, platform: &Platform) -> PathBuf {
    folder.join(match platform.system {
        System::Windows => "run.exe",
        _ => "run",
    })
}

/// Runs elements in a program of a platform, in its folder with their libraries.
fn run_program(
    program: &Path,
    platform: &Platform,
    runner: &[&str],
    elements: &[Variant],
    libraries: &[String],
) -> Result<Vec<Run>> {
    let folder = program.parent().context("a program lies in a folder")?;
    // Wine keeps its own world there and makes no folder above it.
    let worlds = workspace::target().join("wine");
    files::make_folder(&worlds)?;
    let mut files = Vec::new();
    for (element, library) in elements.iter().zip(libraries) {
        let run = format!("{}.txt", element.name());
        files::write(&folder.join(&run), reference_run::write(element))?;
        // Names relative to the folder are the same under Wine.
        files.extend([format!("./{library}"), run]);
    }
    // All elements in one process: Wine takes seconds to start. A run that hangs is ended.
    let print = |options: &[&str]| {
        let mut command = Command::new("timeout");
        command
            .arg("300")
            .args(runner)
            .arg(program)
            .args(options)
            .args(&files)
            .current_dir(folder);
        // Without Wine's messages and its offers to install packages at the first start.
        command
            .env("WINEDEBUG", "-all")
            .env("WINEDLLOVERRIDES", "mscoree,mshtml=");
        command
            .env("WINEPREFIX", worlds.join(platform.folder))
            .env("WINEARCH", platform.folder);
        let printed = workspace::output(&mut command);
        printed.map(|printed| format!("\n{}", printed.replace('\r', "")))
    };
    let said = print(&[])?;
    difference(&said, &print(&["--environments"])?).with_context(|| {
        format!(
            "on {} another floating-point environment changes the run",
            platform.folder
        )
    })?;
    let parts: Vec<&str> = said.split("\nrun ").skip(1).collect();
    ensure!(
        parts.len() == elements.len(),
        "{} elements of {} were run",
        parts.len(),
        elements.len()
    );
    let runs = elements.iter().zip(parts);
    let runs: Vec<_> = runs
        .map(|(element, lines)| Run {
            name: element.name().to_owned(),
            lines: lines.to_owned(),
        })
        .collect();
    if let Some(run) = runs.iter().find(|run| run.refused() * 100 > STEPS) {
        bail!(
            "{} refuses {} of {STEPS} steps, too many for a reference",
            run.name,
            run.refused()
        );
    }
    Ok(runs)
}

/// Words before a program for a platform that run it on this machine, or a sentence with the way to
/// get them.
pub fn runner(platform: &Platform) -> Result<&'static [&'static str], String> {
    let (words, needed, package): (&[_], _, _) = match platform.folder {
        _ if platform::host().is_ok_and(|host| host == platform) => return Ok(&[]),
        // Debian's loaders.
        "win64" => (&["/usr/lib/wine/wine64"], "/usr/lib/wine", "wine64"),
        "win32" => (&["/usr/lib/wine/wine"], "/usr/lib/wine", "wine32:i386"),
        "aarch64-linux" => (
            &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
            "/usr/aarch64-linux-gnu",
            "qemu-user libc6-arm64-cross",
        ),
        "linux32" => (&[], "/lib/ld-linux.so.2", "libc6-i386"),
        other => {
            return Err(format!(
                "nothing here runs {other}; its library is only inspected."
            ));
        }
    };
    if Path::new(needed).exists()
        && words
            .first()
            .is_none_or(|word| workspace::find(word).is_some())
    {
        return Ok(words);
    }
    Err(format!(
        "nothing here runs {}; install it, on Debian with `apt-get install {package}`.",
        platform.folder
    ))
}

/// Compiles the C program by this compiler.
pub fn compile_host(compiler: &mut Command, program: &Path) -> Result<()> {
    compiler
        .args(["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(program);
    compiler.arg(workspace::root().join("tests/c/reference_run.c"));
    compiler.arg("-lm");
    if program.extension().is_none() {
        compiler.arg("-ldl");
    }
    workspace::output(compiler).map(drop)
}

/// Puts an element's library into the folder, and returns the file's name.
pub fn unpack(name: &str, platform: &Platform, fmus: &Path, folder: &Path) -> Result<String> {
    let library = format!("{name}.{}", platform.system.extension());
    let packed = format!("binaries/{}/{library}", platform.folder);
    let mut archive =
        ZipArchive::new(Cursor::new(files::read(&fmus.join(format!("{name}.fmu")))?))?;
    let mut bytes = Vec::new();
    archive
        .by_name(&packed)
        .with_context(|| format!("{name}.fmu has no {packed}"))?
        .read_to_end(&mut bytes)?;
    let path = folder.join(&library);
    files::write(&path, bytes)?;
    Ok(library)
}
