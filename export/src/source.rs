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
pub struct Source {
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
pub fn licence_note() -> String {
    format!(
        "\nThe C files below sources/ hold code that wasm2c of wabt writes, Apache-2.0, text in \
         {TRANSLATOR}/.\n"
    )
}

/// Refusal of an element whose law has no source.
pub fn missing(variant: &Variant) -> Error {
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
