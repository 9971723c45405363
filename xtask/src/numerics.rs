//! `cargo xtask numerics`: the figures of `docs/numerics.md`.
//!
//! Tests of `bristle` that are ignored otherwise calculate a table for each figure; `experiments/figures` draws them.

use anyhow::Result;

use crate::{experiments, workspace};

/// The command.
pub fn command() -> Result<()> {
    experiments::require_python()?;
    let mut cargo = workspace::cargo();
    workspace::run(cargo.args(["test", "--release", "-p", "bristle", "--lib", "frdyn2::figures", "--", "--ignored"]))?;
    experiments::draw("numerics", &[&workspace::made()?, &workspace::root().join("docs/figures")])?;
    Ok(())
}
