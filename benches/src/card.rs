//! FMUs of cards, exported and loaded.

use bristle::catalogue::{Card, ELEMENTS, Variant};
use bristle_export::{Exporter, platform};
use bristle_importer::fmu::Fmu;

/// FMU of a law with the card that `change` makes of the law's own, with every output, loaded.
///
/// # Panics
/// If the card is refused, or there is no library for this machine.
pub fn load(law: &str, change: impl Fn(&mut Card)) -> Fmu {
    let library = std::fs::read(Fmu::packaged("FrDyn2").library()).expect("the library is there");
    let mut exporter = Exporter::new();
    exporter
        .add_library(platform::host().expect("a platform of Bristle"), &library)
        .expect("a library for cards");
    let model = ELEMENTS
        .iter()
        .find(|model| model.metadata.name == law)
        .expect("a law");
    let mut card = Card::of_law(law, "");
    change(&mut card);
    card.show_all(card.motion.model(model).expect("a form for the motion"));
    let bytes = exporter
        .export(&Variant::new(model, card).expect("a card"))
        .expect("an FMU");
    let folder = std::env::temp_dir().join(format!("bristle-cards-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(format!("{law}.fmu"));
    std::fs::write(&path, bytes).expect("a file");
    let fmu = Fmu::load(&path);
    std::fs::remove_dir_all(&folder).expect("a folder");
    fmu
}
