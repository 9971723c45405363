//! Parameters by direction of a card: its table `direction`, and the offset of the force.

use std::ops::Range;

use bristle::catalogue::{Card, Model, Motion};
use bristle::element::F_OFFSET;
use bristle::variable::Variable;
use toml::de::DeTable;

use super::fault::Faults;
use super::keys::{self, one_of, question};
use super::setting::setting;

/// Suffixes of the names of a parameter for v > 0 and for v < 0.
const SUFFIXES: [&str; 2] = ["_forward", "_backward"];

/// Reads the table, and the offset of the table `parameters`, into the card: both make variables,
/// before all variables. The result is where each parameter stands.
pub fn read(
    faults: &mut Faults,
    table: &DeTable,
    model: &'static Model,
    card: &mut Card,
) -> Vec<(String, Range<usize>)> {
    let offset = card.declared(&F_OFFSET);
    let has_offset = keys::get_in(table, "parameters", offset.name).is_some();
    if has_offset && !card.motion.is_planar() {
        // Its value is read with the others.
        card.parameters.entry(offset.reference).or_default().start = Some(0.0);
    }
    let mut places = Vec::new();
    let Some(entry) = keys::get(table, "direction") else {
        return places;
    };
    let place = entry.0.clone();
    let Some(table) = keys::table(faults, "direction", entry) else {
        return places;
    };
    let directed = card.directed(model);
    if directed.is_empty() {
        let (law, where_) = (
            model.metadata.name,
            if card.motion.is_planar() {
                " in the plane"
            } else {
                ""
            },
        );
        let sentence = format!(
            "found values by direction, but {law} has the same ones in both{where_}; leave the \
             table out"
        );
        faults.add(place, "direction", sentence);
        return places;
    }
    let known: Vec<_> = directed
        .iter()
        .flatten()
        .map(|variable| variable.name)
        .collect();
    for (name, value) in table.iter() {
        let (place, name) = (name.span(), name.get_ref().as_ref());
        let key = format!("direction.{name}");
        let Some(variable) = directed
            .iter()
            .flatten()
            .copied()
            .find(|variable| variable.name == name)
        else {
            let expected = format!("expected one of {}", one_of(&known));
            faults.add(
                place,
                key,
                format!(
                    "found no such value by direction, {expected}{}",
                    question(name, &known)
                ),
            );
            continue;
        };
        if let Some(setting) = setting(faults, &key, variable, value) {
            card.parameters.insert(variable.reference, setting);
            places.push((name.to_owned(), place));
        }
    }
    for [forward, backward] in directed {
        let has = |variable: &Variable| keys::get(table, variable.name).is_some();
        for (given, missing) in [(forward, backward), (backward, forward)] {
            if has(given) && !has(missing) {
                let sentence = format!(
                    "found {} alone, expected {} beside it",
                    given.name, missing.name
                );
                faults.add(
                    place.clone(),
                    format!("direction.{}", missing.name),
                    sentence,
                );
            }
        }
    }
    places
}

/// Whether a variable is one by direction.
pub fn is_of_it(model: &Model, card: &Card, variable: &Variable) -> bool {
    card.directed(model)
        .iter()
        .flatten()
        .any(|known| known.name == variable.name)
}

/// Key of a parameter in a card.
pub fn key_of(name: &str) -> String {
    let table = if SUFFIXES.iter().any(|suffix| name.ends_with(suffix)) {
        "direction"
    } else {
        "parameters"
    };
    format!("{table}.{name}")
}

/// Sentence about a name in the table `parameters` that belongs to the table `direction`, or to
/// another motion.
pub fn instead_of(declared: &[&'static Variable], motion: Motion, name: &str) -> Option<String> {
    let offset = motion.declared(&F_OFFSET);
    if name == F_OFFSET.name && name != offset.name {
        return Some(format!(
            "found F_offset, expected {} in N.m for a rotational contact",
            offset.name
        ));
    }
    let has = |name: &str| declared.iter().any(|variable| variable.name == name);
    if SUFFIXES.iter().any(|suffix| name.ends_with(suffix)) {
        return Some("found a value by direction, expected it in the table `direction`".to_owned());
    }
    let [forward, backward] = SUFFIXES.map(|suffix| format!("{name}{suffix}"));
    has(&forward).then(|| {
        format!("found {name} beside {forward} and {backward}; leave it, or both of them, out")
    })
}
