//! A stage of `cargo xtask test`, the results that later stages build on, and the counts of all.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::console::say;
use crate::environment::Environment;
use crate::importers::Matrix;
use crate::reproducibility::Run;
use crate::workspace;
use bristle_export::platform::Platform;

/// A check with a name.
pub struct Stage {
    /// The claim or the tool that is checked.
    pub name: String,
    /// Part of `--long` alone.
    pub long: bool,
    check: Box<dyn FnOnce(&mut Session) -> Outcome>,
}

impl Stage {
    /// A stage of every run that takes it.
    pub fn new(
        name: impl Into<String>,
        check: impl FnOnce(&mut Session) -> Outcome + 'static,
    ) -> Self {
        Stage {
            name: name.into(),
            long: false,
            check: Box::new(check),
        }
    }

    /// A stage of `--long` alone.
    pub fn long(
        name: impl Into<String>,
        check: impl FnOnce(&mut Session) -> Outcome + 'static,
    ) -> Self {
        Stage {
            long: true,
            ..Stage::new(name, check)
        }
    }

    /// The stage as it is reported where `--long` is not given.
    pub fn left_out(self) -> Self {
        Stage::new(self.name, |_| {
            Err(Obstacle::Skipped(
                "it takes minutes; `cargo xtask test --long` or `--stage` runs it.".to_owned(),
            ))
        })
    }
}

/// Results that later stages build on.
#[derive(Default)]
pub struct Session {
    /// The folder of the FMUs for this machine.
    pub fmus: PathBuf,
    /// They are packaged.
    pub packaged: bool,
    /// The FMUs of cards/.
    pub cards: Vec<PathBuf>,
    /// The FMU of examples/own-law is exported.
    pub own_law: bool,
    /// The Python environment of the importers is there.
    pub python: bool,
    /// The Python environment of the examples is there.
    pub examples: bool,
    /// The Python package is installed in its environment.
    pub package: bool,
    /// The forces of the C host, of the stock elements and of those of cards/.
    pub matrices: Vec<Matrix>,
    /// Platforms whose tools are there.
    pub ready: Vec<&'static Platform>,
    /// The folder of the FMUs for those platforms.
    pub portable_fmus: PathBuf,
    /// They are packaged.
    pub portable: bool,
    /// This machine's platform, and the reference run of every element on it.
    pub reference: Option<(&'static Platform, Vec<Run>)>,
}

impl Session {
    /// A session in which nothing was done yet.
    pub fn new() -> Self {
        Session {
            fmus: workspace::target().join("fmu"),
            portable_fmus: workspace::target().join("fmu-platforms"),
            ..Session::default()
        }
    }

    /// Skips a stage of the FMUs if they were not packaged.
    pub fn needs_fmus(&self) -> Outcome {
        needs(
            self.packaged,
            "the FMUs are not packaged: the stage `packaging` failed or was not asked for",
        )
    }

    /// Skips a stage in Python if FMUs or environment are missing.
    pub fn needs_python(&self) -> Outcome {
        self.needs_fmus()?;
        needs(self.python, "the Python environment is missing")
    }
}

/// The reason why a stage did not pass.
pub enum Obstacle {
    /// This machine cannot run it; one sentence with the way to change that.
    Skipped(String),
    /// The claim does not hold.
    Failed(anyhow::Error),
}

impl From<anyhow::Error> for Obstacle {
    fn from(error: anyhow::Error) -> Self {
        Obstacle::Failed(error)
    }
}

/// The result of a stage.
pub type Outcome = Result<(), Obstacle>;

/// Counts of the stages so far.
pub struct Tally {
    total: usize,
    passed: usize,
    skipped: usize,
    failed: Vec<String>,
    /// Durations, s, and names.
    durations: Vec<(f64, String)>,
    start: Instant,
}

impl Tally {
    /// Starts the clock of this many stages.
    pub fn new(total: usize) -> Self {
        Tally {
            total,
            passed: 0,
            skipped: 0,
            failed: Vec::new(),
            durations: Vec::new(),
            start: Instant::now(),
        }
    }

    /// Runs a stage and prints its outcome.
    pub fn run(&mut self, stage: Stage, session: &mut Session) {
        let Stage { name, check, .. } = stage;
        say!(
            "\n== {} of {}: {name}",
            self.durations.len() + 1,
            self.total
        );
        let start = Instant::now();
        let outcome = check(session);
        let seconds = start.elapsed().as_secs_f64();
        self.durations.push((seconds, name.clone()));
        match outcome {
            Ok(()) => {
                self.passed += 1;
                say!("== passed: {name}, {seconds:.1} s");
            }
            Err(Obstacle::Skipped(why)) => {
                self.skipped += 1;
                say!("SKIPPED {name}: {why}");
            }
            Err(Obstacle::Failed(error)) => {
                say!("== FAILED: {name}, {seconds:.1} s: {error:#}");
                self.failed.push(name);
            }
        }
    }

    /// Prints the total, the ten slowest stages and the counts, and ends the program, with 1 after
    /// a failure.
    pub fn finish(mut self) -> ! {
        self.durations
            .sort_by(|one, other| other.0.total_cmp(&one.0));
        say!(
            "\n{:.0} s in all, of which the slowest stages took",
            self.start.elapsed().as_secs_f64()
        );
        for (seconds, name) in self.durations.iter().take(10) {
            say!("{seconds:>7.1} s  {name}");
        }
        for name in &self.failed {
            say!("FAILED: {name}");
        }
        say!(
            "{} passed, {} failed, {} skipped",
            self.passed,
            self.failed.len(),
            self.skipped
        );
        std::process::exit(i32::from(!self.failed.is_empty()));
    }

    /// Counts of passed, failed and skipped stages.
    #[cfg(test)]
    pub fn counts(&self) -> [usize; 3] {
        [self.passed, self.failed.len(), self.skipped]
    }
}

/// The outcome of a check that this machine can run.
pub fn passed(result: Result<()>) -> Outcome {
    Ok(result?)
}

/// Skips a stage for want of the result of an earlier one.
pub fn needs(there: bool, otherwise: &str) -> Outcome {
    if there {
        Ok(())
    } else {
        Err(lacking(otherwise))
    }
}

/// The reason to skip a stage for want of the result of an earlier one.
pub fn lacking(what: &str) -> Obstacle {
    Obstacle::Skipped(format!("{what}, see above."))
}

/// Makes a virtual environment; skips where this machine has no Python for it.
pub fn make(environment: &Environment) -> Outcome {
    environment
        .make()?
        .map_or(Ok(()), |why| Err(Obstacle::Skipped(format!("{why}."))))
}

/// Runs cargo.
pub fn cargo(arguments: &[&str]) -> Outcome {
    passed(workspace::run(workspace::cargo().args(arguments)))
}

/// The complete output of a command, on either stream, whatever its exit status.
pub fn output(command: &mut std::process::Command) -> Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let streams =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(streams.concat())
}
