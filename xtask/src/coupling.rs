//! `cargo xtask coupling`: grades of coupled bodies over the communication step, into
//! `docs/coupling.md`.

use anyhow::Result;

use crate::{experiments, files, page, workspace};

/// The command.
pub fn command() -> Result<()> {
    let docs = workspace::root().join("docs");
    let cells = workspace::made()?.join("coupling.csv");
    let made = experiments::run(["coupling".as_ref(), cells.as_os_str()])?;
    files::copy(&cells, &docs.join("data/coupling.csv"))?;
    page::update_dated(&docs.join("coupling.md"), &made, "coupling")
}
