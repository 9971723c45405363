//! The exporter and the project's chores: one plain program, one file per command. What is built or measured lies below
//! `target/`; what is committed (pictures and tables of the pages, counts of instructions) is written where it belongs. What an
//! element looks like it learns from the catalogue in `bristle`, never from the FMU's code.

mod bench;
mod compare;
mod coupling;
mod crosscheck;
mod dist;
mod elements;
mod environment;
mod examples;
mod experiment;
mod experiments;
mod figures;
mod heat;
mod hostile;
mod identity;
mod importers;
mod instructions;
mod list;
mod package;
mod page;
mod papers;
mod peer;
mod performance;
mod plot;
mod precision;
mod signals;
mod stress;
mod study;
mod test;
mod typeset;
mod workspace;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use lexopt::Arg::{Long, Short, Value};
use lexopt::ValueExt;

const HELP: &str = "\
cargo xtask COMMAND

  package [ELEMENT…] [--platform NAME]… [--all-platforms] [--out DIR]
                                  exports elements as FMUs, all of them for this machine into target/fmu unless told otherwise
  dist                            a release: every FMU for all platforms in target/dist, and docs/platforms.md
  list                            the elements of the catalogue
  elements                        measures a step of each element and writes the README's table of them
  test                            checks everything the project claims
  bench                           packages, then measures the FMUs
  performance                     measures the FMUs beside CVODE and writes docs/performance.md
  instructions [--update]         counts the instructions of a step and compares with the committed figures
  stress [--long-run] [--steps N] [--seed S] [--sequence K]…
                                  random steps against independent integrators; the long run writes docs/stress.md
  hostile [--calls N] [--seed S] [--valgrind]
                                  random legal and illegal calls against a model of the standard
  figures                         draws the pictures of docs/figures, those of the papers through the packaged FMUs
  compare                         every element on every rig, cost beside error, and docs/compare.md
  coupling                        masters with long steps, with m_eff and without, and docs/coupling.md
  study                           v_s, v_d and H of FrDyn2 over decades: the data and heat maps of docs/study.md
  validate-paper                  the papers' numbers, in one piece and through the FMUs, and docs/papers.md
  examples                        runs the scripts of examples/ on the packaged FMUs
  importers                       every element in every importer from a registry, and docs/importers.md
  crosscheck                      inputs and reference results of every element, to check an import by, in target/crosscheck
  help                            this page
";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let Arguments { command, package, update, seed, stress, hostile } = Arguments::read(lexopt::Parser::from_env())?;
    let alone = |what: &str, given: bool, by: &str| match given && command != by {
        true => bail!("only `{by}` takes {what}; call `cargo xtask {command}` without"),
        false => Ok(()),
    };
    alone("elements, --platform, --all-platforms and --out", package != package::Options::default(), "package")?;
    alone("--update", update, "instructions")?;
    alone("--long-run, --steps and --sequence", stress != stress::Options::default(), "stress")?;
    alone("--calls and --valgrind", hostile != hostile::Options::default(), "hostile")?;
    if seed.is_some() && !["stress", "hostile"].contains(&command.as_str()) {
        bail!("only `stress` and `hostile` take --seed; call `cargo xtask {command}` without");
    }
    match command.as_str() {
        "package" => package::command(&package),
        "dist" => dist::command(),
        "list" => show(&list::text()),
        "elements" => elements::command(),
        "test" => test::command(),
        "bench" => bench::command(),
        "performance" => performance::command(),
        "instructions" => instructions::command(update),
        "stress" => stress::command(&stress::Options { seed, ..stress }),
        "hostile" => hostile::command(&hostile::Options { seed, ..hostile }),
        "figures" => figures::command(),
        "compare" => compare::command(),
        "coupling" => coupling::command(),
        "study" => study::command(),
        "validate-paper" => papers::command(),
        "crosscheck" => crosscheck::command(),
        "examples" => examples::command(),
        "importers" => importers::command(),
        "help" => show(HELP),
        unknown => bail!("there is no command `{unknown}`; `cargo xtask help` lists those there are"),
    }
}

/// Prints a text. A reader who has seen enough of it, as `head` has, is no error.
fn show(text: &str) -> Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot print"),
    }
}

#[derive(Default)]
struct Arguments {
    command: String,
    package: package::Options,
    update: bool,
    seed: Option<u64>,
    stress: stress::Options,
    hostile: hostile::Options,
}

impl Arguments {
    fn read(mut parser: lexopt::Parser) -> Result<Self> {
        let mut arguments = Arguments::default();
        while let Some(argument) = parser.next()? {
            match argument {
                Value(value) if arguments.command.is_empty() => arguments.command = text(value)?,
                Value(value) => arguments.package.elements.push(text(value)?),
                Long("out") => arguments.package.out = Some(parser.value()?.into()),
                Long("platform") => arguments.package.platforms.push(text(parser.value()?)?),
                Long("all-platforms") => arguments.package.all_platforms = true,
                Long("update") => arguments.update = true,
                Long("long-run") => arguments.stress.long_run = true,
                Long("steps") => arguments.stress.steps = Some(parser.value()?.parse()?),
                Long("seed") => arguments.seed = Some(parser.value()?.parse()?),
                Long("calls") => arguments.hostile.calls = Some(parser.value()?.parse()?),
                Long("valgrind") => arguments.hostile.valgrind = true,
                Long("sequence") => arguments.stress.sequences.push(parser.value()?.parse()?),
                Long("help") | Short('h') => {
                    return Ok(Arguments { command: "help".to_owned(), ..Arguments::default() });
                }
                other => bail!("{}; `cargo xtask help` shows what can be given", other.unexpected()),
            }
        }
        if arguments.command.is_empty() {
            arguments.command = "help".to_owned();
        }
        Ok(arguments)
    }
}

fn text(value: std::ffi::OsString) -> Result<String> {
    match value.into_string() {
        Ok(text) => Ok(text),
        Err(value) => bail!("{} is not UTF-8 text; give a name in plain letters", value.display()),
    }
}
