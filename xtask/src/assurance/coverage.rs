//! Lines, regions and branches of `src`, `fmu/src` and `export/src` that tests execute.
//!
//! The unit tests count, and the library that the suites of `tests/` load from FMUs, as importers do. Suites that call the counted code
//! by the library alone are compiled without counters: most of their time goes to the independent integrators, which counters would
//! make several times slower. The counters of all processes and of every load are merged into one file for each program. Lines of
//! test modules are left out. A region is a part of the code without a branch; those that the compiler derives are left out.
//! A branch is one outcome of a condition: of `if`, `while`, `&&`, `||` and of guards, not the arms of `match`. Only a nightly
//! compiler counts branches.

mod lines;

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread::{available_parallelism, scope};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::exceptions::Exceptions;
use super::{Options, folder, instrumented, record};
use crate::console::say;
use crate::{files, workspace};
use lines::{Counted, File, Totals, Unlisted};

/// Folders whose code is counted.
const COUNTED: [&str; 3] = ["src", "fmu/src", "export/src"];
/// Suites whose programs call the counted code themselves, beside the library that they load.
const COUNTED_SUITES: [&str; 6] = ["allocation", "cards", "description", "floating_point", "leaks", "one_contact"];
/// Test programs that need Python or another crate's FMU, and those of the reference laws, which call no code that is counted.
const LEFT_OUT: [&str; 7] =
    ["fmpy", "fmpy_coupling", "fmpy_c_host", "fmpy_importers", "own_law", "frdyn2_reference", "reference_laws"];

/// Builds, runs, counts, and records the table.
pub fn measure(options: &Options) -> Result<()> {
    let target = workspace::target().join("coverage");
    let commit = record::commit()?;
    let profiles = target.join("profiles");
    if options.programs.is_empty() {
        files::remove_folder(&profiles)?;
    }
    files::make_folder(&profiles)?;
    say!("tests and library with counters, into {}", target.display());
    let (counting, others) = (programs(&target)?, other_suites()?);
    let library = library(&target)?;
    let fmus = instrumented::export(&library, &target.join("fmu"))?;

    let is_chosen = |program: &&PathBuf| {
        options.programs.is_empty() || options.programs.iter().any(|text| name(program).contains(text.as_str()))
    };
    let failed = run(counting.iter().chain(&others).filter(is_chosen), &profiles, &fmus)?;
    let merged = target.join("merged.profdata");
    let raw = files::below(&profiles, "profraw")?;
    workspace::run(llvm("llvm-profdata")?.args(["merge", "-sparse", "-o"]).arg(&merged).args(&raw))?;
    let objects: Vec<&PathBuf> = counting.iter().chain([&library]).collect();
    let mut counted = Counted::default();
    for object in objects {
        counted.add(&report(&merged, object, "lcov")?, &report(&merged, object, "text")?)?;
    }
    let files = counted.files();
    record(&files, &commit)?;
    ensure!(failed.is_empty(), "tests failed with counters: {}", failed.join(", "));
    Ok(())
}

/// Runs programs, one on each processor, as some run a single long test; the names of those that fail.
fn run<'a>(programs: impl Iterator<Item = &'a PathBuf>, profiles: &Path, fmus: &Path) -> Result<Vec<String>> {
    let programs = Mutex::new(programs.collect::<Vec<_>>().into_iter());
    let next = || programs.lock().unwrap_or_else(PoisonError::into_inner).next();
    let one_after_another = || -> Result<Vec<String>> {
        let mut failed = Vec::new();
        while let Some(program) = next() {
            let (name, start) = (name(program), Instant::now());
            let mut test = Command::new(program);
            // Merged for each program and library: processes and loads are many.
            test.env("LLVM_PROFILE_FILE", profiles.join("%m.profraw")).env("BRISTLE_FMU_DIR", fmus).arg("--quiet");
            let package = workspace::root().join(if name.starts_with("bristle") { "." } else { "tests" });
            test.current_dir(&package).env("CARGO_MANIFEST_DIR", &package);
            let is_success = test.status().with_context(|| format!("cannot start {name}"))?.success();
            say!("{name}: {} s", start.elapsed().as_secs());
            if !is_success {
                failed.push(name);
            }
        }
        Ok(failed)
    };
    let workers = available_parallelism().map_or(1, usize::from);
    let ends: Vec<Result<Vec<String>>> = scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(one_after_another)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    Ok(ends.into_iter().collect::<Result<Vec<_>>>()?.concat())
}

/// Name of a program's file.
fn name(program: &Path) -> String {
    program.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Test programs with counters: unit tests, and the suites that call the counted code.
fn programs(target: &Path) -> Result<Vec<PathBuf>> {
    let packages =
        ["bristle", "bristle-fmu", "bristle-export", "bristle-tests"].into_iter().flat_map(|name| ["-p", name]);
    let suites = COUNTED_SUITES.into_iter().flat_map(|name| ["--test", name]);
    compiled(
        counted(target).args(["test", "--no-run", "--message-format", "json", "--lib"]).args(packages).args(suites),
    )
}

/// All other suites, which count nothing of their own.
fn other_suites() -> Result<Vec<PathBuf>> {
    let mut cargo = workspace::cargo();
    cargo.args(["test", "--no-run", "--message-format", "json", "--tests", "-p", "bristle-tests"]);
    let is_counted = |program: &PathBuf| COUNTED_SUITES.iter().any(|suite| is_of(program, suite));
    Ok(compiled(&mut cargo)?.into_iter().filter(|program| !is_counted(program)).collect())
}

/// Whether a program is that of a suite: cargo appends a hash to its name.
fn is_of(program: &Path, suite: &str) -> bool {
    name(program).rsplit_once('-').is_some_and(|(name, _)| name == suite)
}

/// Programs that a command of cargo compiles, without those that are left out.
fn compiled(cargo: &mut Command) -> Result<Vec<PathBuf>> {
    let said = workspace::output(cargo)?;
    let mut programs = Vec::new();
    for line in said.lines() {
        let Ok(artefact) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let name = artefact["target"]["name"].as_str().unwrap_or_default();
        if let Some(path) = artefact["executable"].as_str().filter(|_| !LEFT_OUT.contains(&name)) {
            programs.push(PathBuf::from(path));
        }
    }
    Ok(programs)
}

/// The library of the elements.
fn library(target: &Path) -> Result<PathBuf> {
    workspace::run(counted(target).args(["build", "--quiet", "-p", "bristle-elements", "--profile", "test"]))?;
    Ok(target.join("debug/libbristle_elements.so"))
}

/// Cargo that compiles with counters.
fn counted(target: &Path) -> Command {
    let mut cargo = instrumented::nightly();
    cargo.env("RUSTFLAGS", "-C instrument-coverage -Z coverage-options=branch").env("CARGO_TARGET_DIR", target);
    cargo.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_TEST_DEBUG", "0");
    cargo.env("LLVM_PROFILE_FILE", target.join("build.profraw"));
    cargo
}

/// A tool of the toolchain's component `llvm-tools`.
fn llvm(name: &str) -> Result<Command> {
    let said = workspace::output(Command::new("rustc").args(["+nightly", "--print", "target-libdir"]))?;
    let libraries = PathBuf::from(said.trim());
    let tool = libraries.parent().unwrap_or(&libraries).join("bin").join(name);
    ensure!(tool.exists(), "{name} is missing; install it with `rustup component add llvm-tools --toolchain nightly`");
    Ok(Command::new(tool))
}

/// Counts of an object in a format of `llvm-cov export`. Each has a report of its own: of several in one, the first would hide the
/// counts of functions that it has and does not call.
fn report(merged: &Path, object: &Path, format: &str) -> Result<String> {
    let mut command = llvm("llvm-cov")?;
    command.arg("export").arg(format!("--format={format}")).arg("--instr-profile").arg(merged).arg("--skip-expansions");
    command.arg(object).args(["--sources"]).args(COUNTED.map(|folder| workspace::root().join(folder)));
    workspace::output(&mut command)
}

/// Writes the table of the folders, and the list of lines that are neither reached nor listed.
fn record(files: &[File], commit: &str) -> Result<()> {
    let root = workspace::root();
    let exceptions = Exceptions::read(&root)?;
    let mut totals: BTreeMap<&str, Totals> = BTreeMap::new();
    let mut unlisted = Unlisted::default();
    for file in files {
        let Some(folder) = COUNTED.iter().find(|folder| file.path.starts_with(&format!("{folder}/"))) else { continue };
        let of_file = file.totals(&root, &exceptions, &mut unlisted)?;
        totals.entry(folder).or_default().add(&of_file);
    }
    for (what, text) in [("lines", &unlisted.lines), ("branches", &unlisted.branches)] {
        let path = workspace::target().join(format!("coverage/unreached-{what}.txt"));
        files::write(&path, text)?;
        say!("{} unreached {what} without a reason are in {}", text.lines().count(), path.display());
    }
    let columns = "folder\tlines\treached\tof all\tlisted with a reason\tneither\tregions\treached\tof all\tbranches\treached\tof all\t\
                   listed with a reason\tneither";
    let rows: Vec<String> = COUNTED.iter().filter_map(|folder| Some(totals.get(folder)?.row(folder))).collect();
    let path = folder(&root).join("coverage.tsv");
    record::write(&path, commit, "cargo xtask assurance coverage", columns, &rows)
}

/// The table as Markdown.
pub fn section(root: &Path) -> Result<String> {
    record::table(&folder(root).join("coverage.tsv"))
}
