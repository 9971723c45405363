//! Section of a shared library that holds the card of its element: the exporter writes it, the
//! library reads it.
//!
//! | bytes | contents |
//! |---|---|
//! | 0–15 | [`MAGIC`] |
//! | 16–19 | version of this layout, 0 in a library without a card |
//! | 20–23 | length of the card |
//! | 24–31 | checksum of the card (FNV-1a, 64 bits) |
//! | 32–47 | fingerprint of the law's model, which another version of the library does not have |
//! | 48–12287 | the card, then zeros |
//! | 12288–12291 | number of the library's laws |
//! | 12292– | fingerprint of each, then zeros |
//!
//! Numbers are little-endian. The compiler writes the laws, so that an exporter of other sources
//! refuses the library.

use super::{Card, Model, Variant};
use crate::saved_state::checksum;
use crate::variable::InputError;

/// Size of the section, bytes.
pub const SIZE: usize = 16 * 1024;

/// Beginning of the section.
pub const MAGIC: &[u8; 16] = b"\x89bristle card\r\n\x1a";

/// Version of this layout.
pub const VERSION: u32 = 4;
const HEADER: usize = 48;
/// Place of the laws.
const LAWS: usize = 12 * 1024;
const FINGERPRINT: usize = 16;

/// Section of a library of these models that was not made an element yet.
pub const fn blank(models: &[Model]) -> [u8; SIZE] {
    assert!(
        LAWS + 4 + FINGERPRINT * models.len() <= SIZE,
        "a library has no more laws than its section has room for"
    );
    let mut section = [0; SIZE];
    put(&mut section, 0, MAGIC);
    put(&mut section, LAWS, &(models.len() as u32).to_le_bytes());
    let mut i = 0;
    while i < models.len() {
        put(
            &mut section,
            LAWS + 4 + FINGERPRINT * i,
            &models[i].fingerprint.to_le_bytes(),
        );
        i += 1;
    }
    section
}

const fn put(section: &mut [u8; SIZE], at: usize, bytes: &[u8]) {
    let mut i = 0;
    while i < bytes.len() {
        section[at + i] = bytes[i];
        i += 1;
    }
}

/// Writes the card of an element into a section, in place of the one before; refuses a library that
/// lacks the element's law.
pub fn stamp(section: &mut [u8], variant: &Variant) -> Result<(), InputError> {
    let (name, law) = (variant.name(), variant.metadata().name);
    let card = variant.card().to_bytes();
    if card.len() > LAWS - HEADER {
        return Err(InputError::new(format!(
            "the card of {name} takes {} bytes where a library has room for {}; shorten its \
             description",
            card.len(),
            LAWS - HEADER
        )));
    }
    if !has_law(section, variant.law.fingerprint) {
        return Err(InputError::new(format!(
            "the library was built of other sources, without the law {law} as it is here; build \
             it again"
        )));
    }
    section[MAGIC.len()..LAWS].fill(0);
    section[16..20].copy_from_slice(&VERSION.to_le_bytes());
    section[20..24].copy_from_slice(&(card.len() as u32).to_le_bytes());
    section[24..32].copy_from_slice(&checksum(&card).to_le_bytes());
    section[32..HEADER].copy_from_slice(&variant.law.fingerprint.to_le_bytes());
    section[HEADER..HEADER + card.len()].copy_from_slice(&card);
    Ok(())
}

/// Beginning of the section of a library that has this element's law alone: all that [`stamp`]
/// writes.
pub fn stamped(variant: &Variant) -> Result<Vec<u8>, InputError> {
    let mut section = blank(core::slice::from_ref(variant.law));
    stamp(&mut section, variant)?;
    Ok(section[..HEADER + variant.card().to_bytes().len()].to_vec())
}

/// The library of this section has the law with this fingerprint.
fn has_law(section: &[u8], fingerprint: u128) -> bool {
    let count = section
        .get(LAWS..)
        .and_then(<[u8]>::first_chunk)
        .map_or(0, |count| u32::from_le_bytes(*count));
    let laws = section
        .get(LAWS + 4..)
        .unwrap_or_default()
        .chunks_exact(FINGERPRINT);
    laws.take(count as usize)
        .any(|law| law == fingerprint.to_le_bytes())
}

/// Element of the card in a section, of one of these models; or a sentence that says why there is
/// none.
pub fn read(section: &[u8], models: &'static [Model]) -> Result<Variant, InputError> {
    let refuse = |why: &str| {
        Err(InputError::new(format!(
            "{why}; take the library from the FMU again, or export the element anew with `bristle \
             export`"
        )))
    };
    const DAMAGED: &str = "the library's element card is damaged";
    let word = |at: usize| {
        section
            .get(at..)?
            .first_chunk()
            .copied()
            .map(u32::from_le_bytes)
    };
    let (Some(version), Some(length)) = (word(16), word(20)) else {
        return refuse(DAMAGED);
    };
    if !section.starts_with(MAGIC) {
        return refuse(DAMAGED);
    }
    if version == 0
        && section
            .get(MAGIC.len()..LAWS)
            .is_some_and(|card| card.iter().all(|byte| *byte == 0))
    {
        return refuse(
            "the library has no element card: it is a template that `bristle export` copies into \
             an FMU",
        );
    }
    if version != VERSION {
        return refuse(&format!(
            "the library's element card is of layout {version}, but this library reads layout \
             {VERSION}"
        ));
    }
    let Some(card) = section
        .get(HEADER..LAWS)
        .and_then(|rest| rest.get(..length as usize))
    else {
        return refuse(DAMAGED);
    };
    if section[24..32] != checksum(card).to_le_bytes() {
        return refuse(DAMAGED);
    }
    let Some(card) = Card::from_bytes(card) else {
        return refuse(DAMAGED);
    };
    let Some(model) = models.iter().find(|model| model.metadata.name == card.law) else {
        return refuse(&format!(
            "the library's element card names the law {}, which this library does not have",
            card.law
        ));
    };
    if section[32..48] != model.fingerprint.to_le_bytes() {
        return refuse(&format!(
            "the library's element card belongs to another version of the law {}",
            card.law
        ));
    }
    Variant::new(model, card)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{ELEMENTS, find};

    fn refusal(section: &[u8]) -> String {
        read(section, &ELEMENTS).map(|_| ()).unwrap_err().sentence
    }

    fn stamped(variant: &Variant) -> [u8; SIZE] {
        let mut section = blank(&ELEMENTS);
        stamp(&mut section, variant).unwrap();
        section
    }

    #[test]
    fn every_stock_element_comes_back() {
        for model in &ELEMENTS {
            let variant = model.stock();
            let again = read(&stamped(&variant), &ELEMENTS).unwrap();
            assert_eq!(
                (again.card(), again.guid()),
                (variant.card(), variant.guid())
            );
        }
    }

    #[test]
    fn section_can_be_stamped_again() {
        let [dahl, lugre] = ["Dahl", "LuGre"].map(|name| find(name).unwrap().stock());
        let mut section = stamped(&lugre);
        stamp(&mut section, &dahl).unwrap();
        assert_eq!(section, stamped(&dahl));
    }

    #[test]
    fn library_without_the_law_is_not_stamped() {
        let refusal =
            stamp(&mut blank(&ELEMENTS[..1]), &find("LuGre").unwrap().stock()).unwrap_err();
        assert!(
            refusal.sentence.contains("without the law LuGre"),
            "{refusal}"
        );
    }

    #[test]
    fn empty_damaged_and_foreign_sections_are_refused() {
        assert!(refusal(&blank(&ELEMENTS)).starts_with("the library has no element card"));
        assert!(refusal(&[]).contains("damaged"));
        assert!(refusal(&[0; SIZE]).contains("damaged"));
        let mut begun = blank(&ELEMENTS);
        begun[HEADER] = 1;
        assert!(refusal(&begun).contains("is of layout 0"));
        let lugre = find("LuGre").unwrap().stock();
        let good = stamped(&lugre);
        for i in 0..HEADER + lugre.card().to_bytes().len() {
            let mut section = good;
            section[i] ^= 0x10;
            refusal(&section);
        }
        // A card that ends too soon, with the checksum of what is left of it.
        let mut cut = good;
        let length = lugre.card().to_bytes().len() - 1;
        cut[20..24].copy_from_slice(&(length as u32).to_le_bytes());
        let sum = checksum(&cut[HEADER..HEADER + length]);
        cut[24..32].copy_from_slice(&sum.to_le_bytes());
        assert!(refusal(&cut).contains("damaged"));
        let of_others = read(&good, &ELEMENTS[..1])
            .map(|_| ())
            .unwrap_err()
            .sentence;
        assert!(
            of_others.contains("names the law LuGre, which this library does not have"),
            "{of_others}"
        );
        let mut newer = good;
        newer[16] = 5;
        assert!(refusal(&newer).contains("is of layout 5"));
        let mut older = good;
        older[40] ^= 1;
        assert!(refusal(&older).contains("another version of the law LuGre"));
    }
}
