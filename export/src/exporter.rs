//! Assembly of an FMU.

use std::thread;

use bristle::catalogue::Variant;
use bristle::variable::InputError;

use crate::archive::{Archive, Compressed};
use crate::error::{Error, Result};
use crate::inspection::remark_on_age;
use crate::licences::{self, LicenceFile};
use crate::platform::Platform;
use crate::source::{self, Source};
use crate::stamp::Stampable;
use crate::{card, description, documentation, icon, reference, terminals};

/// Exporter with the libraries, sources and licences that its FMUs share.
///
/// The crate's documentation has an example.
#[derive(Debug, Default)]
pub struct Exporter {
    libraries: Vec<(&'static Platform, Stampable)>,
    sources: Vec<Source>,
    licences: Vec<LicenceFile>,
}

impl Exporter {
    /// Exporter without libraries and licences.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the shared library of a platform, into which cards are written; refuses one without a
    /// section for them.
    ///
    /// [`inspection::inspect`](crate::inspection::inspect) checks it otherwise.
    pub fn add_library(&mut self, platform: &'static Platform, bytes: &[u8]) -> Result<()> {
        self.libraries.push((platform, Stampable::new(bytes)?));
        Ok(())
    }

    /// Adds the C source of a law, which `cargo xtask libraries --sources` makes. With any, every
    /// FMU carries the source of its law, beside the libraries that there are.
    pub fn add_source(&mut self, archive: &[u8]) -> Result<()> {
        self.sources.push(Source::read(archive)?);
        Ok(())
    }

    /// Adds files below `documentation/licenses/`; [`licences::files`](crate::licences::files)
    /// makes them.
    pub fn add_licences(&mut self, files: impl IntoIterator<Item = LicenceFile>) {
        self.licences.extend(files);
        // Equal bytes, in whichever order a caller collects them.
        self.licences
            .sort_by(|one, other| one.path.cmp(&other.path));
    }

    /// Sentences about libraries that need a newer system than portable ones.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        self.libraries
            .iter()
            .filter_map(|(platform, library)| remark_on_age(library.bytes(), platform))
    }

    /// Platforms that have a library.
    pub fn platforms(&self) -> impl Iterator<Item = &'static Platform> {
        self.libraries.iter().map(|(platform, _)| *platform)
    }

    /// Bytes of the `.fmu` file of an element.
    pub fn export(&self, variant: &Variant) -> Result<Vec<u8>> {
        let name = variant.name();
        let mut archive = Archive::default();
        let source = self.source(variant)?;
        let files = [source::MAIN];
        archive.add(
            "modelDescription.xml",
            description::write_with_sources(variant, &files[..source.iter().len()])?,
        );
        archive.add("documentation/index.html", documentation::write(variant)?);
        archive.add(card::PATH, card::write(variant));
        for LicenceFile { path, text } in &self.licences {
            let mut text = text.clone();
            if path == licences::ENTRY && source.is_some() {
                text.extend(source::licence_note().into_bytes());
            }
            archive.add(format!("documentation/licenses/{path}"), text);
        }
        let icon = icon::draw(variant)?;
        for (path, bytes) in terminals::files(variant, &icon)? {
            archive.add(path, bytes);
        }
        archive.add("model.png", icon);
        for (path, text) in reference::files(variant) {
            archive.add(path, text);
        }
        for ((platform, _), library) in self.libraries.iter().zip(self.stamped(variant)?) {
            let extension = platform.system.extension();
            let path = |folder| format!("binaries/{folder}/{name}.{extension}");
            if self.is_arm_alone() {
                archive.add_compressed(path("linux64"), library.clone());
            }
            archive.add_compressed(path(platform.folder), library);
        }
        if let Some(source) = source {
            source.add_to(&mut archive, variant)?;
        }
        archive.finish()
    }

    /// Source of an element's law, `None` for FMUs without sources.
    fn source(&self, variant: &Variant) -> Result<Option<&Source>> {
        if self.sources.is_empty() {
            return Ok(None);
        }
        let source = self.sources.iter().find(|source| source.is_of(variant));
        source.map(Some).ok_or_else(|| source::missing(variant))
    }

    /// Whether the FMUs are for Linux on arm64 alone. FMI 2 has no name for it, and importers there
    /// look into `linux64`.
    fn is_arm_alone(&self) -> bool {
        matches!(&self.libraries[..], [(platform, _)] if platform.folder == "aarch64-linux")
    }

    /// The libraries with the card of an element, compressed side by side, which takes most of the
    /// time of an export; one after the other in a browser, which has no threads for it.
    fn stamped(&self, variant: &Variant) -> Result<Vec<Compressed>> {
        let stamped = |library: &Stampable| Compressed::new(&library.stamp(variant)?);
        if cfg!(target_family = "wasm") {
            return self
                .libraries
                .iter()
                .map(|(_, library)| stamped(library))
                .collect();
        }
        thread::scope(|scope| {
            let threads: Vec<_> = self
                .libraries
                .iter()
                .map(|(_, library)| scope.spawn(move || stamped(library)))
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("compression does not panic"))
                .collect()
        })
    }
}

impl From<InputError> for Error {
    fn from(error: InputError) -> Self {
        Error::new(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform;
    use crate::stamp::tests::elf;
    use bristle::catalogue::ELEMENTS;
    use std::io::Cursor;

    #[test]
    fn library_for_arm_alone_is_where_importers_on_arm_look() {
        let folders = |platforms: &[&str]| {
            let mut exporter = Exporter::new();
            for platform in platforms {
                let platform = platform::find(platform).unwrap();
                exporter.add_library(platform, &elf()).unwrap();
            }
            let fmu = exporter.export(&ELEMENTS[0].stock()).unwrap();
            let archive = zip::ZipArchive::new(Cursor::new(fmu)).unwrap();
            let names = archive.file_names().map(|name| name.unwrap().into_owned());
            names
                .filter(|name| name.starts_with("binaries/"))
                .collect::<Vec<_>>()
        };
        let [linux64, arm] =
            ["linux64", "aarch64-linux"].map(|f| format!("binaries/{f}/FrDyn2.so"));
        assert_eq!(folders(&["aarch64-linux"]), [linux64.clone(), arm.clone()]);
        assert_eq!(folders(&["linux64", "aarch64-linux"]), [linux64, arm]);
    }

    #[test]
    fn fmu_has_the_files_of_the_standard_and_equal_bytes_each_time() {
        let mut exporter = Exporter::new();
        exporter
            .add_library(platform::find("linux64").unwrap(), &elf())
            .unwrap();
        let licence = |path: &str| LicenceFile {
            path: path.to_owned(),
            text: b"MIT".to_vec(),
        };
        exporter.add_licences(["license.txt", "LICENSE-MIT"].map(licence));
        let fmu = exporter.export(&ELEMENTS[0].stock()).unwrap();
        assert_eq!(fmu, exporter.export(&ELEMENTS[0].stock()).unwrap());
        let archive = zip::ZipArchive::new(Cursor::new(fmu)).unwrap();
        let expected = [
            "modelDescription.xml",
            "documentation/index.html",
            "documentation/card.toml",
            "documentation/licenses/LICENSE-MIT",
            "documentation/licenses/license.txt",
            "terminalsAndIcons/terminalsAndIcons.xml",
            "terminalsAndIcons/icon.png",
            "terminalsAndIcons/terminal.png",
            "model.png",
            "extra/org.fmi-standard.fmi-ls-ref/fmi-ls-manifest.xml",
            "extra/org.fmi-standard.fmi-ls-ref/sine.csv",
            "extra/org.fmi-standard.fmi-ls-ref/load.csv",
            "extra/org.fmi-standard.fmi-ls-ref/push.csv",
            "binaries/linux64/FrDyn2.so",
        ];
        assert_eq!(
            archive
                .file_names()
                .map(|name| name.unwrap().into_owned())
                .collect::<Vec<_>>(),
            expected
        );
    }
}
