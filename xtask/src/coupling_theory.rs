//! Part of `cargo xtask figures`: table and figure of `docs/coupling-theory.md`.

use anyhow::Result;

use crate::{experiments, page, workspace};

/// Makes both; the Python environment is there.
pub fn command() -> Result<()> {
    let docs = workspace::root().join("docs");
    let made = experiments::draw("coupling_theory", &[&docs.join("figures/coupling_theory.svg")])?;
    page::update(&docs.join("coupling-theory.md"), &made)
}
