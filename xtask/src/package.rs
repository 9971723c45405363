//! `cargo xtask package`: one FMU per element, from the catalogue and one shared library per platform.
//!
//! Same sources, same bytes: nothing in here asks for the time, the machine or the order of a hash table.

mod archive;
pub mod capabilities;
mod description;
mod documentation;
mod icon;
mod inspection;
pub mod library;
pub mod licences;
pub mod platform;
pub mod toolchain;
mod universal;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use bristle::catalogue::{ELEMENTS, Entry, find};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::cli::{flag, nearest};
use crate::console::say;
use crate::progress::Progress;
use crate::{files, tools, workspace};
use archive::{Archive, Compressed};
use library::{Library, Platforms};
use platform::{PLATFORMS, Platform};

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command
        .arg(
            Arg::new("element")
                .value_name("ELEMENT")
                .num_args(0..)
                .value_parser(element)
                .help("Elements to export, all unless named; `cargo xtask list` shows them"),
        )
        .arg(
            Arg::new("platform")
                .long("platform")
                .value_name("NAME")
                .action(ArgAction::Append)
                .value_parser(platform::find)
                .help("A platform to export for, this machine's unless named; may be given several times"),
        )
        .arg(flag("all-platforms", "Export for Linux, Windows and macOS").conflicts_with("platform"))
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("The folder of the FMUs, target/fmu unless given"),
        )
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    let mut elements: Vec<&Entry> = given.get_many("element").into_iter().flatten().copied().collect();
    if elements.is_empty() {
        elements = ELEMENTS.iter().collect();
    }
    // The order of the catalogue, each once, however they are named.
    elements.sort_by_key(|entry| ELEMENTS.iter().position(|known| std::ptr::eq(known, *entry)));
    elements.dedup_by_key(|entry| entry.declaration.name);
    let named: Vec<&Platform> = given.get_many("platform").into_iter().flatten().copied().collect();
    let is_named = |platform: &&Platform| given.get_flag("all-platforms") || named.contains(platform);
    let platforms: Vec<&'static Platform> = PLATFORMS.iter().filter(is_named).collect();
    let platforms = if platforms.is_empty() { Platforms::Host } else { Platforms::Portable(platforms) };
    let out = given.get_one("out").cloned().unwrap_or_else(|| workspace::target().join("fmu"));
    let progress = Progress::new(stages(&platforms));
    package(&elements, &platforms, &out, &progress).map(drop)
}

/// The element of a name; an error names the nearest, or all where none is near.
pub fn element(name: &str) -> Result<&'static Entry> {
    find(name).with_context(|| {
        let known: Vec<_> = ELEMENTS.iter().map(|entry| entry.declaration.name).collect();
        match nearest(name, known.iter().copied()) {
            Some(nearest) => format!("there is no element `{name}`; did you mean `{nearest}`?"),
            None => format!("there is no element `{name}`; the elements are {}", known.join(", ")),
        }
    })
}

/// Packages every element for this machine into `target/fmu`, where the other commands look for them.
pub fn for_this_machine() -> Result<()> {
    all(&Platforms::Host, &workspace::target().join("fmu"))
}

/// Packages every element for these platforms into the folder `out`.
pub fn all(platforms: &Platforms, out: &Path) -> Result<()> {
    let elements: Vec<_> = ELEMENTS.iter().collect();
    package(&elements, platforms, out, &Progress::new(stages(platforms))).map(drop)
}

/// The number of stages of packaging: a library for each platform, the licences, the FMUs.
pub fn stages(platforms: &Platforms) -> usize {
    2 + platforms.folders().len()
}

/// Packages elements for these platforms into the folder `out`, and returns the libraries in them.
pub fn package(elements: &[&Entry], platforms: &Platforms, out: &Path, progress: &Progress) -> Result<Vec<Library>> {
    // Before the long work, so that an obstacle is reported at once.
    tools::refuse(toolchain::missing(platforms)?)?;
    let elsewhere = || format!("no FMUs can be written to {}; name another folder with --out DIR", out.display());
    files::make_writable_folder(out).with_context(elsewhere)?;

    let libraries = library::build(platforms, &workspace::target().join("package"), progress)?;
    progress.begin("the licences of what is linked in");
    let licences = licences::gather(platforms)?;
    progress.begin(&format!("descriptions, documentation, icons and archives of {}", number(elements.len())));
    let compressed = libraries.iter().map(|library| Compressed::new(&library.bytes)).collect::<Result<Vec<_>>>()?;
    let packed: Vec<_> = libraries.iter().map(|library| library.platform).zip(&compressed).collect();
    let mut size = 0;
    for entry in elements {
        size += export(entry, &packed, &licences, out)?;
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
fn export(
    entry: &Entry,
    libraries: &[(&Platform, &Compressed)],
    licences: &[(String, Vec<u8>)],
    out: &Path,
) -> Result<usize> {
    let name = entry.declaration.name;
    let mut archive = Archive::default();
    archive.add("modelDescription.xml", description::write(entry)?);
    archive.add("documentation/index.html", documentation::write(entry)?);
    for (path, text) in licences {
        archive.add(format!("documentation/licenses/{path}"), text.clone());
    }
    archive.add("model.png", icon::draw(entry)?);
    for (platform, library) in libraries {
        let path = format!("binaries/{}/{name}.{}", platform.folder, platform.system.extension());
        archive.add_compressed(path, library);
    }

    let file = format!("{name}.fmu");
    let bytes = archive.finish()?;
    files::write(&out.join(&file), &bytes)
        .with_context(|| format!("{file} was not made; name another folder with --out DIR"))?;
    say!(
        "         {file:<22} {:>5} kB  {:>2} variables  {}",
        bytes.len() / 1000,
        entry.variables().count(),
        entry.guid()
    );
    Ok(bytes.len())
}
