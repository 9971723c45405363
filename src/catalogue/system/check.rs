//! Checks of the system of a card.

use super::super::block::no_body_inside;
use super::super::{Card, Model, name_fault};
use super::{CardCoordinate, CardSystem, MAX_COORDINATES, Term};
use crate::assembly::MAX_CONTACTS;
use crate::assembly::system_variables::in_system;
use crate::assembly::system_variables::reference::{DAMPING, F, GAP, STIFFNESS};
use crate::variable::{InputError, Variable};

/// Refuses a system that is impossible.
pub fn check_system(model: &Model, card: &Card, system: &CardSystem) -> Result<(), InputError> {
    if let Some(why) = no_body_inside("system", model, card) {
        return Err(InputError::new(why));
    }
    let CardSystem {
        coordinates,
        springs,
        contacts,
        ..
    } = system;
    let count = card.contact_count() as usize;
    if contacts.len() != count || count == 0 {
        let rows = contacts.len();
        return Err(InputError::new(format!(
            "the system has rows for {rows} contacts and the card {count} contacts; give a row \
             for each contact, and one contact at least"
        )));
    }
    let free = system.free();
    if free.is_empty() || free.len() > MAX_COORDINATES {
        return Err(InputError::new(format!(
            "the system has {} free coordinates where 1 to {MAX_COORDINATES} are needed; leave the \
             gear of one out, or split the system",
            free.len()
        )));
    }
    check_names(card, system)?;
    for coordinate in coordinates {
        let CardCoordinate {
            name,
            is_angle,
            mass,
            load,
            gear,
            ..
        } = coordinate;
        check_number(name, &coordinate.inertia(), *mass)?;
        check_number(name, &in_system(F, *is_angle), *load)?;
        let is_free = |term: &Term| free.contains(&(term.of as usize));
        if let Some(term) = gear.iter().find(|term| !is_free(term)) {
            return Err(InputError::new(format!(
                "coordinate {name} is geared to {}, which is no free coordinate; gear it to \
                 coordinates without a gear",
                system.name_of(*term)
            )));
        }
        check_terms(
            system,
            &format!("the gear of coordinate {name}"),
            gear,
            gear.is_empty(),
        )?;
    }
    for spring in springs {
        let of = |reference| in_system(reference, system.is_torsional(spring));
        check_number(&spring.name, &of(STIFFNESS), spring.stiffness)?;
        check_number(&spring.name, &of(DAMPING), spring.damping)?;
        if let Some(gap) = spring.gap {
            check_number(&spring.name, &of(GAP), gap)?;
        }
        check_terms(
            system,
            &format!("spring {}", spring.name),
            &spring.along,
            false,
        )?;
    }
    let names = card.contacts.iter().flat_map(|contacts| &contacts.names);
    let axes = if card.motion.is_planar() { 2 } else { 1 };
    for (slip, name) in contacts.iter().zip(names) {
        if slip.along.len() != axes {
            return Err(InputError::new(format!(
                "contact {name} has {} rows where a {} one needs {axes}; give a row for each axis",
                slip.along.len(),
                card.motion.name()
            )));
        }
        for row in &slip.along {
            check_terms(system, &format!("contact {name}"), row, false)?;
        }
        let mut rows = slip.along.iter().map(|row| system.row(row));
        if rows.any(|row| row.coordinates.iter().all(|factor| *factor == 0.0)) {
            return Err(InputError::new(format!(
                "contact {name} slides along no coordinate, so that no body feels its force; give \
                 its row a coordinate"
            )));
        }
    }
    let [places, _] = system.sizes();
    if places > MAX_CONTACTS {
        return Err(InputError::new(format!(
            "the system has {places} coordinates, bases or springs where at most {MAX_CONTACTS} are \
             possible; split it"
        )));
    }
    Ok(())
}

/// Refuses a number of a part of the system, with its name.
fn check_number(name: &str, declared: &Variable, value: f64) -> Result<(), InputError> {
    let known = declared.name;
    match declared.expected_instead_of(value) {
        None => Ok(()),
        Some(expected) => Err(InputError::new(format!(
            "{name}.{known} = {value:?} {} was given where {expected} is needed; set {known} of \
             {name} again",
            declared.unit.symbol()
        ))),
    }
}

/// Refuses a row without factors, or with one that is none.
fn check_terms(
    system: &CardSystem,
    what: &str,
    terms: &[Term],
    may_be_empty: bool,
) -> Result<(), InputError> {
    if terms.is_empty() && !may_be_empty {
        return Err(InputError::new(format!(
            "{what} has no factors; give one at least, as {{ x = 1.0 }}"
        )));
    }
    for term in terms {
        let is_known = (term.of as usize) < system.coordinates.len() + system.bases.len();
        if !(is_known && term.factor != 0.0 && term.factor.is_finite()) {
            return Err(InputError::new(format!(
                "{what} has the factor {:?} of {}; give a number other than 0",
                term.factor,
                if is_known {
                    system.name_of(*term)
                } else {
                    "nothing"
                }
            )));
        }
    }
    Ok(())
}

/// Refuses two parts of one name.
fn check_names(card: &Card, system: &CardSystem) -> Result<(), InputError> {
    let contacts = card.contacts.iter().flat_map(|contacts| &contacts.names);
    let mut names: Vec<&str> = contacts.map(String::as_str).collect();
    names.extend(system.coordinates.iter().map(|part| part.name.as_str()));
    names.extend(system.bases.iter().map(|part| part.name.as_str()));
    names.extend(system.springs.iter().map(|part| part.name.as_str()));
    for name in &names {
        if let Some(why) = name_fault(name) {
            return Err(InputError::new(format!("{name:?} is no name: {why}")));
        }
    }
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(pair) => Err(InputError::new(format!(
            "two parts of the system have the name {}; give each coordinate, base, spring and \
             contact its own",
            pair[0]
        ))),
    }
}
