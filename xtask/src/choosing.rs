//! Part of `cargo xtask figures`: worked choices of the bristle, into `docs/choosing-the-bristle.md`.

use anyhow::Result;

use crate::{console, experiments, page, workspace};

/// Makes the table.
pub fn command() -> Result<()> {
    let made = workspace::output(&mut experiments::program(["bristle".as_ref()]))?;
    console::text(&made);
    page::update(&workspace::root().join("docs/choosing-the-bristle.md"), &made)
}
