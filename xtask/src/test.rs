//! `cargo xtask test`: everything the project claims, checked by one command.
//!
//! What a machine lacks (Python, a Rust component) is said in a sentence and counted as skipped; everything else passes
//! or fails. The stages that come after a failure still run: one run tells all there is to mend.

mod platforms;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use bristle::catalogue::ELEMENTS;

use crate::environment::{self, EXAMPLES, Environment};
use crate::importers::{self, Matrix};
use crate::instructions::{self, Verdict};
use crate::{crosscheck, examples, hostile, package, papers, stress, workspace};

pub fn command() -> Result<()> {
    let fmus = workspace::target().join("fmu");
    let mut tally = Tally::default();

    tally.stage("formatting", || {
        component("fmt", "rustfmt")?;
        cargo(&["fmt", "--all", "--check"])
    });
    tally.stage("lints", || {
        component("clippy", "clippy")?;
        cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])
    });
    tally.stage("tests of the library, the C interface and the exporter", || {
        cargo(&[
            "test",
            "--workspace",
            "--exclude",
            "bristle-tests",
            "--exclude",
            "bristle-experiments",
            "--no-fail-fast",
        ])
    });
    let packaged = tally.stage("packaging", || passed(package::for_this_machine()));
    tally.stage("packaging from another folder gives the same bytes", || {
        needs(packaged, "packaging failed")?;
        passed(platforms::package_elsewhere(&fmus, &[]))
    });

    let python = tally.stage("Python environment", || make(&environment::IMPORTERS));
    tally.stage("fmpy validate", || {
        needs(packaged, "packaging failed")?;
        needs(python, "the Python environment is missing")?;
        each_fmu(&fmus, |fmu| {
            let said = said(script("fmpy").arg("validate").arg(fmu))?;
            ensure!(said.trim() == "No problems found.", "fmpy reports on {}:\n{said}", fmu.display());
            Ok(())
        })
    });
    tally.stage("fmutool -check", || {
        needs(packaged, "packaging failed")?;
        needs(python, "the Python environment is missing")?;
        each_fmu(&fmus, |fmu| {
            let said = said(script("fmutool").arg("-input").arg(fmu).arg("-check"))?;
            let is_clean = said.contains("seems to be compliant with FMI-2.0")
                && said.contains("No semantic error against the FMI-2 standard")
                && !["WARNING", "ERROR", "CRITICAL"].iter().any(|level| said.contains(level));
            ensure!(is_clean, "fmutool reports on {}:\n{said}", fmu.display());
            Ok(())
        })
    });
    tally.stage("tests of the packaged FMUs", || {
        needs(packaged, "packaging failed")?;
        let targets = test_targets()?;
        fmu_tests(&fmus, targets.iter().filter(|name| !name.starts_with("fmpy")), "")
    });
    tally.stage("FMPy, and a C program with the headers it brings", || {
        needs(packaged, "packaging failed")?;
        needs(python, "the Python environment is missing")?;
        fmu_tests(&fmus, ["fmpy", "fmpy_coupling", "fmpy_c_host"], "")
    });
    for (module, test, how) in IMPORTERS {
        tally.stage(&format!("{module} runs the packaged FMU"), || {
            needs(packaged, "packaging failed")?;
            needs(python, "the Python environment is missing")?;
            if !environment::IMPORTERS.can_import(module) {
                return Err(Obstacle::Skipped(format!("Python cannot load {module}; {how}.")));
            }
            fmu_tests(&fmus, ["fmpy_importers"], test)
        });
    }
    tally.stage("a hostile importer, 10 000 calls", || {
        needs(packaged, "packaging failed")?;
        passed(hostile::run(&hostile::Options::default()))
    });
    tally.stage("instructions of a step", || match instructions::run(false)? {
        Verdict::Held => Ok(()),
        Verdict::Skipped(why) => Err(Obstacle::Skipped(why)),
    });
    tally.stage("random steps against independent integrators, and a long rest", || {
        needs(packaged, "packaging failed")?;
        passed(stress::run(&stress::Options::default()))
    });

    importer_stages(&mut tally, packaged, python, &fmus);
    let python = tally.stage("Python environment of the examples", || make(&EXAMPLES));
    for example in &examples::ALL {
        tally.stage(&format!("examples/{}", example.script), || {
            needs(packaged, "packaging failed")?;
            needs(python, "the Python environment of the examples is missing")?;
            if let Some(package) = example.missing() {
                return Err(Obstacle::Skipped(format!(
                    "Python cannot load {package}; its wheel does not fit this machine."
                )));
            }
            passed(example.run())
        });
    }
    tally.stage("the papers' rigs, in one piece and through the FMUs", || {
        needs(packaged, "packaging failed")?;
        let mut command = workspace::cargo();
        passed(workspace::run(command.args(["test", "-p", "bristle-experiments"]).env("BRISTLE_FMU_DIR", &fmus)))
    });
    tally.stage("every number of the papers", || {
        needs(packaged, "packaging failed")?;
        passed(papers::run(false))
    });

    platforms::stages(&mut tally);

    println!("\n{} passed, {} failed, {} skipped", tally.passed, tally.failed, tally.skipped);
    // Said above already, and the counts are to stand last.
    std::process::exit(i32::from(tally.failed > 0));
}

/// Every element in every importer, and its files for other tools.
fn importer_stages(tally: &mut Tally, packaged: bool, python: bool, fmus: &Path) {
    let mut matrix = None;
    tally.stage("every element in a C program", || {
        needs(packaged, "packaging failed")?;
        matrix = Some(Matrix::new(fmus)?);
        Ok(())
    });
    for importer in &importers::ALL {
        tally.stage(&format!("every element in {}", importer.name), || {
            // The crate `fmi` needs it too, to build.
            needs(python, "the Python environment is missing")?;
            let matrix = matrix.as_mut().ok_or_else(|| lacking("the C program left no forces to compare with"))?;
            if let Some(why) = matrix.missing(importer) {
                matrix.skip(importer, &why);
                return Err(Obstacle::Skipped(why));
            }
            passed(matrix.run(importer))
        });
    }
    if let Some(matrix) = matrix.filter(|_| python) {
        match matrix.markdown() {
            Ok(table) => println!("\n{table}"),
            Err(error) => println!("the table of importers was not made: {error:#}"),
        }
    }
    tally.stage("Cross-Check files replayed in FMPy", || {
        needs(packaged, "packaging failed")?;
        needs(python, "the Python environment is missing")?;
        passed(crosscheck::replay(fmus))
    });
}

/// Importers in Python beside FMPy: module, test, and what a machine may lack to load it.
const IMPORTERS: [(&str, &str, &str); 2] = [
    ("libcosimpy", "libcosim_gets", "its wheel does not fit this machine"),
    ("ecospy", "ecos_gets", "on Debian install `apt-get install libtbb12`"),
];

/// The names of the test programs of `tests/`.
fn test_targets() -> Result<Vec<String>> {
    let folder = workspace::root().join("tests/tests");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") || path.join("main.rs").exists() {
            names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

/// Runs test programs on the packaged FMUs, and of them the tests whose names hold `filter`.
fn fmu_tests(fmus: &Path, targets: impl IntoIterator<Item = impl AsRef<str>>, filter: &str) -> Outcome {
    let mut command = workspace::cargo();
    command.args(["test", "-p", "bristle-tests", "--no-fail-fast"]);
    for target in targets {
        command.args(["--test", target.as_ref()]);
    }
    command.arg(filter).env("BRISTLE_FMU_DIR", fmus).env("BRISTLE_PYTHON", script("python").get_program());
    passed(workspace::run(&mut command))
}

/// Why a stage did not pass.
enum Obstacle {
    /// The machine cannot run it; one sentence why and how to change that.
    Skipped(String),
    Failed(anyhow::Error),
}

impl From<anyhow::Error> for Obstacle {
    fn from(error: anyhow::Error) -> Self {
        Obstacle::Failed(error)
    }
}

type Outcome = Result<(), Obstacle>;

#[derive(Default)]
struct Tally {
    passed: u32,
    failed: u32,
    skipped: u32,
}

impl Tally {
    /// Runs a stage and says how it went; true where it passed.
    fn stage(&mut self, name: &str, check: impl FnOnce() -> Outcome) -> bool {
        println!("\n== {name}");
        let start = Instant::now();
        let outcome = check();
        let seconds = start.elapsed().as_secs_f64();
        match &outcome {
            Ok(()) => {
                self.passed += 1;
                println!("== passed: {name}, {seconds:.1} s");
            }
            Err(Obstacle::Skipped(why)) => {
                self.skipped += 1;
                println!("SKIPPED {name}: {why}");
            }
            Err(Obstacle::Failed(error)) => {
                self.failed += 1;
                println!("== FAILED: {name}, {seconds:.1} s: {error:#}");
            }
        }
        outcome.is_ok()
    }
}

fn passed(result: Result<()>) -> Outcome {
    Ok(result?)
}

fn needs(there: bool, otherwise: &str) -> Outcome {
    if there { Ok(()) } else { Err(lacking(otherwise)) }
}

/// A stage is skipped for want of what an earlier one did not leave.
fn lacking(what: &str) -> Obstacle {
    Obstacle::Skipped(format!("{what}, see above."))
}

/// Makes a virtual environment; skips where this machine has no Python for it.
fn make(environment: &Environment) -> Outcome {
    environment.make()?.map_or(Ok(()), |why| Err(Obstacle::Skipped(why)))
}

/// A program of the virtual environment.
fn script(name: &str) -> Command {
    environment::IMPORTERS.program(name)
}

fn cargo(arguments: &[&str]) -> Outcome {
    passed(workspace::run(workspace::cargo().args(arguments)))
}

/// Skips where a component of the Rust toolchain is not installed.
fn component(subcommand: &str, name: &str) -> Outcome {
    let there = workspace::cargo().args([subcommand, "--version"]).output().is_ok_and(|output| output.status.success());
    if there {
        return Ok(());
    }
    Err(Obstacle::Skipped(format!("{name} is not installed; install it with `rustup component add {name}`.")))
}

fn each_fmu(folder: &Path, check: impl Fn(&Path) -> Result<()>) -> Outcome {
    for entry in &ELEMENTS {
        let fmu = folder.join(format!("{}.fmu", entry.declaration.name));
        check(&fmu)?;
        println!("{} is clean", entry.declaration.name);
    }
    Ok(())
}

/// All that a command says, on either stream, whatever its exit status.
fn said(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let streams = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(streams.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn importers_that_cannot_run_are_told() {
        let mut tally = Tally::default();
        importer_stages(&mut tally, false, false, Path::new("nowhere"));
        assert_eq!([tally.passed, tally.failed], [0; 2]);
        // With the C program and the Cross-Check files.
        assert_eq!(tally.skipped as usize, importers::ALL.len() + 2);
    }
}
