//! The quick circle: what the change of a line is judged by within two minutes.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};

use anyhow::{Context, Result, ensure};
use bristle::catalogue::find;
use bristle_export::{Exporter, platform};

use super::sources;
use super::stage::{Stage, cargo, make, passed};
use crate::environment::{Environment, FMPY, IMPORTERS};
use crate::{documentation, files, workspace};

/// Packages of the core.
const CORE: [&str; 5] = [
    "bristle",
    "bristle-fmu",
    "bristle-export",
    "bristle-cli",
    "xtask",
];

/// Tests of the exporter that draw the figures of many elements, two thirds of the time of all: the
/// full circle has them.
const SLOW: [&str; 2] = [
    "elements_with_parameters_over_six_decades_have_a_page_and_an_icon",
    "no_page_has_a_symbol_that_its_description_lacks",
];

/// The stages in their order.
pub fn stages() -> Vec<Stage> {
    vec![
        Stage::new("formatting", |_| sources::formatting()),
        Stage::new("lints of the core", |_| sources::lints(&packages())),
        Stage::new("unit tests of the library", |_| {
            cargo(&["test", "-p", CORE[0], "--lib", "--no-fail-fast"])
        }),
        Stage::new(
            "unit tests of the C interface, the exporter, the command and the chores",
            |_| {
                // The profile of this program shares its libraries; an optimised one would compile
                // the library of the laws once more.
                let others = CORE[1..]
                    .iter()
                    .flat_map(|package| ["-p", package])
                    .collect::<Vec<_>>();
                let skipped = SLOW
                    .iter()
                    .flat_map(|test| ["--skip", test])
                    .collect::<Vec<_>>();
                let options = ["--lib", "--bins", "--no-fail-fast", "--"];
                cargo(
                    &[
                        &["test", "--profile", "dev"],
                        &others[..],
                        &options,
                        &skipped,
                    ]
                    .concat(),
                )
            },
        ),
        Stage::new(
            "documentation: quotations of log messages, links, index",
            |_| passed(documentation::check()),
        ),
        Stage::new("FrDyn2.fmu in FMPy", |_| {
            let environment = if IMPORTERS.is_there() {
                IMPORTERS
            } else {
                FMPY
            };
            make(&environment)?;
            // Link-time optimisation would take a minute.
            cargo(&["build", "-p", "bristle-elements"])?;
            passed(sliding_force_in_fmpy(&environment))
        }),
    ]
}

fn packages() -> Vec<&'static str> {
    CORE.iter().flat_map(|package| ["-p", package]).collect()
}

/// Exports FrDyn2, and compares its force under a sine in FMPy with the static friction force.
fn sliding_force_in_fmpy(environment: &Environment) -> Result<()> {
    let platform = platform::host()?;
    let library = workspace::target()
        .join("debug")
        .join(format!("{DLL_PREFIX}bristle_elements{DLL_SUFFIX}"));
    let mut exporter = Exporter::new();
    exporter.add_library(platform, &files::read(&library)?)?;
    let folder = workspace::target().join("fmu-quick");
    files::make_folder(&folder)?;
    let fmu = folder.join("FrDyn2.fmu");
    files::write(
        &fmu,
        exporter.export(&find("FrDyn2").context("an element")?.stock())?,
    )?;
    let mut python = environment.program("python");
    python
        .arg("-B")
        .arg(workspace::root().join("tests/python/simulate.py"))
        .arg(fmu);
    let rows = workspace::output(python.args(["CoSimulation", "0.2", "1e-3", "1e-6"]))?;
    let force = |row: &str| row.split(' ').nth(3)?.parse::<f64>().ok();
    let largest = rows
        .lines()
        .filter_map(force)
        .fold(0.0, |largest: f64, force| largest.max(force.abs()));
    let expected = 0.6 * 9.81;
    ensure!(
        (largest / expected - 1.0).abs() < 0.01,
        "the largest force is {largest} N, expected {expected} N"
    );
    Ok(())
}
