//! `cargo xtask crosscheck`: for every element the files that the FMI Cross-Check requires of an exporter (inputs, reference results and
//! options), by which a user of any tool sees within minutes whether an import is right.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use bristle::catalogue::{ELEMENTS, Model};
use bristle::coupling::is_on_demand;
use bristle::element::F_R;
use bristle::variable::Role;

use crate::console::say;
use crate::environment::IMPORTERS as PYTHON;
use crate::signals::Signals;
use crate::{files, workspace};

/// The communication step, s, and the number of steps.
const H: f64 = 1e-3;
const STEPS: usize = 2000;

/// The command.
pub fn command() -> Result<()> {
    let folder = workspace::target().join("crosscheck");
    for entry in &ELEMENTS {
        let name = entry.metadata.name;
        let folder = folder.join(name);
        files::make_folder(&folder)?;
        let signals = Signals::new(&entry.stock(), H, STEPS);
        for (file, text) in [
            (format!("{name}_in.csv"), signals.csv()),
            (format!("{name}_ref.csv"), reference(entry, &signals)?),
            (format!("{name}_ref.opt"), options()),
            ("README.md".to_owned(), readme(entry, &signals)),
        ] {
            let path = folder.join(file);
            files::write(&path, text)?;
        }
        say!("{}", folder.display());
    }
    Ok(())
}

/// Replays all of it in FMPy, which must give the reference within the tolerances that the README of each element names.
pub fn replay(fmus: &Path) -> Result<()> {
    command()?;
    let mut python = PYTHON.program("python");
    // No caches of compiled scripts beside the sources.
    python.arg("-B").arg(workspace::root().join("tests/python/crosscheck.py"));
    python.arg(fmus).arg(workspace::target().join("crosscheck"));
    let names = ELEMENTS.iter().map(|entry| {
        let held = if switches(entry) { "=held" } else { "" };
        format!("{}{held}", entry.metadata.name)
    });
    workspace::run(python.args(names))
}

/// The law sticks and slips in different modes: the mode depends on the inputs within a step.
fn switches(entry: &Model) -> bool {
    entry.metadata.kind.contains("switching")
}

/// The real outputs at every communication point, with the inputs of a row held over the step after it.
fn reference(entry: &Model, signals: &Signals) -> Result<String> {
    let outputs: Vec<_> = entry.variables().filter(|v| v.role == Role::Output && !is_on_demand(v.reference)).collect();
    let mut text = "time".to_owned();
    outputs.iter().for_each(|output| write!(text, ",{}", output.name).expect("text grows"));
    let mut element = entry.instantiate();
    element.apply_parameters()?;
    element.initialize()?;
    for (i, row) in signals.rows.iter().enumerate() {
        let _ = write!(text, "\n{:?}", signals.time(i));
        outputs.iter().for_each(|output| write!(text, ",{:?}", element.values()[*output]).expect("text grows"));
        for (input, value) in signals.inputs.iter().zip(row) {
            element.set(input, *value);
        }
        element
            .advance(H)
            .with_context(|| format!("{} does not advance at {} s", entry.metadata.name, signals.time(i)))?;
        ensure!(element.values()[&F_R].is_finite(), "{} has no force at {} s", entry.metadata.name, signals.time(i));
    }
    text.push('\n');
    Ok(text)
}

fn options() -> String {
    format!("StartTime, 0.0\nStopTime, {:?}\nStepSize, {H:?}\nRelTol, 0.0001\n", STEPS as f64 * H)
}

fn readme(entry: &Model, signals: &Signals) -> String {
    let name = entry.metadata.name;
    let interpolated = if switches(entry) {
        "this reference does not hold. The law switches between stick and slip by the inputs that it sees; those of other
  instants may lead it through other modes. Hold the inputs to compare."
    } else {
        "F_R follows the same curve within a tube of 2 steps to either side and 5 % of its
  largest value. Where the contact turns, F_R passes from one side to the other within a step or two."
    };
    let inputs: Vec<_> = signals.inputs.iter().map(|input| format!("`{}`", input.name)).collect();
    format!(
        "# {name}: check an import

Import `{name}.fmu` for Co-Simulation, leave all parameters at their start values, connect {} to the columns of
`{name}_in.csv`, and run from 0 to {} s with a communication step of {H:?} s. Compare the outputs with `{name}_ref.csv`.

- **Inputs held over each step, and set before it**: every output agrees within 1e-9 of its largest value. This is how the
  reference was made: the row of a time is what the element gives at the end of the step that the row before began.
- **Inputs interpolated inside a step**: {interpolated}
- **Far off?** An output that stays 0 has no input connected; one that has the other sign, the sign of `v`; one that is late by
  whole steps, a tool that calls the element after the bodies.

`{name}_ref.opt` holds the options for tools that read it. `cargo xtask crosscheck` made these files; `cargo xtask test` replays
them in FMPy.
",
        inputs.join(", "),
        STEPS as f64 * H
    )
}
