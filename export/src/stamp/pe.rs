//! Windows: the checksum in the header, which some linkers write and few loaders check.

use crate::error::{Context, Result};

/// Distance of the checksum from the beginning of the signature `PE`: the file header and 64 bytes
/// of the optional one.
const CHECKSUM: usize = 4 + 20 + 64;

/// Calculates the checksum again, if there is one.
pub fn renew_checksum(bytes: &mut [u8]) -> Result<()> {
    let word = |bytes: &[u8], at: usize| {
        bytes
            .get(at..)?
            .first_chunk()
            .copied()
            .map(u32::from_le_bytes)
    };
    let header = word(bytes, 0x3c).context("the library has no header")? as usize;
    let at = header + CHECKSUM;
    if word(bytes, at).context("the library has no header")? == 0 {
        return Ok(());
    }
    bytes[at..at + 4].fill(0);
    let sum = checksum(bytes);
    bytes[at..at + 4].copy_from_slice(&sum.to_le_bytes());
    Ok(())
}

/// Sum of all 16-bit words with carry, plus the length: that of Windows' `CheckSumMappedFile`.
fn checksum(bytes: &[u8]) -> u32 {
    let words = bytes
        .chunks(2)
        .map(|pair| u32::from(pair[0]) | u32::from(*pair.get(1).unwrap_or(&0)) << 8);
    let sum = words.fold(0, |sum, word| {
        let sum = sum + word;
        (sum & 0xffff) + (sum >> 16)
    });
    sum.wrapping_add(bytes.len() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_is_that_of_windows() {
        assert_eq!(checksum(&[1, 2, 3]), 0x0201 + 3 + 3);
        assert_eq!(checksum(&[0xff, 0xff, 1, 0]), 1 + 4);
    }
}
