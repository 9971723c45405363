//! `cargo xtask package`: one FMU per element, from one shared library per platform.
//!
//! The libraries and the licences of their contents come from cargo; `bristle-export` makes the FMUs of them, from the catalogue's
//! stock elements or from cards.

pub mod library;
pub mod licences;
pub mod platforms;
pub mod toolchain;
pub mod universal;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use bristle::catalogue::{ELEMENTS, Model, Variant};
use bristle_export::files::make_writable_folder;
use bristle_export::platform::{self, PLATFORMS, Platform};
use bristle_export::{Exporter, card};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::arguments::{element, flag};
use crate::console::say;
use crate::progress::Progress;
use crate::{files, tools, workspace};
use library::Library;
use platforms::Platforms;

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    let command = command
        .arg(
            Arg::new("element")
                .value_name("ELEMENT")
                .num_args(0..)
                .value_parser(element)
                .help("Elements to export, all unless named; docs/elements.md lists them"),
        )
        .arg(
            Arg::new("card")
                .long("card")
                .value_name("FILE")
                .action(ArgAction::Append)
                .value_parser(value_parser!(PathBuf))
                .conflicts_with("element")
                .help("An element's card to export instead; may be given several times"),
        );
    platform_arguments(command).arg(
        Arg::new("out")
            .long("out")
            .value_name("DIR")
            .value_parser(value_parser!(PathBuf))
            .help("The folder of the FMUs, target/fmu unless given"),
    )
}

/// Adds the arguments that choose platforms.
pub fn platform_arguments(command: Command) -> Command {
    command
        .arg(
            Arg::new("platform")
                .long("platform")
                .value_name("NAME")
                .action(ArgAction::Append)
                .value_parser(platform::find)
                .help("A platform to export for, this machine's unless named; may be given several times"),
        )
        .arg(flag("all-platforms", "Export for Linux, Windows and macOS").conflicts_with("platform"))
}

/// Platforms that the arguments choose.
pub fn platforms_of(given: &ArgMatches) -> Platforms {
    let named: Vec<&Platform> = given.get_many("platform").into_iter().flatten().copied().collect();
    let is_named = |platform: &&Platform| given.get_flag("all-platforms") || named.contains(platform);
    let platforms: Vec<&'static Platform> = PLATFORMS.iter().filter(is_named).collect();
    if platforms.is_empty() { Platforms::Host } else { Platforms::Portable(platforms) }
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    let cards: Vec<&PathBuf> = given.get_many("card").into_iter().flatten().collect();
    let mut models: Vec<&'static Model> = given.get_many("element").into_iter().flatten().copied().collect();
    // The order of the catalogue, each once, however they are named.
    models.sort_by_key(|entry| ELEMENTS.iter().position(|known| std::ptr::eq(known, *entry)));
    models.dedup_by_key(|entry| entry.metadata.name);
    let elements = match (&cards[..], &models[..]) {
        ([], []) => stock(),
        ([], models) => models.iter().map(|model| model.stock()).collect(),
        (cards, _) => cards.iter().map(|card| of_card_with_remarks(card)).collect::<Result<_>>()?,
    };
    let platforms = platforms_of(given);
    let out = given.get_one("out").cloned().unwrap_or_else(|| workspace::target().join("fmu"));
    let progress = Progress::new(stages(&platforms));
    package(&elements, &platforms, &out, &progress).map(drop)
}

/// Every element of the catalogue.
pub fn stock() -> Vec<Variant> {
    ELEMENTS.iter().map(Model::stock).collect()
}

/// Element of a card in a file.
pub fn of_card(path: &Path) -> Result<Variant> {
    Ok(card::read_file(path, &ELEMENTS)?)
}

/// Element of a card in a file; prints what was found in the file of its curve.
fn of_card_with_remarks(path: &Path) -> Result<Variant> {
    let text = files::read_text(path)?;
    let (element, remarks) = card::examine(&text, path, &ELEMENTS)?;
    remarks.iter().for_each(|remark| say!("{}: {remark}", path.display()));
    Ok(element)
}

/// Packages every element for this machine into `target/fmu`, where the other commands look for them.
pub fn for_this_machine() -> Result<()> {
    all(&Platforms::Host, &workspace::target().join("fmu"))
}

/// Packages every element for these platforms into the folder `out`.
pub fn all(platforms: &Platforms, out: &Path) -> Result<()> {
    package(&stock(), platforms, out, &Progress::new(stages(platforms))).map(drop)
}

/// Number of stages of packaging: a library for each platform, the licences, the FMUs.
pub fn stages(platforms: &Platforms) -> usize {
    2 + platforms.folders().len()
}

/// Packages elements for these platforms into the folder `out`, and returns the libraries in them.
pub fn package(elements: &[Variant], platforms: &Platforms, out: &Path, progress: &Progress) -> Result<Vec<Library>> {
    // Before the long work, so that an obstacle is reported at once.
    tools::refuse(toolchain::missing(platforms)?)?;
    let elsewhere = || format!("no FMUs can be written to {}; name another folder with --out DIR", out.display());
    make_writable_folder(out).with_context(elsewhere)?;

    let libraries = library::build(platforms, &workspace::target().join("package"), progress)?;
    let mut exporter = Exporter::new();
    progress.begin("the licences of what is linked in");
    exporter.add_licences(licences::gather(platforms)?);
    progress.begin(&format!("descriptions, documentation, icons and archives of {}", number(elements.len())));
    for library in &libraries {
        exporter.add_library(library.platform, &library.bytes)?;
    }
    let mut size = 0;
    for element in elements {
        size += write(&exporter, element, out)?;
    }
    let (all, megabytes) = (number(elements.len()), size as f64 / 1e6);
    let folders = platforms.folders().join(", ");
    say!("{all} for {folders} in {}, {megabytes:.1} MB, after {}", out.display(), progress.elapsed());
    Ok(libraries)
}

fn number(fmus: usize) -> String {
    if fmus == 1 { "1 FMU".to_owned() } else { format!("{fmus} FMUs") }
}

/// Writes the FMU of an element and returns its size in bytes.
fn write(exporter: &Exporter, element: &Variant, out: &Path) -> Result<usize> {
    let file = format!("{}.fmu", element.name());
    let bytes = exporter.export(element)?;
    files::write(&out.join(&file), &bytes)
        .with_context(|| format!("{file} was not made; name another folder with --out DIR"))?;
    say!(
        "         {file:<22} {:>5} kB  {:>2} variables  {}",
        bytes.len() / 1000,
        element.variables().count(),
        element.guid()
    );
    Ok(bytes.len())
}
