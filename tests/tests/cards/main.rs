//! Elements of cards: exported with the library of the packaged FMUs, loaded, and compared with stock elements.

mod acceleration;
mod block;
mod bodies;
mod inputs;
mod motions;
mod plates;
mod random_cards;
mod sections;

use bristle::catalogue::{Card, ELEMENTS, Model, Setting, Variant};
use bristle_export::{Exporter, platform};
use bristle_importer::fmu::Fmu;
use std::path::PathBuf;

/// Library of the packaged FMUs, which can be made any element.
fn library() -> Vec<u8> {
    std::fs::read(Fmu::packaged("FrDyn2").library()).expect("the library is there")
}

/// Exporter for this machine.
fn exporter() -> Exporter {
    let mut exporter = Exporter::new();
    exporter.add_library(platform::host().expect("a platform of Bristle"), &library()).expect("a library for cards");
    exporter
}

/// Packaged and loaded FMU of an element.
fn load(exporter: &Exporter, variant: &Variant) -> Fmu {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path: PathBuf = folder.path().join(format!("{}.fmu", variant.name()));
    std::fs::write(&path, exporter.export(variant).expect("the element can be exported")).expect("a file");
    Fmu::load(&path)
}

/// Model of this law.
fn model(law: &str) -> &'static Model {
    ELEMENTS.iter().find(|model| model.metadata.name == law).expect("a law")
}

/// Reference of a variable.
fn reference(model: &Model, name: &str) -> u32 {
    model.variables().find(|variable| variable.name == name).expect("a variable").reference
}

/// Card of a law with another name and these start values.
fn card(law: &str, starts: &[(&str, f64)]) -> Card {
    let mut card = Card::of_law(law, "An element of a card");
    card.name = "Own".to_owned();
    for (name, start) in starts {
        card.parameters.insert(reference(model(law), name), Setting { start: Some(*start), ..Setting::default() });
    }
    card
}
