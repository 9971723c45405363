//! One sentence for each mistake in a command line: the mistake, the nearest right name, and the help that lists them all.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

use bristle_export::names::question;

/// Sentence for a command line that clap refused, as an error.
pub fn sentence(error: &Error, commands: &Command, arguments: &[OsString]) -> anyhow::Error {
    let name = arguments.get(1).map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let command = commands.find_subcommand(&name);
    let help = command.map_or("cargo xtask help".to_owned(), |_| format!("cargo xtask {name} --help"));
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        _ => String::new(),
    };
    // Clap appends the symbol of a value: `--out <DIR>`.
    let [argument, other] = [ContextKind::InvalidArg, ContextKind::PriorArg]
        .map(|kind| context(kind).split(' ').next().unwrap_or_default().to_owned());
    let mistake = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let name = context(ContextKind::InvalidSubcommand);
            let known = commands.get_subcommands().map(Command::get_name);
            format!("there is no command `{name}`{}", question(&name, known))
        }
        ErrorKind::UnknownArgument if command.is_none() => format!("the command comes first, not `{name}`"),
        ErrorKind::UnknownArgument => {
            let known = command.map(options).unwrap_or_default();
            let nearest = question(&argument, known.iter().map(String::as_str));
            format!("`{name}` takes no `{argument}`{nearest}{}", takers(&argument, commands))
        }
        ErrorKind::ArgumentConflict => {
            if other.is_empty() || other == argument {
                format!("`{argument}` is given twice; give it once")
            } else {
                format!("`{argument}` and `{other}` exclude each other; give one of them")
            }
        }
        ErrorKind::InvalidValue => format!("`{argument}` needs a value"),
        ErrorKind::ValueValidation => {
            let reason = std::error::Error::source(error).map_or(String::new(), ToString::to_string);
            // The names of elements and platforms bring a sentence of their own.
            if reason.starts_with("there is no") {
                reason
            } else {
                format!("`{}` is no value for `{argument}`: {reason}", context(ContextKind::InvalidValue))
            }
        }
        ErrorKind::InvalidUtf8 => "an argument is not UTF-8 text".to_owned(),
        _ => error.to_string().lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned(),
    };
    let link = if mistake.ends_with('?') { "" } else { ";" };
    anyhow::anyhow!("{mistake}{link} `{help}` shows what can be given")
}

/// The options of a command, as they are written.
fn options(command: &Command) -> Vec<String> {
    command.get_arguments().filter_map(|argument| argument.get_long()).map(|long| format!("--{long}")).collect()
}

/// The commands that take an argument, for one that another command was given.
fn takers(argument: &str, commands: &Command) -> String {
    let option = argument.split('=').next().unwrap_or_default();
    let takes = |command: &&Command| match option.starts_with('-') {
        true => options(command).iter().any(|known| known == option),
        // Other commands take names of their own.
        false => command.get_positionals().any(|known| known.get_id() == "element"),
    };
    let names: Vec<_> =
        commands.get_subcommands().filter(takes).map(|command| format!("`{}`", command.get_name())).collect();
    match (&names[..], option.starts_with('-')) {
        ([], _) => String::new(),
        (names, true) => format!("; {} takes it", names.join(" or ")),
        (names, false) => format!("; only {} takes elements", names.join(" and ")),
    }
}

#[cfg(test)]
mod tests {
    use crate::cli;

    /// The sentence for a command line.
    fn refused(line: &str) -> String {
        let words = ["xtask"].into_iter().chain(line.split(' ')).map(|word| word.trim_matches('\'').into());
        cli::run(words).expect_err(line).to_string()
    }

    #[test]
    fn wrong_name_of_a_command_is_answered_with_the_nearest() {
        assert_eq!(
            refused("packge"),
            "there is no command `packge`; did you mean `package`? `cargo xtask help` shows what can be given"
        );
        assert_eq!(refused("nonsense"), "there is no command `nonsense`; `cargo xtask help` shows what can be given");
        assert!(refused("help lst").starts_with("there is no command `lst`; did you mean `list`?"));
        assert!(refused("--out x").starts_with("the command comes first, not `--out`;"));
    }

    #[test]
    fn wrong_option_is_answered_with_the_nearest_or_the_command_that_takes_it() {
        assert_eq!(
            refused("package --platfrom win64"),
            "`package` takes no `--platfrom`; did you mean `--platform`? `cargo xtask package --help` shows what can be given"
        );
        assert_eq!(
            refused("list --out x"),
            "`list` takes no `--out`; `package` or `libraries` takes it; `cargo xtask list --help` shows what can be given"
        );
        assert!(refused("instructions --up").contains("did you mean `--update`?"));
        assert!(refused("test --seed 3").contains("`realtime` or `stress` or `random-calls` takes it"));
        assert!(refused("dist FrDyn2").starts_with("`dist` takes no `FrDyn2`; only `package` takes elements;"));
    }

    #[test]
    fn wrong_name_of_an_element_or_platform_is_answered_with_the_nearest() {
        let refusal = refused("package FrDyn3");
        assert!(refusal.starts_with("there is no element `FrDyn3`; did you mean `FrDyn2`?"), "{refusal}");
        let refusal = refused("package --platform win46");
        assert!(refusal.contains("there is no platform `win46`; did you mean `win64`?"), "{refusal}");
        let refusal = refused("package --platform solaris");
        assert!(refusal.contains("the platforms are linux64, win64, darwin64"), "{refusal}");
    }

    #[test]
    fn out_is_given_once_and_with_a_folder() {
        assert!(refused("package --out a --out b").starts_with("`--out` is given twice; give it once;"));
        assert!(refused("package --out ''").starts_with("`--out` needs a value;"));
        assert!(refused("package --out=").starts_with("`--out` needs a value;"));
        assert!(refused("package --out").starts_with("`--out` needs a value;"));
    }

    #[test]
    fn options_that_exclude_each_other_are_named() {
        let refusal = refused("package --all-platforms --platform win64");
        assert!(refusal.contains("exclude each other"), "{refusal}");
    }

    #[test]
    fn value_that_is_no_number_is_named() {
        let refusal = refused("stress --seed many");
        assert!(refused("stress --seed -4").starts_with("`-4` is no value for `--seed`: "));
        assert!(refusal.starts_with("`many` is no value for `--seed`: "), "{refusal}");
    }
}
