//! Units of the FMU's variables: the table `units` of a card.

use std::fmt::Arguments;

use bristle::catalogue::{Card, Model, declared, outputs};
use bristle::variable::{Scale, Unit, Variable};
use toml::de::DeTable;

use super::fault::Faults;
use super::keys::{self, one_of, question};
use crate::table;

/// Keys of the units from which others follow.
const QUANTITIES: [(&str, Unit); 3] = [
    ("length", Unit::Metre),
    ("angle", Unit::Radian),
    ("force", Unit::Newton),
];

/// Reads the table into the card, after its variables.
pub fn read(faults: &mut Faults, table: &DeTable, model: &'static Model, card: &mut Card) {
    let Some(table) =
        keys::get(table, "units").and_then(|entry| keys::table(faults, "units", entry))
    else {
        return;
    };
    let own = variables(model, card);
    for (name, value) in table.iter() {
        let (place, name) = (name.span(), name.get_ref().as_ref());
        let key = format!("units.{name}");
        let quantity = QUANTITIES.iter().find(|(quantity, _)| *quantity == name);
        let variable = own.iter().find(|variable| variable.name == name);
        let wanted = quantity
            .map(|(_, unit)| *unit)
            .or(variable.map(|variable| variable.unit));
        let Some(wanted) = wanted.filter(|unit| *unit != Unit::One) else {
            let quantities = QUANTITIES.map(|(quantity, _)| quantity);
            let known = own.iter().map(|variable| variable.name).chain(quantities);
            let known: Vec<_> = known.collect();
            let what = if wanted.is_some() {
                "a variable without a unit"
            } else {
                "no such quantity or variable"
            };
            let sentence = format!(
                "found {what}, expected {} or the name of a variable{}",
                one_of(&quantities),
                question(name, &known)
            );
            faults.add(place, key, sentence);
            continue;
        };
        let Some(text) = keys::text(faults, &key, (place, value)) else {
            continue;
        };
        match table::factor(text, wanted, None) {
            Ok(factor) => {
                let scale = Scale::new(text, factor.of(1.0));
                let is_si = scale.factor == 1.0 && text == wanted.symbol();
                let scale = (!is_si).then_some(scale);
                match (name, variable) {
                    ("length", _) => card.units.length = scale,
                    ("angle", _) => card.units.angle = scale,
                    ("force", _) => card.units.force = scale,
                    (_, Some(variable)) => {
                        let si = Scale::new(wanted.symbol(), 1.0);
                        let slot = variable.slot() as u32;
                        card.units.own.insert(slot, scale.unwrap_or(si));
                    }
                    _ => {}
                }
            }
            Err(sentence) => faults.add(value.span(), key, sentence),
        }
    }
}

/// Variables of a contact that may have units of their own.
fn variables(model: &'static Model, card: &Card) -> Vec<Variable> {
    let of_block = card
        .block
        .iter()
        .flat_map(|block| block.variables(card.motion));
    let of_contact = declared(model, card).into_iter();
    let of_contact = of_contact.chain(outputs(model, card)).copied();
    of_contact
        .chain(of_block)
        .filter(Variable::is_real)
        .collect()
}

/// Writes the table, where the card has it.
pub fn write(line: &mut impl FnMut(Arguments), model: &'static Model, card: &Card) {
    let units = &card.units;
    if units.are_si() {
        return;
    }
    line(format_args!(
        "\n[units]  # of the variables of the FMU; the numbers of this card are in SI units"
    ));
    let quantities = [units.length, units.angle, units.force];
    for ((name, _), scale) in QUANTITIES.iter().zip(quantities) {
        if let Some(Scale { unit, .. }) = scale {
            line(format_args!("{name} = \"{unit}\""));
        }
    }
    let own = variables(model, card);
    for (slot, Scale { unit, .. }) in &units.own {
        let of_slot = own.iter().find(|variable| variable.slot() as u32 == *slot);
        if let Some(variable) = of_slot {
            line(format_args!("{} = \"{unit}\"", variable.name));
        }
    }
}
