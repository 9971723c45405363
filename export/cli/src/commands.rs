//! The command line: a table of commands with their arguments.

use std::ffi::OsString;

use anyhow::{Result, anyhow};
use bristle_export::names::question;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;

use crate::{check, console, curve, export, list, new, plot, show, verify};

/// A command of `bristle`.
struct Entry {
    name: &'static str,
    /// Purpose in one line.
    about: &'static str,
    /// Adds its arguments.
    arguments: fn(Command) -> Command,
    run: fn(&ArgMatches) -> Result<()>,
}

static COMMANDS: [Entry; 9] = [
    Entry {
        name: "list",
        about: "List the friction laws, or the measured contacts",
        arguments: list::arguments,
        run: list::command,
    },
    Entry {
        name: "new",
        about: "Write a card of a law with every parameter, its unit, bound and meaning",
        arguments: new::arguments,
        run: new::command,
    },
    Entry {
        name: "check",
        about: "Check cards, and name all their faults",
        arguments: check::arguments,
        run: check::command,
    },
    Entry {
        name: "export",
        about: "Export cards as FMUs, for all platforms unless told otherwise",
        arguments: export::arguments,
        run: export::command,
    },
    Entry {
        name: "show",
        about: "Print the card of an FMU, or its parameters as SSV",
        arguments: show::arguments,
        run: show::command,
    },
    Entry {
        name: "plot",
        about: "Draw characteristic, pre-sliding and answer to a step of a card, as SVG or PNG",
        arguments: plot::arguments,
        run: plot::command,
    },
    Entry {
        name: "curve",
        about: "Show what is made of a measured curve, and write it in SI units",
        arguments: curve::arguments,
        run: curve::command,
    },
    Entry {
        name: "verify",
        about: "Judge a tool's result by the reference results of an FMU, and name its mistake",
        arguments: verify::arguments,
        run: verify::command,
    },
    Entry {
        name: "completions",
        about: "Print the completions for a shell",
        arguments: |command| {
            command.arg(
                Arg::new("shell")
                    .value_name("SHELL")
                    .required(true)
                    .value_parser(value_parser!(Shell))
                    .help(
                        "The shell; its own documentation says where completions belong, for bash \
                     ~/.local/share/bash-completion/completions/bristle",
                    ),
            )
        },
        run: completions,
    },
];

/// Runs the command that the arguments name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<()> {
    let arguments: Vec<_> = arguments.into_iter().collect();
    let given = match commands().try_get_matches_from(&arguments) {
        Ok(given) => given,
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
            | ErrorKind::DisplayVersion => {
                console::text(&error.render().to_string());
                return Ok(());
            }
            _ => return Err(mistake(&error, &arguments)),
        },
    };
    let chosen = given.subcommand().and_then(|(name, given)| {
        let entry = COMMANDS.iter().find(|entry| entry.name == name)?;
        Some((entry, given))
    });
    // Clap lets no other name pass.
    chosen.map_or(Ok(()), |(entry, given)| (entry.run)(given))
}

/// One sentence for a command line that clap refused, with the nearest right name.
fn mistake(error: &clap::Error, arguments: &[OsString]) -> anyhow::Error {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    let commands = commands();
    let mistake = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let name = context(ContextKind::InvalidSubcommand);
            format!(
                "there is no command `{name}`{}",
                question(&name, commands.get_subcommands().map(Command::get_name))
            )
        }
        ErrorKind::UnknownArgument => {
            let name = context(ContextKind::InvalidArg);
            // The options of the command that was given, and of no other.
            let given = arguments.iter().filter_map(|argument| argument.to_str());
            let command = given
                .skip(1)
                .find_map(|name| commands.find_subcommand(name))
                .unwrap_or(&commands);
            let options = command.get_arguments().filter_map(Arg::get_long);
            let options: Vec<_> = options.map(|long| format!("--{long}")).collect();
            format!(
                "`{name}` is not expected here{}",
                question(&name, options.iter().map(String::as_str))
            )
        }
        // The parsers of values say what is wrong.
        ErrorKind::ValueValidation => {
            std::error::Error::source(error).map_or(String::new(), ToString::to_string)
        }
        _ => {
            let text = error.render().to_string();
            let first = text
                .lines()
                .take_while(|line| !line.is_empty())
                .map(str::trim);
            first
                .collect::<Vec<_>>()
                .join(" ")
                .trim_start_matches("error: ")
                .to_owned()
        }
    };
    let link = if mistake.ends_with('?') { "" } else { ";" };
    anyhow!("{mistake}{link} `bristle --help` and `bristle COMMAND --help` show what can be given")
}

/// All commands, as clap takes them.
fn commands() -> Command {
    let program = Command::new("bristle")
        .about("Bristle: friction force elements as FMI 2.0 units, from element cards")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_value_name("COMMAND")
        .subcommand_help_heading("Commands")
        .arg_required_else_help(true)
        .subcommand_required(true);
    COMMANDS.iter().fold(program, |program, entry| {
        program.subcommand((entry.arguments)(
            Command::new(entry.name).about(entry.about),
        ))
    })
}

fn completions(given: &ArgMatches) -> Result<()> {
    let Some(shell) = given.get_one::<Shell>("shell") else {
        return Ok(());
    };
    let mut script = Vec::new();
    clap_complete::generate(*shell, &mut commands(), "bristle", &mut script);
    console::text(&String::from_utf8_lossy(&script));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_of_commands_is_consistent() {
        commands().debug_assert();
    }

    #[test]
    fn mistyped_commands_and_options_are_answered_with_the_nearest() {
        let refused = |line: &str| {
            run(line.split(' ').map(OsString::from))
                .expect_err(line)
                .to_string()
        };
        assert!(refused("bristle exprot a.toml").contains("did you mean `export`?"));
        assert!(
            refused("bristle export a.toml --platfrom win64")
                .contains("did you mean `--platform`?")
        );
        assert!(
            refused("bristle export a.toml --platform win46").contains("did you mean `win64`?")
        );
        assert!(refused("bristle new LuGer").contains("did you mean `LuGre`?"));
        // `plot` has `--force`, `check` has not.
        assert_eq!(
            refused("bristle check a.toml --force"),
            "`--force` is not expected here; `bristle --help` and `bristle COMMAND --help` show \
             what can be given"
        );
        assert!(refused("bristle plot a.toml --froce 10").contains("did you mean `--force`?"));
        assert!(!refused("bristle --platfrom").contains("did you mean"));
    }
}
