//! Reproducibility: an FMU gives the same bits on every platform and in every floating-point environment of a host: each library that
//! this machine can run, by itself or through Wine or QEMU, is taken from the packaged FMUs and stepped by one C program
//! through one reference run of every element, once in the default environment and once in all of them in turns.
//!
//! The inputs are calculated here, once, and passed as bits: a difference can only come from the library.

mod reference_run;

pub use reference_run::STEPS;

use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use bristle::catalogue::Variant;
use sha2::{Digest, Sha256};
use zip::ZipArchive;

use crate::package::toolchain;
use crate::{files, workspace};
use bristle_export::platform::{self, Platform, System};

/// Beginning of the line before each run.
const HEAD: &str = "\nrun ";

/// Seconds after which a run counts as hung.
const PATIENCE: &str = "300";

/// Reference run of one element on one platform.
pub struct Run {
    pub name: String,
    /// Messages about mistakes, then a line for each step.
    lines: String,
}

impl Run {
    /// The line of each step begins with its status.
    fn steps(&self) -> impl Iterator<Item = &str> {
        self.lines.split_inclusive('\n').filter(|line| line.starts_with(|first: char| first.is_ascii_digit()))
    }

    /// First half of the SHA-256 of all steps, enough to distinguish runs.
    pub fn hash(&self) -> String {
        Sha256::digest(self.steps().collect::<String>())[..16].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Steps that the element refused.
    pub fn refused(&self) -> usize {
        self.steps().filter(|line| line.starts_with("3 ")).count()
    }

    /// An error that names the first line in which two platforms differ.
    pub fn compare(&self, other: &Run, platforms: [&Platform; 2]) -> Result<()> {
        let mut pairs = self.lines.lines().zip(other.lines.lines()).enumerate();
        if let Some((line, (a, b))) = pairs.find(|(_, (a, b))| a != b) {
            let [first, second] = platforms.map(|platform| platform.folder);
            bail!(
                "{} differs in line {line}: {first} prints {a}, {second} {b}; look for what the platforms do differently",
                self.name
            );
        }
        ensure!(self.lines == other.lines, "{} ends early on one platform", self.name);
        Ok(())
    }
}

/// Reason why a platform's library cannot be run here, in a sentence.
pub struct NotHere(pub String);

/// Command that starts a program for a platform on this machine.
struct Runner(Vec<&'static str>);

/// Runs elements in the libraries of `platform`, as the FMUs in the folder `fmus` hold them.
pub fn run(platform: &'static Platform, fmus: &Path, elements: &[Variant]) -> Result<Result<Vec<Run>, NotHere>> {
    let runner = match runner(platform) {
        Ok(runner) => runner,
        Err(why) => return Ok(Err(why)),
    };
    let folder = workspace::target().join("reproducibility").join(platform.folder);
    files::make_folder(&folder)?;
    let program = compile(platform, &folder)?;
    let mut files = Vec::new();
    for element in elements {
        let library = unpack(element.name(), platform, fmus, &folder)?;
        let run = format!("{}.txt", element.name());
        let path = folder.join(&run);
        files::write(&path, reference_run::write(element))?;
        // Names relative to the folder are the same under Wine.
        files.extend([format!("./{library}"), run]);
    }
    // All elements in one process: Wine takes seconds to start.
    let print = |options: &[&str]| {
        let mut command = runner.command(platform, &program)?;
        command.args(options).args(&files).current_dir(&folder);
        let printed = workspace::output(&mut command)
            .with_context(|| format!("the elements were not run on {}", platform.folder))?;
        Ok::<_, anyhow::Error>(format!("\n{}", printed.replace('\r', "")))
    };
    let said = print(&[])?;
    let environments = print(&["--environments"])?;
    if let Some((line, (default, other))) =
        said.lines().zip(environments.lines()).enumerate().find(|(_, (a, b))| a != b)
    {
        bail!(
            "on {} line {line} of the reference runs is {other} in another floating-point environment and {default} in the \
             default one; a function of the library does not enter it",
            platform.folder
        );
    }
    ensure!(said.len() == environments.len(), "the runs in other floating-point environments end early");
    let mut parts = said.split(HEAD).skip(1);
    let runs = elements.iter().map(|element| {
        let name = element.name();
        let lines = parts.next().with_context(|| format!("{name} was not run on {}", platform.folder))?;
        let run = Run { name: name.to_owned(), lines: lines.to_owned() };
        let refused = run.refused();
        ensure!(
            refused * 100 <= STEPS,
            "{name} refuses {refused} of {STEPS} steps, too many for a reference; see its log"
        );
        Ok(run)
    });
    runs.collect::<Result<_>>().map(Ok)
}

impl Runner {
    /// Command that runs a program; one that hangs is ended.
    fn command(&self, platform: &Platform, program: &Path) -> Result<Command> {
        // Wine keeps its own world there and makes no folder above it.
        let worlds = workspace::target().join("wine");
        files::make_folder(&worlds)?;
        let mut command = Command::new("timeout");
        command.arg(PATIENCE).args(&self.0).arg(program);
        // Without Wine's messages and its offers to install packages at the first start.
        command.env("WINEDEBUG", "-all").env("WINEDLLOVERRIDES", "mscoree,mshtml=");
        command.env("WINEPREFIX", worlds.join(platform.folder)).env("WINEARCH", platform.folder);
        Ok(command)
    }
}

/// Command that runs a program for a platform on this machine.
pub fn command(platform: &Platform, program: &Path) -> Result<Result<Command, NotHere>> {
    match runner(platform) {
        Ok(runner) => runner.command(platform, program).map(Ok),
        Err(why) => Ok(Err(why)),
    }
}

fn runner(platform: &Platform) -> Result<Runner, NotHere> {
    let there = |path: &str| Path::new(path).exists();
    let missing = |what: &str, package: &str| {
        NotHere(format!("{what} is not installed; install it, on Debian with `apt-get install {package}`."))
    };
    if platform::host().is_ok_and(|host| host == platform) {
        return Ok(Runner(vec![]));
    }
    match platform.folder {
        "win64" if there("/usr/lib/wine/wine64") => Ok(Runner(vec!["/usr/lib/wine/wine64"])),
        "win64" if workspace::find("wine64").is_some() => Ok(Runner(vec!["wine64"])),
        "win64" => Err(missing("Wine", "wine64")),
        // Debian's loader of 32-bit programs.
        "win32" if there("/usr/lib/wine/wine") => Ok(Runner(vec!["/usr/lib/wine/wine"])),
        "win32" => Err(missing("Wine for 32 bits", "wine32:i386")),
        "aarch64-linux" if workspace::find("qemu-aarch64").is_none() => Err(missing("QEMU", "qemu-user")),
        "aarch64-linux" if !there("/usr/aarch64-linux-gnu/lib") => {
            Err(missing("the C library of arm64", "libc6-arm64-cross"))
        }
        "aarch64-linux" => Ok(Runner(vec!["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"])),
        "linux32" if !there("/lib/ld-linux.so.2") => Err(missing("the C library of 32-bit Linux", "libc6-i386")),
        "linux32" => Ok(Runner(vec![])),
        other => Err(NotHere(format!("this machine has nothing that runs {other}; its library is only inspected."))),
    }
}

/// Compiles the C program for a platform.
fn compile(platform: &Platform, folder: &Path) -> Result<PathBuf> {
    let target = &platform.targets[0];
    let program = folder.join(if platform.system == System::Windows { "run.exe" } else { "run" });
    let mut compiler = match platform.system {
        System::Windows => Command::new(toolchain::mingw(target)?),
        _ => toolchain::c_compiler(target)?,
    };
    compiler.args(["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program);
    compiler.arg(workspace::root().join("tests/c/reference_run.c"));
    if platform.system == System::Linux {
        compiler.arg("-ldl");
    }
    workspace::output(&mut compiler)?;
    Ok(program)
}

/// Puts an element's library into the folder, and returns the file's name.
pub fn unpack(name: &str, platform: &Platform, fmus: &Path, folder: &Path) -> Result<String> {
    let library = format!("{name}.{}", platform.system.extension());
    let packed = format!("binaries/{}/{library}", platform.folder);
    let mut archive = ZipArchive::new(Cursor::new(files::read(&fmus.join(format!("{name}.fmu")))?))?;
    let mut bytes = Vec::new();
    archive.by_name(&packed).with_context(|| format!("{name}.fmu has no {packed}"))?.read_to_end(&mut bytes)?;
    let path = folder.join(&library);
    files::write(&path, bytes)?;
    Ok(library)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn difference_in_one_bit_is_reported_with_its_line() {
        let run = |lines: &str| Run { name: "A".to_owned(), lines: lines.to_owned() };
        let platforms = ["linux64", "win64"].map(|folder| platform::find(folder).unwrap());
        let expected = run("0 3ff0000000000000\n0 4000000000000000\n");
        assert!(expected.compare(&expected, platforms).is_ok());

        let other = run("0 3ff0000000000000\n0 4000000000000001\n");
        let error = expected.compare(&other, platforms).unwrap_err().to_string();
        assert!(error.contains("line 1") && error.contains("win64 0 4000000000000001"), "{error}");
        assert_ne!(expected.hash(), other.hash());

        let short = run("0 3ff0000000000000\n");
        assert!(expected.compare(&short, platforms).unwrap_err().to_string().contains("ends early"));
    }
}
