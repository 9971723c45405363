//! Libraries and licences inside the program; `build.rs` collects them.

use anyhow::{Result, bail};
use bristle_export::Exporter;
use bristle_export::licences::LicenceFile;
use bristle_export::platform::{PLATFORMS, Platform};

include!(concat!(env!("OUT_DIR"), "/libraries.rs"));

/// Exporter for these platforms, or for all that there are libraries for where none is named.
/// `sources` adds the C source of the laws, in place of libraries where no platform is named.
pub fn exporter(named: &[&'static Platform], sources: bool) -> Result<Exporter> {
    let library = |platform: &Platform| {
        LIBRARIES
            .iter()
            .find(|(folder, _)| *folder == platform.folder)
    };
    if sources && SOURCES.is_empty() {
        bail!(
            "this program was built without C sources; run `cargo xtask libraries --sources` in \
             its sources and build it again"
        );
    }
    let is_source_alone = sources && named.is_empty();
    if LIBRARIES.is_empty() && !is_source_alone {
        bail!(
            "this program was built without libraries; run `cargo xtask libraries` in the sources \
             and build it again"
        );
    }
    let missing: Vec<_> = named
        .iter()
        .filter(|platform| library(platform).is_none())
        .map(|p| p.folder)
        .collect();
    if !missing.is_empty() {
        let there: Vec<_> = LIBRARIES.iter().map(|(folder, _)| *folder).collect();
        bail!(
            "this program has libraries for {}, not for {}",
            there.join(", "),
            missing.join(", ")
        );
    }
    let mut exporter = Exporter::new();
    let is_wanted = |platform| !is_source_alone && (named.is_empty() || named.contains(&platform));
    for platform in PLATFORMS.iter().filter(|platform| is_wanted(*platform)) {
        if let Some((_, bytes)) = library(platform) {
            exporter.add_library(platform, bytes)?;
        }
    }
    for (_, archive) in SOURCES.iter().filter(|_| sources) {
        exporter.add_source(archive)?;
    }
    let licence = |(path, text): &(&str, &[u8])| LicenceFile {
        path: (*path).to_owned(),
        text: text.to_vec(),
    };
    exporter.add_licences(LICENCES.iter().map(licence));
    Ok(exporter)
}
