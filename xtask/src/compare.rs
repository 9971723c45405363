//! `cargo xtask compare`: every element on every rig, cost beside error, into `docs/compare.md`.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, ensure};
use bristle::catalogue::ELEMENTS;

use crate::figures::pens;
use crate::plot::{Axis, Curve, Panel, Spacing, grid};
use crate::{experiments, package, page, workspace};

/// The rigs that are drawn.
const DRAWN: [&str; 6] = ["stick", "pulses", "festoon", "block", "oscillator", "force"];
/// The rigs whose instructions are counted, at `COUNTED_STEP`: the short ones, for under callgrind all is slow.
const COUNTED: [&str; 4] = ["stick", "pulses", "block", "force"];
const COUNTED_STEP: &str = "1e-4";

pub fn command() -> Result<()> {
    package::for_this_machine()?;
    let docs = workspace::root().join("docs");
    let points = docs.join("figures/compare.tsv");
    let mut made = workspace::output(&mut experiments::program(["compare".as_ref(), points.as_os_str()]))?;
    let text = String::from_utf8_lossy(&workspace::read(&points)?).into_owned();
    let path = docs.join("figures/compare.svg");
    std::fs::write(&path, draw(&text)?).with_context(|| format!("cannot write {}", path.display()))?;
    let counts = instructions()?;
    let _ = write!(made, "<!-- begin instructions -->\n{counts}<!-- end instructions -->\n");
    print!("{made}");
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

/// Millions of instructions for a second of a rig, counted by callgrind where it is installed.
fn instructions() -> Result<String> {
    if workspace::find("valgrind").is_none() {
        return Ok("Not counted: valgrind is not installed where this page was made.\n".to_owned());
    }
    let program = experiments::built()?;
    let cases: Vec<_> = ELEMENTS.iter().flat_map(|entry| COUNTED.map(|rig| (entry.declaration.name, rig))).collect();
    let counts = Mutex::new((0..cases.len()).map(|_| None).collect::<Vec<_>>());
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some((element, rig)) = cases.get(place) else { break };
            let counted = count(&program, rig, element);
            counts.lock().expect("no thread panics with the lock")[place] = Some(counted);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    let counts = counts.into_inner().expect("no thread panics with the lock");
    let mut table = format!("| element | {} |\n|---{}|\n", COUNTED.join(" | "), "|---:".repeat(COUNTED.len()));
    for (entry, counts) in ELEMENTS.iter().zip(counts.chunks(COUNTED.len())) {
        let _ = write!(table, "| {}", entry.declaration.name);
        for count in counts.iter().flatten() {
            match count {
                Ok(count) => {
                    let _ = write!(table, " | {count:.1}");
                }
                Err(error) => {
                    anyhow::bail!("the instructions of {} were not counted: {error:#}", entry.declaration.name)
                }
            }
        }
        table.push_str(" |\n");
    }
    Ok(table)
}

fn count(program: &Path, rig: &str, element: &str) -> Result<f64> {
    let mut command = Command::new("valgrind");
    // Only what the steps cost: not the start of the program, nor the run that finds out what the contacts see.
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*play_steps*"]);
    command
        .arg(program)
        .args(["play", rig, element, COUNTED_STEP])
        .env("BRISTLE_FMU_DIR", workspace::target().join("fmu"));
    let output = command.output().context("cannot start valgrind")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "callgrind ended with {}: {said}", output.status);
    let collected: Option<f64> = said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    let collected = collected.with_context(|| format!("callgrind does not say what it collected: {said}"))?;
    let seconds: f64 = String::from_utf8_lossy(&output.stdout).trim().parse().context("no time was printed")?;
    Ok(collected / seconds / 1e6)
}
