//! `cargo xtask current`: committed figures and tables of the documents against those that their commands make now.
//!
//! `items` is the table of all of them. Those that are expensive, or whose numbers are times of a machine, are listed with the
//! reason why they were not made, and with the commit that their page names.

mod items;
mod tolerance;

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::console::say;
use crate::{experiments, figures, files, package, page, workspace};
use items::{Check, ITEMS, Item, Pictures};

/// The command.
pub fn command() -> Result<()> {
    experiments::require_python()?;
    package::for_this_machine()?;
    run()
}

/// Checks all items with the packaged FMUs and the Python environment of the figures; the error lists those that differ.
pub fn run() -> Result<()> {
    let mut stale = Vec::new();
    for item in ITEMS {
        let name = item.name();
        let outcome = check(item).with_context(|| format!("{name}: `cargo xtask {}`", item.command))?;
        match outcome {
            Outcome::Current => say!("current   {name}"),
            Outcome::NotMade(why) => say!("not made  {name}: {why}"),
            Outcome::Stale(differences) => {
                for difference in &differences {
                    say!("STALE     {name}: {difference}");
                }
                stale.push(format!("{name} (`cargo xtask {}` makes it)", item.command));
            }
        }
    }
    ensure!(stale.is_empty(), "{} stale: {}", stale.len(), stale.join("; "));
    Ok(())
}

enum Outcome {
    Current,
    /// Not compared here, with the reason.
    NotMade(String),
    /// Differences, a sentence each.
    Stale(Vec<String>),
}

impl Outcome {
    fn of(differences: Vec<String>) -> Self {
        if differences.is_empty() { Outcome::Current } else { Outcome::Stale(differences) }
    }
}

fn check(item: &Item) -> Result<Outcome> {
    Ok(match &item.check {
        Check::Sections { make, tolerance } => Outcome::of(sections(item.file, item.sections, &make()?, *tolerance)?),
        Check::Curves { tolerance } => Outcome::of(curves(*tolerance)?),
        Check::Pictures(pictures) => Outcome::of(redrawn(pictures)?),
        Check::Elsewhere(place) => Outcome::NotMade(format!("compared by {place}")),
        Check::NotMade(reason) => Outcome::NotMade(format!("{reason}; {}", made_from(item)?)),
    })
}

/// Differences of the committed sections of a page from those made.
pub fn sections(file: &str, names: &[&str], made: &str, tolerance: f64) -> Result<Vec<String>> {
    let committed = files::read_text(&workspace::root().join("docs").join(file))?;
    let mut differences = Vec::new();
    for name in names {
        let [old, new] = [page::section(&committed, name)?, page::section(made, name)?];
        differences.extend(tolerance::difference(old, new, tolerance).map(|text| format!("section {name}: {text}")));
    }
    Ok(differences)
}

/// Differences of the committed tables of curves from those that the experiments compute.
fn curves(tolerance: f64) -> Result<Vec<String>> {
    let mut differences = Vec::new();
    for (table, committed) in figures::compute()? {
        let name = committed.file_name().unwrap_or_default().display().to_string();
        let [new, old] = [files::read_text(&table)?, files::read_text(&committed)?];
        let difference = tolerance::difference_of_curves(&old, &new, tolerance).with_context(|| name.clone())?;
        differences.extend(difference.map(|text| format!("{name}, {text}")));
    }
    Ok(differences)
}

/// Differences of committed pictures from those drawn of the committed tables, and of the captions that the script prints.
fn redrawn(pictures: &Pictures) -> Result<Vec<String>> {
    let figures = workspace::root().join("docs/figures");
    let scratch = workspace::target().join("current").join(pictures.script);
    files::make_folder(&scratch)?;
    let tables = pictures.tables.iter().map(|table| figures.join(table));
    let drawn = pictures.pictures.iter().map(|picture| scratch.join(picture));
    let paths: Vec<_> = tables.chain(drawn).collect();
    for picture in pictures.pictures.iter().filter(|picture| is_folder(picture)) {
        files::make_folder(&scratch.join(picture))?;
    }
    let printed =
        experiments::draw(pictures.script, &paths.iter().map(std::path::PathBuf::as_path).collect::<Vec<_>>())?;

    let drawn = files::below(&scratch, "svg")?;
    ensure!(!drawn.is_empty(), "the script drew nothing");
    let mut differences = Vec::new();
    for path in drawn {
        let name = path.strip_prefix(&scratch)?;
        let [old, new] = [files::read_text(&figures.join(name))?, files::read_text(&path)?];
        let difference = tolerance::difference_of_pictures(&old, &new);
        differences.extend(difference.map(|text| format!("{}: {text}", name.display())));
    }
    if let Some(file) = pictures.page {
        let names: Vec<_> = page::names(&printed).collect();
        differences.extend(sections(file, &names, &printed, 1e-6)?);
    }
    files::remove_folder(&scratch)?;
    Ok(differences)
}

fn is_folder(picture: &str) -> bool {
    Path::new(picture).extension().is_none_or(|extension| extension != "svg")
}

/// Sentence about the commit that a page was made from, which the page must have.
fn made_from(item: &Item) -> Result<String> {
    let text = files::read_text(&workspace::root().join("docs").join(item.file))?;
    let command = item.command;
    let section = page::section(&text, &format!("made {command}"))?;
    let Some(commit) =
        section.split("commit ").nth(1).and_then(|rest| rest.split(|c: char| !c.is_ascii_hexdigit()).next())
    else {
        bail!("docs/{} does not say from which commit `cargo xtask {command}` made it", item.file);
    };
    let git = ["diff", "--name-only", commit, "HEAD", "--", "src", "fmu/src"];
    let changed = workspace::output(std::process::Command::new("git").current_dir(workspace::root()).args(git));
    Ok(match changed {
        Ok(names) => format!("commit {commit}, since when {} files of the elements changed", names.lines().count()),
        Err(_) => format!("commit {commit}, which is not in this checkout"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_generated_section_is_an_item() {
        let docs = workspace::root().join("docs");
        let mut missing = Vec::new();
        for path in files::below(&docs, "md").unwrap() {
            let file = path.strip_prefix(&docs).unwrap().display().to_string();
            let text = files::read_text(&path).unwrap();
            for name in page::names(&text).filter(|name| !name.starts_with("made ")) {
                let listed = ITEMS.iter().any(|item| match &item.check {
                    // The script prints these sections.
                    Check::Pictures(pictures) => pictures.page == Some(&file) && ["figures", "limits"].contains(&name),
                    _ => item.file == file && item.sections.contains(&name),
                });
                // The documentation stage makes the tables of this page anew.
                if !listed && file != "assurance.md" {
                    missing.push(format!("{file}: {name}"));
                }
            }
        }
        assert!(missing.is_empty(), "not in the table of items: {}", missing.join(", "));
    }

    #[test]
    fn items_that_are_not_made_name_their_commit() {
        for item in ITEMS.iter().filter(|item| matches!(item.check, Check::NotMade(_))) {
            made_from(item).unwrap();
        }
    }
}
