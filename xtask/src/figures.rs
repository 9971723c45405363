//! `cargo xtask figures`: pictures and tables of `docs/` that take minutes at most, by name.
//!
//! The experiments compute the data through the packaged FMUs, a table for each figure; `experiments/figures` draws them.

use std::path::PathBuf;

use anyhow::{Context, Result};
use bristle::catalogue::Motion;
use clap::{Arg, ArgMatches, Command};

use crate::console::{say, text};
use crate::{capabilities, experiments, files, package, page, workspace};

/// Sketch of the contact in the README, the one in the documentation inside the FMUs.
const SKETCH: &str = "docs/figures/contact.svg";

/// Tables of the figures of `docs/internals/numerics.md`, which ignored tests of `bristle` leave below `target/made`.
const NUMERICS: [&str; 4] =
    ["numerics_zones.tsv", "numerics_regularised_time.tsv", "numerics_stick.tsv", "numerics_errors.tsv"];

/// Name of pictures and tables, and the function that makes them.
type Entry = (&'static str, fn() -> Result<()>);

/// All pictures and tables.
const NAMES: [Entry; 5] = [
    ("sketch", sketch),
    ("papers", papers),
    ("bristle", bristle),
    ("numerics", numerics),
    ("coupling-theory", coupling_theory),
];

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command.arg(
        Arg::new("name")
            .value_name("NAME")
            .num_args(0..)
            .value_parser(NAMES.map(|(name, _)| name))
            .help("Pictures and tables to make, all unless named"),
    )
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    let named: Vec<&String> = given.get_many("name").into_iter().flatten().collect();
    let is_chosen = |name: &str| named.is_empty() || named.iter().any(|given| *given == name);
    NAMES.into_iter().filter(|(name, _)| is_chosen(name)).try_for_each(|(_, make)| make())
}

fn docs() -> PathBuf {
    workspace::root().join("docs")
}

/// The sketch of the contact, which needs no Python.
fn sketch() -> Result<()> {
    let sketch = workspace::root().join(SKETCH);
    files::write(&sketch, bristle_export::sketch(Motion::Translational))?;
    say!("{}", sketch.display());
    Ok(())
}

/// Figures of the papers and of the README, and the table of capabilities in `docs/elements.md`.
fn papers() -> Result<()> {
    experiments::require_python()?;
    package::for_this_machine()?;
    page::update(&docs().join("elements.md"), &capabilities::markdown())?;
    let [folder, papers] = ["figures", "figures/papers"].map(|folder| docs().join(folder));
    files::make_folder(&papers)?;
    for (table, committed) in compute()? {
        files::copy(&table, &committed)?;
        say!("{}", committed.display());
    }
    experiments::draw("frdyn2", &[&folder.join("frdyn2.csv"), &folder.join("frdyn2.svg")])?;
    page::update(&docs().join("papers.md"), &experiments::draw("papers", &[&papers, &papers])?)
}

/// Worked choices of the bristle, in `docs/choosing-the-bristle.md`.
fn bristle() -> Result<()> {
    let made = workspace::output(&mut experiments::program(["bristle".as_ref()]))?;
    text(&made);
    page::update(&docs().join("choosing-the-bristle.md"), &made)
}

/// Figures of `docs/internals/numerics.md`.
fn numerics() -> Result<()> {
    experiments::require_python()?;
    let mut cargo = workspace::cargo();
    workspace::run(cargo.args(["test", "--release", "-p", "bristle", "--lib", "frdyn2::figures", "--", "--ignored"]))?;
    let figures = docs().join("figures");
    let tables = figures.join("numerics");
    files::make_folder(&tables)?;
    for name in NUMERICS {
        files::copy(&workspace::made()?.join(name), &tables.join(name))?;
    }
    experiments::draw("numerics", &[&tables, &figures]).map(drop)
}

/// Table and figure of `docs/internals/coupling-theory.md`.
fn coupling_theory() -> Result<()> {
    experiments::require_python()?;
    let made = experiments::draw("coupling_theory", &[&docs().join("figures/coupling_theory.svg")])?;
    page::update(&docs().join("internals/coupling-theory.md"), &made)
}

/// Computes the tables of the figures, and returns their paths, each with that of its place in `docs/figures`.
fn compute() -> Result<Vec<(PathBuf, PathBuf)>> {
    let folder = workspace::root().join("docs/figures");
    let results = workspace::made()?;
    let written = workspace::output(&mut experiments::program(["figures".as_ref(), results.as_os_str()]))?;
    let place = |table: &str| {
        let table = PathBuf::from(table);
        let name =
            table.file_name().context("the experiments printed no path of a table")?.to_string_lossy().into_owned();
        // The README's figure is in the folder above those of the papers.
        let committed = folder.join(if name == "frdyn2.csv" { "" } else { "papers" }).join(name);
        anyhow::Ok((table, committed))
    };
    written.lines().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn committed_sketch_is_that_of_the_exporter() {
        let committed = files::read_text(&workspace::root().join(SKETCH)).unwrap();
        assert_eq!(committed, bristle_export::sketch(Motion::Translational), "`cargo xtask figures sketch` draws it");
    }
}
