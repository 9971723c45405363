//! `bristle list`: the friction laws, or the measured contacts.

use anyhow::Result;
use bristle::catalogue::ELEMENTS;
use bristle_export::card::read;
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::{console, measured};

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command.arg(
        Arg::new("measured")
            .long("measured")
            .action(ArgAction::SetTrue)
            .help("List the measured contacts, with their sources, in place of the laws"),
    )
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    if given.get_flag("measured") {
        for card in measured::all() {
            let source = measured::of_key(card.text, "Source").unwrap_or_default();
            let description = read(card.text, &ELEMENTS)
                .map_or(String::new(), |element| element.description().to_owned());
            console::line(format_args!(
                "{:<20} {description}\n{:21}{source}",
                card.name, ""
            ));
        }
        return Ok(());
    }
    for model in &ELEMENTS {
        let metadata = model.metadata;
        console::line(format_args!(
            "{:<20} {:<28} {}",
            metadata.name, metadata.kind, metadata.title
        ));
    }
    Ok(())
}
