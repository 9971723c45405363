//! `bristle plot`: the curves of an element.

use std::path::PathBuf;

use anyhow::Result;
use bristle_export::{files, plot};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::{cards, console, output};

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command
        .arg(cards::argument())
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("The folder of the pictures, the present one unless given"),
        )
        .arg(
            Arg::new("normal-force")
                .long("normal-force")
                .value_name("N")
                .value_parser(normal_force)
                .allow_negative_numbers(true)
                .help("The normal force in newtons, that of the card unless given"),
        )
        .arg(
            Arg::new("png")
                .long("png")
                .action(ArgAction::SetTrue)
                .help("Pictures as PNG instead of SVG"),
        )
        .arg(output::force())
}

fn normal_force(text: &str) -> Result<f64, String> {
    let force = text
        .parse()
        .ok()
        .filter(|force: &f64| force.is_finite() && *force > 0.0);
    force.ok_or_else(|| format!("`{text}` is no normal force; give newtons above 0"))
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    let out = given
        .get_one::<PathBuf>("out")
        .cloned()
        .unwrap_or_else(|| PathBuf::from("."));
    let cards = cards::read(given.get_many::<PathBuf>("card").into_iter().flatten())?;
    cards::refuse_equal_names(&cards)?;
    for cards::Read { element, .. } in cards {
        files::make_writable_folder(&out)?;
        let force = given
            .get_one("normal-force")
            .copied()
            .unwrap_or(element.card().normal_force);
        let picture = plot(&element, force)?;
        let (kind, bytes) = if given.get_flag("png") {
            ("png", picture.png()?)
        } else {
            ("svg", picture.svg().into_bytes())
        };
        let path = out.join(format!("{}.{kind}", element.name()));
        output::write(&path, bytes, given)?;
        console::line(path.display());
    }
    Ok(())
}
