//! Values of a card's parameters: its tables `parameters` and `coupling`.

use std::ops::Range;

use bristle::catalogue::{
    Card, Level, Model, Motion, contact_name, declared, is_of_coupling, level_parameter,
    no_acceleration,
};
use bristle::coupling::{COUPLING, M_EFF};
use bristle::element::{F_N, F_OFFSET, K_E, K_M, RADIUS};
use bristle::variable::{RANGE, Variable};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::direction;
use super::fault::Faults;
use super::keys::{self, one_of, question};
use super::setting::setting;
use super::source_names;
use crate::names;

/// A parameter of the card: its name there, its declaration and its reference, which a contact may
/// have for itself.
type Known = (String, &'static Variable, u32);

/// Reads both tables into the card; the result is where each parameter stands.
pub fn read(
    faults: &mut Faults,
    table: &DeTable,
    model: &'static Model,
    card: &mut Card,
) -> Vec<(String, Range<usize>)> {
    card.measure_level(model);
    normal_force(table, card);
    let mut places = Vec::new();
    let mut declared = declared(model, card);
    declared.retain(|declared| card.has_parameter(declared));
    let is_listed = |variable: &&&Variable| {
        !is_of_coupling(variable)
            && !variable.is(&RADIUS)
            && !is_of_gear(variable)
            && !direction::is_of_it(model, card, variable)
    };
    let known: Vec<Known> = declared
        .iter()
        .filter(is_listed)
        .flat_map(|parameter| {
            let shared = (parameter.name.to_owned(), *parameter, parameter.reference);
            [shared].into_iter().chain(of_contacts(card, parameter))
        })
        .collect();
    if let Some(table) =
        keys::get(table, "parameters").and_then(|entry| keys::table(faults, "parameters", entry))
    {
        // By the level of a joint the others are scaled.
        let level = level_parameter(model).map(|level| card.declared(level).name);
        let is_level = |name: &str| card.level.is_some() && level == Some(name);
        let (first, others): (Vec<_>, Vec<_>) =
            table.iter().partition(|(name, _)| is_level(name.get_ref()));
        for (name, value) in first.into_iter().chain(others) {
            let (place, name) = (name.span(), name.get_ref().as_ref());
            let is_contact = card
                .contacts
                .as_ref()
                .is_some_and(|contacts| contacts.names.iter().any(|known| known == name));
            match value.get_ref().as_table().filter(|_| is_contact) {
                Some(of_contact) => {
                    for (own, value) in of_contact.iter() {
                        let name = format!("{name}.{}", own.get_ref());
                        one(
                            faults,
                            (&declared, model),
                            &known,
                            card,
                            &mut places,
                            (own.span(), &name, value),
                        );
                    }
                }
                None => one(
                    faults,
                    (&declared, model),
                    &known,
                    card,
                    &mut places,
                    (place, name, value),
                ),
            }
        }
    }
    coupling(faults, table, model, &declared, card, &mut places);
    places
}

/// Makes the normal force a parameter where the table `parameters` has it; its value is read with
/// the others.
fn normal_force(table: &DeTable, card: &mut Card) {
    let is_given = keys::get_in(table, "parameters", F_N.name).is_some();
    if is_given && card.level.is_none() && card.reactions.is_none() {
        card.parameters.entry(F_N.reference).or_default().start = Some(card.normal_force);
    }
}

/// Reads the table `parameters` of a card without a law: names that no law has, and values that are
/// no numbers.
pub fn read_without_model(faults: &mut Faults, table: &DeTable, models: &'static [Model]) {
    let Some(table) =
        keys::get(table, "parameters").and_then(|entry| keys::table(faults, "parameters", entry))
    else {
        return;
    };
    let of_laws = || {
        models
            .iter()
            .flat_map(Model::variables)
            .filter(|variable| variable.is_parameter())
    };
    let joints = [Motion::Translational, Motion::Rotational].map(|motion| Card {
        motion,
        level: Some(Level::DEFAULT),
        ..Card::of_law("", "")
    });
    let parameters = || {
        let of_joints = joints
            .iter()
            .flat_map(|joint| of_laws().map(|known| joint.declared(known)));
        of_laws()
            .chain(of_joints)
            .chain([&F_N, &F_OFFSET, Motion::Rotational.declared(&F_OFFSET)])
    };
    for (name, value) in table.iter() {
        let (place, name) = (name.span(), name.get_ref().as_ref());
        let key = format!("parameters.{name}");
        let found = parameters().find(|parameter| parameter.name == name);
        let is_of_contact = name.contains(['.', '[']) || value.get_ref().as_table().is_some();
        match found {
            Some(parameter) if parameter.is_real() && !is_of_contact => {
                keys::quantity(faults, &key, value, parameter.unit);
            }
            None if !is_of_contact => {
                let of_source = source_names::remedy(name, |present| {
                    parameters().any(|known| known.name == present)
                });
                let near = names::question(name, parameters().map(|known| known.name));
                faults.add(
                    place,
                    key,
                    of_source
                        .unwrap_or_else(|| format!("found no such parameter of any law{near}")),
                );
            }
            _ => {}
        }
    }
}

/// A parameter that every contact has for itself, by contacts.
fn of_contacts(card: &Card, parameter: &'static Variable) -> Vec<Known> {
    let contacts = card
        .contacts
        .as_ref()
        .filter(|contacts| contacts.each.contains(&parameter.reference));
    let count = contacts.map_or(0, |contacts| contacts.count);
    let of = |contact| {
        (
            contact_name(card, parameter.name, contact),
            parameter,
            parameter.reference + RANGE * contact,
        )
    };
    (1..=count).map(of).collect()
}

/// Reads one parameter of the table `parameters`.
fn one(
    faults: &mut Faults,
    (declared, model): (&[&'static Variable], &'static Model),
    known: &[Known],
    card: &mut Card,
    places: &mut Vec<(String, Range<usize>)>,
    (place, name, value): (Range<usize>, &str, &Spanned<DeValue>),
) {
    let key = format!("parameters.{name}");
    if let Some((name, parameter, reference)) = known.iter().find(|(known, ..)| known == name) {
        if let Some(setting) = setting(faults, &key, &card.scaled(parameter), value) {
            card.parameters.insert(*reference, setting);
            places.push((name.clone(), place));
        }
    } else if let Some(sentence) = of_joint(model, card, name) {
        faults.add(place, key, sentence);
    } else if name == "order"
        || declared
            .iter()
            .any(|variable| is_of_coupling(variable) && variable.name == name)
    {
        let mass = mass(declared).map_or(M_EFF.name, |mass| mass.name);
        let sentence = format!(
            "found a key of the coupling, expected it in the table `coupling`, as `{mass}` or \
             `order`"
        );
        faults.add(place, key, sentence);
    } else if let Some(sentence) = direction::instead_of(declared, card.motion, name) {
        faults.add(place, key, sentence);
    } else if card.characteristic.is_some()
        && model
            .measured
            .replaced
            .iter()
            .any(|replaced| card.declared(replaced).name == name)
    {
        let sentence = format!(
            "found {name} beside `characteristic`, the measured curve that replaces it; leave one \
             of them out"
        );
        faults.add(place, key, sentence);
    } else if name == RADIUS.name && declared.iter().any(|variable| variable.is(&RADIUS)) {
        faults.add(
            place,
            key,
            "found the friction radius, expected it beside the motion, as `radius`",
        );
    } else if let Some(remedy) = source_names::remedy(name, |present| {
        known.iter().any(|(known, ..)| known == present)
    }) {
        faults.add(place, key, remedy);
    } else {
        let names: Vec<_> = known.iter().map(|(name, ..)| name.as_str()).collect();
        let expected = format!("expected one of {}", one_of(&names));
        let law = &card.law;
        faults.add(
            place,
            key,
            format!(
                "found no such parameter of {law}, {expected}{}",
                question(name, &names)
            ),
        );
    }
}

/// Sentence about a name of the law in a joint, which has another one, or about a name of a joint
/// in a card with a normal force.
fn of_joint(model: &'static Model, card: &Card, name: &str) -> Option<String> {
    if let Some(reactions) = card.reactions.filter(|_| name == F_N.name) {
        return Some(format!(
            "found a normal force, but that of a {} joint follows from its reactions; leave it out",
            reactions.joint.name()
        ));
    }
    if card.level.is_none() {
        let is_torque = name.starts_with("M_") && card.motion == Motion::Rotational;
        return (is_torque && name != "M_offset").then(|| {
            format!(
                "found {name} beside a radius, at which coefficients and a normal force act; leave \
                 `radius` out, and the card states torques"
            )
        });
    }
    let of_law = model
        .variables()
        .find(|known| known.is_parameter() && known.name == name)?;
    let own = Some(card.declared(of_law)).filter(|own| own.name != name)?;
    let unit = own.unit.symbol();
    Some(match card.motion {
        Motion::Rotational => format!(
            "found {name} in a card without a radius, which states torques: expected {} in {unit}; \
             or give `radius` in m",
            own.name
        ),
        _ => format!(
            "found {name} in a card that states forces of friction: expected {} in {unit}",
            own.name
        ),
    })
}

/// Whether a variable is a parameter of a gear, which has a table of its own.
pub fn is_of_gear(variable: &Variable) -> bool {
    [K_M, K_E].iter().any(|known| variable.is(known))
}

/// m_eff, or J_eff of a rotational contact.
fn mass(declared: &[&'static Variable]) -> Option<&'static Variable> {
    declared
        .iter()
        .copied()
        .find(|variable| variable.is(&M_EFF))
}

/// Key of the acceleration in the table `coupling`.
pub const ACCELERATION: &str = "acceleration";

/// Reads the key `acceleration` of the table `coupling`, which makes a variable, before all
/// variables.
pub fn read_acceleration(
    faults: &mut Faults,
    table: &DeTable,
    model: &'static Model,
    card: &mut Card,
) {
    let Some(table) =
        keys::get(table, "coupling").and_then(|(_, value)| value.get_ref().as_table())
    else {
        return;
    };
    let Some((place, value)) = keys::get(table, ACCELERATION) else {
        return;
    };
    let key = format!("coupling.{ACCELERATION}");
    let Some(has_acceleration) = value.get_ref().as_bool() else {
        keys::expected(faults, &key, value, "true or false");
        return;
    };
    match no_acceleration(model).filter(|_| has_acceleration) {
        Some(why) => faults.add(place, key, format!("found true, but {why}")),
        None => card.acceleration = has_acceleration,
    }
}

/// Reads the table `coupling`.
fn coupling(
    faults: &mut Faults,
    table: &DeTable,
    model: &'static Model,
    declared: &[&'static Variable],
    card: &mut Card,
    places: &mut Vec<(String, Range<usize>)>,
) {
    let Some(entry) = keys::get(table, "coupling") else {
        return;
    };
    let place = entry.0.clone();
    let is_inside = ["block", "system"]
        .into_iter()
        .find(|key| keys::get(table, key).is_some());
    let Some(table) = keys::table(faults, "coupling", entry) else {
        return;
    };
    let of_body = [M_EFF.name, ACCELERATION]
        .into_iter()
        .find(|key| keys::get(table, key).is_some());
    if let (Some(key), Some(inside)) = (of_body, is_inside) {
        return faults.add(
            place,
            "coupling",
            format!(
                "found {key} beside a {inside}, which has the body inside; leave one of them out"
            ),
        );
    }
    let mass = mass(declared).filter(|_| is_inside.is_none());
    // The body of a card has the masses.
    if mass.is_none()
        && is_inside.is_none()
        && card.body.is_none()
        && keys::get(table, M_EFF.name).is_some()
    {
        let why = if card.motion.is_planar() {
            "an element in the plane has no body observer without the table `body`".to_owned()
        } else {
            format!(
                "{} has no bristle that a body could be coupled to",
                model.metadata.name
            )
        };
        return faults.add(
            place,
            "coupling",
            format!("found m_eff, but {why}; leave it out"),
        );
    }
    let wanted: Vec<_> = mass
        .map(|mass| (mass.name, mass))
        .into_iter()
        .chain([("order", &COUPLING)])
        .collect();
    let names: Vec<_> = wanted
        .iter()
        .map(|(name, _)| *name)
        .chain([ACCELERATION])
        .collect();
    keys::refuse_others(faults, "coupling.", table, &names);
    for (name, parameter) in wanted {
        let Some((place, value)) = keys::get(table, name) else {
            continue;
        };
        if let Some(setting) = setting(faults, &format!("coupling.{name}"), parameter, value) {
            card.parameters.insert(parameter.reference, setting);
            places.push((parameter.name.to_owned(), place));
        }
    }
}
