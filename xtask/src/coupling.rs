//! `cargo xtask coupling`: grades of coupled bodies over the communication step, into `docs/coupling.md`.

use anyhow::Result;

use crate::{console, experiments, files, page, performance, workspace};

/// The command.
pub fn command() -> Result<()> {
    let docs = workspace::root().join("docs");
    let cells = workspace::made()?.join("coupling.csv");
    let made = workspace::output(&mut experiments::program(["coupling".as_ref(), cells.as_os_str()]))?;
    console::text(&made);
    files::copy(&cells, &docs.join("data/coupling.csv"))?;
    page::update(&docs.join("coupling.md"), &(made + &performance::dated("coupling")?))
}
