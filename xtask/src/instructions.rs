//! `cargo xtask instructions`: the instructions of a step, counted by callgrind and held to the committed figures, and sizes.
//!
//! Times vary with the machine and its other work, counts do not: a rise of a few percent shows here and nowhere else.
//! They change with the compiler, so that figures of another rustc are not compared.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::console::say;
use crate::tools::{self, Tool};
use crate::verdict::Verdict;
use crate::{arguments, files, package, performance, sizes, workspace};

/// The rise that is an error.
const ALLOWED: f64 = 0.03;
/// Counted runs: regimes of `benches/src/regimes.rs`, communication step and steps of a pass (0.2 s).
const COUNTED: [(&str, &str, u32); 21] = [
    ("rest", "1e-3", 200),
    ("rest", "1e-4", 2000),
    ("stick", "1e-3", 200),
    ("stick", "1e-4", 2000),
    ("break_away", "1e-3", 200),
    ("break_away", "1e-4", 2000),
    ("sliding", "1e-3", 200),
    ("sliding_sine", "1e-3", 200),
    ("sliding_sine", "1e-4", 2000),
    ("sliding_sine", "1e-5", 20000),
    ("micro_sine", "1e-3", 200),
    ("micro_sine", "1e-4", 2000),
    ("micro_sine", "1e-5", 20000),
    ("heavy", "1e-3", 200),
    ("heavy", "1e-4", 2000),
    ("sliding_ramps", "1e-3", 200),
    ("sliding_ramps", "1e-4", 2000),
    ("micro_ramps", "1e-3", 200),
    ("micro_ramps", "1e-4", 2000),
    ("pressed_parabolas", "1e-3", 200),
    ("pressed_parabolas", "1e-4", 2000),
];

/// Adds the arguments of the command.
pub fn arguments(command: clap::Command) -> clap::Command {
    command.arg(arguments::flag("update", "Record the counts of this compiler and processor as those to compare with"))
}

/// The command.
pub fn command(update: bool) -> Result<()> {
    tools::require(&[Tool::Valgrind])?;
    package::for_this_machine()?;
    for verdict in [run(update)?, sizes::run(update)?] {
        if let Verdict::Skipped(why) = verdict {
            say!("SKIPPED: {why}");
        }
    }
    Ok(())
}

/// Counts, prints, and compares with the committed figures or, to `update`, overwrites them.
pub fn run(update: bool) -> Result<Verdict> {
    if let Some(why) = Tool::Valgrind.missing() {
        return Ok(Verdict::Skipped(format!("{why}.")));
    }
    let file = workspace::root().join("benches/instructions.txt");
    let head = format!(
        "# {}, {}: instructions of a step, made by `cargo xtask instructions --update`",
        performance::rustc()?,
        std::env::consts::ARCH
    );
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    let recorded = committed.lines().next().unwrap_or("nothing");
    if !update && recorded != head {
        return Ok(Verdict::Skipped(format!(
            "benches/instructions.txt is of another compiler or processor ({recorded}); record figures of this one with `cargo xtask instructions --update`."
        )));
    }

    // Compiled as the FMUs are.
    let program = workspace::built(&["--profile", "fmu", "-p", "bristle-benches", "--bin", "steps"])?;
    let mut text = format!("{head}\n");
    let mut risen = Vec::new();
    say!("{:<18} {:<6} {:>12} {:>12}", "regime", "H, s", "instructions", "committed");
    for (regime, h, steps) in COUNTED {
        let [once, thrice] = [1, 3].map(|passes| count(&program, regime, h, passes));
        let per_step = (thrice? - once?) / (2 * u64::from(steps));
        writeln!(text, "{regime} {h} {per_step}")?;
        let before =
            committed.lines().find_map(|line| line.strip_prefix(&format!("{regime} {h} "))?.parse::<f64>().ok());
        let change = before.map_or(0.0, |before| per_step as f64 / before - 1.0);
        let shown = before.map_or("-".to_owned(), |before| format!("{before:.0} {:+.1} %", 100.0 * change));
        say!("{regime:<18} {h:<6} {per_step:>12} {shown:>16}");
        if change > ALLOWED {
            risen.push(format!("{regime} at {h} s: {per_step} after {}", before.unwrap_or(0.0)));
        } else if before.is_none() && !update {
            risen.push(format!("{regime} at {h} s has no committed figure"));
        }
    }
    if update {
        files::write(&file, text)?;
        say!("{}", file.display());
        return Ok(Verdict::Held);
    }
    ensure!(
        risen.is_empty(),
        "instructions rose by more than {:.0} %: {}; make the step cheaper, or accept it with `cargo xtask instructions --update`",
        100.0 * ALLOWED,
        risen.join("; ")
    );
    Ok(Verdict::Held)
}

/// All instructions of a run.
fn count(program: &Path, regime: &str, h: &str, passes: u32) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args([regime, h, &passes.to_string()])
        .output()
        .context("cannot start valgrind")?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("callgrind ended with {}: {said}", output.status);
    }
    let collected = said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    collected.with_context(|| format!("callgrind does not say what it collected: {said}"))
}
