//! `bristle check`: the faults of cards, what their numbers mean, and what is unusual about them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use bristle_export::{Meaning, meanings, short_4};
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::{cards, console, measured};

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command.arg(cards::argument()).arg(
        Arg::new("measured")
            .long("measured")
            .action(ArgAction::SetTrue)
            .help(
                "Check that the first lines of the cards say source, what was measured, range, and \
                 what they are not good for, as measured contacts do",
            ),
    )
}

/// Refuses a card of a measured contact whose first lines leave something out, or whose file has
/// another name than the element.
fn refuse_unsaid(path: &Path, name: &str) -> Result<()> {
    let missing = measured::missing(&fs::read_to_string(path)?);
    if !missing.is_empty() {
        let lines: Vec<_> = missing.iter().map(|key| format!("`# {key}: …`")).collect();
        bail!(
            "{} does not say everything about its measurement: begin it with {}",
            path.display(),
            lines.join(", ")
        );
    }
    if path.file_stem().is_none_or(|stem| stem != name) {
        bail!(
            "{} has the element {name}; give file and element one name, by which \
             `bristle new --from` finds it",
            path.display()
        );
    }
    Ok(())
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
        if given.get_flag("measured") {
            refuse_unsaid(&card.path, name)?;
        }
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
