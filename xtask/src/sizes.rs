//! Sizes of the packaged FMUs of this machine, held to the committed figures.

use anyhow::{Context, Result};

use crate::committed::{self, Verdict};
use crate::workspace;

/// Compares the FMUs in `target/fmu` with the committed sizes or, to `update`, overwrites them. An
/// added feature of all elements takes some percent and is accepted by hand.
pub fn run(update: bool) -> Result<Verdict> {
    let size = |name: &&str| {
        let path = workspace::target().join(format!("fmu/{name}.fmu"));
        Ok(std::fs::metadata(&path)
            .with_context(|| format!("{} is missing", path.display()))?
            .len())
    };
    committed::hold(
        "benches/sizes.txt",
        "bytes of the packaged FMUs",
        update,
        |names| names.iter().map(size).collect(),
    )
}
