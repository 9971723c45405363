//! Body that the contacts of a card act on.

use std::fmt::{Arguments, Write};

use bristle::catalogue::{Card, CardBody, Model, Motion, no_shared_body};
use bristle::variable::{InputError, Unit};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Faults;
use super::keys;

/// Keys of the table.
const KEYS: [&str; 5] = ["mass", "inertia", "positions", "directions", "mass_matrix"];

/// Reads the table `body` into the card, after its contacts.
pub fn read(faults: &mut Faults, table: &DeTable, model: &'static Model, card: &mut Card) {
    let Some(entry) = keys::get(table, "body") else {
        return;
    };
    let (place, has_contacts) = (entry.0.clone(), keys::get(table, "contacts").is_some());
    let Some(table) = keys::table(faults, "body", entry) else {
        return;
    };
    let before = faults.count();
    keys::refuse_others(faults, "body.", table, &KEYS);
    let mut body = CardBody::default();
    let numbers_with_units = [
        ("mass", Unit::Kilogram, &mut body.mass),
        ("inertia", Unit::KilogramMetreSquared, &mut body.inertia),
    ];
    for (name, unit, number) in numbers_with_units {
        if let Some((_, value)) = keys::get(table, name) {
            *number = keys::quantity(faults, &format!("body.{name}"), value, unit);
        }
    }
    let rows = [
        ("positions", Unit::Metre, &mut body.positions),
        ("directions", Unit::One, &mut body.directions),
    ];
    for (name, unit, rows) in rows {
        for (key, value, row) in lists(faults, table, name) {
            let row = numbers(faults, &key, row, unit);
            match row[..] {
                [x, y] => rows.push([x, y]),
                _ => keys::expected(faults, &key, value, "two numbers [x, y]"),
            }
        }
    }
    for (key, _, row) in lists(faults, table, "mass_matrix") {
        // In kg or kg m2, by the motion of each contact.
        body.mass_matrix.push(
            row.iter()
                .filter_map(|value| keys::number(faults, &key, value))
                .collect(),
        );
    }
    if faults.count() > before {
        return;
    }
    let refusal = match (&card.contacts, &card.plate) {
        // The contacts or the points have faults of their own, which are reported already.
        (None, None) if has_contacts || card.motion == Motion::Patch => return,
        (None, None) if card.motion != Motion::Planar => Some(
            "found a body on one contact, expected the table `contacts`, or the mass of the body \
             in the table `coupling`"
                .to_owned(),
        ),
        _ => no_shared_body(model)
            .map(|why| format!("found a body, but {why}"))
            .or_else(|| {
                card.mobility(&body)
                    .err()
                    .map(|InputError { sentence, .. }| sentence)
            }),
    };
    match refusal {
        Some(sentence) => faults.add(place, "body", sentence),
        None => card.body = Some(body),
    }
}

/// A list in a list: its key, the value that it is, and its elements.
type Row<'t> = (String, &'t Spanned<DeValue<'t>>, &'t [Spanned<DeValue<'t>>]);

/// Lists in a list.
fn lists<'t>(faults: &mut Faults, table: &'t DeTable<'t>, name: &str) -> Vec<Row<'t>> {
    let Some((_, value)) = keys::get(table, name) else {
        return Vec::new();
    };
    let key = format!("body.{name}");
    let Some(list) = value.get_ref().as_array() else {
        keys::expected(faults, &key, value, "a list of lists of numbers");
        return Vec::new();
    };
    let mut rows = Vec::new();
    for (i, value) in list.iter().enumerate() {
        let key = format!("{key}[{}]", i + 1);
        match value.get_ref().as_array() {
            Some(row) => rows.push((key, value, row.as_ref())),
            None => keys::expected(faults, &key, value, "a list of numbers"),
        }
    }
    rows
}

fn numbers(faults: &mut Faults, key: &str, row: &[Spanned<DeValue>], unit: Unit) -> Vec<f64> {
    row.iter()
        .filter_map(|value| keys::quantity(faults, key, value, unit))
        .collect()
}

/// Writes the table.
pub fn write(line: &mut impl FnMut(Arguments), body: &CardBody, motion: Motion) {
    let CardBody {
        mass,
        inertia,
        positions,
        directions,
        mass_matrix,
    } = body;
    line(format_args!(
        "\n[body]  # all contacts act on it, and one observer moves them"
    ));
    if let Some(mass) = mass {
        line(format_args!("mass = {mass:?}  # kg"));
    }
    if let Some(inertia) = inertia {
        let of = if motion == Motion::Rotational {
            "of the shaft"
        } else {
            "about the centre of mass"
        };
        line(format_args!("inertia = {inertia:?}  # kg m2, {of}"));
    }
    if !positions.is_empty() {
        line(format_args!(
            "positions = {positions:?}  # m, of each contact from the centre of mass"
        ));
    }
    if !directions.is_empty() {
        line(format_args!(
            "directions = {directions:?}  # of each contact's velocity"
        ));
    }
    if !mass_matrix.is_empty() {
        let mut rows = String::new();
        for row in mass_matrix {
            write!(rows, "\n    {row:?},").expect("text grows");
        }
        let unit = if motion == Motion::Rotational {
            "kg m2"
        } else {
            "kg"
        };
        line(format_args!(
            "mass_matrix = [  # {unit}, in the coordinates of the contacts{rows}\n]"
        ));
    }
}
