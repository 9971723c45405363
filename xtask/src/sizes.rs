//! Sizes of the packaged FMUs of this machine, held to the committed figures.

use anyhow::Result;

use crate::committed::{self, Verdict};
use crate::{files, workspace};

/// Compares the FMUs in `target/fmu` with the committed sizes or, to `update`, overwrites them. An
/// added feature of all elements takes some percent and is accepted by hand.
pub fn run(update: bool) -> Result<Verdict> {
    let size = |name: &&str| files::size(&workspace::target().join(format!("fmu/{name}.fmu")));
    committed::hold(
        "benches/sizes.txt",
        "bytes of the packaged FMUs",
        update,
        |names| names.iter().map(size).collect(),
    )
}
