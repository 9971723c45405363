//! A universal Mach-O file: one library for both kinds of Mac, by a header before the two.

use anyhow::{Context, Result, ensure};
use object::macho::{FAT_MAGIC, FatArch32, MH_MAGIC_64};
use object::read::macho::{FatArch, MachOFatFile32};

/// The pages of arm64 Macs, the larger of the two: each library starts on one.
const PAGE: usize = 1 << PAGE_BITS;
const PAGE_BITS: u32 = 14;

/// The libraries in one file; one alone stays as it is.
pub fn join(mut libraries: Vec<Vec<u8>>) -> Result<Vec<u8>> {
    if libraries.len() == 1 {
        return Ok(libraries.remove(0));
    }
    let mut header = Vec::new();
    let mut body: Vec<u8> = Vec::new();
    for number in [FAT_MAGIC, u32::try_from(libraries.len())?] {
        header.extend(number.to_be_bytes());
    }
    for library in &libraries {
        let [magic, processor, variant] = [0, 4, 8].map(|at| word(library, at));
        ensure!(
            magic? == MH_MAGIC_64,
            "a part of the universal file is no 64-bit Mach-O file"
        );
        body.resize(body.len().next_multiple_of(PAGE), 0);
        let offset = u32::try_from(PAGE + body.len())?;
        for number in [
            processor?,
            variant?,
            offset,
            u32::try_from(library.len())?,
            PAGE_BITS,
        ] {
            header.extend(number.to_be_bytes());
        }
        body.extend(library);
    }
    header.resize(PAGE, 0);
    header.extend(body);
    Ok(header)
}

/// The libraries in a file.
pub fn split(bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
    let file = MachOFatFile32::parse(bytes).context("this is no universal Mach-O file")?;
    let part = |part: &FatArch32| {
        part.data(bytes)
            .map(<[u8]>::to_vec)
            .context("a part lies outside the universal file")
    };
    file.arches().iter().map(part).collect()
}

fn word(bytes: &[u8], at: usize) -> Result<u32> {
    let word = bytes
        .get(at..at + 4)
        .context("a part of the universal file ends in its header")?;
    Ok(u32::from_le_bytes(word.try_into()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn universal_file_contains_both_libraries() {
        let part = |processor: u32, size: usize| {
            let mut bytes: Vec<u8> = [MH_MAGIC_64, processor, 3]
                .into_iter()
                .flat_map(u32::to_le_bytes)
                .collect();
            bytes.resize(size, processor as u8);
            bytes
        };
        let parts = [part(0x0100_0007, 40_000), part(0x0100_000c, 50)];
        let joined = join(parts.to_vec()).unwrap();
        assert_eq!(split(&joined).unwrap(), parts);
    }
}
