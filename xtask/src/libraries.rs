//! `cargo xtask libraries`: the prebuilt libraries and licences that the command `bristle` embeds, in `target/libraries`.

#[path = "../../export/cli/sources.rs"]
mod sources;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Arg, ArgMatches, Command, value_parser};

use crate::console::say;
use crate::package::platforms::Platforms;
use crate::package::{library, licences, platform_arguments, platforms_of, toolchain};
use crate::progress::Progress;
use crate::{files, tools, workspace};

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    platform_arguments(command).arg(
        Arg::new("out")
            .long("out")
            .value_name("DIR")
            .value_parser(value_parser!(PathBuf))
            .help("The folder of the libraries, target/libraries unless given"),
    )
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    let out = given.get_one("out").cloned().unwrap_or_else(folder);
    build(&platforms_of(given), &out)
}

/// Folder that the build script of `bristle` reads.
pub fn folder() -> PathBuf {
    workspace::target().join("libraries")
}

/// Builds the libraries for these platforms and writes them to a folder, in place of those that were there.
pub fn build(platforms: &Platforms, out: &Path) -> Result<()> {
    tools::refuse(toolchain::missing(platforms)?)?;
    let progress = Progress::new(1 + platforms.folders().len());
    let libraries = library::build(platforms, &workspace::target().join("package"), &progress)?;
    progress.begin("the licences of what is linked in");
    put(&libraries, platforms, out)?;
    say!("libraries for {} in {}, after {}", platforms.folders().join(", "), out.display(), progress.elapsed());
    Ok(())
}

/// Writes libraries and their licences to a folder, in place of those that were there.
pub fn put(libraries: &[library::Library], platforms: &Platforms, out: &Path) -> Result<()> {
    files::remove_folder(out)?;
    for library in libraries {
        let name = format!("library.{}", library.platform.system.extension());
        files::make_folder(&out.join(library.platform.folder))?;
        files::write(&out.join(library.platform.folder).join(name), &library.bytes)?;
    }
    for file in licences::gather(platforms)? {
        let path = out.join("licenses").join(&file.path);
        files::make_folder(path.parent().context("a file lies in a folder")?)?;
        files::write(&path, &file.text)?;
    }
    let identity = sources::identity(&workspace::root()).context("the sources cannot be read")?;
    files::write(&out.join(sources::FILE), identity)
}
