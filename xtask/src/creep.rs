//! `cargo xtask creep`: creep rates of every element under loads that pulsate about a mean, into
//! `docs/creep.md`, and their stick into `docs/elements.md`.

use anyhow::Result;

use crate::{experiments, files, package, page, workspace};

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Write pages and figure from docs/data/creep.csv, without measuring
    #[arg(long)]
    page: bool,
}

/// The command.
pub fn command(options: &Options) -> Result<()> {
    experiments::require_python()?;
    let docs = workspace::root().join("docs");
    let committed = docs.join("data/creep.csv");
    let made = if options.page {
        experiments::run(["creep-page".as_ref(), committed.as_os_str()])?
    } else {
        package::for_this_machine()?;
        let results = workspace::made()?.join("creep.csv");
        let made = experiments::run(["creep".as_ref(), results.as_os_str()])?;
        files::copy(&results, &committed)?;
        page::update_dated(&docs.join("creep.md"), "", "creep")?;
        made
    };
    experiments::draw("creep", &[&committed, &docs.join("figures/creep.svg")])?;
    page::update_only(&docs.join("creep.md"), &made, &["creep"])?;
    page::update_only(&docs.join("elements.md"), &made, &["elements"])
}
