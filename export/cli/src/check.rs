//! `bristle check`: the faults of cards, what their numbers mean, and what is unusual about them.

use std::path::PathBuf;

use anyhow::Result;
use bristle_export::{Meaning, meanings, short_4};
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
        console::line(format_args!(
            "{}: {name}, {law}, {count} variables",
            card.path.display()
        ));
        card.print_remarks();
        // An export would refuse what this refuses.
        bristle_export::description::write(&card.element)?;
        let rows = meanings(&card.element);
        let width = rows
            .iter()
            .map(|row| row.name.chars().count())
            .max()
            .unwrap_or(0);
        for Meaning {
            name,
            value,
            unit,
            meaning,
        } in rows
        {
            console::line(format_args!(
                "  {name:<width$} {:>9} {unit:<4}  {meaning}",
                short_4(value)
            ));
        }
        if let Some(sentence) = bristle_export::followed_curve(&card.element)? {
            console::line(format_args!("  {sentence}"));
        }
    }
    Ok(())
}
