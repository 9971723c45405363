//! `cargo xtask figures`: the pictures of `docs/figures`, and the tables of capabilities, of bristles and of the observer's stability.
//!
//! The experiments compute the data through the packaged FMUs, a table for each figure; `experiments/figures` draws them.

use std::path::PathBuf;

use anyhow::{Context, Result};
use bristle::catalogue::Motion;
use clap::Command;

use crate::console::say;
use crate::{arguments, capabilities, choosing, coupling_theory, experiments, files, package, page, workspace};

/// Sketch of the contact in the README, the one in the documentation inside the FMUs.
const SKETCH: &str = "docs/figures/contact.svg";

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command
        .arg(arguments::flag("sketch", "The sketch of the contact, docs/figures/contact.svg, no more; needs no Python"))
}

/// The command; with `only_sketch` the sketch of the contact and nothing else, which needs no Python.
pub fn command(only_sketch: bool) -> Result<()> {
    let sketch = workspace::root().join(SKETCH);
    files::write(&sketch, bristle_export::sketch(Motion::Translational))?;
    say!("{}", sketch.display());
    if only_sketch {
        return Ok(());
    }
    experiments::require_python()?;
    package::for_this_machine()?;
    page::update(&workspace::root().join("docs/elements.md"), &capabilities::markdown())?;
    let docs = workspace::root().join("docs");
    let [folder, papers] = ["figures", "figures/papers"].map(|folder| docs.join(folder));
    files::make_folder(&papers)?;
    for (table, committed) in compute()? {
        files::copy(&table, &committed)?;
        say!("{}", committed.display());
    }
    experiments::draw("frdyn2", &[&folder.join("frdyn2.csv"), &folder.join("frdyn2.svg")])?;
    page::update(&docs.join("papers.md"), &experiments::draw("papers", &[&papers, &papers])?)?;
    choosing::command()?;
    coupling_theory::command()
}

/// Computes the tables of the figures, and returns their paths, each with that of its place in `docs/figures`.
pub fn compute() -> Result<Vec<(PathBuf, PathBuf)>> {
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
        assert_eq!(committed, bristle_export::sketch(Motion::Translational), "`cargo xtask figures --sketch` draws it");
    }
}
