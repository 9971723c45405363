//! Checks of the documentation: log messages against their sources, links, the index of the pages,
//! and the tests that claims name.

mod claims;
pub mod links;
mod messages;

use anyhow::{Result, ensure};

use crate::workspace;

/// Checks all of it; the error lists every fault.
pub fn check() -> Result<()> {
    let root = workspace::root();
    let faults = [
        messages::faults(&root)?,
        links::faults(&root)?,
        claims::faults(&root)?,
    ]
    .concat();
    ensure!(
        faults.is_empty(),
        "{} faults of the documentation:\n  {}",
        faults.len(),
        faults.join("\n  ")
    );
    Ok(())
}
