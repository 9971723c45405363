//! The stages of what is published: crates for crates.io in a dry run, and the Python package from
//! its source distribution.

use std::process::Command;

use anyhow::{Context, Result};

use super::stage::{Stage, cargo, needs, passed};
use crate::environment::PACKAGE;
use crate::{files, python_package, workspace};

/// Crates that are published, in the order of their dependencies.
const CRATES: [&str; 4] = ["bristle", "bristle-fmu", "bristle-export", "bristle-cli"];

/// Program of a user of the package, outside the sources.
const USE: &str = "
import bristle, numpy
found = bristle.Element('FrDyn2', mu_d=0.3).simulate(numpy.arange(0, 0.1, 1e-3), F_N=10.0, v=0.1)
assert abs(found['F_R'][-1] - 3.0) < 1e-4
";

/// The stages in their order.
pub fn stages() -> Vec<Stage> {
    vec![
        Stage::long("crates for crates.io, in a dry run", |_| {
            let target = workspace::target().join("publish");
            let target = target.display().to_string();
            let mut arguments = vec!["publish", "--dry-run", "--quiet", "--allow-dirty"];
            arguments.extend(CRATES.iter().flat_map(|name| ["--package", name]));
            arguments.extend(["--target-dir", &target]);
            cargo(&arguments)
        }),
        Stage::long("Python package from its source distribution", |session| {
            needs(session.package, "the package is not installed")?;
            passed(source_distribution())
        }),
    ]
}

/// Makes the source distribution, installs it in an environment of its own, and uses it there.
fn source_distribution() -> Result<()> {
    let folder = workspace::target().join("sdist");
    files::remove_folder(&folder)?;
    let out = folder.display().to_string();
    python_package::run("maturin", &["sdist", "--out", &out])?;
    let archives = files::below(&folder, "gz")?;
    let [archive] = &archives[..] else {
        anyhow::bail!("maturin left {} archives, not one", archives.len());
    };
    let environment = folder.join("venv");
    workspace::run(
        PACKAGE
            .program("python")
            .args(["-m", "venv", "--clear"])
            .arg(&environment),
    )?;
    let python = environment.join("bin/python");
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ];
    workspace::run(Command::new(&python).args(pip).arg(archive))?;
    workspace::run(Command::new(&python).current_dir(&folder).args(["-c", USE]))
        .context("the package that was installed from its sources")
}
