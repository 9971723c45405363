//! `cargo xtask creep`: creep rates of every element under loads that pulsate about a mean, into `docs/creep.md`, and their stick into
//! `docs/elements.md`.

use anyhow::Result;
use clap::{ArgMatches, Command};

use crate::{arguments, console, experiments, files, package, page, performance, workspace};

/// Arguments of the command.
pub fn arguments(command: Command) -> Command {
    command.arg(arguments::flag("page", "Write pages and figure from docs/data/creep.csv, without measuring"))
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    experiments::require_python()?;
    let docs = workspace::root().join("docs");
    let committed = docs.join("data/creep.csv");
    let made = if given.get_flag("page") {
        workspace::output(&mut experiments::program(["creep-page".as_ref(), committed.as_os_str()]))?
    } else {
        package::for_this_machine()?;
        let results = workspace::made()?.join("creep.csv");
        let made = workspace::output(&mut experiments::program(["creep".as_ref(), results.as_os_str()]))?;
        files::copy(&results, &committed)?;
        page::update(&docs.join("creep.md"), &performance::dated("creep")?)?;
        made
    };
    experiments::draw("creep", &[&committed, &docs.join("figures/creep.svg")])?;
    console::text(&made);
    page::update_only(&docs.join("creep.md"), &made, &["creep"])?;
    page::update_only(&docs.join("elements.md"), &made, &["elements"])
}
