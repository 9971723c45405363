//! `cargo xtask bench`: the cost of a communication step, measured through the packaged FMUs.

use anyhow::Result;

use crate::{package, workspace};

/// The command.
pub fn command() -> Result<()> {
    let folder = workspace::target().join("fmu");
    package::for_this_machine()?;
    workspace::run(
        workspace::cargo()
            .args(["bench", "-p", "bristle-benches", "--bench", "cycle", "--bench", "contacts", "--bench", "motions"])
            .env("BRISTLE_FMU_DIR", &folder),
    )
}
