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
    for card in cards::read(given.get_many::<PathBuf>("card").into_iter().flatten())? {
        let (name, law) = (card.element.name(), card.element.metadata().name);
        let count = card.element.variables().count();
        console::line(format_args!("{}: {name}, {law}, {count} variables", card.path.display()));
        card.print_remarks();
        // An export would refuse what this refuses.
        bristle_export::description::write(&card.element)?;
        if let Some(sentence) = bristle_export::followed_curve(&card.element)? {
            console::line(format_args!("  {sentence}"));
        }
    }
    Ok(())
}
