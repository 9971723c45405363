//! Section of the shared library that the exporter fills with the card of an element, and the
//! element in it.

use bristle::catalogue::{Model, Variant, section};
use bristle::variable::InputError;
use core::ops::Deref;
use core::ptr;
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

/// Room for a card in the file of the library. `export_fmi2!` places it in a section of its own.
#[repr(C, align(16))]
pub struct CardSection([u8; section::SIZE]);

impl CardSection {
    /// Section of a library of these models without a card, as the compiler leaves it.
    pub const fn blank(models: &[Model]) -> Self {
        CardSection(section::blank(models))
    }

    /// Section that an exporter filled, for programs that call the C interface without a shared
    /// library.
    pub const fn of(bytes: [u8; section::SIZE]) -> Self {
        CardSection(bytes)
    }

    /// Bytes of the section in the loaded library.
    fn bytes(&self) -> Vec<u8> {
        // SAFETY: a reference is valid for reading. The reads are volatile because the file was
        // changed after it was compiled: the compiler must not take the bytes for those that it
        // wrote.
        self.0
            .iter()
            .map(|byte| unsafe { ptr::read_volatile(byte) })
            .collect()
    }
}

/// Contents of a shared library: the models of its laws, and the section with the card of its
/// element.
///
/// The element lives from its first instance to its last: nothing runs when an importer unloads a
/// library, so that a longer life would be a leak for each load. The lock is an `RwLock`, though it
/// is only written, because a `Mutex` of the standard library allocates on macOS.
pub struct Library {
    models: &'static [Model],
    section: &'static CardSection,
    variant: RwLock<Option<Arc<Variant>>>,
}

impl Library {
    /// Library of these models.
    pub const fn new(models: &'static [Model], section: &'static CardSection) -> Self {
        Library {
            models,
            section,
            variant: RwLock::new(None),
        }
    }

    /// Element of the card, which is read where no instance has it; or a sentence that says why
    /// there is none.
    pub fn variant(&'static self) -> Result<SharedVariant, InputError> {
        let mut shared = self.locked();
        let variant = match &*shared {
            Some(variant) => Arc::clone(variant),
            None => Arc::clone(
                shared.insert(Arc::new(section::read(&self.section.bytes(), self.models)?)),
            ),
        };
        Ok(SharedVariant {
            variant,
            library: self,
        })
    }

    /// The element that instances share. A panic under the lock leaves it whole.
    fn locked(&self) -> RwLockWriteGuard<'_, Option<Arc<Variant>>> {
        self.variant.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Element of a library, as one instance holds it. The last one that is dropped frees the element.
pub struct SharedVariant {
    variant: Arc<Variant>,
    library: &'static Library,
}

impl Deref for SharedVariant {
    type Target = Variant;

    fn deref(&self) -> &Variant {
        &self.variant
    }
}

impl Drop for SharedVariant {
    fn drop(&mut self) {
        let mut shared = self.library.locked();
        // The library's own and this one: others are made and dropped under the same lock.
        if Arc::strong_count(&self.variant) == 2 {
            *shared = None;
        }
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
        assert!(
            refusal
                .sentence
                .starts_with("the library has no element card"),
            "{refusal}"
        );
    }

    /// Library with the first element, which lives until the process ends, as one that an importer
    /// does not unload.
    fn library() -> &'static Library {
        // Memory that a static variable reaches is no leak to Miri.
        static LIBRARIES: RwLock<Vec<&'static Library>> = RwLock::new(Vec::new());
        let mut bytes = section::blank(&ELEMENTS);
        section::stamp(&mut bytes, &ELEMENTS[0].stock()).expect("a law of the library");
        let section = Box::leak(Box::new(CardSection::of(bytes)));
        let library = Box::leak(Box::new(Library::new(&ELEMENTS, section)));
        LIBRARIES
            .write()
            .expect("no panic under the lock")
            .push(library);
        library
    }

    #[test]
    fn element_lives_from_its_first_instance_to_its_last() {
        let library = library();
        let [first, second] = [(); 2].map(|()| library.variant().expect("a card"));
        assert!(ptr::eq(&*first, &*second));
        drop(first);
        assert!(library.locked().is_some());
        assert_eq!(second.name(), ELEMENTS[0].metadata.name);
        drop(second);
        assert!(library.locked().is_none());
        assert_eq!(
            library.variant().expect("a card").name(),
            ELEMENTS[0].metadata.name
        );
        assert!(library.locked().is_none());
    }

    #[test]
    fn element_is_freed_once_by_instances_of_several_threads() {
        let library = library();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..if cfg!(miri) { 2 } else { 50 } {
                        let held = [(); 2].map(|()| library.variant().expect("a card"));
                        assert!(ptr::eq(&*held[0], &*held[1]));
                    }
                });
            }
        });
        assert!(library.locked().is_none());
    }
}
