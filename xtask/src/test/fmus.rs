//! The stages of the packaged FMUs: validators, the tests of `tests/`, random calls and steps.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use bristle::catalogue::{ELEMENTS, Model, find};
use bristle_export::platform;

use super::own_law;
use super::stage::{Obstacle, Outcome, Session, Stage, make, needs, output, passed};
use crate::committed::Verdict;
use crate::console::say;
use crate::environment::{IMPORTERS as PYTHON, WABT, ZIG};
use crate::package::{source, toolchain};
use crate::progress::Progress;
use crate::tools::Tool;
use crate::{files, instructions, random_calls, reproducibility, stress, workspace};

/// The program of `tests/tests` with a module for each subject.
pub const ALL: &str = "all";

/// Modules of it that need FMPy.
const OF_FMPY: [&str; 4] = [
    "fmpy::",
    "fmpy_coupling::",
    "fmpy_c_host::",
    "fmpy_descriptions::",
];

/// Module of it that compiles C sources.
const OF_SOURCES: &str = "source::";
/// Module of it that compiles one in FMPy.
const IN_FMPY: &str = "fmpy_source::";

/// Packages of Python that run the FMUs beside FMPy: module of Python, tests, and the likely reason
/// why a machine cannot load it.
const BESIDE_FMPY: [(&str, &str, &str); 3] = [
    (
        "libcosimpy",
        "fmpy_importers::libcosim_error",
        "its wheel does not fit this machine",
    ),
    (
        "ecospy",
        "fmpy_importers::ecos_error",
        "on Debian install `apt-get install libtbb12`",
    ),
    (
        "scipy",
        "fmpy_solvers::",
        "its wheel does not fit this machine",
    ),
];

/// Systems that C source is compiled for beside this one, by their names in zig, and the platform
/// whose programs they run.
const SYSTEMS: [(&str, &str); 4] = [
    ("x86_64-linux-musl", "linux64"),
    ("x86-linux-musl", "linux32"),
    ("aarch64-linux-musl", "aarch64-linux"),
    ("x86_64-windows-gnu", "win64"),
];

/// The stages in their order.
pub fn stages() -> Vec<Stage> {
    let mut stages = vec![
        Stage::new("tests of the packaged FMUs", |session| {
            session.needs_fmus()?;
            run(
                &session.fmus,
                &[ALL, "allocation"],
                &[],
                &[
                    &OF_FMPY[..],
                    &BESIDE_FMPY.map(|of| of.1),
                    &[own_law::TESTS, OF_SOURCES, IN_FMPY],
                ]
                .concat(),
            )
        }),
        Stage::new(
            "C source of three laws, beside the native library",
            |session| sources(session, &["FrDyn2", "Stribeck", "LuGre"], false),
        ),
        Stage::long(
            "C source of every law, beside the native library",
            |session| {
                let laws: Vec<_> = ELEMENTS.iter().map(|law| law.metadata.name).collect();
                sources(session, &laws, true)
            },
        ),
    ];
    stages.extend(SYSTEMS.map(|(system, folder)| {
        Stage::long(
            format!("C source of FrDyn2 for {system} calculates the bits of the library"),
            move |session| source_elsewhere(session, system, folder),
        )
    }));
    stages.extend([
        Stage::new("a law of a crate of its own, examples/own-law", |session| {
            own_law::export(own_law::Build::Quick)?;
            session.own_law = true;
            run(&own_law::folder(), &[ALL], &[own_law::TESTS], &[])
        }),
        Stage::long(
            "a law of a crate of its own, as its author builds it",
            |_| {
                own_law::export(own_law::Build::Release)?;
                run(&own_law::folder(), &[ALL], &[own_law::TESTS], &[])
            },
        ),
        Stage::new("Python environment", |session| {
            make(&PYTHON)?;
            session.python = true;
            Ok(())
        }),
        Stage::new("fmpy validate", |session| {
            each_fmu(session, |fmu| {
                let said = output(PYTHON.program("fmpy").arg("validate").arg(fmu))?;
                ensure!(
                    said.trim() == "No problems found.",
                    "fmpy reports on {}:\n{said}",
                    fmu.display()
                );
                Ok(())
            })
        }),
        Stage::new("fmutool -check", |session| {
            each_fmu(session, |fmu| {
                let said = output(
                    PYTHON
                        .program("fmutool")
                        .arg("-input")
                        .arg(fmu)
                        .arg("-check"),
                )?;
                let is_clean = said.contains("seems to be compliant with FMI-2.0")
                    && said.contains("No semantic error against the FMI-2 standard")
                    && !["WARNING", "ERROR", "CRITICAL"]
                        .iter()
                        .any(|level| said.contains(level));
                ensure!(is_clean, "fmutool reports on {}:\n{said}", fmu.display());
                Ok(())
            })
        }),
        Stage::new(
            "FMPy, and a C program with the headers it brings",
            |session| {
                session.needs_python()?;
                run(&session.fmus, &[ALL], &OF_FMPY, &[])
            },
        ),
    ]);
    stages.push(Stage::long("a C program with a decimal comma", comma));
    stages.push(Stage::new(
        "FMPy compiles the C source of FrDyn2",
        |session| {
            session.needs_python()?;
            let folder = folder_of_sources();
            needs(
                folder.join("FrDyn2.zip").is_file(),
                "the C source of FrDyn2 is missing",
            )?;
            let mut command = tests(&session.fmus, &[ALL], &[IN_FMPY], &[]);
            passed(workspace::run(command.env("BRISTLE_SOURCES", folder)))
        },
    ));
    stages.extend(BESIDE_FMPY.map(|(module, tests, how)| {
        Stage::new(format!("{module} runs the packaged FMU"), move |session| {
            session.needs_python()?;
            if !PYTHON.can_import(module) {
                return Err(Obstacle::Skipped(format!(
                    "Python cannot load {module}; {how}."
                )));
            }
            run(&session.fmus, &[ALL], &[tests], &[])
        })
    }));
    stages.extend([
        Stage::long(
            "random legal and illegal calls, 100 000, and all random points of the dependencies",
            |session| {
                session.needs_fmus()?;
                random_calls::run(&random_calls::Options {
                    calls: Some(100_000),
                    ..Default::default()
                })?;
                let mut command = tests(&session.fmus, &[ALL], &["structure::"], &[]);
                passed(workspace::run(command.env("BRISTLE_LONG", "1")))
            },
        ),
        Stage::long("instructions of a step", |_| {
            match instructions::run(false)? {
                Verdict::Held => Ok(()),
                Verdict::Skipped(why) => Err(Obstacle::Skipped(why)),
            }
        }),
        Stage::new(
            "random steps against independent integrators, and a long rest",
            |session| {
                session.needs_fmus()?;
                passed(stress::run(&stress::Options::of_each("40")))
            },
        ),
        Stage::long("100 sequences of random steps of each element", |session| {
            session.needs_fmus()?;
            passed(stress::run(&stress::Options::default()))
        }),
    ]);
    stages
}

/// Folder of the C sources that the stages build, laid out for the command `bristle`.
fn folder_of_sources() -> PathBuf {
    workspace::target().join("libraries-source/sources")
}

/// Builds the C source of laws, compiles it, and compares it with the library of the packaged
/// FMUs.
fn sources(session: &Session, laws: &[&str], is_long: bool) -> Outcome {
    session.needs_fmus()?;
    if let Some(why) = Tool::CCompiler.missing() {
        return Err(Obstacle::Skipped(format!("{why}.")));
    }
    make(&WABT)?;
    toolchain::require_std(source::TARGET)
        .map_err(|error| Obstacle::Skipped(format!("{error:#}.")))?;
    let folder = folder_of_sources();
    files::remove_folder(&folder)?;
    let laws: Vec<_> = laws.iter().filter_map(|law| find(law)).collect();
    source::write(&laws, &folder, &Progress::new(laws.len()))?;
    let mut command = workspace::cargo();
    command
        .args(["test", "-p", "bristle-cli", "--test", "commands", "--"])
        .arg("export_with_sources")
        .env("BRISTLE_LIBRARIES", folder.parent().unwrap_or(&folder))
        .env("BRISTLE_SOURCES", &folder);
    workspace::run(&mut command)?;
    let mut command = tests(&session.fmus, &[ALL], &[OF_SOURCES], &[IN_FMPY]);
    command.env("BRISTLE_SOURCES", folder);
    if is_long {
        command.env("BRISTLE_LONG", "1");
    }
    passed(workspace::run(&mut command))
}

/// Runs a C program in a locale that this machine need not have.
fn comma(session: &mut Session) -> Outcome {
    session.needs_python()?;
    let folder = workspace::target().join("locales");
    files::make_folder(&folder)?;
    let mut localedef = Command::new("localedef");
    localedef.args(["-i", "de_DE", "-f", "UTF-8"]);
    output(localedef.arg(folder.join("de_DE.UTF-8"))).map_err(|_| {
        let why = "no locale can be made; install it, on Debian with `apt-get install locales`.";
        Obstacle::Skipped(why.to_owned())
    })?;
    let mut command = tests(&session.fmus, &[ALL], &["decimal_comma", "--ignored"], &[]);
    command.env("LC_ALL", "de_DE.UTF-8").env("LOCPATH", folder);
    passed(workspace::run(&mut command))
}

/// Compiles the C source of FrDyn2 for a system, and compares its run with that of the library.
fn source_elsewhere(session: &Session, system: &str, folder: &str) -> Outcome {
    session.needs_fmus()?;
    make(&ZIG)?;
    let archive = folder_of_sources().join("FrDyn2.zip");
    needs(archive.is_file(), "the C source of FrDyn2 is missing")?;
    let [host, platform] = [platform::host(), platform::find(folder)]
        .map(|platform| platform.map_err(anyhow::Error::from));
    let (host, platform) = (host?, platform?);
    let runner = reproducibility::runner(platform).map_err(Obstacle::Skipped)?;
    let law = find("FrDyn2").context("a law of the catalogue")?;
    let (element, source) = (law.stock(), files::read(&archive)?);
    let compiled = reproducibility::run_source(system, platform, runner, &element, &source)?;
    let native = reproducibility::run(host, &[], &session.fmus, &[element])?;
    say!("{} steps, {}", reproducibility::STEPS, compiled.hash());
    passed(native[0].compare(&compiled, [host.folder, system]))
}

/// Runs programs of `tests/tests` on the FMUs of a folder: the tests whose paths hold one of
/// `filters`, all where there is none, and none whose path holds one of `skipped`.
fn run(fmus: &Path, programs: &[&str], filters: &[&str], skipped: &[&str]) -> Outcome {
    passed(workspace::run(&mut tests(fmus, programs, filters, skipped)))
}

/// The command that [`run`] runs.
fn tests(fmus: &Path, programs: &[&str], filters: &[&str], skipped: &[&str]) -> Command {
    let mut command = workspace::cargo();
    command.args(["test", "-p", "bristle-tests", "--no-fail-fast"]);
    command
        .args(programs.iter().flat_map(|program| ["--test", program]))
        .arg("--")
        .args(filters);
    command.args(skipped.iter().flat_map(|part| ["--skip", part]));
    command
        .env("BRISTLE_FMU_DIR", fmus)
        .env("BRISTLE_PYTHON", PYTHON.program("python").get_program());
    command
}

/// Checks the FMU of every element, those of cards/ and that of examples/own-law by a tool in
/// Python.
fn each_fmu(session: &Session, check: impl Fn(&Path) -> Result<()>) -> Outcome {
    session.needs_python()?;
    let of_element = |entry: &Model| session.fmus.join(format!("{}.fmu", entry.metadata.name));
    let others = session
        .cards
        .iter()
        .cloned()
        .chain(session.own_law.then(own_law::fmu));
    for fmu in ELEMENTS.iter().map(of_element).chain(others) {
        check(&fmu)?;
        say!("{} is clean", fmu.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_tests_is_in_a_program() {
        let folder = workspace::root().join("tests/tests");
        let program = files::read_text(&folder.join("main.rs")).unwrap();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let is_program = ["main", "allocation"].contains(&&*name);
            assert!(
                is_program || program.contains(&format!("\nmod {name};\n")),
                "{name} is not in main.rs"
            );
        }
    }

    #[test]
    fn filters_name_tests() {
        let others = [own_law::TESTS, OF_SOURCES, IN_FMPY];
        for filter in [&OF_FMPY[..], &BESIDE_FMPY.map(|of| of.1), &others].concat() {
            let (module, test) = filter.split_once("::").unwrap();
            let text =
                files::read_text(&workspace::root().join(format!("tests/tests/{module}.rs")))
                    .unwrap();
            assert!(text.contains(&format!("fn {test}")), "{filter}");
        }
    }
}
