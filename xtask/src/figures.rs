//! `cargo xtask figures`: pictures and tables of `docs/` that take minutes at most, by name.
//!
//! The experiments compute the data through the packaged FMUs, a table for each figure;
//! `experiments/figures` draws them.

use std::collections::BTreeMap;
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
    let names = if options.names.is_empty() {
        Name::value_variants()
    } else {
        &options.names
    };
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

/// Distance of two curves over the range of each column up to which the committed one stays: twice
/// the share by which both are thinned, so that a change of rounding or within the tolerance of an
/// element changes no file.
const ALIKE: f64 = 2e-3;

/// Rows of each run by its name.
type Runs<'a> = BTreeMap<&'a str, Vec<Vec<f64>>>;

/// Head and runs of a table; `None` for a text that is no table of numbers.
fn table(text: &str) -> Option<(&str, Runs<'_>)> {
    let (head, rows) = text.split_once('\n')?;
    let mut runs = Runs::new();
    for row in rows.lines() {
        let (run, numbers) = row.split_once(',')?;
        runs.entry(run).or_default().push(
            numbers
                .split(',')
                .map(str::parse)
                .collect::<Result<_, _>>()
                .ok()?,
        );
    }
    Some((head, runs))
}

/// Whether two tables have the same curves.
fn are_alike(one: &str, other: &str) -> bool {
    let (Some((head, one)), Some((other_head, other))) = (table(one), table(other)) else {
        return false;
    };
    let follows = |curve: &[Vec<f64>], other: &[Vec<f64>]| {
        let ranges: Vec<f64> = (0..curve[0].len())
            .map(|i| {
                let ends = curve.iter().fold([f64::MAX, f64::MIN], |[low, high], row| {
                    [low.min(row[i]), high.max(row[i])]
                });
                (ends[1] - ends[0]).max(f64::MIN_POSITIVE)
            })
            .collect();
        curve.iter().all(|point| {
            other
                .windows(2)
                .any(|part| distance(point, [&part[0], &part[1]], &ranges) < ALIKE)
        })
    };
    head == other_head
        && one.keys().eq(other.keys())
        && one
            .iter()
            .zip(other.values())
            .all(|((_, one), other)| follows(one, other) && follows(other, one))
}

/// Distance of a point from a straight line, the largest one over the range of each column.
fn distance(point: &[f64], [from, to]: [&[f64]; 2], ranges: &[f64]) -> f64 {
    let part = |i: usize| {
        [
            (to[i] - from[i]) / ranges[i],
            (point[i] - from[i]) / ranges[i],
        ]
    };
    let sums = (0..point.len())
        .map(part)
        .fold([0.0; 2], |[own, both], [line, off]| {
            [own + line * line, both + line * off]
        });
    let share = if sums[0] > 0.0 {
        (sums[1] / sums[0]).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (0..point.len())
        .map(part)
        .fold(0.0, |largest: f64, [line, off]| {
            largest.max((off - share * line).abs())
        })
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
        let name = Path::new(table)
            .file_name()
            .context("the experiments printed no path of a table")?;
        // The README's figure is in the folder above those of the papers.
        let place = if name == "frdyn2.csv" {
            &folder
        } else {
            &papers
        }
        .join(name);
        let is_new = !place.exists()
            || !are_alike(
                &files::read_text(Path::new(table))?,
                &files::read_text(&place)?,
            );
        if is_new {
            files::copy(Path::new(table), &place)?;
        }
    }
    experiments::draw(
        "frdyn2",
        &[&folder.join("frdyn2.csv"), &folder.join("frdyn2.svg")],
    )?;
    page::update(
        &docs().join("papers.md"),
        &experiments::draw("papers", &[&papers, &papers])?,
    )
}

/// Worked choices of the bristle, in `docs/choosing-the-bristle.md`.
fn bristle() -> Result<()> {
    let made = experiments::run(["bristle".as_ref()])?;
    page::update(&docs().join("choosing-the-bristle.md"), &made)
}

/// Table and figure of `docs/internals/coupling-theory.md`.
fn coupling_theory() -> Result<()> {
    experiments::require_python()?;
    let made = experiments::draw(
        "coupling_theory",
        &[&docs().join("figures/coupling_theory.svg")],
    )?;
    page::update(&docs().join("internals/coupling-theory.md"), &made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_alike_within_the_share_by_which_they_are_thinned() {
        let table = |shift: f64, corner: f64| {
            format!(
                "run,t [s],u [m]\none,0,0\none,{corner},1e-6\none,10,{}\nother,0,0\nother,1,2\n",
                2e-6 + 1e-6 * shift
            )
        };
        let committed = table(0.0, 5.0);
        assert!(are_alike(&table(1e-3, 5.0), &committed) && are_alike(&committed, &committed));
        // A point more on the line, and one that lies beside it.
        assert!(are_alike(
            &committed.replace("one,10", "one,7,1.4e-6\none,10"),
            &committed
        ));
        assert!(
            !are_alike(&table(1e-2, 5.0), &committed) && !are_alike(&table(0.0, 5.1), &committed)
        );
        assert!(!are_alike(
            &committed.replace("other", "another"),
            &committed
        ));
        assert!(!are_alike(
            &committed.replace("u [m]", "u [mm]"),
            &committed
        ));
        assert!(!are_alike(
            &committed.replace("other,1,2\n", ""),
            &committed
        ));
    }

    #[test]
    fn committed_sketch_is_that_of_the_exporter() {
        let committed = files::read_text(&workspace::root().join(SKETCH)).unwrap();
        assert_eq!(
            committed,
            bristle_export::sketch(Motion::Translational),
            "`cargo xtask figures sketch` draws it"
        );
    }
}
