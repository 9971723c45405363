//! Section of the shared library that the exporter fills with the card of an element, and the element in it.

use bristle::catalogue::{Model, Variant, section};
use bristle::variable::InputError;
use core::ptr;
use std::sync::OnceLock;

/// Room for a card in the file of the library. `export_fmi2!` places it in a section of its own.
#[repr(C, align(16))]
pub struct CardSection([u8; section::SIZE]);

impl CardSection {
    /// Section of a library of these models without a card, as the compiler leaves it.
    pub const fn blank(models: &[Model]) -> Self {
        CardSection(section::blank(models))
    }

    /// Section that an exporter filled, for programs that call the C interface without a shared library.
    pub const fn of(bytes: [u8; section::SIZE]) -> Self {
        CardSection(bytes)
    }

    /// Bytes of the section in the loaded library.
    fn bytes(&self) -> Vec<u8> {
        // SAFETY: a reference is valid for reading. The reads are volatile because the file was changed after it was compiled: the
        // compiler must not take the bytes for those that it wrote.
        self.0.iter().map(|byte| unsafe { ptr::read_volatile(byte) }).collect()
    }
}

/// Contents of a shared library: the models of its laws, and the section with the card of its element.
pub struct Library {
    models: &'static [Model],
    section: &'static CardSection,
    variant: OnceLock<Result<Variant, InputError>>,
}

impl Library {
    /// Library of these models.
    pub const fn new(models: &'static [Model], section: &'static CardSection) -> Self {
        Library { models, section, variant: OnceLock::new() }
    }

    /// Element of the card, which is read once; or a sentence that says why there is none.
    pub fn variant(&self) -> Result<&Variant, InputError> {
        let read = || section::read(&self.section.bytes(), self.models);
        self.variant.get_or_init(read).as_ref().map_err(InputError::clone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle::catalogue::ELEMENTS;

    #[test]
    fn library_without_a_card_has_no_element() {
        static SECTION: CardSection = CardSection::blank(&ELEMENTS);
        static LIBRARY: Library = Library::new(&ELEMENTS, &SECTION);
        let refusal = LIBRARY.variant().map(|_| ()).unwrap_err();
        assert!(refusal.0.starts_with("the library has no element card"), "{refusal}");
    }
}
