//! `cargo xtask coupling-theory`: table and figure of `docs/internals/coupling-theory.md`.

use anyhow::Result;

use crate::{experiments, page, workspace};

/// The command.
pub fn command() -> Result<()> {
    experiments::require_python()?;
    let docs = workspace::root().join("docs");
    let made = experiments::draw("coupling_theory", &[&docs.join("figures/coupling_theory.svg")])?;
    page::update(&docs.join("coupling-theory.md"), &made)
}
