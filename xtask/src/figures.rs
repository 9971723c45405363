//! `cargo xtask figures`: pictures and tables of `docs/` that take minutes at most, by name.
//!
//! The experiments compute the data through the packaged FMUs, a table for each figure; `experiments/figures` draws them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use bristle::catalogue::Motion;
use clap::ValueEnum;

use crate::console::say;
use crate::{capabilities, experiments, files, package, page, workspace};

/// Sketch of the contact in the README, the one in the documentation inside the FMUs.
const SKETCH: &str = "docs/figures/contact.svg";

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Pictures and tables to make, all unless named
    names: Vec<Name>,
}

/// Name of pictures and tables.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Name {
    Sketch,
    Papers,
    Bristle,
    CouplingTheory,
}

/// The command.
pub fn command(options: &Options) -> Result<()> {
    let names = if options.names.is_empty() { Name::value_variants() } else { &options.names };
    names.iter().try_for_each(|name| match name {
        Name::Sketch => sketch(),
        Name::Papers => papers(),
        Name::Bristle => bristle(),
        Name::CouplingTheory => coupling_theory(),
    })
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
    let results = workspace::made()?;
    for table in experiments::run(["figures".as_ref(), results.as_os_str()])?.lines() {
        let name = Path::new(table).file_name().context("the experiments printed no path of a table")?;
        // The README's figure is in the folder above those of the papers.
        let place = if name == "frdyn2.csv" { &folder } else { &papers };
        files::copy(Path::new(table), &place.join(name))?;
    }
    experiments::draw("frdyn2", &[&folder.join("frdyn2.csv"), &folder.join("frdyn2.svg")])?;
    page::update(&docs().join("papers.md"), &experiments::draw("papers", &[&papers, &papers])?)
}

/// Worked choices of the bristle, in `docs/choosing-the-bristle.md`.
fn bristle() -> Result<()> {
    let made = experiments::run(["bristle".as_ref()])?;
    page::update(&docs().join("choosing-the-bristle.md"), &made)
}

/// Table and figure of `docs/internals/coupling-theory.md`.
fn coupling_theory() -> Result<()> {
    experiments::require_python()?;
    let made = experiments::draw("coupling_theory", &[&docs().join("figures/coupling_theory.svg")])?;
    page::update(&docs().join("internals/coupling-theory.md"), &made)
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
