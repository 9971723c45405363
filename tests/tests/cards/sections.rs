//! Sections of libraries: empty, damaged, of another law or version.

use bristle::catalogue::{Variant, section};
use bristle_importer::fmi2::CO_SIMULATION;
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Options;
use bristle_tests::cards::{card, exporter, library, load, model};

/// Sentence by which a library with these bytes refuses to instantiate.
fn refusal(library: &[u8]) -> String {
    // Another folder each time: a library that is loaded already would answer for this one.
    let packaged =
        std::fs::read(bristle_importer::fmu::packaged_path("FrDyn2")).expect("a packaged FMU");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("FrDyn2.fmu");
    std::fs::write(&path, packaged).expect("a file");
    let fmu = Fmu::load_with_library(&path, library);
    let options = Options {
        interface: CO_SIMULATION,
        ..Options::of(&fmu)
    };
    let refused = fmu
        .try_instantiate(&options)
        .expect_err("the library refuses");
    let [entry] = &refused.log[..] else {
        panic!("one sentence was expected: {:#?}", refused.log)
    };
    entry.text.clone()
}

/// Place of the section in the library, which holds its mark elsewhere, too: the code compares with
/// it.
fn place(library: &[u8]) -> usize {
    let version = section::VERSION.to_le_bytes();
    let begins = |window: &[u8]| {
        window.starts_with(section::MAGIC) && window[section::MAGIC.len()..] == version
    };
    library
        .windows(section::MAGIC.len() + version.len())
        .position(begins)
        .expect("the library has a section")
}

#[test]
fn library_without_a_card_refuses_to_instantiate() {
    let mut library = library();
    let at = place(&library);
    library[at + 16..at + 12 * 1024].fill(0);
    assert!(
        refusal(&library).contains("has no element card"),
        "{}",
        refusal(&library)
    );
}

#[test]
fn damaged_card_is_refused() {
    let good = library();
    let at = place(&good);
    for byte in [0, 5, 16, 20, 23, 24, 31, 32, 47, 48, 60, 90] {
        let mut damaged = good.clone();
        damaged[at + byte] ^= 0x40;
        let text = refusal(&damaged);
        assert!(
            text.contains("the library's element card") && text.contains("export the element anew"),
            "{text}"
        );
    }
}

#[test]
fn card_of_another_element_is_refused_by_its_guid() {
    let exporter = exporter();
    let variant = Variant::new(model("FrDyn2"), card("FrDyn2", &[("mu_s", 0.5)])).expect("a card");
    let own = load(&exporter, &variant);
    let text = refusal(&std::fs::read(own.library()).expect("the library"));
    assert!(text.contains("is not this library's"), "{text}");
}

#[test]
fn same_card_makes_the_same_bytes() {
    let variant = Variant::new(model("LuGre"), card("LuGre", &[("mu_s", 0.5)])).expect("a card");
    assert_eq!(exporter().export(&variant), exporter().export(&variant));
}
