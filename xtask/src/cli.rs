//! The command line: a table of commands with their arguments; `mistakes` has the sentences for wrong ones.

mod mistakes;

use std::ffi::OsString;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{ArgMatches, Command};

use crate::{
    assurance, compare, console, coupling, creep, crosscheck, currency, dist, examples, figures, identification,
    importers, instructions, libraries, list, numerics, package, paper_numbers, performance, random_calls, realtime,
    stress, test,
};

/// A command of `cargo xtask`.
struct Entry {
    name: &'static str,
    /// Purpose in one line.
    about: &'static str,
    /// Adds its arguments.
    arguments: fn(Command) -> Command,
    run: fn(&ArgMatches) -> Result<()>,
}

static COMMANDS: [Entry; 22] = [
    Entry {
        name: "package",
        about: "Export elements as FMUs: all of them, for this machine, into target/fmu, unless told otherwise",
        arguments: package::arguments,
        run: package::command,
    },
    Entry { name: "list", about: "List the elements of the catalogue", arguments: none, run: |_| list::command() },
    Entry {
        name: "libraries",
        about: "Build the libraries that the command `bristle` embeds, into target/libraries",
        arguments: libraries::arguments,
        run: libraries::command,
    },
    Entry {
        name: "dist",
        about: "Make a release: every FMU for all platforms and the command bristle in target/dist, and docs/platforms.md",
        arguments: none,
        run: |_| dist::command(),
    },
    Entry {
        name: "test",
        about: "Check everything the project claims, or with --quick its core",
        arguments: test::arguments,
        run: test::command,
    },
    Entry {
        name: "examples",
        about: "Run the scripts of examples/ on the packaged FMUs",
        arguments: none,
        run: |_| examples::command(),
    },
    Entry {
        name: "crosscheck",
        about: "Write inputs and reference results of every element into target/crosscheck, to check an import",
        arguments: none,
        run: |_| crosscheck::command(),
    },
    Entry {
        name: "importers",
        about: "Run every element in every importer from a registry, and write docs/importers.md",
        arguments: none,
        run: |_| importers::command(),
    },
    Entry {
        name: "performance",
        about: "Measure cost and error of FrDyn2 over the tolerance, beside CVODE, and write docs/performance.md",
        arguments: none,
        run: |_| performance::command(),
    },
    Entry {
        name: "realtime",
        about: "Measure the worst step of each element at 1 kHz, and write docs/realtime.md",
        arguments: realtime::arguments,
        run: |given| realtime::command(&realtime::Options::read(given)),
    },
    Entry {
        name: "instructions",
        about: "Count the instructions of a step and the bytes of the FMUs, and compare them with the committed figures",
        arguments: instructions::arguments,
        run: |given| instructions::command(given.get_flag("update")),
    },
    Entry {
        name: "stress",
        about: "Compare random steps with independent integrators; the long run writes docs/internals/stress.md",
        arguments: stress::arguments,
        run: |given| stress::command(&stress::Options::read(given)),
    },
    Entry {
        name: "random-calls",
        about: "Make random legal and illegal calls, and compare each with a model of the standard",
        arguments: random_calls::arguments,
        run: |given| random_calls::command(&random_calls::Options::read(given)),
    },
    Entry {
        name: "assurance",
        about: "Measure coverage, mutants, guided fuzzing or sanitizers where named, and write docs/assurance.md",
        arguments: assurance::arguments,
        run: assurance::command,
    },
    Entry {
        name: "figures",
        about: "Draw the pictures of docs/figures, those of the papers through the packaged FMUs, and make the tables of bristles and of the observer's stability",
        arguments: figures::arguments,
        run: |given| figures::command(given.get_flag("sketch")),
    },
    Entry {
        name: "current",
        about: "Compare the figures and tables of docs/ with those that their commands make now",
        arguments: none,
        run: |_| currency::command(),
    },
    Entry {
        name: "numerics",
        about: "Calculate and draw the figures of docs/numerics.md",
        arguments: none,
        run: |_| numerics::command(),
    },
    Entry {
        name: "compare",
        about: "Run every element on every rig, and write cost and error into docs/compare.md",
        arguments: none,
        run: |_| compare::command(),
    },
    Entry {
        name: "coupling",
        about: "Step bodies in long communication steps, with m_eff and without, and write docs/coupling.md",
        arguments: none,
        run: |_| coupling::command(),
    },
    Entry {
        name: "identification",
        about: "Identify synthetic records, and write errors and coverage into docs/identification.md",
        arguments: identification::arguments,
        run: identification::command,
    },
    Entry {
        name: "creep",
        about: "Measure the creep of every element under loads that pulsate, and write docs/creep.md and the table of docs/elements.md",
        arguments: creep::arguments,
        run: creep::command,
    },
    Entry {
        name: "validate-paper",
        about: "Compare every number of the papers and of the rigs of contacts with the rigs' results, and write docs/papers.md and docs/contacts.md",
        arguments: none,
        run: |_| paper_numbers::command(),
    },
];

/// Runs the command that the arguments name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<()> {
    let arguments: Vec<_> = arguments.into_iter().collect();
    let mut commands = commands();
    let given = match commands.try_get_matches_from_mut(&arguments) {
        Ok(given) => given,
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
            | ErrorKind::DisplayVersion => {
                console::text(&error.render().to_string());
                return Ok(());
            }
            _ => return Err(mistakes::sentence(&error, &commands, &arguments)),
        },
    };
    let chosen = given.subcommand().and_then(|(name, given)| Some((find(name)?, given)));
    // Clap lets no other name pass.
    chosen.map_or(Ok(()), |(entry, given)| (entry.run)(given))
}

fn find(name: &str) -> Option<&'static Entry> {
    COMMANDS.iter().find(|entry| entry.name == name)
}

/// All commands, as clap takes them.
fn commands() -> Command {
    let program = Command::new("bristle")
        .bin_name("cargo xtask")
        .display_name("Bristle")
        .about("Bristle: friction force elements as FMI 2.0 units")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_value_name("COMMAND")
        .subcommand_help_heading("Commands")
        .arg_required_else_help(true)
        .subcommand_required(true);
    COMMANDS.iter().fold(program, |program, entry| {
        program.subcommand((entry.arguments)(Command::new(entry.name).about(entry.about)))
    })
}

/// For a command without arguments.
fn none(command: Command) -> Command {
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_of_commands_is_consistent() {
        commands().debug_assert();
    }
}
