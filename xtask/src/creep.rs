//! `cargo xtask creep`: creep rates of every element under loads that pulsate about a mean, into `docs/creep.md`.

use anyhow::Result;

use crate::{console, experiments, files, package, page, workspace};

/// The command.
pub fn command() -> Result<()> {
    experiments::require_python()?;
    package::for_this_machine()?;
    let docs = workspace::root().join("docs");
    let results = workspace::made()?.join("creep.csv");
    let made = workspace::output(&mut experiments::program(["creep".as_ref(), results.as_os_str()]))?;
    files::copy(&results, &docs.join("figures/creep.csv"))?;
    let folder = docs.join("figures/creep");
    files::make_folder(&folder)?;
    experiments::draw("creep", &[&results, &docs.join("figures/creep.svg"), &folder])?;
    console::text(&made);
    page::update(&docs.join("creep.md"), &made)
}
