//! Motion, radius, points of a plate and several contacts of a card.

use std::ops::Range;

use bristle::assembly::MAX_CONTACTS;
use bristle::catalogue::{
    Card, Contacts, Level, Model, Motion, PlatePoints, level_parameter, name_fault, no_planar_form,
};
use bristle::element::{F_N, F_OFFSET, RADIUS};
use bristle::variable::Unit;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Faults;
use super::keys::{self, Entry, question};
use super::reactions;
use super::setting::setting;

/// Reads the motion with its keys into the card; the result is the form of the law for it, if there
/// is a law and it has one.
pub fn read_motion(
    faults: &mut Faults,
    table: &DeTable,
    law: Option<&'static Model>,
    card: &mut Card,
) -> Option<&'static Model> {
    let names = reactions::motions();
    let mut joint = None;
    if let Some(entry) = keys::get(table, "motion") {
        let place = entry.1.span();
        let name = keys::text(faults, "motion", entry)?;
        joint = reactions::joint_of(name);
        let motion = joint.map(Motion::of_joint);
        let named = Motion::ALL.into_iter().find(|motion| motion.name() == name);
        let Some(motion) = motion.or(named) else {
            let expected = keys::one_of(&names);
            faults.add(
                place,
                "motion",
                format!(
                    "found \"{name}\", expected {expected}{}",
                    question(name, &names)
                ),
            );
            return None;
        };
        card.motion = motion;
        if let Some(law) = law.filter(|law| motion.model(law).is_none()) {
            faults.add(
                place,
                "motion",
                format!("found \"{name}\", but {}", no_planar_form(law)),
            );
            return None;
        }
    }
    reactions::read(faults, table, joint, card);
    radius(faults, table, card);
    level(faults, table, law, card);
    plate(faults, table, card);
    card.motion.model(law?)
}

fn radius(faults: &mut Faults, table: &DeTable, card: &mut Card) {
    let is_rotational = card.motion == Motion::Rotational;
    match keys::get(table, "radius") {
        None => {}
        Some((place, _)) if !is_rotational => {
            let motion = card.motion.name();
            let sentence = format!(
                "found a radius, but the motion is {motion}; set motion = \"rotational\" or leave \
                 it out"
            );
            faults.add(place, "radius", sentence);
        }
        Some((_, value)) => {
            if let Some(setting) = setting(faults, "radius", &RADIUS, value) {
                card.parameters.insert(RADIUS.reference, setting);
            }
        }
    }
}

/// Reads whether the card states forces or torques of friction in place of a normal force: about an
/// axis without a radius, and along a line with `load` or with parameters that are forces.
fn level(faults: &mut Faults, table: &DeTable, law: Option<&'static Model>, card: &mut Card) {
    let load = keys::get(table, "load");
    let has_load = load.as_ref().map(|(_, value)| value.get_ref().as_bool());
    if let (Some(None), Some((_, value))) = (has_load, &load) {
        keys::expected(faults, "load", value, "true or false");
        return;
    }
    let joint = Card {
        level: Some(Level {
            has_load: has_load.flatten() == Some(true),
            ..Level::DEFAULT
        }),
        ..card.clone()
    };
    let has_radius = keys::get(table, "radius").is_some();
    if let Some(reactions) = card.reactions {
        let joint = reactions.joint.name();
        if card.motion == Motion::Rotational && !has_radius {
            let place = keys::get(table, "motion").map_or(0..0, |entry| entry.1.span());
            let sentence = "found no radius, expected that of the pin in m";
            faults.add(place, "radius", sentence);
        }
        if let Some((place, _)) = load {
            let sentence = format!(
                "found load, but the normal force of a {joint} joint follows from its reactions; \
                 leave it out"
            );
            faults.add(place, "load", sentence);
        }
        return;
    }
    let states = load.is_some() || states_forces(table, law, &joint);
    let is_joint = match card.motion {
        Motion::Rotational => states && !has_radius,
        Motion::Translational => states,
        Motion::Planar | Motion::Patch => false,
    };
    if card.motion == Motion::Rotational && !has_radius && !states {
        let place = keys::get(table, "motion").map_or(0..0, |entry| entry.1.span());
        let level = law.and_then(level_parameter);
        let level = level.map_or("M_s", |level| joint.declared(level).name);
        let sentence = format!(
            "found no radius, expected the friction radius of a rotational element in m, or {level} \
             in N.m among the parameters: a torque in place of a normal force"
        );
        faults.add(place, "radius", sentence);
    }
    if let Some((place, _)) = load.filter(|_| !is_joint) {
        let why = if has_radius {
            "a radius has a normal force; leave one of them out"
        } else {
            "contacts in a plane have a normal force; leave it out"
        };
        faults.add(place, "load", format!("found load, but {why}"));
    }
    if !is_joint {
        return;
    }
    card.level = joint.level;
    if let Some((place, _)) = keys::get(table, "normal_force") {
        let sentence = match card.motion {
            Motion::Rotational => {
                "found a normal force and no radius, at which it acts; give `radius` in m, or leave \
                 normal_force out, as the card states torques"
            }
            _ => "found a normal force in a card that states forces of friction; leave it out",
        };
        faults.add(place, "normal_force", sentence);
    }
}

/// Whether a parameter of the card has a name that only a joint has, in whatever law.
fn states_forces(table: &DeTable, law: Option<&'static Model>, joint: &Card) -> bool {
    let is_of_joint = |name: &str| {
        let mut variables = law.into_iter().flat_map(|law| {
            let directed = law.metadata.directed.iter().flatten();
            law.variables().chain(directed)
        });
        let force = if joint.motion == Motion::Rotational {
            "M_"
        } else {
            "F_"
        };
        name.starts_with(force) && ![F_N.name, F_OFFSET.name, "M_offset"].contains(&name)
            || variables.any(|known| known.name != name && joint.declared(known).name == name)
    };
    ["parameters", "direction"].into_iter().any(|key| {
        let names = keys::get(table, key).and_then(|(_, value)| value.get_ref().as_table());
        names.is_some_and(|names| names.iter().any(|(name, _)| is_of_joint(name.get_ref())))
    })
}

fn plate(faults: &mut Faults, table: &DeTable, card: &mut Card) {
    let is_patch = card.motion == Motion::Patch;
    for key in ["positions", "shares"] {
        if let Some((place, _)) = keys::get(table, key).filter(|_| !is_patch) {
            let motion = card.motion.name();
            faults.add(
                place,
                key,
                format!(
                    "found points of a plate, but the motion is {motion}; set motion = \"patch\" \
                     or leave them out"
                ),
            );
        }
    }
    if !is_patch {
        return;
    }
    let Some(entry) = keys::get(table, "positions") else {
        let place = keys::get(table, "motion").map_or(0..0, |entry| entry.1.span());
        faults.add(
            place,
            "positions",
            "found no positions, expected those of the points of the patch, as [[x, y], \u{2026}] \
             in m",
        );
        return;
    };
    let before = faults.count();
    let mut points = PlatePoints::default();
    for (i, value) in list(faults, "positions", entry, "a list of points [x, y]")
        .iter()
        .enumerate()
    {
        let key = format!("positions[{}]", i + 1);
        match value.get_ref().as_array() {
            Some(pair) if pair.len() == 2 => {
                let mut coordinates = [0.0; 2];
                for (coordinate, value) in coordinates.iter_mut().zip(pair.iter()) {
                    *coordinate = keys::quantity(faults, &key, value, Unit::Metre).unwrap_or(0.0);
                }
                points.positions.push(coordinates);
            }
            _ => keys::expected(faults, &key, value, "a point [x, y] in m"),
        }
    }
    if let Some(entry) = keys::get(table, "shares") {
        for (i, value) in list(faults, "shares", entry, "a list of numbers with the sum 1")
            .iter()
            .enumerate()
        {
            points
                .shares
                .extend(keys::number(faults, &format!("shares[{}]", i + 1), value));
        }
    }
    if faults.count() == before {
        card.plate = Some(points);
    }
}

fn list<'t>(
    faults: &mut Faults,
    key: &str,
    (_, value): Entry<'t>,
    expected: &str,
) -> Vec<&'t Spanned<DeValue<'t>>> {
    let list = value.get_ref().as_array();
    if list.is_none() {
        keys::expected(faults, key, value, expected);
    }
    list.map_or_else(Vec::new, |list| list.iter().collect())
}

/// Reads the table `contacts` into the card. Without a model any name of a parameter is taken.
pub fn read_contacts(
    faults: &mut Faults,
    table: &DeTable,
    model: Option<&'static Model>,
    card: &mut Card,
) {
    let Some(entry) = keys::get(table, "contacts") else {
        return;
    };
    let place = entry.0.clone();
    let Some(table) = keys::table(faults, "contacts", entry) else {
        return;
    };
    let before = faults.count();
    if card.motion == Motion::Patch {
        faults.add(
            place,
            "contacts",
            "found contacts of a patch, whose points are its contacts; leave the table out",
        );
        return;
    }
    let of_system = card.contacts.take();
    let known: &[&str] = if of_system.is_some() {
        &["each"]
    } else {
        &["names", "count", "each"]
    };
    keys::refuse_others(faults, "contacts.", table, known);
    // A system has the names of its contacts.
    let mut contacts = of_system.unwrap_or_else(|| counted(faults, table, place));
    if let (Some(entry), Some(model)) = (keys::get(table, "each"), model) {
        let parameters: Vec<_> = card
            .motion
            .variables(model)
            .filter(|variable| variable.is_parameter())
            .collect();
        let known: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
        for (place, name) in keys::texts(faults, "contacts.each", entry) {
            match parameters.iter().find(|parameter| parameter.name == name) {
                Some(parameter) => {
                    contacts.each.insert(parameter.reference);
                }
                None => {
                    let law = model.metadata.name;
                    let expected =
                        format!("expected a parameter of {law}: {}", keys::one_of(&known));
                    let sentence =
                        format!("found \"{name}\", {expected}{}", question(name, &known));
                    faults.add(place, "contacts.each", sentence);
                }
            }
        }
    }
    if faults.count() == before {
        card.contacts = Some(contacts);
    }
}

/// Contacts with their names, or their number.
fn counted(faults: &mut Faults, table: &DeTable, place: Range<usize>) -> Contacts {
    let before = faults.count();
    let mut contacts = Contacts::default();
    let most = format!("a whole number from 1 to {MAX_CONTACTS}");
    if let Some(entry) = keys::get(table, "names") {
        for (place, name) in keys::texts(faults, "contacts.names", entry) {
            if let Some(expected) = name_fault(name) {
                faults.add(
                    place,
                    "contacts.names",
                    format!("found \"{name}\", expected {expected}"),
                );
            }
            contacts.names.push(name.to_owned());
        }
        contacts.count = contacts.names.len() as u32;
        if let Some((place, _)) = keys::get(table, "count") {
            faults.add(
                place,
                "contacts.count",
                "found both names and a count, expected one of them; leave the other out",
            );
        } else if !(1..=MAX_CONTACTS).contains(&contacts.names.len()) && faults.count() == before {
            let found = contacts.names.len();
            faults.add(
                place,
                "contacts.names",
                format!("found {found} names, expected 1 to {MAX_CONTACTS}"),
            );
        }
    } else if let Some((_, value)) = keys::get(table, "count") {
        let number = keys::number(faults, "contacts.count", value);
        match number
            .filter(|number| (1.0..=MAX_CONTACTS as f64).contains(number) && number.fract() == 0.0)
        {
            Some(number) => contacts.count = number as u32,
            None if number.is_some() => keys::expected(faults, "contacts.count", value, &most),
            None => {}
        }
    } else {
        faults.add(
            place,
            "contacts",
            format!("found neither names nor a count, expected `names`, or `count` with {most}"),
        );
    }
    contacts
}
