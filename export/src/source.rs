//! C source of an element, for importers that compile it: the folder `sources/` of an FMU.
//!
//! The source of a law is made elsewhere and equal for every card, an archive for each law. What an
//! export adds is `element.h` with the card.

use std::fmt::Write as _;
use std::io::Cursor;

use bristle::catalogue::{Model, Variant, section};
use zip::ZipArchive;

use crate::archive::{self, Archive};
use crate::error::{Context, Error, Result};

/// File to compile; it includes the others.
pub const MAIN: &str = "fmi2.c";

/// File of an archive with the terms of the code that wasm2c adds.
pub const LICENCE: &str = "LICENSE";

/// Translator of the laws, as the folder of its terms below `documentation/licenses/`.
const TRANSLATOR: &str = "wabt-1.0.42";

/// C source of a law.
#[derive(Debug)]
pub(crate) struct Source {
    /// Fingerprint of the law's model, which a card has to match.
    fingerprint: u128,
    archive: Vec<u8>,
}

/// Archive of a law's source, from its files by their names.
pub fn pack(law: &Model, files: &[(&str, &[u8])]) -> Result<Vec<u8>> {
    archive::pack(&fingerprint(law), files)
}

fn fingerprint(law: &Model) -> String {
    format!("{:032x}", law.fingerprint)
}

impl Source {
    /// Reads an archive of [`pack`].
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let archive = ZipArchive::new(Cursor::new(bytes))?;
        let fingerprint = std::str::from_utf8(archive.comment())
            .ok()
            .and_then(|comment| u128::from_str_radix(comment, 16).ok())
            .context("the archive is no source of a law; make it by `cargo xtask libraries`")?;
        Ok(Source {
            fingerprint,
            archive: bytes.to_owned(),
        })
    }

    /// The source is that of this element's law.
    pub fn is_of(&self, variant: &Variant) -> bool {
        self.fingerprint == variant.law.fingerprint
    }

    /// Adds the source of an element to its FMU.
    pub fn add_to(&self, fmu: &mut Archive, variant: &Variant) -> Result<()> {
        let mut archive = ZipArchive::new(Cursor::new(&self.archive))?;
        for i in 0..archive.len() {
            let name = archive.by_index(i)?.name()?.into_owned();
            let path = match name.as_str() {
                LICENCE => format!("documentation/licenses/{TRANSLATOR}/{name}"),
                _ => format!("sources/{name}"),
            };
            fmu.add_entry(path, &self.archive, i);
        }
        fmu.add("sources/element.h", header(variant)?);
        Ok(())
    }
}

/// Text that the entry of the licences needs beside a source.
pub(crate) fn licence_note() -> String {
    format!(
        "\nThe C files below sources/ hold code that wasm2c of wabt writes, Apache-2.0, text in \
         {TRANSLATOR}/.\n"
    )
}

/// Refusal of an element whose law has no source.
pub(crate) fn missing(variant: &Variant) -> Error {
    Error::new(format!(
        "there is no C source of the law {} as it is here; make it by `cargo xtask libraries \
         --sources` in the sources of this program",
        variant.metadata().name
    ))
}

/// Memory of an instance beside that of the law's module, pages of 64 kB: for messages and the
/// description, and for each contact with its part of a saved state. The elements of the tests take
/// 3, and 2 for each contact of a system.
const PAGES: [u32; 2] = [4, 3];

/// `element.h`: what differs from card to card.
fn header(variant: &Variant) -> Result<String> {
    let (name, card) = (variant.name(), variant.card());
    let pages = PAGES[0] + PAGES[1] * card.contact_count();
    let mut text = format!(
        "/* The element {name}: prefix of its functions, memory in pages of 64 kB, card. */\n\
         #define ELEMENT_PREFIX {name}_\n\
         #define ELEMENT_PAGES {pages}u\n\
         static const unsigned char ELEMENT_CARD[] = {{\n"
    );
    for line in section::stamped(variant)?.chunks(20) {
        let numbers: Vec<_> = line.iter().map(u8::to_string).collect();
        writeln!(text, "{},", numbers.join(",")).expect("text grows");
    }
    text += "};\n";
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Exporter;
    use crate::licences::{ENTRY, LicenceFile};
    use bristle::catalogue::{ELEMENTS, find};
    use std::io::Read;

    /// Source of the first law that no compiler takes.
    fn source() -> Vec<u8> {
        pack(&ELEMENTS[0], &[(MAIN, b"code"), (LICENCE, b"terms")]).unwrap()
    }

    #[test]
    fn fmu_with_source_has_it_with_the_card_and_the_terms() {
        let mut exporter = Exporter::new();
        exporter.add_source(&source()).unwrap();
        exporter.add_licences([LicenceFile {
            path: ENTRY.to_owned(),
            text: b"MIT\n".to_vec(),
        }]);
        let variant = ELEMENTS[0].stock();
        let fmu = exporter.export(&variant).unwrap();
        assert_eq!(fmu, exporter.export(&variant).unwrap());
        let mut fmu = ZipArchive::new(Cursor::new(fmu)).unwrap();
        let mut text = |path: &str| {
            let mut text = String::new();
            fmu.by_name(path)
                .unwrap_or_else(|error| panic!("{path}: {error}"))
                .read_to_string(&mut text)
                .unwrap();
            text
        };
        assert_eq!(text("sources/fmi2.c"), "code");
        assert_eq!(text("documentation/licenses/wabt-1.0.42/LICENSE"), "terms");
        assert!(text("documentation/licenses/license.txt").starts_with("MIT\n\nThe C files"));
        let description = text("modelDescription.xml");
        let files = "<SourceFiles>\n      <File name=\"fmi2.c\"/>\n    </SourceFiles>";
        assert_eq!(description.matches(files).count(), 2, "{description}");
        let header = text("sources/element.h");
        assert!(header.contains("#define ELEMENT_PREFIX FrDyn2_\n"));
        let card = section::stamped(&variant).unwrap();
        let numbers: Vec<u8> = header
            .split(['{', '}', ',', '\n'])
            .filter_map(|number| number.parse().ok())
            .collect();
        assert_eq!(numbers, card);
        assert!(
            fmu.file_names()
                .all(|name| !name.unwrap().starts_with("binaries/"))
        );
    }

    #[test]
    fn law_without_source_and_file_that_is_none_are_refused() {
        let mut exporter = Exporter::new();
        exporter.add_source(&source()).unwrap();
        let refusal = exporter
            .export(&find("LuGre").unwrap().stock())
            .unwrap_err();
        assert!(
            refusal
                .to_string()
                .starts_with("there is no C source of the law LuGre as it is here"),
            "{refusal}"
        );
        let other = archive::pack("no fingerprint", &[]).unwrap();
        let refusal = exporter.add_source(&other).unwrap_err();
        assert!(refusal.to_string().starts_with("the archive is no source"));
    }
}
