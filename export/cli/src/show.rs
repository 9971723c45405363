//! `bristle show`: the card of an FMU.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use bristle::catalogue::ELEMENTS;
use bristle_export::{card, ssv};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use zip::ZipArchive;

use crate::console;

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command
        .arg(
            Arg::new("fmu")
                .value_name("FMU")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("An FMU that Bristle made"),
        )
        .arg(
            Arg::new("ssv")
                .long("ssv")
                .action(ArgAction::SetTrue)
                .help("Print the parameters as a parameter set (SSV of SSP 1.0) instead"),
        )
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    let Some(path) = given.get_one::<PathBuf>("fmu") else { return Ok(()) };
    let text = read(path)?;
    if !given.get_flag("ssv") {
        console::text(&text);
        return Ok(());
    }
    let name = format!("{}/{}", path.display(), card::PATH);
    let element = card::read(&text, &ELEMENTS).map_err(|faults| card::list(&name, &faults))?;
    console::text(&ssv::write(&element));
    Ok(())
}

/// Text of the card in an FMU; an error where the file is no FMU with a card.
pub fn read(path: &Path) -> Result<String> {
    let file = File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let mut archive = ZipArchive::new(file).with_context(|| format!("{} is no FMU", path.display()))?;
    let mut entry = archive.by_name(card::PATH).with_context(|| {
        format!("{} has no {}; FMUs of other tools and of Bristle before 0.2 have none", path.display(), card::PATH)
    })?;
    let mut text = String::new();
    // A card is a few kilobytes; a larger file is none.
    entry.by_ref().take(1 << 20).read_to_string(&mut text).with_context(|| format!("{} is damaged", path.display()))?;
    Ok(text)
}
