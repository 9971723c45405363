//! The stages of the packaged FMUs: validators, the tests of `tests/`, random calls and steps.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use bristle::catalogue::{ELEMENTS, Model};

use super::own_law;
use super::stage::{Obstacle, Outcome, Session, Stage, make, output, passed};
use crate::committed::Verdict;
use crate::console::say;
use crate::environment::IMPORTERS as PYTHON;
use crate::instructions;
use crate::{random_calls, stress, workspace};

/// Packages of Python that run the FMUs beside FMPy: module, test program, test, and the likely reason why a machine cannot load it.
const BESIDE_FMPY: [(&str, &str, &str, &str); 3] = [
    ("libcosimpy", "fmpy_importers", "libcosim_error", "its wheel does not fit this machine"),
    ("ecospy", "fmpy_importers", "ecos_error", "on Debian install `apt-get install libtbb12`"),
    ("scipy", "fmpy_solvers", "", "its wheel does not fit this machine"),
];

/// The stages in their order.
pub fn stages() -> Vec<Stage> {
    let mut stages = vec![
        Stage::new("tests of the packaged FMUs", |session| {
            session.needs_fmus()?;
            let targets = test_targets()?;
            let is_other = |name: &&String| name.starts_with("fmpy") || name.as_str() == own_law::TEST;
            run(&session.fmus, targets.iter().filter(|name| !is_other(name)), "")
        }),
        Stage::new("a law of a crate of its own, examples/own-law", |session| {
            own_law::export()?;
            session.own_law = true;
            run(&own_law::folder(), [own_law::TEST], "")
        }),
        Stage::new("Python environment", |session| {
            make(&PYTHON)?;
            session.python = true;
            Ok(())
        }),
        Stage::new("fmpy validate", |session| {
            each_fmu(session, |fmu| {
                let said = output(PYTHON.program("fmpy").arg("validate").arg(fmu))?;
                ensure!(said.trim() == "No problems found.", "fmpy reports on {}:\n{said}", fmu.display());
                Ok(())
            })
        }),
        Stage::new("fmutool -check", |session| {
            each_fmu(session, |fmu| {
                let said = output(PYTHON.program("fmutool").arg("-input").arg(fmu).arg("-check"))?;
                let is_clean = said.contains("seems to be compliant with FMI-2.0")
                    && said.contains("No semantic error against the FMI-2 standard")
                    && !["WARNING", "ERROR", "CRITICAL"].iter().any(|level| said.contains(level));
                ensure!(is_clean, "fmutool reports on {}:\n{said}", fmu.display());
                Ok(())
            })
        }),
        Stage::new("FMPy, and a C program with the headers it brings", |session| {
            session.needs_python()?;
            run(&session.fmus, ["fmpy", "fmpy_coupling", "fmpy_c_host"], "")
        }),
    ];
    stages.extend(BESIDE_FMPY.map(|(module, program, test, how)| {
        Stage::new(format!("{module} runs the packaged FMU"), move |session| {
            session.needs_python()?;
            if !PYTHON.can_import(module) {
                return Err(Obstacle::Skipped(format!("Python cannot load {module}; {how}.")));
            }
            run(&session.fmus, [program], test)
        })
    }));
    stages.extend([
        Stage::new("random legal and illegal calls, 10 000", |session| {
            session.needs_fmus()?;
            passed(random_calls::run(&random_calls::Options::default()))
        }),
        Stage::long("instructions of a step", |_| match instructions::run(false)? {
            Verdict::Held => Ok(()),
            Verdict::Skipped(why) => Err(Obstacle::Skipped(why)),
        }),
        Stage::new("random steps against independent integrators, and a long rest", |session| {
            session.needs_fmus()?;
            passed(stress::run(&stress::Options::default()))
        }),
    ]);
    stages
}

/// Runs test programs of `tests/` on the FMUs of a folder, and of them the tests whose names hold `filter`.
fn run(fmus: &Path, targets: impl IntoIterator<Item = impl AsRef<str>>, filter: &str) -> Outcome {
    let mut command: Command = workspace::cargo();
    command.args(["test", "-p", "bristle-tests", "--no-fail-fast"]);
    for target in targets {
        command.args(["--test", target.as_ref()]);
    }
    command.arg(filter).env("BRISTLE_FMU_DIR", fmus).env("BRISTLE_PYTHON", PYTHON.program("python").get_program());
    passed(workspace::run(&mut command))
}

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

/// Checks the FMU of every element, those of cards/ and that of examples/own-law by a tool in Python.
fn each_fmu(session: &Session, check: impl Fn(&Path) -> Result<()>) -> Outcome {
    session.needs_python()?;
    let of_element = |entry: &Model| session.fmus.join(format!("{}.fmu", entry.metadata.name));
    let others = session.cards.iter().cloned().chain(session.own_law.then(own_law::fmu));
    for fmu in ELEMENTS.iter().map(of_element).chain(others) {
        check(&fmu)?;
        say!("{} is clean", fmu.display());
    }
    Ok(())
}
