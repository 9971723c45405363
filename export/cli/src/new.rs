//! `bristle new`: a card of a law, to fill in.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use bristle::catalogue::{Card, CardBlock, Model, Variant};
use bristle::law::NOMINAL_FORCE;
use bristle::variable::InputError;
use bristle_export::card;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::{cards, console};

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
            Arg::new("normal-force").long("normal-force").value_name("N").value_parser(value_parser!(f64)).help(
                "The usual normal force of the contact in newtons, to which its bristle is scaled; 10 unless given",
            ),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("The file of the card, which must not exist yet; the standard output unless given"),
        )
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    let Some(model) = given.get_one::<&'static Model>("law") else { return Ok(()) };
    let force = given.get_one("normal-force").copied().unwrap_or(NOMINAL_FORCE);
    let text = card::write(&element(model, given.get_flag("block"), force)?);
    let Some(path) = given.get_one::<PathBuf>("out") else {
        console::text(&text);
        return Ok(());
    };
    let mut file = File::create_new(path).with_context(|| format!("{} cannot be made", path.display()))?;
    file.write_all(text.as_bytes()).with_context(|| format!("{} cannot be written", path.display()))
}

/// The element of a law for a normal force (N), with a block of 1 kg where there is to be one.
fn element(model: &'static Model, has_block: bool, normal_force: f64) -> Result<Variant> {
    let block = has_block.then(|| CardBlock { mass: 1.0, ..CardBlock::default() });
    let card = Card { block, normal_force, ..Card::of_law(model.metadata.name, model.metadata.title) };
    Variant::new(model, card).map_err(|InputError(sentence)| anyhow!("{sentence}"))
}
