//! `cargo xtask compare`: every element on every rig, cost beside error, into `docs/compare.md`.

use anyhow::Result;

use crate::{experiments, files, package, page, workspace};

/// The command.
pub fn command() -> Result<()> {
    experiments::require_python()?;
    package::for_this_machine()?;
    let docs = workspace::root().join("docs");
    let points = workspace::made()?.join("compare.csv");
    let made = experiments::run(["compare".as_ref(), points.as_os_str()])?;
    files::copy(&points, &docs.join("data/compare.csv"))?;
    experiments::draw("compare", &[&points, &docs.join("figures/compare.svg")])?;
    page::update_dated(&docs.join("compare.md"), &made, "compare")
}
