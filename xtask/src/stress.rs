//! `cargo xtask stress`: random steps through the packaged FMUs against independent integrators,
//! along a line and in the plane, and a long rest.
//!
//! `--long-run` makes 3400 sequences of twenty steps of each element and 10⁸ steps of rest and
//! writes `docs/internals/stress.md`; otherwise fewer are made and nothing is written.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use bristle::catalogue::Model;

use crate::console::say;
use crate::{arguments, cvode, files, package, page, performance, workspace};

/// Sequences of each element, and steps of rest, of the usual and of the long run.
const USUAL: [&str; 2] = ["100", "1000000"];
const LONG: [&str; 2] = ["3400", "100000000"];

/// Options of the command.
#[derive(clap::Args, Default)]
pub struct Options {
    /// Make 34 times as many steps, and write docs/internals/stress.md
    #[arg(long)]
    long_run: bool,
    /// Seed of the random numbers, 1 unless given
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Repeat this sequence of --element alone; may be given several times
    #[arg(long = "sequence", value_name = "K", requires = "elements")]
    sequences: Vec<u64>,
    /// Try the laws in the plane, or of --element those, and nothing else
    #[arg(long)]
    plane: bool,
    /// Sequences of each element, the usual number where none is given.
    #[arg(skip)]
    each: Option<&'static str>,
    /// Try this element alone; may be given several times
    #[arg(long = "element", value_name = "NAME", value_parser = arguments::element())]
    elements: Vec<&'static Model>,
}

impl Options {
    /// The usual run with this many sequences of each element.
    pub fn of_each(sequences: &'static str) -> Self {
        Options {
            each: Some(sequences),
            ..Options::default()
        }
    }
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
    // The profile of the unit tests shares their libraries; it pays to optimise further for a long
    // run alone.
    let profile = if options.long_run { "fmu" } else { "test" };
    let draw = |part: &str, more: &[&str]| {
        program(profile, &[&[part, each, &seed.to_string()], more].concat())
    };
    let part = if options.plane { "plane" } else { "elements" };
    let sequences: Vec<String> = options.sequences.iter().map(u64::to_string).collect();
    let mut made = String::new();
    for element in &options.elements {
        let mut more = vec![element.metadata.name];
        more.extend(sequences.iter().map(String::as_str));
        made += &draw(part, &more)?;
    }
    if options.plane && options.elements.is_empty() {
        made += &draw(part, &[])?;
    }
    if made.is_empty() {
        made = [
            draw("elements", &[])?,
            draw("plane", &[])?,
            program(profile, &["rest", rest])?,
        ]
        .concat();
        if options.long_run {
            page::update_dated(
                &workspace::root().join("docs/internals/stress.md"),
                &made,
                "stress --long-run",
            )?;
        } else if seed == 1 {
            return open_defects(&made);
        }
    }
    ensure!(
        !made.contains("FAILED"),
        "what is marked FAILED above does not hold"
    );
    Ok(())
}

/// Compares the failures of the usual run with the committed list of those that are known and open:
/// none may be new or more frequent.
fn open_defects(made: &str) -> Result<()> {
    ensure!(
        !made.contains("FAILED: changed"),
        "what is marked FAILED above does not hold"
    );
    let committed = files::read_text(&workspace::root().join("benches/open_defects.txt"))?;
    let known: BTreeMap<_, _> = committed.lines().filter_map(defect).collect();
    let found: BTreeMap<_, _> = made
        .lines()
        .filter_map(|line| defect(line.strip_prefix("FAILED: ")?))
        .collect();
    let worse = found
        .iter()
        .filter(|(what, count)| **count > known.get(*what).copied().unwrap_or(0));
    let worse: Vec<_> = worse
        .map(|(what, count)| format!("{what}, {count} times"))
        .collect();
    ensure!(
        worse.is_empty(),
        "not in benches/open_defects.txt, or there less often: {}",
        worse.join("; ")
    );
    let mended: Vec<_> = known
        .keys()
        .filter(|what| !found.contains_key(*what))
        .collect();
    say!(
        "{} open defects; to be taken out of benches/open_defects.txt: {mended:?}",
        found.len()
    );
    Ok(())
}

/// Failure and its count, from a line `Element: failure, N times.`
fn defect(line: &str) -> Option<(&str, u64)> {
    let (what, count) = line.strip_suffix(" times.")?.rsplit_once(", ")?;
    Some((what, count.parse().ok()?))
}

/// Runs the program with these arguments, and prints and returns its tables.
fn program(profile: &str, arguments: &[&str]) -> Result<String> {
    let mut stress = performance::program("stress", profile);
    stress.args(arguments);
    if let Some(library) = cvode::compile()? {
        stress.env("BRISTLE_CVODE", library);
    }
    let made = workspace::output(&mut stress)?;
    say!("{made}");
    Ok(made)
}
