//! `cargo xtask assurance`: figures on what the tests reach and find, into `docs/assurance.md`.
//!
//! Each measurement leaves a table with its date, commit and command in `tests/assurance/`; the page is made of these tables
//! and of the tables of claims, so that it can be printed without measuring. Measurements take minutes to hours: each is
//! made only where it is named.

pub mod claims;
mod coverage;
mod exceptions;
mod fuzz;
mod instrumented;
mod miri;
mod mutation;
pub mod record;
mod sanitizers;

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::console::text;
use crate::{arguments, files, page, workspace};

/// A measurement and its name on the command line.
type Measurement = (&'static str, fn(&Options) -> Result<()>);

/// All measurements.
const MEASUREMENTS: [Measurement; 5] = [
    ("coverage", coverage::measure),
    ("mutation", mutation::measure),
    ("fuzz", fuzz::measure),
    ("miri", miri::measure),
    ("sanitizers", sanitizers::measure),
];

/// Arguments of the measurements.
pub struct Options {
    /// Duration of each target of guided fuzzing, s.
    pub seconds: u64,
    /// Time of a case of guided fuzzing that is a finding, s.
    pub case_seconds: u64,
    /// Targets of guided fuzzing, all where there is none.
    pub targets: Vec<String>,
    /// Part of the mutants, `K/N`: every N-th from the K-th on.
    pub shard: String,
    /// Names of the sources that are mutated, all where there is none.
    pub scopes: Vec<String>,
    /// Whether mutants are shown to the first judges only.
    pub only_first: bool,
    /// Sanitizers to run, both where there is none.
    pub sanitizers: Vec<String>,
    /// Parts of the names of test programs to count again, all where there is none.
    pub programs: Vec<String>,
    /// Parts of the names of mutants, all of the shard where there is none.
    pub mutants: Vec<String>,
}

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    let names = MEASUREMENTS.map(|(name, _)| name);
    command
        .arg(
            Arg::new("measurement")
                .value_name("MEASUREMENT")
                .num_args(0..)
                .value_parser(names)
                .help("Measurements to make before the page is written, none unless named"),
        )
        .arg(arguments::number("seconds", "N", "Duration of each target of guided fuzzing, 3600 unless given"))
        .arg(arguments::number(
            "case-seconds",
            "N",
            "Time of a case of guided fuzzing that is a finding, 60 unless given; more on a machine with other work",
        ))
        .arg(
            Arg::new("target")
                .long("target")
                .value_name("NAME")
                .action(ArgAction::Append)
                .value_parser(fuzz::TARGETS)
                .help("Target of guided fuzzing, all unless named; may be given several times"),
        )
        .arg(
            Arg::new("shard")
                .long("shard")
                .value_name("K/N")
                .default_value("0/100")
                .help("Part of the mutants: every N-th from the K-th on"),
        )
        .arg(
            Arg::new("scope")
                .long("scope")
                .value_name("NAME")
                .action(ArgAction::Append)
                .value_parser(mutation::SCOPES.map(|scope| scope.name))
                .help("Sources to mutate, all unless named; may be given several times"),
        )
        .arg(Arg::new("only-first").long("only-first").action(ArgAction::SetTrue).help(
            "Show mutants to their module's tests and to short stress runs only, all without optimisation: a lower bound of the share",
        ))
        .arg(
            Arg::new("sanitizer")
                .long("sanitizer")
                .value_name("NAME")
                .action(ArgAction::Append)
                .value_parser(["address", "thread"])
                .help("Sanitizer to run, both unless named"),
        )
        .arg(
            Arg::new("program")
                .long("program")
                .value_name("TEXT")
                .action(ArgAction::Append)
                .help("Test programs with this text in their names count again, the others keep their counts; may be given several times"),
        )
        .arg(
            Arg::new("mutant")
                .long("mutant")
                .value_name("TEXT")
                .action(ArgAction::Append)
                .help("Judge the shard's mutants with this text in their name again, and record nothing; may be given several times"),
        )
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    let options = Options {
        seconds: given.get_one("seconds").copied().unwrap_or(3600),
        // A refused step takes some seconds with the address sanitizer.
        case_seconds: given.get_one("case-seconds").copied().unwrap_or(60),
        targets: given.get_many("target").into_iter().flatten().cloned().collect(),
        shard: given.get_one::<String>("shard").cloned().unwrap_or_default(),
        scopes: given.get_many("scope").into_iter().flatten().cloned().collect(),
        only_first: given.get_flag("only-first"),
        sanitizers: given.get_many("sanitizer").into_iter().flatten().cloned().collect(),
        programs: given.get_many("program").into_iter().flatten().cloned().collect(),
        mutants: given.get_many("mutant").into_iter().flatten().cloned().collect(),
    };
    let named: Vec<&String> = given.get_many("measurement").into_iter().flatten().collect();
    for (name, measure) in MEASUREMENTS {
        if named.iter().any(|given| *given == name) {
            measure(&options)?;
        }
    }
    let made = made(&workspace::root())?;
    text(&made);
    page::update(&workspace::root().join("docs/assurance.md"), &made)
}

/// The folder of the tables.
fn folder(root: &Path) -> PathBuf {
    root.join("tests/assurance")
}

/// All sections of the page that a command makes, each between its markers.
fn made(root: &Path) -> Result<String> {
    let sections = [
        ("coverage", coverage::section(root)?),
        ("unreached", exceptions::section(root)?),
        ("invariants", claims::invariants(root)?),
        ("promises", claims::promises(root)?),
        ("fuzz", record::table(&folder(root).join("fuzz.tsv"))?),
        ("mutants", mutation::totals::section(root)?),
        ("mutation", record::table(&folder(root).join("mutation.tsv"))?),
        ("survivors", record::table(&folder(root).join("survivors.tsv"))?),
        ("miri", record::table(&folder(root).join("miri.tsv"))?),
        ("sanitizers", record::table(&folder(root).join("sanitizers.tsv"))?),
    ];
    let between = |(name, text): (&str, String)| format!("<!-- begin {name} -->\n{text}<!-- end {name} -->\n");
    Ok(sections.map(between).join("\n"))
}

/// Faults of the page: claims without their tests, and tables that are not those of the page.
pub fn faults(root: &Path) -> Result<Vec<String>> {
    let mut faults = claims::faults(root)?;
    faults.extend(exceptions::faults(root)?);
    faults.extend(mutation::survivors::faults(root)?);
    let page = files::read_text(&root.join("docs/assurance.md"))?;
    let made = made(root)?;
    for section in made.split_inclusive("-->\n").filter(|part| part.contains("<!-- end ")) {
        if !page.contains(section.trim()) {
            let name = section.lines().last().unwrap_or_default();
            faults.push(format!(
                "docs/assurance.md: the section before `{name}` is not current; `cargo xtask assurance` writes it"
            ));
        }
    }
    Ok(faults)
}
