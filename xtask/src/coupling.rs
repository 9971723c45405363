//! `cargo xtask coupling`: errors and stability of a coupled body over the communication step, into `docs/coupling.md`.

use anyhow::Result;

use crate::{console, experiments, files, package, page, workspace};

/// The command.
pub fn command() -> Result<()> {
    experiments::require_python()?;
    package::for_this_machine()?;
    let docs = workspace::root().join("docs");
    let results = workspace::made()?;
    let made = workspace::output(&mut experiments::program(["coupling".as_ref(), results.as_os_str()]))?;
    console::text(&made);
    let table = docs.join("figures/coupling.csv");
    files::copy(&results.join("coupling.csv"), &table)?;
    experiments::draw("coupling", &[&table, &docs.join("figures/coupling.svg")])?;
    page::update_stamped(&docs.join("coupling.md"), &made, "coupling")
}
