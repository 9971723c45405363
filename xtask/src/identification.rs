//! `cargo xtask identification`: the study of the Python package over synthetic records, into `docs/identification.md`.

use anyhow::Result;

use crate::environment::PACKAGE;
use crate::{experiments, page, python_package, workspace};

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Share of the records to run; less than 1 prints the tables and leaves the page as it is
    #[arg(long, default_value = "1")]
    share: String,
}

/// The command.
pub fn command(options: &Options) -> Result<()> {
    PACKAGE.require()?;
    experiments::require_python()?;
    python_package::develop()?;
    let docs = workspace::root().join("docs");
    let mut study = python_package::program("python");
    study.args(["-m", "bristle.study", "--share", &options.share, "--docs"]).arg(&docs);
    workspace::run(&mut study)?;
    if options.share == "1" {
        let [table, picture] = ["csv", "svg"].map(|kind| docs.join("figures/identification").with_extension(kind));
        experiments::draw("identification", &[&table, &picture])?;
        page::update_dated(&docs.join("identification.md"), "", "identification")?;
    }
    Ok(())
}
