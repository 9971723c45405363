//! `cargo xtask elements`: phenomena and cost of a step of each element, into the README.

use anyhow::Result;

use crate::performance::measurement;
use crate::{console, package, page, workspace};

/// The command.
pub fn command() -> Result<()> {
    package::for_this_machine()?;
    let fmus = workspace::target().join("fmu");
    let made = workspace::output(measurement("elements").env("BRISTLE_FMU_DIR", fmus))?;
    console::text(&made);
    page::update(&workspace::root().join("README.md"), &made)
}
