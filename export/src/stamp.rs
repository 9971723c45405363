//! Stamping: the card of an element written into a prebuilt library.
//!
//! The library has a section for it (`bristle::catalogue::section`). A stamped file carries what
//! its format keeps of its own bytes: macOS' signature has hashes of all pages, without which arm64
//! loads nothing, and Windows' header a checksum.

mod mach_o;
mod pe;

use std::ops::Range;

use bristle::catalogue::Variant;
use bristle::catalogue::section::{self, MAGIC, SIZE};
use object::read::macho::{FatArch, MachOFatFile32};
use object::{File, FileKind, Object, ObjectSection};

use crate::error::{Context, Error, Result};

/// Names of the section: in ELF and PE files, and in Mach-O files.
const NAMES: [&str; 2] = [".bristle", "__bristle"];

/// Library that can be stamped.
#[derive(Debug)]
pub struct Stampable {
    bytes: Vec<u8>,
    /// One for each processor.
    parts: Vec<Part>,
}

/// Library for one processor in the file.
#[derive(Debug)]
struct Part {
    /// Place in the file.
    place: Range<usize>,
    /// Place of the section in the part.
    section: usize,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Elf,
    Pe,
    MachO,
}

impl Stampable {
    /// The library before it is stamped.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Finds the section in a library for one processor or, on macOS, for several.
    pub fn new(bytes: &[u8]) -> Result<Self> {
        let places = match FileKind::parse(bytes) {
            Ok(FileKind::MachOFat32) => {
                let file = MachOFatFile32::parse(bytes)?;
                file.arches()
                    .iter()
                    .map(|part| place(part.file_range()))
                    .collect::<Result<Vec<_>>>()?
            }
            _ => std::iter::once(0..bytes.len()).collect(),
        };
        let parts = places.into_iter().map(|place| {
            let part = bytes
                .get(place.clone())
                .context("a part of the universal library lies outside the file")?;
            let (section, kind) = find(part)?;
            Ok(Part {
                place,
                section,
                kind,
            })
        });
        Ok(Stampable {
            parts: parts.collect::<Result<_>>()?,
            bytes: bytes.to_owned(),
        })
    }

    /// Library with the card in its section.
    pub fn stamp(&self, variant: &Variant) -> Result<Vec<u8>> {
        let mut bytes = self.bytes.clone();
        for Part {
            place,
            section: at,
            kind,
        } in &self.parts
        {
            let part = &mut bytes[place.clone()];
            section::stamp(&mut part[*at..*at + SIZE], variant)?;
            match kind {
                Kind::Elf => {}
                Kind::Pe => pe::renew_checksum(part)?,
                Kind::MachO => mach_o::renew_signature(part)?,
            }
        }
        Ok(bytes)
    }
}

fn place((offset, size): (u64, u64)) -> Result<Range<usize>> {
    let end = offset
        .checked_add(size)
        .context("a part of the universal library has no end")?;
    Ok(usize::try_from(offset).context("a part lies too far")?
        ..usize::try_from(end).context("a part lies too far")?)
}

/// Place of the section in a library for one processor.
fn find(part: &[u8]) -> Result<(usize, Kind)> {
    let file = File::parse(part).context("the library cannot be read")?;
    let kind = match &file {
        File::Elf32(_) | File::Elf64(_) => Kind::Elf,
        File::Pe32(_) | File::Pe64(_) => Kind::Pe,
        File::MachO64(_) => Kind::MachO,
        other => {
            return Err(Error::new(format!(
                "the library is a file of the format {:?}",
                other.format()
            )));
        }
    };
    let section = NAMES.iter().find_map(|name| file.section_by_name(name));
    let section = section.context(
        "the library has no section for a card; build it with `bristle_fmu::export_fmi2!`",
    )?;
    let (offset, size) = section
        .file_range()
        .context("the section of the card takes no room in the file")?;
    let at = usize::try_from(offset).context("the section lies too far")?;
    let has_room = size >= SIZE as u64
        && part
            .get(at..at + SIZE)
            .is_some_and(|section| section.starts_with(MAGIC));
    if !has_room {
        return Err(Error::new(
            "the library's section for a card is of another version of Bristle; build it again",
        ));
    }
    Ok((at, kind))
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use bristle::catalogue::{self, ELEMENTS};

    /// Bytes of the section in a library: of its first part, where there are several.
    fn read(library: &[u8]) -> Result<Vec<u8>> {
        let Stampable { bytes, parts } = Stampable::new(library)?;
        let part = parts.first().context("the universal library is empty")?;
        let at = part.place.start + part.section;
        Ok(bytes[at..at + SIZE].to_vec())
    }

    /// Small ELF file with the section and nothing else.
    pub fn elf() -> Vec<u8> {
        let names = b"\0.bristle\0.shstrtab\0";
        let (section, strings) = (64, 64 + SIZE);
        let table = (strings + names.len()).next_multiple_of(8);
        let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
        bytes.resize(16, 0);
        for half in [3_u16, 62] {
            bytes.extend(half.to_le_bytes());
        }
        bytes.extend(1_u32.to_le_bytes());
        for word in [0, 0, table as u64] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(0_u32.to_le_bytes());
        for half in [64_u16, 0, 0, 64, 3, 2] {
            bytes.extend(half.to_le_bytes());
        }
        bytes.extend(section::blank(&ELEMENTS));
        bytes.extend(names);
        bytes.resize(table + 64, 0);
        for (name, kind, offset, size) in
            [(1_u32, 1_u32, section, SIZE), (10, 3, strings, names.len())]
        {
            bytes.extend(name.to_le_bytes());
            bytes.extend(kind.to_le_bytes());
            for word in [0, 0, offset as u64, size as u64, 0, 1, 0] {
                bytes.extend(word.to_le_bytes());
            }
        }
        bytes
    }

    #[test]
    fn stamped_library_has_the_card_and_nothing_else_changed() {
        let [dahl, lugre] = ["Dahl", "LuGre"].map(|name| catalogue::find(name).unwrap().stock());
        let stamped = Stampable::new(&elf()).unwrap().stamp(&lugre).unwrap();
        assert_eq!(
            section::read(&read(&stamped).unwrap(), &ELEMENTS)
                .unwrap()
                .guid(),
            lugre.guid()
        );
        let different = stamped
            .iter()
            .zip(elf())
            .enumerate()
            .filter(|(_, (new, old))| *new != old)
            .map(|(i, _)| i);
        assert!(
            different.clone().count() > 0
                && different.clone().all(|i| (64..64 + SIZE).contains(&i))
        );
        // A stamped library can be stamped again.
        let again = Stampable::new(&stamped).unwrap().stamp(&dahl).unwrap();
        assert_eq!(again, Stampable::new(&elf()).unwrap().stamp(&dahl).unwrap());
    }

    #[test]
    fn file_without_the_section_is_refused() {
        let refusal = |bytes: &[u8]| Stampable::new(bytes).unwrap_err().to_string();
        assert!(refusal(b"library").starts_with("the library cannot be read"));
        let renamed: Vec<u8> = elf();
        let at = renamed
            .windows(8)
            .rposition(|window| window == b".bristle")
            .unwrap();
        let mut renamed = renamed;
        renamed[at + 1] = b'B';
        assert!(refusal(&renamed).contains("no section for a card"));
        let mut older = elf();
        older[64] ^= 1;
        assert!(refusal(&older).contains("another version"));
        // The size is the fifth word of the section's header, after its name and kind.
        let mut shorter = elf();
        let size = shorter.len() - 2 * 64 + 8 + 3 * 8;
        assert_eq!(shorter[size..size + 8], (SIZE as u64).to_le_bytes());
        shorter[size..size + 8].copy_from_slice(&(SIZE as u64 - 1).to_le_bytes());
        assert!(refusal(&shorter).contains("another version"));
    }
}
