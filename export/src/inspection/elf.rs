//! ELF files: run paths, and the newest glibc that a library needs.

use object::elf::{DT_RPATH, DT_RUNPATH};
use object::read::elf::{Dyn, ElfFile, FileHeader};

use super::{Facts, Floor};
use crate::error::Result;

/// Reads run paths and versions of system functions.
pub fn read<Elf: FileHeader>(file: &ElfFile<'_, Elf>, facts: &mut Facts) -> Result<()> {
    let (endian, bytes, sections) = (file.endian(), file.data(), file.elf_section_table());
    if let Some((dynamic, strings)) = sections.dynamic(endian, bytes)? {
        let strings = sections.strings(endian, bytes, strings)?;
        for entry in dynamic
            .iter()
            .filter(|entry| [DT_RPATH, DT_RUNPATH].contains(&entry.d_tag(endian)))
        {
            facts
                .run_paths
                .push(String::from_utf8_lossy(entry.string(endian, strings)?).into_owned());
        }
    }
    let mut newest = None;
    if let Some((mut files, strings)) = sections.gnu_verneed(endian, bytes)? {
        let strings = sections.strings(endian, bytes, strings)?;
        while let Some((_, mut versions)) = files.next()? {
            while let Some(version) = versions.next()? {
                newest = newest.max(glibc(version.name(endian, strings)?));
            }
        }
    }
    facts.floor = newest.map(|version| Floor {
        of: "glibc",
        version,
    });
    Ok(())
}

/// Number in a symbol version such as `GLIBC_2.17`.
fn glibc(version: &[u8]) -> Option<Vec<u32>> {
    let number = std::str::from_utf8(version).ok()?.strip_prefix("GLIBC_")?;
    number.split('.').map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glibc_versions_compare_as_numbers() {
        assert!(glibc(b"GLIBC_2.17") > glibc(b"GLIBC_2.2.5"));
        assert_eq!(glibc(b"GCC_3.0"), None);
        assert_eq!(glibc(b"GLIBC_PRIVATE"), None);
    }
}
