//! `cargo xtask compare`: the instructions that a second of a rig costs each element, counted by callgrind over the same calls
//! as are timed.
//!
//! callgrind runs this program itself, which plays one rig to one element.

use crate::parallel;
use anyhow::{Context, Result, ensure};
use bristle::catalogue::ELEMENTS;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The rigs whose instructions are counted: the short ones, for under callgrind all is slow.
const COUNTED: [&str; 4] = ["stick", "pulses", "block", "force"];
/// The communication step, s.
const H: &str = "1e-4";

/// `experiments instructions`: prints the table.
pub fn command() -> Result<()> {
    println!("<!-- begin instructions -->\n{}<!-- end instructions -->", table()?);
    Ok(())
}

/// Millions of instructions for a second of a rig.
fn table() -> Result<String> {
    if !Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Ok("Not counted: valgrind is not installed where this page was made.\n".to_owned());
    }
    let program = std::env::current_exe().context("this program's own file is not known")?;
    let cases: Vec<_> = ELEMENTS.iter().flat_map(|entry| COUNTED.map(|rig| (entry.metadata.name, rig))).collect();
    let counts = parallel::map(&cases, |(element, rig)| count(&program, rig, element));
    let mut table = format!("| element | {} |\n|---{}|\n", COUNTED.join(" | "), "|---:".repeat(COUNTED.len()));
    let mut counts = counts.into_iter();
    for entry in &ELEMENTS {
        let name = entry.metadata.name;
        write!(table, "| {name}")?;
        for count in counts.by_ref().take(COUNTED.len()) {
            let count = count.with_context(|| format!("the instructions of {name} were not counted"))?;
            write!(table, " | {count:.1}")?;
        }
        table.push_str(" |\n");
    }
    Ok(table)
}

fn count(program: &Path, rig: &str, element: &str) -> Result<f64> {
    let mut command = Command::new("valgrind");
    // The steps alone: neither the start of the program nor the run that records the inputs.
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*play_steps*"]);
    command.arg(program).args(["play", rig, element, H]);
    let output = command.output().context("cannot start valgrind")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "callgrind ended with {}: {said}", output.status);
    let collected: Option<f64> = said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    let collected = collected.with_context(|| format!("callgrind does not say what it collected: {said}"))?;
    let seconds: f64 = String::from_utf8_lossy(&output.stdout).trim().parse().context("no time was printed")?;
    Ok(collected / seconds / 1e6)
}
