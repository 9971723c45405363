//! `cargo xtask identification`: the study of the Python package over synthetic records, into
//! `docs/identification.md`.

use anyhow::Result;

use crate::environment::PACKAGE;
use crate::{page, python_package, workspace};

/// The command.
pub fn command() -> Result<()> {
    PACKAGE.require()?;
    python_package::develop()?;
    let docs = workspace::root().join("docs");
    let mut study = python_package::program("python");
    workspace::run(study.args(["-m", "bristle.study", "--docs"]).arg(&docs))?;
    page::update_dated(&docs.join("identification.md"), "", "identification")
}
