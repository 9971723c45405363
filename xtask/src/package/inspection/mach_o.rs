//! What is particular to macOS: run paths, the oldest macOS, and the signature without which arm64 loads nothing.

use anyhow::{Context, Result, ensure};
use object::macho::{
    CS_HASHTYPE_SHA256, LC_BUILD_VERSION, LC_CODE_SIGNATURE, LC_RPATH, LinkeditDataCommand, RpathCommand,
};
use object::read::macho::{CodeDirectory, MachHeader, MachOFile};
use object::{Architecture, BigEndian, Object};
use sha2::{Digest, Sha256};

use super::{Facts, Floor};

/// Reads what concerns macOS alone: system version, paths, signature.
pub fn read<Mach: MachHeader>(file: &MachOFile<'_, Mach>, bytes: &[u8], facts: &mut Facts) -> Result<()> {
    let endian = file.endian();
    let mut is_signed = false;
    let mut commands = file.macho_load_commands()?;
    while let Some(command) = commands.next()? {
        match command.cmd() {
            LC_RPATH => {
                let path: &RpathCommand<Mach::Endian> = command.data()?;
                let path = command.string(endian, path.path)?;
                facts.run_paths.push(String::from_utf8_lossy(path).into_owned());
            }
            LC_BUILD_VERSION => {
                let (build, _) = command.build_version(endian)?.context("it does not say for which macOS it is")?;
                let oldest = build.minos.get(endian);
                let version = vec![u32::from(oldest.major()), u32::from(oldest.minor())];
                facts.floor = Some(Floor { of: "macOS", version });
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
        facts.defects.push("it is not signed, and macOS on arm64 loads only signed code".to_owned());
    }
    Ok(())
}

/// The signature holds a hash of every page: whoever changes a byte after the linker makes it void.
fn verify(directory: &CodeDirectory<'_>, bytes: &[u8]) -> Result<()> {
    let header = directory.header();
    ensure!(header.hash_type == CS_HASHTYPE_SHA256, "it is not signed by SHA-256");
    let code = usize::try_from(directory.code_limit()).ok().and_then(|end| bytes.get(..end));
    let pages = code.context("its signature is for more than there is")?.chunks(1 << header.page_size);
    ensure!(pages.len() == header.n_code_slots.get(BigEndian) as usize, "its signature is for another number of pages");
    for (i, page) in pages.enumerate() {
        let holds = directory.code_hash(u32::try_from(i)?)? == Sha256::digest(page).as_slice();
        ensure!(holds, "its signature does not hold for page {i}");
    }
    Ok(())
}
