//! `cargo xtask compare`: every element on every rig, cost beside error, into `docs/compare.md`.

use anyhow::{Result, ensure};

use crate::figures::pens;
use crate::{console, experiments, files, package, page, workspace};
use bristle_export::plot::{Axis, Curve, Panel, Spacing, grid};

/// The rigs that are drawn.
const DRAWN: [&str; 6] = ["stick", "pulses", "festoon", "block", "oscillator", "force"];

/// The command.
pub fn command() -> Result<()> {
    package::for_this_machine()?;
    let docs = workspace::root().join("docs");
    let points = workspace::made()?.join("compare.tsv");
    let mut made = workspace::output(&mut experiments::program(["compare".as_ref(), points.as_os_str()]))?;
    let text = files::read_text(&points)?;
    files::copy(&points, &docs.join("figures/compare.tsv"))?;
    let path = docs.join("figures/compare.svg");
    files::write(&path, draw(&text)?)?;
    made += &workspace::output(&mut experiments::program(["instructions".as_ref()]))?;
    console::text(&made);
    page::update(&docs.join("compare.md"), &made)
}

/// Root mean square error over cost, a line per element from the long step to the short one.
fn draw(text: &str) -> Result<String> {
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    ensure!(rows.iter().all(|row| row.len() == 7), "a line of the points has fields missing");
    let number = |row: &[&str], place: usize| row[place].parse().unwrap_or(f64::NAN);
    let panel = |rig: &&str| {
        let curve = |(name, pen): &(&str, _)| Curve {
            // One legend serves all panels.
            label: if *rig == DRAWN[0] { (*name).to_owned() } else { String::new() },
            points: rows
                .iter()
                .filter(|row| row[0] == *rig && row[1] == *name)
                .map(|row| [number(row, 6), number(row, 4)])
                .filter(|[cost, error]| *cost > 0.0 && *error > 0.0)
                .collect(),
            pen: *pen,
        };
        let decades = |label, unit, range| Axis { label, unit, scale: 1.0, spacing: Spacing::Decades, range };
        Panel {
            title: (*rig).to_owned(),
            x: decades("processor time for 1 s", "ms", Some([0.05, 100.0])),
            y: decades("rms error of F_R / F_s", "", Some([1e-5, 2.0])),
            curves: pens::ELEMENTS.iter().map(curve).collect(),
        }
    };
    let panels: Vec<_> = DRAWN.iter().map(panel).collect();
    Ok(grid(
        &panels,
        3,
        330.0,
        "Error over cost of every element on six rigs, communication steps of 1e-3 s and 1e-4 s",
    ))
}
