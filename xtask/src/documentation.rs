//! Checks of the documentation: log messages against their sources, links, the index of the pages, and the tests that claims name.

mod claims;
mod links;
mod messages;

use anyhow::{Result, ensure};

use crate::{files, workspace};

/// Checks all of it; the error lists every fault.
pub fn check() -> Result<()> {
    let root = workspace::root();
    let mut faults = messages::faults(&root)?;
    faults.extend(links::faults(&root)?);
    faults.extend(claims::faults(&root)?);
    ensure!(faults.is_empty(), "{} faults of the documentation:\n  {}", faults.len(), faults.join("\n  "));
    Ok(())
}

/// A text file of the workspace, by its path from the root.
fn page(root: &std::path::Path, path: &str) -> Result<String> {
    files::read_text(&root.join(path))
}
