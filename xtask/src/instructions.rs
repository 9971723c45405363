//! `cargo xtask instructions`: the instructions of a step and of an instantiation, counted by
//! callgrind and held to the committed figures, and sizes.
//!
//! Times vary with the machine and its other work, counts do not: a rise of a few percent shows
//! here and nowhere else. They change with the compiler, so that figures of another rustc are not
//! compared.

use std::path::Path;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result};

use crate::committed::{self, Verdict};
use crate::console::say;
use crate::tools::{self, Tool};
use crate::{package, sizes, workspace};

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Record the counts of this compiler and processor as those to compare with
    #[arg(long)]
    update: bool,
}

/// The command.
pub fn command(options: &Options) -> Result<()> {
    tools::refuse(Tool::Valgrind.missing().as_slice())?;
    package::for_this_machine()?;
    for verdict in [run(options.update)?, sizes::run(options.update)?] {
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
    committed::hold(
        "benches/instructions.txt",
        "instructions of a step",
        update,
        |cases| {
            // Compiled as the FMUs are.
            let build = [
                "build",
                "--quiet",
                "--profile",
                "fmu",
                "-p",
                "bristle-benches",
                "--bin",
                "instructions",
            ];
            workspace::run(workspace::cargo().args(build))?;
            let program = workspace::target().join("fmu/instructions");
            let count = |half: &[&str]| {
                half.iter()
                    .map(|case| per_step(&program, case))
                    .collect::<Result<Vec<_>>>()
            };
            // On two processors at once: a count does not change with other work of the machine.
            let (first, second) = cases.split_at(cases.len() / 2);
            let (first, second) = thread::scope(|scope| {
                let other = scope.spawn(|| count(second));
                (count(first), other.join().expect("a count does not panic"))
            });
            Ok([first?, second?].concat())
        },
    )
}

/// Instructions of a step of a case: the words before a figure of the file, which are the arguments
/// of the program.
fn per_step(program: &Path, case: &str) -> Result<u64> {
    // Steps of a pass, as the program makes them.
    let steps = match case.split(' ').collect::<Vec<_>>()[..] {
        [_, h] => (0.2 / h.parse::<f64>()?).round() as u64,
        [_, "m_eff", _, _] => 500,
        [.., "instantiation"] => 1,
        _ => 200,
    };
    let [once, thrice] = [1, 3].map(|passes| count(program, case, passes));
    Ok((thrice? - once?) / (2 * steps))
}

/// All instructions of a run.
fn count(program: &Path, case: &str, passes: u32) -> Result<u64> {
    let mut callgrind = Command::new("valgrind");
    callgrind
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program);
    let output = callgrind
        .args(case.split(' '))
        .arg(passes.to_string())
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said
        .lines()
        .find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    collected.with_context(|| format!("callgrind counted nothing of {case}: {said}"))
}
