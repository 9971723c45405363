//! Programs that a mutant is shown to, and the limits of their time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::tree::{Optimised, Tree, programs};
use super::{Fate, below_target, require};
use crate::assurance::instrumented;
use crate::console::say;
use crate::{files, workspace};

/// Times the processor time without a mutant, after which a judge is stopped.
const SLOWER: u32 = 6;
/// Processor time that a judge has in any case.
const LEAST: Duration = Duration::from_secs(15);
/// Times the limit of its processor time, after which a judge is stopped that stands still: other programs may run beside it.
const STANDSTILL: u32 = 20;
/// Processor time of the unit tests of a module without optimisation; where they need more, they are no judge.
const OF_MODULE: Duration = Duration::from_secs(20);
/// Memory of a judge, kB: a mutant may fill it without end.
const MEMORY: &str = "8000000";

/// A program and its arguments.
#[derive(Clone, Copy)]
pub struct Judge {
    program: &'static str,
    arguments: &'static [&'static str],
}

impl Judge {
    /// A suite of `tests/tests`.
    pub const fn suite(program: &'static str) -> Self {
        Judge { program, arguments: &[] }
    }

    /// The tests of a suite with this text in their names.
    pub const fn part(program: &'static str, arguments: &'static [&'static str]) -> Self {
        Judge { program, arguments }
    }

    /// Random steps against independent integrators.
    pub const fn stress(arguments: &'static [&'static str]) -> Self {
        Judge { program: "stress", arguments }
    }

    fn name(&self) -> String {
        [&[self.program], self.arguments].concat().join(" ")
    }
}

/// Result of a judge on the sources without a change.
struct Usual {
    /// Processor time.
    duration: Duration,
    /// Defects that the stress run knows.
    failures: BTreeSet<String>,
}

/// The judges of a scope.
pub struct Judges {
    /// Whether the first judges, of what is compiled without optimisation, are the only ones.
    only_first: bool,
    quick: &'static [Judge],
    of_library: &'static [Judge],
    programs: BTreeMap<String, PathBuf>,
    package: &'static str,
    tests: &'static [&'static str],
    usual: BTreeMap<String, Usual>,
    /// Bytes of the libraries without a change.
    libraries: Vec<(Optimised, Vec<u8>)>,
}

impl Judges {
    /// Compiles the judges, and runs them on the sources without a change.
    pub fn of(
        [quick, of_library]: [&'static [Judge]; 2],
        (package, tests): (&'static str, &'static [&'static str]),
        only_first: bool,
        tree: &Tree,
    ) -> Result<Self> {
        ensure!(!only_first || !quick.is_empty(), "the scope has no judges of a library without optimisation");
        let (programs, usual, libraries) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        let mut judges = Judges { only_first, quick, of_library, programs, package, tests, usual, libraries };
        if !of_library.is_empty() {
            judges.programs = compiled()?;
        }
        let fate = judges.judge(tree, None)?;
        ensure!(matches!(fate, Fate::Survived), "the sources without a change do not pass");
        Ok(judges)
    }

    /// Shows the sources of the tree to all judges, until one fails. Where the changed file has tests of its own, they come first: they
    /// kill most of its mutants, and need no library.
    pub fn judge(&mut self, tree: &Tree, changed: Option<&str>) -> Result<Fate> {
        if !self.quick.is_empty() {
            let own = changed.filter(|file| tree.has_tests(file));
            if let Some(fate) = own.map(|file| self.of_module(tree, file)).transpose()?.flatten() {
                return Ok(fate);
            }
            if let Some(fate) = self.of_library(tree, Optimised::No, self.quick)? {
                return Ok(fate);
            }
            let rest = changed.filter(|_| own.is_none());
            if let Some(fate) = rest.map(|file| self.of_module(tree, file)).transpose()?.flatten() {
                return Ok(fate);
            }
        }
        if self.only_first {
            return Ok(Fate::Survived);
        }
        let Some(units) = tree.unit_tests(self.package, Optimised::Yes)? else { return Ok(Fate::NotCompiled) };
        let mut command = self.units(&units, tree, self.tests);
        let name = format!("unit tests of {}", self.package);
        if !self.passes(&name, &mut command)? {
            return Ok(Fate::Killed(name));
        }
        let fate =
            if self.of_library.is_empty() { None } else { self.of_library(tree, Optimised::Yes, self.of_library)? };
        Ok(fate.unwrap_or(Fate::Survived))
    }

    /// Shows the tree to the unoptimised unit tests of the changed file's module, or to those of the module above where it has none; no
    /// fate where they pass, or take too long.
    fn of_module(&self, tree: &Tree, changed: &str) -> Result<Option<Fate>> {
        let Some(units) = tree.unit_tests(self.package, Optimised::No)? else { return Ok(Some(Fate::NotCompiled)) };
        let own = module(changed).map(|own| if tree.has_tests(changed) { own } else { parent(&own) });
        let Some(module) = own else { return Ok(None) };
        let (mut command, output) = (self.units(&units, tree, &[&module]), below_target("output")?.join("stdout"));
        let is_killed = run(&mut command, &output, OF_MODULE)?.0 == End::Failed;
        Ok(is_killed.then(|| Fate::Killed(format!("unit tests of {module}"))))
    }

    /// The unit tests with these texts in their names.
    fn units(&self, program: &Path, tree: &Tree, tests: &[&str]) -> Command {
        let folder = match self.package {
            "bristle-fmu" => "fmu",
            "bristle-export" => "export",
            _ => ".",
        };
        let mut command = limited(program, tests);
        command.current_dir(tree.folder(folder)).env("CARGO_MANIFEST_DIR", tree.folder(folder));
        command
    }

    /// Shows the library of the tree to these judges; none where all pass.
    fn of_library(&mut self, tree: &Tree, optimised: Optimised, judges: &[Judge]) -> Result<Option<Fate>> {
        let fmus = below_target("fmu")?;
        let Some(library) = tree.library(optimised)? else { return Ok(Some(Fate::NotCompiled)) };
        let bytes = files::read(&library)?;
        match self.libraries.iter().find(|(known, _)| *known == optimised) {
            Some((_, usual)) if *usual == bytes => return Ok(Some(Fate::Same)),
            Some(_) => {}
            None => self.libraries.push((optimised, bytes)),
        }
        // A library that the exporter refuses is no FMU.
        if instrumented::export(&library, &fmus).is_err() {
            return Ok(Some(Fate::Killed("the exporter".to_owned())));
        }
        for judge in judges {
            let program = self.programs.get(judge.program).with_context(|| format!("no program {}", judge.program))?;
            let mut command = limited(program, judge.arguments);
            command.env("BRISTLE_FMU_DIR", &fmus).current_dir(workspace::root().join("tests"));
            command.env("CARGO_MANIFEST_DIR", workspace::root().join("tests"));
            let name = if optimised == Optimised::No { format!("{}, unoptimised", judge.name()) } else { judge.name() };
            if !self.passes(&name, &mut command)? {
                return Ok(Some(Fate::Killed(name)));
            }
        }
        Ok(None)
    }

    /// Whether a judge passes within its time, and the stress run without a defect that is not known. The first run sets what is usual.
    fn passes(&mut self, name: &str, command: &mut Command) -> Result<bool> {
        let output = below_target("output")?.join("stdout");
        let limit = self.usual.get(name).map_or(Duration::MAX, |usual| LEAST.max(usual.duration * SLOWER));
        let (end, duration) = run(command, &output, limit)?;
        let is_success = end == End::Passed;
        let text = String::from_utf8_lossy(&files::read(&output)?).into_owned();
        let failures: BTreeSet<_> = text.lines().filter(|line| line.contains("FAILED")).map(str::to_owned).collect();
        let Some(usual) = self.usual.get(name) else {
            say!("{name}: {:.1} s", duration.as_secs_f64());
            ensure!(is_success, "{name} fails without a mutant: {text}");
            self.usual.insert(name.to_owned(), Usual { duration, failures });
            return Ok(true);
        };
        if end == End::Late {
            say!(
                "{name}: stopped after {:.0} s, {:.1} s without a mutant",
                duration.as_secs_f64(),
                usual.duration.as_secs_f64()
            );
        }
        Ok(is_success && failures.is_subset(&usual.failures))
    }
}

/// Suites and the stress run, compiled and put where later builds leave them alone.
fn compiled() -> Result<BTreeMap<String, PathBuf>> {
    let folder = below_target("judges")?;
    let build = ["--quiet", "--message-format", "json", "-p"];
    let tests = workspace::output(workspace::cargo().args(["test", "--no-run"]).args(build).arg("bristle-tests"))?;
    let stress = ["bristle-benches", "--bin", "stress", "--release"];
    let benches = workspace::output(workspace::cargo().arg("build").args(build).args(stress))?;
    let mut found = BTreeMap::new();
    for (name, program) in programs(&tests).into_iter().chain(programs(&benches)) {
        require(&program)?;
        let copy = folder.join(&name);
        std::fs::copy(&program, &copy).with_context(|| format!("cannot copy {}", program.display()))?;
        found.insert(name, copy);
    }
    Ok(found)
}

/// A program with a limit of its memory, where the system has a shell that sets one.
fn limited(program: &Path, arguments: &[&str]) -> Command {
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]).arg(program);
        shell
    } else {
        Command::new(program)
    };
    command.args(arguments).env("RUST_BACKTRACE", "0");
    command
}

/// Module of a source, as the names of its tests begin.
fn module(file: &str) -> Option<String> {
    let path = file.split_once("src/")?.1.strip_suffix(".rs")?;
    Some(path.trim_end_matches("/mod").replace('/', "::"))
}

/// The module above one, or the same where there is none.
fn parent(module: &str) -> String {
    module.rsplit_once("::").map_or(module, |(parent, _)| parent).to_owned()
}

/// End of a program.
#[derive(PartialEq)]
enum End {
    Passed,
    Failed,
    /// It was stopped.
    Late,
}

/// Runs a program with its output in a file; its end, and the processor time that it took.
fn run(command: &mut Command, output: &Path, limit: Duration) -> Result<(End, Duration)> {
    let file = File::create(output).with_context(|| format!("cannot write {}", output.display()))?;
    let start = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(file).stderr(Stdio::null()).spawn().context("cannot start")?;
    let mut spent = Duration::ZERO;
    loop {
        spent = processor_time(child.id(), start).unwrap_or(spent);
        if let Some(status) = child.try_wait()? {
            return Ok((if status.success() { End::Passed } else { End::Failed }, spent));
        }
        if spent > limit || start.elapsed() > limit.saturating_mul(STANDSTILL) {
            child.kill()?;
            child.wait()?;
            return Ok((End::Late, spent));
        }
        sleep(Duration::from_millis(20));
    }
}

/// Processor time of a program that runs, of all its threads; the time since its start where the system is not Linux.
fn processor_time(process: u32, start: Instant) -> Option<Duration> {
    if !cfg!(target_os = "linux") {
        return Some(start.elapsed());
    }
    of_status(&std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
}

/// Processor time in `/proc/PID/stat`: fields 14 and 15, in hundredths of a second, after a name in brackets.
fn of_status(text: &str) -> Option<Duration> {
    let (_, fields) = text.rsplit_once(") ")?;
    let ticks = fields.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().ok());
    Some(Duration::from_millis(10 * ticks.sum::<Option<u64>>()?))
}

#[cfg(test)]
mod tests {
    use super::{module, of_status, parent};

    #[test]
    fn module_of_a_file_is_the_beginning_of_its_tests_names() {
        assert_eq!(module("src/laws/frdyn2/zone_exit.rs").as_deref(), Some("laws::frdyn2::zone_exit"));
        assert_eq!(module("fmu/src/clock.rs").as_deref(), Some("clock"));
        assert_eq!(module("src/integrate/mod.rs").as_deref(), Some("integrate"));
        assert_eq!(parent("integrate::radau::tableau"), "integrate::radau");
    }

    #[test]
    fn processor_time_is_that_of_the_user_and_of_the_system() {
        let status = "12 (a (b) c) S 1 2 3 4 -1 5 6 7 8 9 1234 66 0 0 20";
        assert_eq!(of_status(status), Some(std::time::Duration::from_secs(13)));
        assert_eq!(of_status("12 (a"), None);
    }
}
