//! `cargo xtask validate-paper`: every number of the papers beside those of the rigs, monolithic
//! and through the packaged FMUs, printed and written into `docs/papers.md`; and likewise the
//! numbers of the rigs of `docs/internals/rigs.md`.

use anyhow::{Context, Result, ensure};

use crate::console::say;
use crate::{experiments, package, page, workspace};

/// The command.
pub fn command() -> Result<()> {
    package::for_this_machine()?;
    run(true)?;
    let made = experiments::run(["motions".as_ref()])?;
    page::update(&workspace::root().join("docs/internals/rigs.md"), &made)
}

/// Name of the stage that computes the papers' numbers and compares their tables with the page.
pub const STAGE: &str = "every number of the papers";

/// Computes the papers' table from the packaged FMUs, and writes it into the page if `written`;
/// fails if a number is off.
pub fn run(written: bool) -> Result<()> {
    // The table is wanted most where a number is off: then the program fails, too.
    let output = experiments::program(["numbers".as_ref()])
        .output()
        .context("cannot start the experiments")?;
    let table = String::from_utf8_lossy(&output.stdout);
    say!("{table}");
    ensure!(
        table.starts_with('|'),
        "the experiments ended without a table; what they said above says why"
    );
    if written {
        page::update(
            &workspace::root().join("docs/papers.md"),
            &page::section("numbers", &table),
        )?;
    }
    let off = table
        .lines()
        .filter(|line| line.ends_with("| OFF |"))
        .count();
    ensure!(
        off == 0 && output.status.success(),
        "{off} numbers of the papers are off: the rows that say OFF above"
    );
    Ok(())
}
