//! `bristle new`: a card of a law, to fill in.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use bristle::catalogue::{Card, CardBlock, Model, Variant};
use bristle::variable::InputError;
use bristle_export::card;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::{cards, console, output};

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command
        .arg(
            Arg::new("law")
                .value_name("LAW")
                .required(true)
                .value_parser(cards::law)
                .help("The friction law; `bristle list` shows them"),
        )
        .arg(
            Arg::new("block").long("block").action(ArgAction::SetTrue).help(
                "Put a body inside the element: the card gets the section `block`, with a mass of 1 kg to change",
            ),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("The file of the card; the standard output unless given"),
        )
        .arg(output::force())
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    let Some(model) = given.get_one::<&'static Model>("law") else { return Ok(()) };
    let text = card::write(&if given.get_flag("block") { with_block(model)? } else { model.stock() });
    let Some(path) = given.get_one::<PathBuf>("out") else {
        console::text(&text);
        return Ok(());
    };
    output::write(path, text, given)
}

/// The element of a law with a block of 1 kg.
fn with_block(model: &'static Model) -> Result<Variant> {
    let block = CardBlock { mass: 1.0, ..CardBlock::default() };
    let card = Card { block: Some(block), ..Card::of_law(model.metadata.name, model.metadata.title) };
    Variant::new(model, card).map_err(|InputError(sentence)| anyhow!("{sentence}"))
}
