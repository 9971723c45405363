//! Faults of a card whose law is not known, beside that one: those that the card has with the law
//! that was meant, or with any.

use bristle::catalogue::{Card, Model};
use toml::de::DeTable;

use super::fault::{Fault, Faults};
use super::{characteristic, contacts, parameters};
use crate::names;
use std::path::Path;

/// Adds the faults of a card without a known law. `law` is its name, if it has one; `with_law`
/// returns the faults of the card with another law.
pub fn read(
    faults: &mut Faults,
    table: &DeTable,
    folder: Option<&Path>,
    models: &'static [Model],
    law: Option<&str>,
    mut card: Card,
    with_law: impl Fn(&str) -> Vec<Fault>,
) {
    contacts::read_motion(faults, table, None, &mut card);
    without_model(faults, table, models, &mut card);
    characteristic::read(faults, table, folder, None, &mut card);
    let Some(name) = law else { return };
    let known = models.iter().map(|model| model.metadata.name);
    faults.add_new(match names::nearest(name, known.clone()) {
        Some(meant) => with_law(meant),
        None => known.map(with_law).reduce(common).unwrap_or_default(),
    });
}

/// Faults of a card whose law or motion is not known, in contacts and parameters.
pub fn without_model(
    faults: &mut Faults,
    table: &DeTable,
    models: &'static [Model],
    card: &mut Card,
) {
    contacts::read_contacts(faults, table, None, card);
    parameters::read_without_model(faults, table, models);
}

/// Faults at the same places in both lists; one that depends on the law says that no law takes the
/// value.
fn common(mut faults: Vec<Fault>, others: Vec<Fault>) -> Vec<Fault> {
    faults.retain_mut(|fault| {
        let Some(other) = others.iter().find(|other| other.is_at(fault)) else {
            return false;
        };
        if other.sentence != fault.sentence {
            let found = fault.sentence.split(", ").next().unwrap_or_default();
            fault.sentence = format!("{found}, which no law takes");
        }
        true
    });
    faults
}
