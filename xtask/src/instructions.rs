//! `cargo xtask instructions`: the instructions of a step and of an instantiation, counted by callgrind and held to the committed
//! figures, and sizes.
//!
//! Times vary with the machine and its other work, counts do not: a rise of a few percent shows here and nowhere else.
//! They change with the compiler, so that figures of another rustc are not compared.

use std::path::Path;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result};
use bristle::catalogue::ELEMENTS;

use crate::committed::{self, Verdict};
use crate::console::say;
use crate::tools::{self, Tool};
use crate::{package, sizes, workspace};

/// Committed counts.
const FILE: &str = "benches/instructions.txt";
const QUANTITY: &str = "instructions of a step";
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
    let obstacle = if update { None } else { committed::obstacle(FILE, QUANTITY)? };
    if let Some(why) = Tool::Valgrind.missing().or(obstacle) {
        return Ok(Verdict::Skipped(why));
    }
    // Compiled as the FMUs are.
    let build = ["build", "--quiet", "--profile", "fmu", "-p", "bristle-benches", "--bin", "instructions"];
    workspace::run(workspace::cargo().args(build))?;
    let program = workspace::target().join("fmu/instructions");
    let cases = cases();
    // On two processors at once: a count does not change with other work of the machine.
    let (first, second) = cases.split_at(cases.len() / 2);
    let count = |half: &[Case]| half.iter().map(|case| case.per_step(&program)).collect::<Result<Vec<_>>>();
    let (first, second) = thread::scope(|scope| {
        let other = scope.spawn(|| count(second));
        (count(first), other.join().expect("a count does not panic"))
    });
    let counts = [first?, second?].concat();
    committed::hold(FILE, QUANTITY, &counts, update)
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
    /// Instructions of a step, by its key.
    fn per_step(&self, program: &Path) -> Result<(String, u64)> {
        let [once, thrice] = [1, 3].map(|passes| self.count(program, passes));
        Ok((self.key.clone(), (thrice? - once?) / (2 * u64::from(self.steps))))
    }

    /// All instructions of a run.
    fn count(&self, program: &Path, passes: u32) -> Result<u64> {
        let mut callgrind = Command::new("valgrind");
        callgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
        let output = callgrind.args(self.key.split(' ')).arg(passes.to_string()).output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        let collected = said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
        collected.with_context(|| format!("callgrind counted nothing of {}: {said}", self.key))
    }
}
