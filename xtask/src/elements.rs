//! `cargo xtask elements`: phenomena, long-term stick (by the results of `cargo xtask creep`) and cost of a step of each element, into
//! `docs/elements.md`.

use anyhow::Result;

use crate::performance::measurement;
use crate::{console, package, page, workspace};

/// The command.
pub fn command() -> Result<()> {
    package::for_this_machine()?;
    let fmus = workspace::target().join("fmu");
    let creep = workspace::root().join("docs/figures/creep.csv");
    let made = workspace::output(measurement("elements").arg(creep).env("BRISTLE_FMU_DIR", fmus))?;
    console::text(&made);
    page::update_stamped(&workspace::root().join("docs/elements.md"), &made, "elements")
}
