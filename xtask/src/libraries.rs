//! `cargo xtask libraries`: the prebuilt libraries and licences that the command `bristle` embeds,
//! in `target/libraries`.

#[path = "../../export/cli/sources.rs"]
mod sources;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use bristle::catalogue::ELEMENTS;
use bristle_export::platform::Platform;

use crate::console::say;
use crate::package::platforms::Platforms;
use crate::package::{PlatformOptions, library, licences, source, toolchain};
use crate::progress::Progress;
use crate::{files, tools, workspace};

/// Folder of the C sources among the libraries; the build of `bristle` reads it.
const FOLDER: &str = "sources";

/// Folder of the libraries; the build script of `bristle` reads it.
pub fn folder() -> PathBuf {
    workspace::target().join("libraries")
}

/// Whether a folder has libraries of the present sources.
pub fn are_current(folder: &Path) -> bool {
    let built = files::read_text(&folder.join(sources::FILE)).ok();
    built.is_some() && built == sources::identity(&workspace::root()).ok()
}

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    platforms: PlatformOptions,
    /// Build the C source of every law, too
    #[arg(long)]
    sources: bool,
    /// The folder of the libraries, target/libraries unless given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The command.
pub fn command(options: &Options) -> Result<()> {
    let out = options.out.clone().unwrap_or_else(folder);
    build(&options.platforms.platforms(), &out)?;
    if options.sources {
        put_sources(&out, &Progress::new(ELEMENTS.len()))?;
    }
    Ok(())
}

/// Builds the C source of every law into a folder of libraries, and returns it.
pub fn put_sources(out: &Path, progress: &Progress) -> Result<Vec<Vec<u8>>> {
    let laws: Vec<_> = ELEMENTS.iter().collect();
    let sources = source::write(&laws, &out.join(FOLDER), progress)?;
    say!("C source of {} laws in {}", laws.len(), out.display());
    Ok(sources)
}

/// Builds the libraries for these platforms and writes them to a folder, in place of those that
/// were there.
pub fn build(platforms: &Platforms, out: &Path) -> Result<()> {
    tools::refuse(&toolchain::missing(platforms)?)?;
    let progress = Progress::new(platforms.folders().len());
    let libraries = library::build(platforms, &workspace::target().join("package"), &progress)?;
    put(&libraries, platforms, out)?;
    say!(
        "libraries for {} in {}",
        platforms.folders().join(", "),
        out.display()
    );
    Ok(())
}

/// Writes libraries and their licences to a folder, in place of those that were there.
pub fn put(libraries: &[library::Library], platforms: &Platforms, out: &Path) -> Result<()> {
    files::remove_folder(out)?;
    for library in libraries {
        let Platform { folder, system, .. } = library.platform;
        files::write_below(
            out,
            &format!("{folder}/library.{}", system.extension()),
            &library.bytes,
        )?;
    }
    for file in licences::gather(platforms)? {
        files::write_below(out, &format!("licenses/{}", file.path), &file.text)?;
    }
    let identity = sources::identity(&workspace::root()).context("the sources cannot be read")?;
    files::write(&out.join(sources::FILE), identity)
}
