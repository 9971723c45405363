//! `cargo xtask compare`: every element on every rig, cost beside error, into `docs/compare.md`.

use anyhow::Result;

use crate::{console, experiments, files, package, page, workspace};

/// The command.
pub fn command() -> Result<()> {
    experiments::require_python()?;
    package::for_this_machine()?;
    let docs = workspace::root().join("docs");
    let points = workspace::made()?.join("compare.tsv");
    let mut made = workspace::output(&mut experiments::program(["compare".as_ref(), points.as_os_str()]))?;
    files::copy(&points, &docs.join("figures/compare.tsv"))?;
    experiments::draw("compare", &[&points, &docs.join("figures/compare.svg")])?;
    made += &workspace::output(&mut experiments::program(["instructions".as_ref()]))?;
    console::text(&made);
    page::update_stamped(&docs.join("compare.md"), &made, "compare")
}
