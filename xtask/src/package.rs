//! `cargo xtask package`: one FMU per element, from one shared library per platform.
//!
//! The libraries and the licences of their contents come from cargo; `bristle-export` makes the
//! FMUs of them, from the catalogue's stock elements or from cards.

pub mod library;
pub mod licences;
pub mod platforms;
pub mod source;
pub mod toolchain;
pub mod universal;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use bristle::catalogue::{ELEMENTS, Model, Variant};
use bristle_export::files::make_writable_folder;
use bristle_export::platform::{self, PLATFORMS, Platform, System};
use bristle_export::{Exporter, card};
use rayon::prelude::*;

use crate::console::say;
use crate::environment::ZIG;
use crate::progress::Progress;
use crate::{arguments, files, tools, workspace};
use library::Library;
use platforms::Platforms;

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Elements to export, all unless named; docs/elements.md lists them
    #[arg(value_name = "ELEMENT", value_parser = arguments::element())]
    elements: Vec<&'static Model>,
    /// An element's card to export instead; may be given several times
    #[arg(long = "card", value_name = "FILE", conflicts_with = "elements")]
    cards: Vec<PathBuf>,
    #[command(flatten)]
    platforms: PlatformOptions,
    /// Put the C source into the FMUs, in place of a library unless platforms are named
    #[arg(long)]
    sources: bool,
    /// The folder of the FMUs, target/fmu unless given, for sources target/fmu-sources
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Options that choose platforms.
#[derive(clap::Args)]
pub struct PlatformOptions {
    /// A platform to export for, this machine's unless named; may be given several times
    #[arg(long = "platform", value_name = "NAME", value_parser = platform::find)]
    named: Vec<&'static Platform>,
    /// Export for Linux, Windows and macOS
    #[arg(long, conflicts_with = "named")]
    all_platforms: bool,
}

impl PlatformOptions {
    /// The chosen platforms.
    pub fn platforms(&self) -> Platforms {
        let is_chosen = |platform: &&Platform| self.all_platforms || self.named.contains(platform);
        let platforms: Vec<&'static Platform> = PLATFORMS.iter().filter(is_chosen).collect();
        if platforms.is_empty() {
            Platforms::Host
        } else {
            Platforms::Portable(platforms)
        }
    }

    /// Whether no platform is chosen.
    fn is_empty(&self) -> bool {
        matches!(self.platforms(), Platforms::Host)
    }

    /// The chosen platforms; without any, this machine's for all Linux systems, where zig is to be
    /// had. Its own compiler builds what needs its own glibc.
    fn platforms_for_users(&self) -> Result<Platforms> {
        let (chosen, host) = (self.platforms(), platform::host()?);
        if host.system != System::Linux || !matches!(chosen, Platforms::Host) {
            return Ok(chosen);
        }
        let missing = match ZIG.make() {
            Ok(None) => return Ok(Platforms::Portable(vec![host])),
            Ok(Some(missing)) => missing,
            Err(error) => format!("{error:#}"),
        };
        say!("{missing}: the library is built by this machine's own compiler");
        Ok(chosen)
    }
}

/// The command.
pub fn command(options: &Options) -> Result<()> {
    let elements = match (&options.cards[..], &options.elements[..]) {
        ([], []) => stock(),
        ([], models) => models.iter().map(|model| model.stock()).collect(),
        (cards, _) => cards
            .iter()
            .map(|card| of_card_with_remarks(card))
            .collect::<Result<_>>()?,
    };
    let platforms = if options.sources && options.platforms.is_empty() {
        Platforms::Portable(Vec::new())
    } else {
        options.platforms.platforms_for_users()?
    };
    let folder = if options.sources {
        "fmu-sources"
    } else {
        "fmu"
    };
    let out = options
        .out
        .clone()
        .unwrap_or_else(|| workspace::target().join(folder));
    let laws = if options.sources {
        laws(&elements)
    } else {
        Vec::new()
    };
    if options.sources {
        tools::refuse(&source::missing()?)?;
    }
    let progress = Progress::new(stages(&platforms) + laws.len());
    let sources = laws
        .par_iter()
        .map(|law| source::build(law, &progress))
        .collect::<Result<Vec<_>>>()?;
    package(&elements, &platforms, &sources, &out, &progress).map(drop)
}

/// Laws of elements, each once.
fn laws(elements: &[Variant]) -> Vec<&'static Model> {
    let is_law = |model: &&Model| {
        elements
            .iter()
            .any(|element| element.law.fingerprint == model.fingerprint)
    };
    ELEMENTS.iter().filter(is_law).collect()
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
    remarks
        .iter()
        .for_each(|remark| say!("{}: {remark}", path.display()));
    Ok(element)
}

/// Packages every element for this machine into `target/fmu`, where the other commands look for
/// them.
pub fn for_this_machine() -> Result<()> {
    let (host, out) = (Platforms::Host, workspace::target().join("fmu"));
    package(&stock(), &host, &[], &out, &Progress::new(stages(&host))).map(drop)
}

/// Number of stages of packaging: a library for each platform, the licences, the FMUs.
pub fn stages(platforms: &Platforms) -> usize {
    2 + platforms.folders().len()
}

/// Packages elements for these platforms, with these sources of laws if there are any, into the
/// folder `out`, and returns the libraries in them.
pub fn package(
    elements: &[Variant],
    platforms: &Platforms,
    sources: &[Vec<u8>],
    out: &Path,
    progress: &Progress,
) -> Result<Vec<Library>> {
    // Before the long work, so that an obstacle is reported at once.
    tools::refuse(&toolchain::missing(platforms)?)?;
    make_writable_folder(out)
        .with_context(|| format!("no FMUs can be written to {}", out.display()))?;

    let libraries = library::build(platforms, &workspace::target().join("package"), progress)?;
    let mut exporter = Exporter::new();
    progress.begin("the licences of what is linked in");
    exporter.add_licences(licences::gather(platforms)?);
    progress.begin("descriptions, documentation, icons and archives");
    for library in &libraries {
        exporter.add_library(library.platform, &library.bytes)?;
    }
    for source in sources {
        exporter.add_source(source)?;
    }
    for element in elements {
        let bytes = exporter.export(element)?;
        files::write(&out.join(format!("{}.fmu", element.name())), &bytes)?;
        let (size, variables) = (bytes.len() / 1000, element.variables().count());
        say!(
            "         {:<18} {size:>5} kB  {variables:>2} variables  {}",
            element.name(),
            element.guid()
        );
    }
    exporter.remarks().for_each(|remark| say!("{remark}"));
    let mut contents = platforms.folders();
    contents.extend((!sources.is_empty()).then_some("compilers of C"));
    say!("FMUs for {} in {}", contents.join(", "), out.display());
    Ok(libraries)
}
