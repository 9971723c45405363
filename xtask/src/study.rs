//! `cargo xtask study`: v_s, v_d and H of FrDyn2 swept over decades, into `docs/study.md`.
//!
//! Finished cases are kept below `target/study`, in a file that is named by the FMU and the program that made them: an
//! interrupted study continues, and one of another law starts from the beginning.

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

use crate::console::say;
use crate::{experiments, files, package, page, workspace};

/// The command.
pub fn command() -> Result<()> {
    experiments::require_python()?;
    package::for_this_machine()?;
    let mut hash = Sha256::new();
    for file in [workspace::target().join("fmu/FrDyn2.fmu"), experiments::built()?] {
        hash.update(files::read(&file)?);
    }
    let name: String = hash.finalize().iter().take(8).fold(String::new(), |name, byte| format!("{name}{byte:02x}"));
    let folder = workspace::target().join("study");
    files::make_folder(&folder)?;
    let results = folder.join(format!("{name}.csv"));
    workspace::run(&mut experiments::program(["study".as_ref(), results.as_os_str()]))?;

    let text = files::read_text(&results)?;
    let (head, rest) = text.split_once('\n').context("the study left no results")?;
    let mut lines: Vec<&str> = rest.lines().collect();
    ensure!(!lines.is_empty(), "the study left no results");
    // Cases end in any order; the page's data do not.
    lines.sort_unstable();
    let figures = workspace::root().join("docs/figures");
    let [table, bench, festoon] = ["study.csv", "study_bench.svg", "study_festoon.svg"].map(|file| figures.join(file));
    files::write(&table, format!("{head}\n{}\n", lines.join("\n")))?;
    experiments::draw("study", &[&table, &bench, &festoon])?;
    for path in [table, bench, festoon] {
        say!("{}", path.display());
    }
    page::update(&workspace::root().join("docs/study.md"), &page::stamp("study")?)
}
