//! Mach-O files: run paths, the oldest macOS, and the signature without which arm64 loads nothing.

use object::macho::{
    CS_HASHTYPE_SHA256, LC_BUILD_VERSION, LC_CODE_SIGNATURE, LC_RPATH, LinkeditDataCommand,
    RpathCommand,
};
use object::read::macho::{CodeDirectory, MachHeader, MachOFile};
use object::{Architecture, BigEndian, Object};
use sha2::{Digest, Sha256};

use super::{Facts, Floor};
use crate::error::{Context, Error, Result};

/// Reads system version, run paths and signature.
pub fn read<Mach: MachHeader>(
    file: &MachOFile<'_, Mach>,
    bytes: &[u8],
    facts: &mut Facts,
) -> Result<()> {
    let endian = file.endian();
    let mut is_signed = false;
    let mut commands = file.macho_load_commands()?;
    while let Some(command) = commands.next()? {
        match command.cmd() {
            LC_RPATH => {
                let path: &RpathCommand<Mach::Endian> = command.data()?;
                let path = command.string(endian, path.path)?;
                facts
                    .run_paths
                    .push(String::from_utf8_lossy(path).into_owned());
            }
            LC_BUILD_VERSION => {
                let (build, _) = command
                    .build_version(endian)?
                    .context("it does not say for which macOS it is")?;
                let oldest = build.minos.get(endian);
                let version = vec![u32::from(oldest.major()), u32::from(oldest.minor())];
                facts.floor = Some(Floor {
                    of: "macOS",
                    version,
                });
            }
            LC_CODE_SIGNATURE => {
                let place: &LinkeditDataCommand<Mach::Endian> = command.data()?;
                let mut blobs = place.code_signature(endian, bytes)?.blobs();
                while let Some(blob) = blobs.next()? {
                    if let Some(directory) = blob.code_directory()? {
                        verify(&directory, bytes)?;
                        is_signed = true;
                    }
                }
            }
            _ => {}
        }
    }
    if !is_signed && file.architecture() == Architecture::Aarch64 {
        facts
            .defects
            .push("it is not signed, and macOS on arm64 loads only signed code".to_owned());
    }
    Ok(())
}

/// Checks the hash of every page in the signature, which a change of any byte after linking
/// invalidates.
fn verify(directory: &CodeDirectory<'_>, bytes: &[u8]) -> Result<()> {
    let refuse = |sentence: String| Err(Error::new(sentence));
    let header = directory.header();
    if header.hash_type != CS_HASHTYPE_SHA256 {
        return refuse("it is not signed by SHA-256".to_owned());
    }
    let code = usize::try_from(directory.code_limit())
        .ok()
        .and_then(|end| bytes.get(..end));
    let pages = code
        .context("its signature is for more than there is")?
        .chunks(1 << header.page_size);
    if pages.len() != header.n_code_slots.get(BigEndian) as usize {
        return refuse("its signature is for another number of pages".to_owned());
    }
    for (i, page) in (0..).zip(pages) {
        if directory.code_hash(i)? != Sha256::digest(page).as_slice() {
            return refuse(format!("its signature does not hold for page {i}"));
        }
    }
    Ok(())
}
