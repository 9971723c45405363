//! `cargo xtask stress`: random steps through the packaged FMUs against independent integrators, along a line and in the plane, and a long
//! rest.
//!
//! `--long-run` makes 3400 sequences of twenty steps of each element and 10⁸ steps of rest and writes `docs/internals/stress.md`; otherwise
//! fewer are made and nothing is written.

use std::collections::BTreeMap;
use std::process::Stdio;

use anyhow::{Result, ensure};
use clap::{ArgAction, ArgMatches, Command};

use crate::{arguments, console, cvode, files, package, page, performance, workspace};

/// Parts that draw sequences.
const PARTS: [&str; 2] = ["elements", "plane"];
/// Sequences of each element, and steps of rest, of the usual and of the long run.
const USUAL: [u64; 2] = [100, 1_000_000];
const LONG: [u64; 2] = [3_400, 100_000_000];

/// The arguments of the command.
#[derive(Default)]
pub struct Options {
    long_run: bool,
    /// Sequences of each element, the usual number where none is given.
    each: Option<u64>,
    seed: Option<u64>,
    /// Sequences to be repeated, and nothing else.
    sequences: Vec<u64>,
    /// Elements to be tried, and nothing else.
    elements: Vec<&'static str>,
    /// The laws in the plane, and nothing else.
    plane: bool,
}

impl Options {
    /// The usual run with this many sequences of each element.
    pub fn of_each(sequences: u64) -> Self {
        Options { each: Some(sequences), ..Options::default() }
    }

    /// Reads the arguments from the command line.
    pub fn read(given: &ArgMatches) -> Self {
        Options {
            long_run: given.get_flag("long-run"),
            each: None,
            seed: given.get_one("seed").copied(),
            sequences: given.get_many("sequence").into_iter().flatten().copied().collect(),
            elements: arguments::element_names(given),
            plane: given.get_flag("plane"),
        }
    }
}

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command
        .arg(arguments::flag("long-run", "Make 34 times as many steps, and write docs/internals/stress.md"))
        .arg(arguments::number("seed", "S", "Seed of the random numbers, 1 unless given"))
        .arg(
            arguments::number("sequence", "K", "Repeat this sequence of --element alone; may be given several times")
                .action(ArgAction::Append)
                .requires("element"),
        )
        .arg(arguments::flag("plane", "Try the laws in the plane, or of --element those, and nothing else"))
        .arg(arguments::elements("Try this element alone; may be given several times"))
}

/// The command.
pub fn command(options: &Options) -> Result<()> {
    package::for_this_machine()?;
    run(options)
}

/// Runs the program on the packaged FMUs.
pub fn run(options: &Options) -> Result<()> {
    let [each, rest] = if options.long_run { LONG } else { USUAL };
    let each = options.each.unwrap_or(each);
    let seed = options.seed.unwrap_or(1);
    // The profile of the unit tests shares their libraries; it pays to optimise further for a long run alone.
    let profile = if options.long_run { "fmu" } else { "test" };
    let mut made = String::new();
    let is_complete = options.elements.is_empty() && !options.plane;
    if is_complete {
        for part in PARTS {
            made += &program(profile, [part, &each.to_string(), &seed.to_string()])?;
        }
        made += &program(profile, ["rest", &rest.to_string()])?;
    } else {
        let part = PARTS[usize::from(options.plane)];
        let [each, seed] = [each, seed].map(|number| number.to_string());
        let sequences: Vec<_> = options.sequences.iter().map(u64::to_string).collect();
        let of_element = |element: Option<&'static str>| {
            program(
                profile,
                [part, &each, &seed].into_iter().chain(element).chain(sequences.iter().map(String::as_str)),
            )
        };
        made = match &options.elements[..] {
            [] => of_element(None)?,
            elements => elements.iter().map(|element| of_element(Some(element))).collect::<Result<_>>()?,
        };
    }
    if options.long_run && is_complete {
        let page = workspace::root().join("docs/internals/stress.md");
        page::update(&page, &(made.clone() + &performance::dated("stress --long-run")?))?;
    }
    if is_complete && !options.long_run && seed == 1 {
        return open_defects(&made);
    }
    ensure!(!made.contains("FAILED"), "what is marked FAILED above does not hold");
    Ok(())
}

/// Compares the failures of the usual run with the committed list of those that are known and open: none may be new or more frequent.
fn open_defects(made: &str) -> Result<()> {
    ensure!(!made.contains("FAILED: changed"), "what is marked FAILED above does not hold");
    let file = workspace::root().join("benches/open_defects.txt");
    let committed = files::read_text(&file)?;
    let known: BTreeMap<_, _> = committed.lines().filter_map(defect).collect();
    let found: BTreeMap<_, _> = made.lines().filter_map(|line| defect(line.strip_prefix("FAILED: ")?)).collect();
    let worse = found.iter().filter(|(what, count)| **count > known.get(*what).copied().unwrap_or(0));
    let worse: Vec<_> = worse.map(|(what, count)| format!("{what}, {count} times")).collect();
    let place = file.display();
    ensure!(worse.is_empty(), "new defects, or known ones more often than {place} has them: {}", worse.join("; "));
    let open: u64 = found.values().sum();
    let mended = known.keys().filter(|what| !found.contains_key(*what)).count();
    console::line(format_args!(
        "{open} steps of {} kinds fail as {place} lists them; {mended} kinds of it fail no more and can be taken out",
        found.len()
    ));
    Ok(())
}

/// Failure and its count, from a line `Element: failure, N times.`
fn defect(line: &str) -> Option<(&str, u64)> {
    let (what, count) = line.strip_suffix(" times.")?.rsplit_once(", ")?;
    Some((what, count.parse().ok()?))
}

/// Runs the program with these arguments, and prints and returns its tables.
fn program<'a>(profile: &str, arguments: impl IntoIterator<Item = &'a str>) -> Result<String> {
    let mut stress = workspace::cargo();
    stress.args(["run", "--quiet", "-p", "bristle-benches", "--profile", profile, "--bin", "stress", "--"]);
    stress.args(arguments).env("BRISTLE_FMU_DIR", workspace::target().join("fmu")).stderr(Stdio::inherit());
    if let Some(library) = cvode::compile()? {
        stress.env("BRISTLE_CVODE", library);
    }
    let made = workspace::output(&mut stress)?;
    console::text(&made);
    Ok(made)
}
