//! Every element in every importer that comes from a registry, under the same inputs: stages of `cargo xtask test`.
//!
//! The steps are 2⁻⁹ s long, which is a whole number of nanoseconds and of bits: in every importer's time grid, and however
//! it adds its steps, communication points are the same numbers. So the forces have to be the same bits. Model Exchange is
//! the exception: there the importer's solver integrates.

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
/// Allowed error of CVODE, relative to the largest force of a run, at FMPy's relative tolerance 1e-6.
const MODEL_EXCHANGE: f64 = 5e-3;
/// Allowed error of the law with delay, whose history has other points (`docs/importers.md`): the difference grows with the fall of the
/// characteristic over the Stribeck velocity.
const MODEL_EXCHANGE_WITH_DELAY: (&str, f64) = ("Armstrong", 3e-2);

/// An importer.
pub struct Importer {
    pub name: &'static str,
    kind: Kind,
}

enum Kind {
    /// In `tests/python/replay.py`: the name there, the packages that show it, and the likely reason of their lack.
    Python(&'static str, &'static str, &'static str),
    /// `tests/rust-importer`.
    Rust,
}

/// All but the C host, whose forces the others are compared with.
pub const ALL: [Importer; 5] = [
    Importer {
        name: "FMPy, Co-Simulation",
        kind: Kind::Python("fmpy-cs", "fmpy", "its wheel does not fit this machine"),
    },
    Importer {
        name: "libcosimpy, Co-Simulation",
        kind: Kind::Python("libcosim", "libcosimpy", "its wheel does not fit this machine"),
    },
    Importer {
        name: "ecospy, Co-Simulation",
        kind: Kind::Python("ecos", "ecospy", "on Debian install `apt-get install libtbb12`"),
    },
    Importer { name: "crate fmi, Co-Simulation", kind: Kind::Rust },
    Importer {
        name: "FMPy, Model Exchange with CVODE",
        kind: Kind::Python("fmpy-me", "fmpy", "its wheel does not fit this machine"),
    },
];

/// The forces of an element, step by step.
type Forces = HashMap<String, Vec<f64>>;

/// Inputs, and the forces of the C host.
pub struct Matrix {
    fmus: PathBuf,
    /// Names of the elements.
    names: Vec<String>,
    /// Those whose card has an effective mass: in Co-Simulation the body moves within a step, in Model Exchange the solver moves it.
    with_body: Vec<String>,
    folder: PathBuf,
    expected: Forces,
}

impl Importer {
    /// A sentence where this machine cannot have an importer.
    pub fn missing(&self) -> Option<String> {
        match self.kind {
            Kind::Python(_, module, _) if PYTHON.can_import(module) => None,
            Kind::Python(_, module, how) => Some(format!("Python cannot load {module}; {how}.")),
            Kind::Rust => build_rust().err().map(|error| format!("the crate fmi does not build: {error:#}.")),
        }
    }
}

impl Matrix {
    /// Writes the inputs of elements whose FMUs are in the folder `fmus` to the folder `target/NAME`, and runs the C host.
    pub fn new(name: &str, fmus: &Path, elements: &[Variant]) -> Result<Self> {
        let folder = workspace::target().join(name);
        files::make_folder(&folder)?;
        let host = platform::host().context("this machine is none of the platforms that FMUs are made for")?;
        let mut command = Command::new(c_host(&folder)?);
        for element in elements {
            let name = element.name();
            let signals = Signals::new(element, H, STEPS);
            let library = reproducibility::unpack(name, host, fmus, &folder)?;
            for (file, text) in [(format!("{name}.csv"), signals.csv()), (format!("{name}.txt"), signals.bits(element))]
            {
                files::write(&folder.join(file), text)?;
            }
            command.args([format!("./{library}"), format!("{name}.txt")]);
        }
        let said = workspace::output(command.current_dir(&folder)).context("the C host did not run the FMUs")?;
        let mut expected = Forces::new();
        let mut runs = said.split("run ").skip(1);
        let names: Vec<_> = elements.iter().map(|element| element.name().to_owned()).collect();
        for name in &names {
            let run = runs.next().with_context(|| format!("the C host did not run {name}"))?;
            let force = |line: &str| Some(f64::from_bits(u64::from_str_radix(line.strip_prefix("0 ")?, 16).ok()?));
            expected.insert(name.clone(), run.lines().filter_map(force).collect());
        }
        complete(&names, &expected, "the C host")?;
        let has_body = |element: &&Variant| element.find(M_EFF.name).and_then(|mass| mass.start) > Some(0.0);
        let with_body = elements.iter().filter(has_body).map(|element| element.name().to_owned()).collect();
        Ok(Matrix { fmus: fmus.to_owned(), names, with_body, folder, expected })
    }

    /// Runs all elements in an importer; an error where its forces are not those of the C host.
    pub fn run(&mut self, importer: &Importer) -> Result<()> {
        let mut command = match importer.kind {
            Kind::Python(name, ..) => {
                let mut python = PYTHON.program("python");
                // No caches of compiled scripts beside the sources.
                python.arg("-B").arg(workspace::root().join("tests/python/replay.py")).arg(name);
                python
            }
            Kind::Rust => Command::new(build_rust()?),
        };
        command.arg(&self.fmus).arg(&self.folder).args(&self.names);
        let said =
            workspace::output(&mut command).with_context(|| format!("{} did not run the FMUs", importer.name))?;
        let mut found = Forces::new();
        for line in said.lines().filter_map(|line| line.strip_prefix("row ")) {
            let (name, force) = line.split_once(' ').context("a row has two words")?;
            found.entry(name.to_owned()).or_default().push(force.parse()?);
        }
        complete(&self.names, &found, importer.name)?;
        let integrates = matches!(importer.kind, Kind::Python("fmpy-me", ..));
        let mut off = Vec::new();
        for name in &self.names {
            let (expected, found) = (&self.expected[name], &found[name]);
            let steps = expected.iter().zip(found).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
            let difference = difference(expected, found);
            let is_off = match MODEL_EXCHANGE_WITH_DELAY {
                _ if !integrates => steps > 0,
                // A body moves within a step of Co-Simulation.
                _ if self.with_body.contains(name) => false,
                (delayed, allowed) if name == delayed => difference > allowed,
                _ => difference > MODEL_EXCHANGE,
            };
            say!("{name}: {steps} steps with other bits, by up to {difference:.0e} of the largest force");
            off.extend(is_off.then_some(name.as_str()));
        }
        ensure!(off.is_empty(), "{} differs from the C host in {}", importer.name, off.join(", "));
        Ok(())
    }
}

/// Largest difference of two runs relative to the largest force; infinite where one is NaN.
fn difference(expected: &[f64], found: &[f64]) -> f64 {
    let size = expected.iter().fold(0.0_f64, |most, force| most.max(force.abs()));
    let off = |(a, b): (&f64, &f64)| if (a - b).is_nan() { f64::INFINITY } else { (a - b).abs() / size };
    expected.iter().zip(found).map(off).fold(0.0, f64::max)
}

fn complete(names: &[String], forces: &Forces, whose: &str) -> Result<()> {
    for name in names {
        let steps = forces.get(name).map_or(0, Vec::len);
        ensure!(steps == STEPS, "{whose} made {steps} steps of {name}, not {STEPS}; see what it printed");
    }
    Ok(())
}

/// Compiles the C host with this machine's own compiler.
fn c_host(folder: &Path) -> Result<PathBuf> {
    let program = folder.join("run");
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program);
    compiler.arg(workspace::root().join("tests/c/reference_run.c"));
    if cfg!(target_os = "linux") {
        compiler.arg("-ldl");
    }
    workspace::output(&mut compiler)?;
    Ok(program)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn difference_of_a_run_is_relative_to_its_largest_force() {
        assert_eq!(difference(&[1.0, -2.0], &[1.0, -2.0]), 0.0);
        assert_eq!(difference(&[1.0, -2.0], &[1.5, -2.0]), 0.25);
        assert_eq!(difference(&[1.0], &[f64::NAN]), f64::INFINITY);
    }

    #[test]
    fn the_step_is_the_same_number_in_nanoseconds_and_in_bits() {
        let nanoseconds = (H * 1e9).round();
        assert_eq!(nanoseconds / 1e9, H);
        let sum = (0..STEPS).fold(0.0, |t, _| t + H);
        assert_eq!(sum, STEPS as f64 * H);
    }
}
