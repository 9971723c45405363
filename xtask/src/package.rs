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

use anyhow::{Context, Result, bail};
use bristle::catalogue::{ELEMENTS, Entry, find};

use crate::workspace;
use archive::{Archive, Compressed};
use library::{Library, Platforms};
use platform::{PLATFORMS, Platform};

/// What the command line may say.
#[derive(Default, PartialEq)]
pub struct Options {
    /// All elements where none is named.
    pub elements: Vec<String>,
    /// This machine's platform where none is named.
    pub platforms: Vec<String>,
    pub all_platforms: bool,
    pub out: Option<PathBuf>,
}

pub fn command(options: &Options) -> Result<()> {
    let out = options.out.clone().unwrap_or_else(|| workspace::target().join("fmu"));
    let named = options.platforms.iter().map(|name| platform::find(name));
    let platforms = match options.all_platforms {
        true => Platforms::Portable(PLATFORMS.iter().collect()),
        false if options.platforms.is_empty() => Platforms::Host,
        false => Platforms::Portable(named.collect::<Result<_>>()?),
    };
    package(&options.elements, &platforms, &out, &workspace::target().join("package")).map(drop)
}

/// Packages every element for this machine into `target/fmu`, where the other commands look for them.
pub fn for_this_machine() -> Result<()> {
    command(&Options::default())
}

/// Packages the named elements (all of them where none is named) for these platforms into the folder `out`; the
/// libraries are built in the folder `build`.
pub fn package(elements: &[String], platforms: &Platforms, out: &Path, build: &Path) -> Result<Vec<Library>> {
    let entries = select(elements)?;
    // Before the long work, so that a folder that cannot be written to is said at once.
    std::fs::create_dir_all(out)
        .with_context(|| format!("cannot make the folder {}; name a writable one with --out DIR", out.display()))?;

    let libraries = library::build(platforms, build)?;
    let licences = licences::gather(platforms)?;
    println!("licences       {} files", licences.len());
    let compressed = libraries.iter().map(|library| Compressed::new(&library.bytes)).collect::<Result<Vec<_>>>()?;
    for entry in entries {
        let libraries: Vec<_> = libraries.iter().map(|library| library.platform).zip(&compressed).collect();
        export(entry, &libraries, &licences, out)?;
    }
    Ok(libraries)
}

fn select(names: &[String]) -> Result<Vec<&'static Entry>> {
    if names.is_empty() {
        return Ok(ELEMENTS.iter().collect());
    }
    names
        .iter()
        .map(|name| {
            find(name).with_context(|| {
                let known: Vec<_> = ELEMENTS.iter().map(|entry| entry.declaration.name).collect();
                format!("there is no element `{name}`; the elements are {}", known.join(", "))
            })
        })
        .collect()
}

fn export(
    entry: &Entry,
    libraries: &[(&Platform, &Compressed)],
    licences: &[(String, Vec<u8>)],
    out: &Path,
) -> Result<()> {
    let name = entry.declaration.name;
    let mut archive = Archive::default();

    let description = description::write(entry)?;
    println!("{name:<14} modelDescription.xml, {} variables, {}", entry.variables().count(), entry.guid());
    archive.add("modelDescription.xml", description);

    let page = documentation::write(entry)?;
    println!("{name:<14} documentation, {} kB", page.len() / 1000);
    archive.add("documentation/index.html", page);
    for (path, text) in licences {
        archive.add(format!("documentation/licenses/{path}"), text.clone());
    }
    archive.add("model.png", icon::draw(entry)?);
    for (platform, library) in libraries {
        let path = format!("binaries/{}/{name}.{}", platform.folder, platform.system.extension());
        archive.add_compressed(path, library);
    }

    let path = out.join(format!("{name}.fmu"));
    let bytes = archive.finish()?;
    if let Err(error) = std::fs::write(&path, &bytes) {
        bail!("cannot write {}: {error}; name a writable folder with --out DIR", path.display());
    }
    println!("{name:<14} {}, {} kB", path.display(), bytes.len() / 1000);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_element_is_answered_with_those_there_are() {
        let error = select(&["FrDyn3".to_owned()]).err().unwrap().to_string();
        assert!(error.contains("FrDyn3") && error.contains("FrDyn2"), "{error}");
    }
}
