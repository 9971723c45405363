//! `cargo xtask identification`: the study of the Python package over synthetic records, into `docs/identification.md`.

use anyhow::Result;
use clap::{Arg, ArgMatches, Command};

use crate::environment::PACKAGE;
use crate::{experiments, page, python_package, workspace};

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command.arg(
        Arg::new("share")
            .long("share")
            .value_name("SHARE")
            .default_value("1")
            .help("The share of the records to run; less than 1 prints the tables and leaves the page as it is"),
    )
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    PACKAGE.require()?;
    experiments::require_python()?;
    python_package::develop()?;
    let share = given.get_one::<String>("share").map_or("1", String::as_str);
    let mut study = python_package::program("python")?;
    study.args(["-m", "bristle.study", "--share", share, "--docs"]).arg(workspace::root().join("docs"));
    workspace::run(&mut study)?;
    if share == "1" {
        let figures = workspace::root().join("docs/figures");
        let [table, picture] = ["identification.csv", "identification.svg"].map(|file| figures.join(file));
        experiments::draw("identification", &[&table, &picture])?;
        page::update(&workspace::root().join("docs/identification.md"), &page::stamp("identification")?)?;
    }
    Ok(())
}
