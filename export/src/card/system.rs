//! System of a card: the bodies inside the element, with springs and gears.

use std::fmt::Arguments;

use bristle::assembly::system_variables::{in_system, reference};
use bristle::catalogue::{
    Card, CardBase, CardCoordinate, CardSlip, CardSpring, CardSystem, Contacts, Model, Motion,
    Term, name_fault, no_body_inside,
};
use bristle::variable::Variable;
use toml::de::DeTable;

use super::fault::Faults;
use super::keys::{self, Entry};

/// Keys of the table.
const KEYS: [&str; 4] = ["coordinates", "bases", "springs", "contacts"];

/// Reads the table `system` into the card, with the names of its contacts.
pub fn read(faults: &mut Faults, table: &DeTable, model: &'static Model, card: &mut Card) {
    let Some(entry) = keys::get(table, "system") else {
        return;
    };
    let place = entry.0.clone();
    let others = ["block", "body"]
        .into_iter()
        .find(|key| keys::get(table, key).is_some());
    let Some(table) = keys::table(faults, "system", entry) else {
        return;
    };
    if let Some(other) = others {
        let sentence = format!(
            "found a system beside `{other}`, but a system has all bodies inside the element; \
             leave one of them out"
        );
        faults.add(place, "system", sentence);
        return;
    }
    if let Some(why) = no_body_inside("system", model, card) {
        faults.add(place, "system", format!("found a system, but {why}"));
        return;
    }
    let before = faults.count();
    keys::refuse_others(faults, "system.", table, &KEYS);
    let mut system = CardSystem::default();
    let parts = |faults: &mut Faults, key: &str| named(faults, table, key);
    let coordinates = parts(faults, "coordinates");
    for (name, (_, table)) in &coordinates {
        system.coordinates.push(CardCoordinate {
            name: name.clone(),
            is_angle: keys::get(table, "inertia").is_some(),
            ..CardCoordinate::default()
        });
    }
    if let Some(entry) = keys::get(table, "bases") {
        for (key, value) in in_order(faults, "system.bases", entry) {
            let is_angle = match value.1.get_ref().as_str() {
                Some("translational") => Some(false),
                Some("rotational") => Some(true),
                _ => None,
            };
            let name = key.clone();
            match is_angle {
                Some(is_angle) => system.bases.push(CardBase { name, is_angle }),
                None => keys::expected(
                    faults,
                    &format!("system.bases.{key}"),
                    value.1,
                    "\"translational\" or \"rotational\"",
                ),
            }
        }
    }
    for (i, (name, (place, table))) in coordinates.iter().enumerate() {
        let key = format!("system.coordinates.{name}");
        let load = in_system(reference::F, system.coordinates[i].is_angle);
        if let Some(entry) = keys::get(table, "gear") {
            let gear = terms(faults, &format!("{key}.gear"), entry, &system);
            system.coordinates[i].gear = gear;
        }
        let coordinate = &mut system.coordinates[i];
        let mass = coordinate.inertia();
        let known = [mass.name, "input", "load", "gear"];
        keys::refuse_others(faults, &format!("{key}."), table, &known);
        let is_geared = keys::get(table, "gear").is_some();
        if keys::get(table, mass.name).is_none() && !is_geared {
            let sentence = "found no inertia, expected `mass` in kg, or `inertia` in kg m2 of an \
                            angle";
            faults.add(place.clone(), &key, sentence);
        }
        coordinate.mass = number(faults, &key, table, mass.name, &mass).unwrap_or(0.0);
        if let Some((_, value)) = keys::get(table, "input") {
            match value.get_ref().as_bool() {
                Some(is_input) => coordinate.is_input = is_input,
                None => keys::expected(faults, &format!("{key}.input"), value, "true or false"),
            }
        }
        coordinate.load = number(faults, &key, table, "load", &load).unwrap_or(0.0);
    }
    for (name, (place, table)) in parts(faults, "springs") {
        let key = format!("system.springs.{name}");
        let known = ["along", "stiffness", "damping", "gap"];
        keys::refuse_others(faults, &format!("{key}."), table, &known);
        let mut spring = CardSpring {
            name,
            ..CardSpring::default()
        };
        match keys::get(table, "along") {
            Some(entry) => spring.along = terms(faults, &format!("{key}.along"), entry, &system),
            None => faults.add(
                place,
                &key,
                "found no `along`, expected the factors of its length, as { x = 1.0, wall = -1.0 }",
            ),
        }
        let is_torsional = system.is_torsional(&spring);
        for (name, of, of_spring) in [
            ("stiffness", reference::STIFFNESS, &mut spring.stiffness),
            ("damping", reference::DAMPING, &mut spring.damping),
        ] {
            let declared = in_system(of, is_torsional);
            *of_spring = number(faults, &key, table, name, &declared).unwrap_or(0.0);
        }
        let gap = in_system(reference::GAP, is_torsional);
        spring.gap = number(faults, &key, table, gap.name, &gap);
        system.springs.push(spring);
    }
    let mut names = Vec::new();
    match keys::get(table, "contacts") {
        Some(entry) => {
            for (name, value) in in_order(faults, "system.contacts", entry) {
                let key = format!("system.contacts.{name}");
                let along = if card.motion.is_planar() {
                    in_plane(faults, &key, value, &system)
                } else {
                    vec![terms(faults, &key, value, &system)]
                };
                system.contacts.push(CardSlip { along });
                names.push(name);
            }
        }
        None => faults.add(
            place,
            "system",
            "found no contacts, expected `contacts` with the factors of the slip of each, as \
             { pad = { x = 1.0 } }",
        ),
    }
    if faults.count() == before {
        card.contacts = Some(Contacts {
            count: names.len() as u32,
            names,
            ..Contacts::default()
        });
        card.system = Some(system);
    }
}

/// Keys of the rows of a contact in a plane.
const AXES: [&str; 2] = ["along_x", "along_y"];

/// Rows of a contact in a plane.
fn in_plane(faults: &mut Faults, key: &str, entry: Entry, system: &CardSystem) -> Vec<Vec<Term>> {
    let place = entry.0.clone();
    let Some(table) = keys::table(faults, key, entry) else {
        return Vec::new();
    };
    keys::refuse_others(faults, &format!("{key}."), table, &AXES);
    let entries = AXES.map(|axis| (axis, keys::get(table, axis)));
    if entries.iter().any(|(_, entry)| entry.is_none()) {
        let sentence = "found no row along each axis, expected the factors of both, as \
                        { along_x = { x = 1.0 }, along_y = { y = 1.0 } }";
        faults.add(place, key, sentence);
    }
    let given = entries
        .into_iter()
        .filter_map(|(axis, entry)| Some((axis, entry?)));
    given
        .map(|(axis, entry)| terms(faults, &format!("{key}.{axis}"), entry, system))
        .collect()
}

/// Entries of a table in the order of the text, with their names.
fn in_order<'t>(faults: &mut Faults, key: &str, entry: Entry<'t>) -> Vec<(String, Entry<'t>)> {
    let Some(table) = keys::table(faults, key, entry) else {
        return Vec::new();
    };
    let mut entries: Vec<_> = table
        .iter()
        .map(|(name, value)| (name.get_ref().to_string(), (name.span(), value)))
        .collect();
    entries.sort_by_key(|(_, (place, _))| place.start);
    for (name, (place, _)) in &entries {
        if let Some(expected) = name_fault(name) {
            let sentence = format!("found the name \"{name}\", expected {expected}");
            faults.add(place.clone(), key, sentence);
        }
    }
    entries
}

/// Tables of named parts, in the order of the text.
fn named<'t>(
    faults: &mut Faults,
    table: &'t DeTable<'t>,
    key: &str,
) -> Vec<(String, (std::ops::Range<usize>, &'t DeTable<'t>))> {
    let full = format!("system.{key}");
    let Some(entry) = keys::get(table, key) else {
        return Vec::new();
    };
    let entries = in_order(faults, &full, entry);
    let of_part = |(name, (place, value)): (String, Entry<'t>)| {
        let entry = (place.clone(), value);
        let table = keys::table(faults, &format!("{full}.{name}"), entry)?;
        Some((name, (place, table)))
    };
    entries.into_iter().filter_map(of_part).collect()
}

/// Factors of coordinates and bases.
fn terms(faults: &mut Faults, key: &str, entry: Entry, system: &CardSystem) -> Vec<Term> {
    let names: Vec<&str> = system
        .coordinates
        .iter()
        .map(|part| part.name.as_str())
        .chain(system.bases.iter().map(|part| part.name.as_str()))
        .collect();
    let mut terms = Vec::new();
    for (name, (place, value)) in in_order(faults, key, entry) {
        let Some(of) = names.iter().position(|known| *known == name) else {
            let sentence = format!(
                "found an unknown coordinate or base, expected {}{}",
                keys::one_of(&names),
                keys::question(&name, &names)
            );
            faults.add(place, format!("{key}.{name}"), sentence);
            continue;
        };
        if let Some(factor) = keys::number(faults, &format!("{key}.{name}"), value) {
            let of = of as u32;
            terms.push(Term { of, factor });
        }
    }
    terms
}

/// Number of a part, as it is declared.
fn number(
    faults: &mut Faults,
    part: &str,
    table: &DeTable,
    name: &str,
    declared: &Variable,
) -> Option<f64> {
    let (_, value) = keys::get(table, name)?;
    keys::value_of(faults, &format!("{part}.{name}"), value, declared)
}

/// Writes the table.
pub fn write(line: &mut impl FnMut(Arguments), card: &Card, system: &CardSystem) {
    let row = |terms: &[Term]| -> String {
        let factors = terms
            .iter()
            .map(|term| format!("{} = {:?}", system.name_of(*term), term.factor));
        format!("{{ {} }}", factors.collect::<Vec<_>>().join(", "))
    };
    line(format_args!(
        "\n[system]  # bodies inside the element; factors: 1 for its own, m or m/m for a lever or \
         a radius"
    ));
    let bases = system.bases.iter().map(|CardBase { name, is_angle }| {
        let motion = if *is_angle {
            Motion::Rotational
        } else {
            Motion::Translational
        };
        format!("{name} = \"{}\"", motion.name())
    });
    let bases = bases.collect::<Vec<_>>().join(", ");
    if !bases.is_empty() {
        line(format_args!(
            "bases = {{ {bases} }}  # their motion is an input"
        ));
    }
    for coordinate in &system.coordinates {
        let CardCoordinate {
            name,
            is_angle,
            mass,
            is_input,
            load,
            gear,
        } = coordinate;
        line(format_args!("\n[system.coordinates.{name}]"));
        let [inertia, force] =
            [reference::MASS, reference::F].map(|reference| in_system(reference, *is_angle));
        let (unit, of) = (inertia.unit.symbol(), inertia.description);
        line(format_args!("{} = {mass:?}  # {unit}, {of}", inertia.name));
        if *is_input {
            line(format_args!(
                "input = true  # {name}.{} is an input",
                inertia.name
            ));
        }
        if *load != 0.0 {
            let unit = force.unit.symbol();
            line(format_args!(
                "load = {load:?}  # {unit}, start value of {name}.{}",
                force.name
            ));
        }
        if !gear.is_empty() {
            line(format_args!("gear = {}  # it follows these", row(gear)));
        }
    }
    for spring in &system.springs {
        line(format_args!("\n[system.springs.{}]", spring.name));
        line(format_args!("along = {}  # its length", row(&spring.along)));
        let is_torsional = system.is_torsional(spring);
        let numbers = [
            (reference::STIFFNESS, Some(spring.stiffness)),
            (reference::DAMPING, Some(spring.damping)),
            (reference::GAP, spring.gap),
        ];
        for (of, number) in numbers {
            let Some(number) = number else {
                continue;
            };
            let declared = in_system(of, is_torsional);
            let (name, unit) = (declared.name, declared.unit.symbol());
            line(format_args!(
                "{name} = {number:?}  # {unit}, {}",
                declared.description
            ));
        }
    }
    line(format_args!(
        "\n[system.contacts]  # factors of the slip of each contact, less its v_surface"
    ));
    let names = card.contacts.iter().flat_map(|contacts| &contacts.names);
    for (name, CardSlip { along }) in names.zip(&system.contacts) {
        match &along[..] {
            [terms] => line(format_args!("{name} = {}", row(terms))),
            axes => {
                let rows = AXES.iter().zip(axes);
                let rows = rows.map(|(axis, terms)| format!("{axis} = {}", row(terms)));
                let rows = rows.collect::<Vec<_>>().join(", ");
                line(format_args!("{name} = {{ {rows} }}"));
            }
        }
    }
}
