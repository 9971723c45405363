//! Block of a card: the body inside the element.

use std::fmt::Arguments;

use bristle::catalogue::{Card, CardBlock, Model, Motion, block_parameters, no_block};
use toml::de::DeTable;

use super::fault::Faults;
use super::keys;

/// Reads the table `block` into the card, after its contacts, its body and its acceleration.
pub fn read(faults: &mut Faults, table: &DeTable, model: &'static Model, card: &mut Card) {
    let Some(entry) = keys::get(table, "block") else {
        return;
    };
    let place = entry.0.clone();
    let others = ["contacts", "body"]
        .into_iter()
        .find(|key| keys::get(table, key).is_some());
    let Some(table) = keys::table(faults, "block", entry) else {
        return;
    };
    let before = faults.count();
    if let Some(other) = others {
        let sentence = format!(
            "found a block beside `{other}`, but a block is the body inside the element, on one \
             contact; leave one of them out"
        );
        faults.add(place, "block", sentence);
        return;
    }
    if let Some(why) = no_block(model, card) {
        faults.add(place, "block", format!("found a block, but {why}"));
        return;
    }
    let [mass, stiffness, damping] = block_parameters(card.motion) else {
        return;
    };
    keys::refuse_others(
        faults,
        "block.",
        table,
        &[mass.name, stiffness.name, damping.name],
    );
    let mut block = CardBlock::default();
    let places = [
        (mass, &mut block.mass),
        (stiffness, &mut block.stiffness),
        (damping, &mut block.damping),
    ];
    for (parameter, number) in places {
        let key = format!("block.{}", parameter.name);
        let Some((_, value)) = keys::get(table, parameter.name) else {
            continue;
        };
        if let Some(given) = keys::value_of(faults, &key, value, parameter) {
            *number = given;
        }
    }
    if keys::get(table, mass.name).is_none() {
        let (name, unit) = (mass.name, mass.unit.symbol());
        faults.add(
            place,
            "block",
            format!("found no {name}, expected `{name}` in {unit}"),
        );
    }
    if faults.count() == before {
        card.block = Some(block);
    }
}

/// Writes the table.
pub fn write(line: &mut impl FnMut(Arguments), block: &CardBlock, motion: Motion) {
    let CardBlock {
        mass,
        stiffness,
        damping,
    } = block;
    line(format_args!("\n[block]  # the body inside the element"));
    for (parameter, number) in block_parameters(motion)
        .iter()
        .zip([mass, stiffness, damping])
    {
        line(format_args!(
            "{} = {number:?}  # {}, {}",
            parameter.name,
            parameter.unit.symbol(),
            parameter.description
        ));
    }
}
