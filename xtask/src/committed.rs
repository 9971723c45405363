//! Figures that are held to a committed file: one line each, of one compiler and processor. A new
//! case is a new line of the file.

use anyhow::{Result, ensure};
use bristle::catalogue::ELEMENTS;

use crate::console::say;
use crate::{files, performance, workspace};

/// Rise that is an error.
const ALLOWED: f64 = 0.03;

/// Outcome of a comparison with committed figures.
pub enum Verdict {
    Held,
    /// One sentence why nothing was compared.
    Skipped(String),
}

/// Measures the cases of a file, by its path from the root, and prints the figures and their rise.
/// Writes them there to `update` it; otherwise fails where one rose.
pub fn hold(
    file: &str,
    quantity: &str,
    update: bool,
    measure: impl FnOnce(&[&str]) -> Result<Vec<u64>>,
) -> Result<Verdict> {
    let path = workspace::root().join(file);
    let committed = files::read_text(&path)?;
    let (rustc, processor) = (performance::rustc()?, std::env::consts::ARCH);
    let record = "`cargo xtask instructions --update`";
    let head = format!("# {rustc}, {processor}: {quantity}, made by {record}");
    if !update && committed.lines().next() != Some(&head) {
        let why = format!(
            "{file} is of another compiler or processor; record the figures of this one with \
             {record}."
        );
        return Ok(Verdict::Skipped(why));
    }
    let (cases, before): (Vec<&str>, Vec<&str>) = committed
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.rsplit_once(' '))
        .unzip();
    for element in &ELEMENTS {
        let name = element.metadata.name;
        let is_there = cases
            .iter()
            .any(|case| case.split(' ').next() == Some(name));
        ensure!(
            is_there,
            "{file} has no line of {name}; add it with 0 for its figure"
        );
    }
    let figures = measure(&cases)?;
    let mut risen = Vec::new();
    let mut text = format!("{head}\n");
    for ((case, before), figure) in cases.iter().zip(before).zip(figures) {
        let rise = figure as f64 / before.parse::<f64>()? - 1.0;
        say!("{case:<40} {figure:>12} {:>+8.1} %", 100.0 * rise);
        risen.extend((rise > ALLOWED).then_some(*case));
        text += &format!("{case} {figure}\n");
    }
    if update {
        files::write(&path, text)?;
    } else {
        let percent = 100.0 * ALLOWED;
        ensure!(
            risen.is_empty(),
            "{quantity} rose by more than {percent} % in {}; {record} accepts it",
            risen.join(", ")
        );
    }
    Ok(Verdict::Held)
}
