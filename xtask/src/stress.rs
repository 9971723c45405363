//! `cargo xtask stress`: random steps through the packaged FMUs against independent integrators, and a long rest.
//!
//! The first part tries FrDyn2, the second every element, the third the laws in the plane. `--long-run` does a million steps of the first
//! two parts, half a million of the third and 10⁸ steps of rest and writes `docs/stress.md`, with `--elements` or `--plane` its second or third
//! part alone; otherwise fewer are done and nothing is written.

use std::collections::BTreeMap;
use std::process::Stdio;

use anyhow::{Result, ensure};
use clap::{ArgAction, ArgMatches, Command};

use crate::{arguments, console, cvode, files, package, page, performance, workspace};

/// The arguments of the command.
#[derive(Default)]
pub struct Options {
    long_run: bool,
    steps: Option<u64>,
    seed: Option<u64>,
    /// Sequences to be repeated, and nothing else.
    sequences: Vec<u64>,
    /// Elements of the second or third part to be tried, and nothing else.
    elements: Vec<&'static str>,
    /// Part of `elements` and `plane` to be tried, and nothing else.
    part: Option<&'static str>,
    /// Print digests of all results, and judge nothing.
    digest: bool,
}

impl Options {
    /// Reads the arguments from the command line.
    pub fn read(given: &ArgMatches) -> Self {
        Options {
            long_run: given.get_flag("long-run"),
            steps: given.get_one("steps").copied(),
            seed: given.get_one("seed").copied(),
            sequences: given.get_many("sequence").into_iter().flatten().copied().collect(),
            elements: arguments::element_names(given),
            part: ["elements", "plane"].into_iter().find(|part| given.get_flag(part)),
            digest: given.get_flag("digest"),
        }
    }
}

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command
        .arg(arguments::flag(
            "long-run",
            "Two and a half million steps and 1e8 steps of rest, written into docs/stress.md; with --elements or --plane that part",
        ))
        .arg(arguments::number("steps", "N", "Random steps of FrDyn2 in the first part, 20000 unless given"))
        .arg(arguments::number("seed", "S", "Seed of the random numbers, 1 unless given"))
        .arg(
            arguments::number(
                "sequence",
                "K",
                "Repeat this sequence alone, of FrDyn2 or of --element; may be given several times",
            )
            .action(ArgAction::Append),
        )
        .arg(arguments::flag(
            "digest",
            "Print a digest of all results of the second part's steps, and judge nothing: equal digests are equal bits",
        ))
        .arg(arguments::flag("elements", "Try every element in the second part, and nothing else").conflicts_with("plane"))
        .arg(arguments::flag("plane", "Try the laws in the plane, or of --element those, and nothing else"))
        .arg(arguments::elements("Try this element alone, in the second part; may be given several times"))
}

/// Random steps and steps of rest.
const USUAL: [u64; 2] = [20_000, 1_000_000];
const LONG: [u64; 2] = [1_000_000, 100_000_000];

/// Sequences of each element in the second and third part, of twenty steps each.
const SEQUENCES: [u64; 2] = [100, 3_400];

/// The command.
pub fn command(options: &Options) -> Result<()> {
    package::for_this_machine()?;
    run(options)
}

/// Runs the programs on the packaged FMUs.
pub fn run(options: &Options) -> Result<()> {
    let [steps, rest] = if options.long_run { LONG } else { USUAL };
    let (steps, seed) = (options.steps.unwrap_or(steps), options.seed.unwrap_or(1));
    let sequences: Vec<_> = options.sequences.iter().map(u64::to_string).collect();
    let each = SEQUENCES[usize::from(options.long_run)].to_string();
    if options.digest {
        return digests(&each, seed, &options.elements);
    }
    let of_part = |part: &str, element: Option<&str>| {
        let begin = [part.to_owned(), each.clone(), seed.to_string()];
        program(begin.into_iter().chain(element.map(str::to_owned)).chain(sequences.clone()))
    };
    let mut made = String::new();
    if options.elements.is_empty() && options.part.is_none() {
        made += &program([steps, seed, rest].iter().map(u64::to_string).chain(sequences.clone()))?;
    }
    let part = options.part.unwrap_or("elements");
    for element in &options.elements {
        made += &of_part(part, Some(element))?;
    }
    if options.part.is_some() && options.elements.is_empty() {
        made += &of_part(part, None)?;
    }
    let is_complete = options.elements.is_empty() && sequences.is_empty();
    if is_complete && options.part.is_none() {
        let made_of_elements = of_part("elements", None)? + &of_part("plane", None)?;
        if !options.long_run && seed == 1 {
            ensure!(!made.contains("FAILED"), "what is marked FAILED above does not hold");
            return open_defects(&made_of_elements);
        }
        made += &made_of_elements;
    }
    if options.long_run && is_complete {
        let page = workspace::root().join("docs/stress.md");
        if options.part.is_none() {
            made += &page::stamp("stress")?;
        }
        for part in options.part.map_or(vec!["elements", "plane"], |part| vec![part]) {
            made += &page::stamp(&format!("stress --{part}"))?;
        }
        page::update(&page, &made)?;
    }
    ensure!(!made.contains("FAILED"), "what is marked FAILED above does not hold");
    Ok(())
}

/// Prints digests of the results of these elements, or of all.
fn digests(sequences: &str, seed: u64, elements: &[&str]) -> Result<()> {
    let begin = ["digest".to_owned(), sequences.to_owned(), seed.to_string()];
    if elements.is_empty() {
        program(begin.clone().into_iter())?;
    }
    for element in elements {
        program(begin.clone().into_iter().chain([(*element).to_owned()]))?;
    }
    Ok(())
}

/// Compares the failures of the usual run with the committed list of those that are known and open: none may be new or more frequent.
fn open_defects(made: &str) -> Result<()> {
    let file = workspace::root().join("benches/open_defects.txt");
    let committed = files::read_text(&file)?;
    let known: BTreeMap<_, _> = committed.lines().filter_map(defect).collect();
    let found: BTreeMap<_, _> = made.lines().filter_map(|line| defect(line.strip_prefix("FAILED: ")?)).collect();
    let worse = found.iter().filter(|(what, count)| **count > known.get(*what).copied().unwrap_or(0));
    let worse: Vec<_> = worse.map(|(what, count)| format!("{what}, {count} times")).collect();
    ensure!(
        worse.is_empty(),
        "new defects, or known ones more often than {} has them: {}",
        file.display(),
        worse.join("; ")
    );
    let open: u64 = found.values().sum();
    console::line(format_args!(
        "{open} steps of {} kinds fail as {} lists them; {} kinds of it fail no more and can be taken out",
        found.len(),
        file.display(),
        known.keys().filter(|what| !found.contains_key(*what)).count()
    ));
    Ok(())
}

/// Failure and its count, from a line `Element: failure, N times.`
fn defect(line: &str) -> Option<(&str, u64)> {
    let (what, count) = line.strip_suffix(" times.")?.rsplit_once(", ")?;
    Some((what, count.parse().ok()?))
}

/// Runs the program with these arguments, and prints and returns its tables.
fn program(arguments: impl Iterator<Item = String>) -> Result<String> {
    let mut stress = performance::measurement("stress");
    stress.args(arguments).env("BRISTLE_FMU_DIR", workspace::target().join("fmu")).stderr(Stdio::inherit());
    if let Some(library) = cvode::compile()? {
        stress.env("BRISTLE_CVODE", library);
    }
    let made = workspace::output(&mut stress)?;
    console::text(&made);
    Ok(made)
}
