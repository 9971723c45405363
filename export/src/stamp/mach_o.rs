//! macOS: the ad-hoc signature, whose page hashes are calculated again.
//!
//! The signature is a list of big-endian blobs after the code. Its code directory has the SHA-256
//! of every page.

use object::Endianness;
use object::macho::{
    CS_HASHTYPE_SHA256, CSMAGIC_CODEDIRECTORY, LC_CODE_SIGNATURE, LinkeditDataCommand, MachHeader64,
};
use object::read::macho::MachOFile;
use sha2::{Digest, Sha256};

use crate::error::{Context, Error, Result};

/// Calculates the page hashes again, if the library is signed.
pub fn renew_signature(bytes: &mut [u8]) -> Result<()> {
    let Some(signature) = signature(bytes)? else {
        return Ok(());
    };
    let blobs = word(bytes, signature + 8)? as usize;
    for i in 0..blobs {
        let blob = signature + word(bytes, signature + 12 + 8 * i + 4)? as usize;
        if word(bytes, blob)? == CSMAGIC_CODEDIRECTORY {
            renew_hashes(bytes, blob)?;
        }
    }
    Ok(())
}

/// Place of the signature in the file.
fn signature(bytes: &[u8]) -> Result<Option<usize>> {
    let file = MachOFile::<MachHeader64<Endianness>>::parse(bytes)?;
    let mut commands = file.macho_load_commands()?;
    while let Some(command) = commands.next()? {
        if command.cmd() == LC_CODE_SIGNATURE {
            let place: &LinkeditDataCommand<Endianness> = command.data()?;
            return Ok(Some(place.dataoff.get(file.endian()) as usize));
        }
    }
    Ok(None)
}

/// Calculates the hashes of a code directory again.
fn renew_hashes(bytes: &mut [u8], directory: usize) -> Result<()> {
    let hashes = directory + word(bytes, directory + 16)? as usize;
    let (slots, limit) = (
        word(bytes, directory + 28)? as usize,
        word(bytes, directory + 32)? as usize,
    );
    let [size, kind, _, page] = word(bytes, directory + 36)?.to_be_bytes();
    if kind != CS_HASHTYPE_SHA256.0 || usize::from(size) != Sha256::output_size() || page > 24 {
        return Err(Error::new(
            "the library is not signed by SHA-256; build it again",
        ));
    }
    let code = bytes
        .get(..limit)
        .context("the signature is for more than there is")?;
    let sums: Vec<_> = code.chunks(1 << page).map(Sha256::digest).collect();
    let end = hashes + slots * usize::from(size);
    let is_sound = sums.len() == slots && limit <= hashes && end <= bytes.len();
    if !is_sound {
        return Err(Error::new(
            "the signature is for another number of pages; build the library again",
        ));
    }
    for (place, sum) in bytes[hashes..end].chunks_mut(usize::from(size)).zip(sums) {
        place.copy_from_slice(&sum);
    }
    Ok(())
}

fn word(bytes: &[u8], at: usize) -> Result<u32> {
    let word = bytes.get(at..).and_then(<[u8]>::first_chunk).copied();
    word.map(u32::from_be_bytes)
        .context("the signature ends too early")
}
