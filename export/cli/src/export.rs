//! `bristle export`: cards to FMUs.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use bristle_export::platform::{self, Platform};
use bristle_export::{files, ssv};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::{cards, console, libraries, output, show};

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command
        .arg(cards::argument())
        .arg(
            Arg::new("platform")
                .long("platform")
                .value_name("NAME")
                .action(ArgAction::Append)
                .value_parser(platform::find)
                .help("A platform to export for, all unless named; may be given several times"),
        )
        .arg(
            Arg::new("sources")
                .long("sources")
                .action(ArgAction::SetTrue)
                .help(
                    "Put C source into the FMUs, for importers that compile it; without libraries \
                     unless platforms are named",
                ),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("The folder of the FMUs, the present one unless given"),
        )
        .arg(
            Arg::new("set")
                .long("set")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("A parameter set (SSV of SSP 1.0) whose values replace those of the cards"),
        )
        .arg(output::force())
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    let mut elements = cards::read(given.get_many::<PathBuf>("card").into_iter().flatten())?;
    cards::refuse_equal_names(&elements)?;
    if let Some(path) = given.get_one::<PathBuf>("set") {
        let text = fs::read_to_string(path)
            .with_context(|| format!("{} cannot be read", path.display()))?;
        for card in &mut elements {
            card.element =
                ssv::apply(&card.element, &text).with_context(|| path.display().to_string())?;
        }
    }
    let out = given
        .get_one::<PathBuf>("out")
        .cloned()
        .unwrap_or_else(|| PathBuf::from("."));
    let file = |card: &cards::Read| out.join(format!("{}.fmu", card.element.name()));
    // An FMU of Bristle is made again of its card.
    for path in elements
        .iter()
        .map(file)
        .filter(|path| show::read(path).is_err())
    {
        output::check(&path, given)?;
    }
    let platforms: Vec<&'static Platform> = given
        .get_many("platform")
        .into_iter()
        .flatten()
        .copied()
        .collect();
    let has_source = given.get_flag("sources");
    let exporter = libraries::exporter(&platforms, has_source)?;
    if !libraries::ARE_CURRENT {
        console::complain(
            "warning: the libraries inside this program were built of other sources than the \
             program: their numbers may differ from \
             those of its plots and documentation; run `cargo xtask libraries` in the sources and \
             build it again",
        );
    }
    for remark in exporter.remarks() {
        console::complain(&format!("remark: {remark}"));
    }
    files::make_writable_folder(&out)?;
    for card in &elements {
        let element = &card.element;
        let path = file(card);
        files::write(&path, exporter.export(element)?)?;
        let mut contents: Vec<_> = exporter
            .platforms()
            .map(|platform| platform.folder)
            .collect();
        contents.extend(has_source.then_some("compilers of C"));
        console::line(format_args!(
            "{} for {}",
            path.display(),
            contents.join(", ")
        ));
        card.print_remarks();
    }
    Ok(())
}
