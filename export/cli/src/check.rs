//! `bristle check`: the faults of cards.

use std::path::PathBuf;

use anyhow::Result;
use clap::{ArgMatches, Command};

use crate::{cards, console};

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command.arg(cards::argument())
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    for (path, element) in cards::read(given.get_many::<PathBuf>("card").into_iter().flatten())? {
        let (name, law) = (element.name(), element.metadata().name);
        console::line(format_args!("{}: {name}, {law}, {} variables", path.display(), element.variables().count()));
        if let Some(sentence) = bristle_export::followed_curve(&element)? {
            console::line(format_args!("  {sentence}"));
        }
    }
    Ok(())
}
