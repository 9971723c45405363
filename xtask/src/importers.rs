//! Every element in every importer that comes from a registry, under the same inputs: stages of
//! `cargo xtask test`.
//!
//! The steps are 2⁻⁹ s long, which is a whole number of nanoseconds and of bits: in every
//! importer's time grid, and however it adds its steps, communication points are the same numbers.
//! So the forces have to be the same bits. Model Exchange is the exception: there the importer's
//! solver integrates.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use bristle::catalogue::Variant;
use bristle::coupling::M_EFF;

use crate::console::say;
use crate::environment::IMPORTERS as PYTHON;
use crate::signals::Signals;
use crate::{files, reproducibility, workspace};
use bristle_export::platform;

/// The communication step, s.
const H: f64 = 1.0 / 512.0;
/// The number of steps.
pub const STEPS: usize = 1024;
/// Allowed error of CVODE, relative to the largest force of a run, at FMPy's relative tolerance
/// 1e-6.
const ERROR: f64 = 5e-3;
/// Allowed error of the law with delay, whose history has other points (`docs/importers.md`): the
/// difference grows with the fall of the characteristic over the Stribeck velocity.
const ERROR_WITH_DELAY: (&str, f64) = ("Armstrong", 3e-2);

/// An importer.
pub struct Importer {
    pub name: &'static str,
    /// Its name in `tests/python/replay.py` and the module that has it; none for
    /// `tests/rust-importer`.
    python: Option<[&'static str; 2]>,
}

/// All but the C host, whose forces the others are compared with.
pub const ALL: [Importer; 5] = [
    Importer {
        name: "FMPy, Co-Simulation",
        python: Some(["fmpy-cs", "fmpy"]),
    },
    Importer {
        name: "libcosimpy, Co-Simulation",
        python: Some(["libcosim", "libcosimpy"]),
    },
    Importer {
        name: "ecospy, Co-Simulation",
        python: Some(["ecos", "ecospy"]),
    },
    Importer {
        name: "crate fmi, Co-Simulation",
        python: None,
    },
    Importer {
        name: "FMPy, Model Exchange with CVODE",
        python: Some([MODEL_EXCHANGE, "fmpy"]),
    },
];

/// Name in `tests/python/replay.py` of the importer whose solver integrates.
const MODEL_EXCHANGE: &str = "fmpy-me";

/// The forces of an element, step by step.
type Forces = HashMap<String, Vec<f64>>;

/// Inputs, and the forces of the C host.
pub struct Matrix {
    fmus: PathBuf,
    /// Names of the elements.
    names: Vec<String>,
    /// Those whose card has an effective mass: in Co-Simulation the body moves within a step, in
    /// Model Exchange the solver moves it.
    with_body: Vec<String>,
    folder: PathBuf,
    expected: Forces,
}

impl Importer {
    /// A sentence where this machine cannot have an importer.
    pub fn missing(&self) -> Option<String> {
        match self.python {
            Some([_, module]) if PYTHON.can_import(module) => None,
            Some(["ecos", _]) => Some(
                "Python cannot load ecospy; on Debian install `apt-get install libtbb12`."
                    .to_owned(),
            ),
            Some([_, module]) => Some(format!(
                "Python cannot load {module}; its wheel does not fit this machine."
            )),
            None => build_rust()
                .err()
                .map(|error| format!("the crate fmi does not build: {error:#}.")),
        }
    }
}

impl Matrix {
    /// Writes the inputs of elements whose FMUs are in the folder `fmus` to the folder
    /// `target/NAME`, and runs the C host.
    pub fn new(name: &str, fmus: &Path, elements: &[Variant]) -> Result<Self> {
        let folder = workspace::target().join(name);
        files::make_folder(&folder)?;
        let host = platform::host()
            .context("this machine is none of the platforms that FMUs are made for")?;
        let program = folder.join("run");
        reproducibility::compile_host(&mut Command::new("cc"), &program)?;
        let mut command = Command::new(program);
        for element in elements {
            let name = element.name();
            let signals = Signals::new(element, H, STEPS);
            let library = reproducibility::unpack(name, host, fmus, &folder)?;
            files::write(&folder.join(format!("{name}.csv")), signals.csv())?;
            files::write(&folder.join(format!("{name}.txt")), signals.bits(element))?;
            command.args([format!("./{library}"), format!("{name}.txt")]);
        }
        let said = workspace::output(command.current_dir(&folder))
            .context("the C host did not run the FMUs")?;
        let mut expected = Forces::new();
        let mut runs = said.split("run ").skip(1);
        let names: Vec<_> = elements
            .iter()
            .map(|element| element.name().to_owned())
            .collect();
        for name in &names {
            let run = runs
                .next()
                .with_context(|| format!("the C host did not run {name}"))?;
            let force = |line: &str| {
                Some(f64::from_bits(
                    u64::from_str_radix(line.strip_prefix("0 ")?, 16).ok()?,
                ))
            };
            expected.insert(name.clone(), run.lines().filter_map(force).collect());
        }
        complete(&names, &expected, "the C host")?;
        let has_mass =
            |element: &Variant| element.find(M_EFF.name).and_then(|mass| mass.start) > Some(0.0);
        let has_body = |element: &&Variant| has_mass(element) || element.card().has_bodies();
        let with_body = elements
            .iter()
            .filter(has_body)
            .map(|element| element.name().to_owned())
            .collect();
        Ok(Matrix {
            fmus: fmus.to_owned(),
            names,
            with_body,
            folder,
            expected,
        })
    }

    /// Runs all elements in an importer; an error where its forces are not those of the C host.
    pub fn run(&mut self, importer: &Importer) -> Result<()> {
        let mut command = match importer.python {
            Some([name, _]) => {
                let mut python = PYTHON.program("python");
                // No caches of compiled scripts beside the sources.
                python
                    .arg("-B")
                    .arg(workspace::root().join("tests/python/replay.py"))
                    .arg(name);
                python
            }
            None => Command::new(build_rust()?),
        };
        command.arg(&self.fmus).arg(&self.folder).args(&self.names);
        let said = workspace::output(&mut command)
            .with_context(|| format!("{} did not run the FMUs", importer.name))?;
        let mut found = Forces::new();
        for line in said.lines().filter_map(|line| line.strip_prefix("row ")) {
            let (name, force) = line.split_once(' ').context("a row has two words")?;
            found
                .entry(name.to_owned())
                .or_default()
                .push(force.parse()?);
        }
        complete(&self.names, &found, importer.name)?;
        let integrates = importer
            .python
            .is_some_and(|[name, _]| name == MODEL_EXCHANGE);
        let mut off = Vec::new();
        for name in &self.names {
            let (expected, found) = (&self.expected[name], &found[name]);
            let steps = expected
                .iter()
                .zip(found)
                .filter(|(a, b)| a.to_bits() != b.to_bits())
                .count();
            let difference = difference(expected, found);
            let allowed = if name == ERROR_WITH_DELAY.0 {
                ERROR_WITH_DELAY.1
            } else {
                ERROR
            };
            let is_off = if integrates {
                // A body, or the base of a block, moves within a step of Co-Simulation.
                difference > allowed && !self.with_body.contains(name)
            } else {
                steps > 0
            };
            say!(
                "{name}: {steps} steps with other bits, by up to {difference:.0e} of the largest \
                 force"
            );
            off.extend(is_off.then_some(name.as_str()));
        }
        ensure!(
            off.is_empty(),
            "{} differs from the C host in {}",
            importer.name,
            off.join(", ")
        );
        Ok(())
    }
}

/// Largest difference of two runs relative to the largest force; infinite where one is NaN.
fn difference(expected: &[f64], found: &[f64]) -> f64 {
    let size = expected
        .iter()
        .fold(0.0_f64, |most, force| most.max(force.abs()));
    let off = |(a, b): (&f64, &f64)| {
        if (a - b).is_nan() {
            f64::INFINITY
        } else {
            (a - b).abs() / size
        }
    };
    expected.iter().zip(found).map(off).fold(0.0, f64::max)
}

fn complete(names: &[String], forces: &Forces, whose: &str) -> Result<()> {
    for name in names {
        let steps = forces.get(name).map_or(0, Vec::len);
        ensure!(
            steps == STEPS,
            "{whose} made {steps} steps of {name}, not {STEPS}; see what it printed"
        );
    }
    Ok(())
}

/// Builds `tests/rust-importer` with the libclang of PyPI; returns the program.
fn build_rust() -> Result<PathBuf> {
    let folder = workspace::target().join("rust-importer");
    let code = "import clang, os; print(os.path.join(os.path.dirname(clang.__file__), 'native'))";
    let libclang = workspace::output(PYTHON.program("python").args(["-c", code]))?;
    // That wheel brings no headers; the C compiler has them.
    let headers = workspace::output(Command::new("cc").arg("-print-file-name=include"))?;
    workspace::output(
        workspace::cargo()
            .args(["build", "--quiet", "--locked", "--manifest-path"])
            .arg(workspace::root().join("tests/rust-importer/Cargo.toml"))
            .env("CARGO_TARGET_DIR", &folder)
            .env("LIBCLANG_PATH", libclang.trim())
            .env("BINDGEN_EXTRA_CLANG_ARGS", format!("-I{}", headers.trim())),
    )?;
    Ok(folder.join("debug/bristle-rust-importer"))
}
