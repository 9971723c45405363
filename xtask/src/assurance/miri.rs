//! Undefined behaviour: Miri on the C interface.

use anyhow::Result;

use super::{Options, folder, instrumented, record};
use crate::workspace;

/// A run of Miri: its name, cargo's arguments, its environment.
struct Run {
    name: &'static str,
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

/// Runs of Miri.
const RUNS: [Run; 2] = [
    Run {
        name: "Miri: unit tests of `bristle-fmu`, without those of minutes and of other processes",
        arguments: &["miri", "test", "-p", "bristle-fmu", "--lib"],
        environment: &[("MIRIFLAGS", "-Zmiri-disable-isolation"), ("CARGO_TARGET_DIR", "target/miri")],
    },
    Run {
        name: "Miri: corpus of the targets `states` and `calls`, and four random cases of each, the C interface in-process",
        arguments: &["miri", "test", "-p", "bristle-fuzz-targets"],
        environment: &[("MIRIFLAGS", "-Zmiri-disable-isolation"), ("CARGO_TARGET_DIR", "target/miri")],
    },
];

/// Makes all runs and records their results.
pub fn measure(_: &Options) -> Result<()> {
    let commit = record::commit()?;
    let mut rows = Vec::new();
    for run in RUNS {
        let mut command = instrumented::nightly();
        command.args(run.arguments).envs(run.environment.iter().copied());
        rows.push(instrumented::row(run.name, &mut command)?);
    }
    let path = folder(&workspace::root()).join("miri.tsv");
    instrumented::record(&path, &commit, "cargo xtask assurance miri", &rows)
}
