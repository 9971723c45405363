//! `cargo xtask study`: v_s, v_d and H of FrDyn2 swept over decades, into `docs/study.md`.
//!
//! Finished cases are kept below `target/study`, in a file that is named by the FMU and the program that made them: an
//! interrupted study goes on where it was, and one of another law begins anew.

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

use crate::console::say;
use crate::heat::{self, Map};
use crate::{experiments, files, package, workspace};

/// A line of the results.
struct Line<'a> {
    rig: &'a str,
    v_s: f64,
    v_d: f64,
    h: &'a str,
    quantity: &'a str,
    expected: f64,
    obtained: f64,
    cost: f64,
}

impl<'a> Line<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let fields: Vec<&str> = line.split(',').collect();
        let [rig, v_s, v_d, h, quantity, expected, obtained, cost] = fields[..] else { return None };
        let number = |text: &str| text.parse().ok();
        Some(Line {
            rig,
            v_s: number(v_s)?,
            v_d: number(v_d)?,
            h,
            quantity,
            expected: number(expected)?,
            obtained: number(obtained)?,
            cost: number(cost)?,
        })
    }
}

/// The command.
pub fn command() -> Result<()> {
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

    let text = String::from_utf8_lossy(&files::read(&results)?).into_owned();
    let (head, rest) = text.split_once('\n').context("the study left no results")?;
    let mut lines: Vec<&str> = rest.lines().collect();
    // Cases end in any order; the page's data do not.
    lines.sort_unstable();
    let parsed: Option<Vec<Line>> = lines.iter().map(|line| Line::read(line)).collect();
    let parsed = parsed.with_context(|| format!("a line of {} has fields missing; delete it", results.display()))?;
    ensure!(!parsed.is_empty(), "the study left no results");

    let figures = workspace::root().join("docs/figures");
    let mut data = format!("{head}\n");
    lines.iter().for_each(|line| data.extend([*line, "\n"]));
    for (file, content) in [
        ("study.csv", data),
        ("study_bench.svg", heat::picture(&bench(&parsed), "FrDyn2 on the test bench over v_s, v_d and H")),
        ("study_festoon.svg", heat::picture(&festoon(&parsed), "FrDyn2 on the festoon over v_s, v_d and H")),
    ] {
        let path = figures.join(file);
        files::write(&path, content)?;
        say!("{}", path.display());
    }
    Ok(())
}

/// One map of the lines that `chosen` takes: what `value` says and how it is shown.
fn map(
    title: String,
    lines: &[Line],
    chosen: impl Fn(&Line) -> bool,
    value: impl Fn(&Line) -> (f64, String),
    range: [f64; 2],
) -> Map {
    let lines: Vec<&Line> = lines.iter().filter(|line| chosen(line)).collect();
    let sorted = |of: fn(&Line) -> f64| {
        let mut values: Vec<f64> = lines.iter().map(|line| of(line)).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    };
    let (columns, rows) = (sorted(|line| line.v_s), sorted(|line| line.v_d));
    let cell =
        |v_d: f64, v_s: f64| lines.iter().find(|line| line.v_s == v_s && line.v_d == v_d).map(|line| value(line));
    Map {
        title,
        cells: rows.iter().map(|v_d| columns.iter().map(|v_s| cell(*v_d, *v_s)).collect()).collect(),
        columns: columns.iter().map(|v| format!("{v:e}")).collect(),
        rows: rows.iter().map(|v| format!("{v:e}")).collect(),
        axes: ["v_s / (m/s)", "v_d / (m/s)"],
        range,
    }
}

fn decimal(x: f64) -> String {
    if x == 0.0 { "0".to_owned() } else { format!("{x:.0e}") }
}

/// The result in one piece, then error and cost at each communication step.
fn maps(lines: &[Line], rig: &str, quantity: &str, steps: &[&str], relative: bool, range: [f64; 2]) -> Vec<Map> {
    let of = |h: String| {
        let error = move |line: &Line| {
            let error = (line.obtained - line.expected).abs();
            let error = if relative { error / line.expected.abs() } else { error };
            (error, decimal(error))
        };
        let unit = if relative { "" } else { ", s" };
        let title = format!("Error of {}{unit}, H = {h} s", quantity.split(" [").next().unwrap_or(quantity));
        map(title, lines, move |line| line.rig == rig && line.quantity == quantity && line.h == h, error, range)
    };
    steps.iter().map(|h| of((*h).to_owned())).collect()
}

fn costs(lines: &[Line], rig: &str, quantity: &str, steps: &[&str]) -> Vec<Map> {
    let cost = |h: &&str| {
        let chosen = |line: &Line| line.rig == rig && line.quantity == quantity && line.h == *h;
        let title = format!("ms for 1 s, H = {h} s");
        map(title, lines, chosen, |line| (line.cost, format!("{:.1}", line.cost)), [1.0, 1000.0])
    };
    steps.iter().map(cost).collect()
}

fn reference(lines: &[Line], rig: &str, quantity: &str, title: &str, scale: f64, range: [f64; 2]) -> Vec<Map> {
    let chosen = |line: &Line| line.rig == rig && line.quantity == quantity && line.h == "1e-5";
    let value = |line: &Line| (line.expected * scale, format!("{:.3}", line.expected * scale));
    vec![map(title.to_owned(), lines, chosen, value, range)]
}

fn bench(lines: &[Line]) -> Vec<Vec<Map>> {
    let (quantity, steps) = ("u_st [m]", ["1e-6", "1e-5", "1e-4", "3e-4"]);
    vec![
        reference(lines, "bench", quantity, "u_st in one piece, \u{b5}m", 1e6, [1.0, 200.0]),
        maps(lines, "bench", quantity, &steps, true, [1e-4, 1.0]),
        costs(lines, "bench", quantity, &steps),
    ]
}

fn festoon(lines: &[Line]) -> Vec<Vec<Map>> {
    let (zero, place, steps) = ("v_T1 = 0 [s]", "x_T1 at 7 s [m]", ["1e-5", "1e-4", "3e-4"]);
    let mut values = reference(lines, "festoon", zero, "v_T1 = 0 in one piece, s", 1.0, [6.4, 6.5]);
    values.extend(reference(lines, "festoon", place, "x_T1 at 7 s in one piece, m", 1.0, [1.8, 1.83]));
    vec![
        values,
        maps(lines, "festoon", zero, &steps, false, [1e-6, 1e-2]),
        maps(lines, "festoon", place, &steps, true, [1e-7, 1e-3]),
        costs(lines, "festoon", zero, &steps),
    ]
}
