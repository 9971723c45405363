//! A hash of everything that `modelDescription.xml` says and the library relies on: by it, as the
//! GUID, a description and a library that do not belong together refuse each other.
//!
//! FNV-1a, 128 bits, over the version, the name, every variable in order, the order of the states,
//! the event indicators, the dependencies, the capability flags and the log categories; then over
//! the card, which changes some of these.

use super::interface::{CAPABILITIES, Interface, LOG_CATEGORIES};
use crate::law::{Dependencies, LawMetadata};
use crate::variable::{Role, SLOTS, Variable};

const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// The hash of an element with these variables.
pub(super) const fn fingerprint(
    metadata: &LawMetadata,
    variables: &[Option<&'static Variable>; SLOTS],
) -> u128 {
    let mut hash = bytes(OFFSET, env!("CARGO_PKG_VERSION").as_bytes());
    hash = text(hash, metadata.name);
    hash = text(hash, metadata.title);
    hash = bytes(hash, &[metadata.is_coupled() as u8]);
    let mut i = 0;
    while i < SLOTS {
        if let Some(declared) = variables[i] {
            hash = variable(hash, declared);
        }
        i += 1;
    }
    i = 0;
    while i < metadata.states.len() {
        hash = whole(hash, metadata.states[i].0.reference as u64);
        hash = whole(hash, metadata.states[i].1.reference as u64);
        i += 1;
    }
    i = 0;
    while i < metadata.directed.len() {
        hash = variable(
            variable(hash, &metadata.directed[i][0]),
            &metadata.directed[i][1],
        );
        i += 1;
    }
    hash = whole(hash, metadata.events.len() as u64);
    hash = structure(hash, metadata);
    interface(hash)
}

/// The hash of a model with a further form, as for contacts in the plane.
pub(super) const fn with_form(model: u128, form: u128) -> u128 {
    bytes(bytes(OFFSET, &model.to_le_bytes()), &form.to_le_bytes())
}

/// The hash of a model that a card, in its byte form, changes.
pub(super) const fn with_card(model: u128, card: &[u8]) -> u128 {
    bytes(bytes(OFFSET, &model.to_le_bytes()), card)
}

const fn structure(mut hash: u128, metadata: &LawMetadata) -> u128 {
    let structure = &metadata.structure;
    hash = dependencies(hash, &structure.force);
    hash = references(hash, structure.at_rest);
    hash = dependencies(hash, &structure.sticking);
    let mut i = 0;
    while i < structure.rates.len() {
        hash = dependencies(hash, &structure.rates[i]);
        i += 1;
    }
    dependencies(hash, &structure.response)
}

const fn dependencies(mut hash: u128, of: &Dependencies) -> u128 {
    hash = references(hash, of.on);
    hash = references(hash, of.initially);
    bytes(hash, &[of.constant as u8])
}

const fn references(mut hash: u128, variables: &[Variable]) -> u128 {
    let mut i = 0;
    while i < variables.len() {
        hash = whole(hash, variables[i].reference as u64);
        i += 1;
    }
    whole(hash, variables.len() as u64)
}

const fn interface(mut hash: u128) -> u128 {
    let mut i = 0;
    while i < CAPABILITIES.len() {
        let capability = &CAPABILITIES[i];
        hash = text(text(hash, capability.attribute), capability.value);
        let mut j = 0;
        while j < capability.interfaces.len() {
            hash = whole(
                hash,
                matches!(capability.interfaces[j], Interface::CoSimulation) as u64,
            );
            j += 1;
        }
        i += 1;
    }
    i = 0;
    while i < LOG_CATEGORIES.len() {
        hash = text(hash, LOG_CATEGORIES[i].name);
        i += 1;
    }
    hash
}

/// All attributes of a variable in the description.
const fn variable(mut hash: u128, variable: &Variable) -> u128 {
    hash = whole(hash, variable.reference as u64);
    hash = text(hash, variable.name);
    hash = text(hash, variable.description);
    hash = text(hash, variable.unit.symbol());
    let role = match variable.role {
        Role::Input => 0,
        Role::Output => 1,
        Role::BooleanOutput => 2,
        Role::State => 3,
        Role::Derivative { of } => 4 + of as u64,
        Role::Parameter => 100,
        Role::DiscreteState { most } => 101 + most as u64,
        Role::Choice(choices) => {
            let mut i = 0;
            while i < choices.len() {
                hash = text(hash, choices[i].0);
                i += 1;
            }
            1000 + choices.len() as u64
        }
    };
    hash = whole(hash, role);
    hash = bytes(hash, &[variable.reinit as u8]);
    hash = number(hash, variable.start);
    hash = number(hash, variable.min);
    hash = number(hash, variable.max);
    number(hash, variable.nominal)
}

const fn number(hash: u128, number: Option<f64>) -> u128 {
    match number {
        None => bytes(hash, &[]),
        Some(number) => whole(hash, number.to_bits()),
    }
}

const fn whole(hash: u128, number: u64) -> u128 {
    bytes(hash, &number.to_le_bytes())
}

const fn text(hash: u128, text: &str) -> u128 {
    bytes(hash, text.as_bytes())
}

/// One field: its bytes and an end mark, so that no two sequences of fields run into each other.
const fn bytes(mut hash: u128, bytes: &[u8]) -> u128 {
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u128).wrapping_mul(PRIME);
        i += 1;
    }
    (hash ^ 0xff00 ^ bytes.len() as u128).wrapping_mul(PRIME)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::find;
    use crate::element::F_N;
    use crate::law::{Structure, on};
    use crate::variable::Unit;
    use std::collections::BTreeSet;

    #[test]
    fn every_field_of_a_variable_changes_the_fingerprint() {
        let hash = |changed: &Variable| variable(0, changed);
        let changed = [
            F_N,
            Variable {
                reference: 2,
                ..F_N
            },
            Variable { name: "N", ..F_N },
            Variable {
                description: "Force",
                ..F_N
            },
            Variable {
                role: Role::Parameter,
                ..F_N
            },
            Variable {
                unit: Unit::One,
                ..F_N
            },
            Variable {
                start: Some(1.0),
                ..F_N
            },
            Variable {
                min: Some(0.0),
                ..F_N
            },
            Variable {
                max: Some(0.0),
                ..F_N
            },
            Variable {
                reinit: true,
                ..F_N
            },
            Variable {
                nominal: None,
                ..F_N
            },
            Variable {
                role: Role::Choice(&[("one", "")]),
                ..F_N
            },
            Variable {
                role: Role::Choice(&[("other", "")]),
                ..F_N
            },
        ];
        assert_eq!(
            changed.iter().map(hash).collect::<BTreeSet<_>>().len(),
            changed.len()
        );
    }

    #[test]
    fn states_events_and_structure_change_the_fingerprint() {
        let armstrong = find("Armstrong").expect("an element").metadata;
        let variables = [None; SLOTS];
        let swapped = [armstrong.states[1], armstrong.states[0]];
        let swapped: &'static [_] = Box::leak(Box::new(swapped));
        let copy = || LawMetadata { ..*armstrong };
        let changed = [
            copy(),
            LawMetadata {
                name: "Other",
                ..copy()
            },
            LawMetadata {
                title: "Other",
                ..copy()
            },
            LawMetadata {
                states: swapped,
                ..copy()
            },
            LawMetadata {
                events: &["one"],
                ..copy()
            },
            LawMetadata {
                structure: Structure {
                    at_rest: &[F_N],
                    ..armstrong.structure
                },
                ..copy()
            },
            LawMetadata {
                structure: Structure {
                    force: on(&[F_N]),
                    ..armstrong.structure
                },
                ..copy()
            },
            LawMetadata {
                structure: Structure {
                    sticking: on(&[]),
                    ..armstrong.structure
                },
                ..copy()
            },
            LawMetadata {
                structure: Structure {
                    rates: &[],
                    ..armstrong.structure
                },
                ..copy()
            },
            LawMetadata {
                structure: Structure {
                    response: on(&[F_N]).constant(),
                    ..armstrong.structure
                },
                ..copy()
            },
        ];
        let hashes = changed
            .iter()
            .map(|metadata| fingerprint(metadata, &variables));
        assert_eq!(hashes.collect::<BTreeSet<_>>().len(), changed.len());
    }
}
