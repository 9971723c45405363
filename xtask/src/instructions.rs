//! `cargo xtask instructions`: the instructions of a step and of an instantiation, counted by callgrind and held to the committed
//! figures, and sizes.
//!
//! Times vary with the machine and its other work, counts do not: a rise of a few percent shows here and nowhere else.
//! They change with the compiler, so that figures of another rustc are not compared.

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use bristle::catalogue::ELEMENTS;

use crate::committed::{Comparison, Kind, Verdict};
use crate::console::say;
use crate::tools::{self, Tool};
use crate::{arguments, package, sizes, workspace};

/// Committed counts.
const INSTRUCTIONS: Kind = Kind {
    file: "benches/instructions.txt",
    quantity: "instructions of a step",
    figures: "figures",
    figure: "figure",
    rise: "instructions rose",
    remedy: "make the step cheaper",
};
/// Runs of callgrind at the same time.
const THREADS: usize = 2;
/// Regime that makes elements in place of steps.
const INSTANTIATION: &str = "instantiation";
/// Regimes of every law and motion.
const REGIMES: [&str; 4] = ["sliding", "stick", "ramps", INSTANTIATION];
/// Counted runs of FrDyn2: regime, communication step and steps of a pass (0.2 s).
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

/// Laws, masters and regimes with m_eff, and the steps of a pass.
const COUPLED: ([&str; 4], [&str; 2], [&str; 3], u32) =
    (["FrDyn2", "FrDyn2Linear", "LuGre", "Dahl"], ["serial", "parallel"], ["rest", "stick", "slip"], 500);

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
    let mut figures = match Comparison::begin(&INSTRUCTIONS, update)? {
        Ok(figures) => figures,
        Err(why) => return Ok(Verdict::Skipped(why)),
    };
    // Compiled as the FMUs are.
    let program = workspace::built(&["--profile", "fmu", "-p", "bristle-benches", "--bin", "instructions"])?;
    let cases = cases();
    let width = cases.iter().map(|case| case.key.len()).max().unwrap_or(0);
    say!("{:<width$} {:>12} {:>16}", "case", "instructions", "committed");
    let next = AtomicUsize::new(0);
    let counts = Mutex::new(vec![None; cases.len()]);
    // A count does not change with other work of the machine.
    thread::scope(|scope| {
        let work = || -> Result<()> {
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let Some(case) = cases.get(i) else { return Ok(()) };
                let [once, thrice] = [1, 3].map(|passes| case.count(&program, passes));
                let figure = (thrice? - once?) / (2 * u64::from(case.steps));
                counts.lock().map_err(|_| anyhow!("another thread stopped"))?[i] = Some(figure);
            }
        };
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| anyhow!("a thread stopped"))?)
    })?;
    for (case, count) in cases.iter().zip(counts.into_inner().map_err(|_| anyhow!("a thread stopped"))?) {
        let count = count.with_context(|| format!("{} was not counted", case.key))?;
        let before = figures.add(&case.key, &case.key, count)?;
        let change = before.map_or(0.0, |before| count as f64 / before - 1.0);
        let shown = before.map_or("-".to_owned(), |before| format!("{before:.0} {:+.1} %", 100.0 * change));
        say!("{:<width$} {count:>12} {shown:>16}", case.key);
    }
    figures.end()
}

/// All cases: regimes of FrDyn2, laws with m_eff, every law along a line, every form in the plane, and the other motions of FrDyn2, whose
/// contacts are these.
fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = COUNTED.map(|(regime, h, steps)| Case { key: format!("{regime} {h}"), steps }).into();
    let (laws, masters, regimes, steps) = COUPLED;
    for (law, master) in laws.into_iter().flat_map(|law| masters.map(|master| (law, master))) {
        cases.extend(regimes.map(|regime| Case { key: format!("{law} m_eff {master} {regime}"), steps }));
    }
    for element in &ELEMENTS {
        let name = element.metadata.name;
        for motion in ["translational", "planar", "rotational", "patch", "several"] {
            let is_counted = match motion {
                "translational" => true,
                "planar" => element.planar.is_some(),
                _ => name == "FrDyn2",
            };
            let case = |regime: &str| Case {
                key: format!("{name} {motion} {regime}"),
                steps: if regime == INSTANTIATION { 1 } else { 200 },
            };
            cases.extend(REGIMES.map(case).into_iter().filter(|_| is_counted));
        }
    }
    cases
}

/// A counted run.
struct Case {
    /// Words before the figure in the file, which are the arguments of the program.
    key: String,
    /// Steps of a pass.
    steps: u32,
}

impl Case {
    /// All instructions of a run.
    fn count(&self, program: &Path, passes: u32) -> Result<u64> {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(program)
            .args(self.key.split(' '))
            .arg(passes.to_string())
            .output()
            .context("cannot start valgrind")?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            bail!("callgrind ended with {}: {said}", output.status);
        }
        let collected = said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
        collected.with_context(|| format!("callgrind does not say what it collected: {said}"))
    }
}
