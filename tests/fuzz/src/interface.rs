//! An instance behind the C interface, in this process and without a logger.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CString, c_void};
use std::ptr;
use std::sync::OnceLock;

use bristle::catalogue::{
    Card, Contacts, ELEMENTS, Model, Motion, PlatePoints, Setting, Variant, section,
};
use bristle::element::RADIUS;
use bristle_fmu::card_section::{CardSection, Library};
use bristle_fmu::exports;
use bristle_fmu::fmi2_types::{fmi2Status, fmi2Type};

/// Elements of the cases with every output: those of the catalogue, and one of each other motion.
pub fn elements() -> &'static [(Variant, &'static Library)] {
    static ELEMENTS_OF_CASES: OnceLock<Vec<(Variant, &'static Library)>> = OnceLock::new();
    ELEMENTS_OF_CASES.get_or_init(|| {
        let stock = ELEMENTS
            .iter()
            .map(|law| (law, Card::of_law(law.metadata.name, law.metadata.title)));
        let with_library = |(law, mut card): (&'static Model, Card)| {
            card.show_all(card.motion.model(law).expect("a form for the motion"));
            let variant = Variant::new(law, card).expect("a possible card");
            let library = library(&variant);
            (variant, library)
        };
        stock.chain(others()).map(with_library).collect()
    })
}

/// FrDyn2Linear on a lever, in the plane, on the points of a plate, and twice in one FMU.
fn others() -> impl Iterator<Item = (&'static Model, Card)> {
    let card = |name: &str| {
        let mut card = Card::of_law("FrDyn2Linear", "A contact of the cases");
        card.name = name.to_owned();
        card
    };
    let radius = Setting {
        start: Some(0.1),
        ..Setting::default()
    };
    let parameters = BTreeMap::from([(RADIUS.reference, radius)]);
    let rotational = Card {
        motion: Motion::Rotational,
        parameters,
        ..card("Lever")
    };
    let planar = Card {
        motion: Motion::Planar,
        ..card("Plane")
    };
    let plate = PlatePoints {
        positions: vec![[0.1, 0.0], [-0.1, 0.0]],
        shares: Vec::new(),
    };
    let patch = Card {
        motion: Motion::Patch,
        plate: Some(plate),
        ..card("Plate")
    };
    let several = Card {
        contacts: Some(Contacts {
            count: 2,
            names: Vec::new(),
            each: BTreeSet::new(),
        }),
        ..card("Two")
    };
    [rotational, planar, patch, several]
        .into_iter()
        .map(|card| (&ELEMENTS[1], card))
}

/// Library with the card of an element, as the exporter makes it.
fn library(variant: &Variant) -> &'static Library {
    let mut bytes = section::blank(&ELEMENTS);
    section::stamp(&mut bytes, variant).expect("a card of the catalogue");
    let section: &'static CardSection = Box::leak(Box::new(CardSection::of(bytes)));
    Box::leak(Box::new(Library::new(&ELEMENTS, section)))
}

/// Instance that is freed at the end.
pub struct Instance(pub *mut c_void);

impl Instance {
    /// Instance of an element.
    pub fn new((variant, library): &(Variant, &'static Library), kind: fmi2Type) -> Self {
        let guid = CString::new(variant.guid()).expect("a GUID");
        // SAFETY: terminated strings, and no callbacks.
        let instance = unsafe {
            exports::fmi2Instantiate(
                library,
                c"case".as_ptr(),
                kind,
                guid.as_ptr(),
                ptr::null(),
                0,
            )
        };
        assert!(
            !instance.is_null(),
            "an element of the catalogue is instantiated"
        );
        Instance(instance)
    }

    /// Initialises the instance.
    pub fn initialize(&self) {
        // SAFETY: the instance lives.
        let status = unsafe {
            [
                exports::fmi2SetupExperiment(self.0, 0, 0.0, 0.0, 0, 0.0),
                exports::fmi2EnterInitializationMode(self.0),
                exports::fmi2ExitInitializationMode(self.0),
            ]
        };
        assert_eq!(status, [fmi2Status::fmi2OK; 3]);
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: the instance lives, and is not used any more.
        unsafe { exports::fmi2FreeInstance(self.0) }
    }
}

/// A call that must not have met a panic.
pub fn no_panic(status: fmi2Status) -> fmi2Status {
    assert_ne!(status, fmi2Status::fmi2Fatal, "a call panicked");
    status
}
