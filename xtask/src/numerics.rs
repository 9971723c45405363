//! `cargo xtask numerics`: the figures of `docs/internals/numerics.md`.
//!
//! Tests of `bristle` that are ignored otherwise calculate a table for each figure; `experiments/figures` draws them.

use anyhow::Result;

use crate::{experiments, files, page, workspace};

/// Tables of the figures, which the tests leave below `target/made`.
pub const TABLES: [&str; 4] =
    ["numerics_zones.tsv", "numerics_regularised_time.tsv", "numerics_stick.tsv", "numerics_errors.tsv"];

/// The command.
pub fn command() -> Result<()> {
    experiments::require_python()?;
    let mut cargo = workspace::cargo();
    workspace::run(cargo.args(["test", "--release", "-p", "bristle", "--lib", "frdyn2::figures", "--", "--ignored"]))?;
    let figures = workspace::root().join("docs/figures");
    let tables = figures.join("numerics");
    files::make_folder(&tables)?;
    for name in TABLES {
        files::copy(&workspace::made()?.join(name), &tables.join(name))?;
    }
    experiments::draw("numerics", &[&tables, &figures])?;
    page::update(&workspace::root().join("docs/internals/numerics.md"), &page::stamp("numerics")?)
}
