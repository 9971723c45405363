//! The quick circle: what the change of a line is judged by within two minutes.

use anyhow::{Context, Result, ensure};
use bristle::catalogue::find;

use super::sources;
use super::stage::{Stage, cargo, make, passed};
use crate::environment::IMPORTERS as PYTHON;
use crate::package::platforms::Platforms;
use crate::progress::Progress;
use crate::{documentation, package, workspace};

/// Packages of the core.
const CORE: [&str; 5] = ["bristle", "bristle-fmu", "bristle-export", "bristle-cli", "xtask"];

/// The stages in their order.
pub fn stages() -> Vec<Stage> {
    vec![
        Stage::new("formatting", |_| sources::formatting()),
        Stage::new("lints of the core", |_| sources::lints(&packages())),
        Stage::new("unit tests of the core", |_| {
            cargo(&[&["test"], &packages()[..], &["--lib", "--bins", "--no-fail-fast"]].concat())
        }),
        Stage::new("documentation: entries of log messages, links, index", |_| passed(documentation::check())),
        Stage::new("FrDyn2.fmu in FMPy", |_| {
            make(&PYTHON)?;
            passed(sliding_force_in_fmpy())
        }),
    ]
}

fn packages() -> Vec<&'static str> {
    CORE.iter().flat_map(|package| ["-p", package]).collect()
}

/// Packages FrDyn2, and compares its force under a sine in FMPy with the static friction force.
fn sliding_force_in_fmpy() -> Result<()> {
    let (host, folder) = (Platforms::Host, workspace::target().join("fmu-quick"));
    let element = find("FrDyn2").context("an element")?.stock();
    package::package(&[element], &host, &folder, &Progress::new(package::stages(&host)))?;
    let mut python = PYTHON.program("python");
    python.arg("-B").arg(workspace::root().join("tests/python/simulate.py")).arg(folder.join("FrDyn2.fmu"));
    let rows = workspace::output(python.args(["CoSimulation", "0.2", "1e-3", "1e-6"]))?;
    let force = |row: &str| row.split(' ').nth(3)?.parse::<f64>().ok();
    let largest = rows.lines().filter_map(force).fold(0.0, |largest: f64, force| largest.max(force.abs()));
    let expected = 0.6 * 9.81;
    ensure!((largest / expected - 1.0).abs() < 0.01, "the largest force is {largest} N, expected {expected} N");
    Ok(())
}
