//! The elements by name, with every variable of each.
//!
//! Value references, XML, documentation and getters all derive from what is gathered here. A new law is one line in
//! [`ELEMENTS`].

mod fingerprint;
pub mod interface;
mod knowns;

pub use self::knowns::Knowns;

use self::fingerprint::fingerprint;
use crate::coupling;
use crate::element::{AnyElement, Element, INNER_STEPS_MAX, INPUTS, OUTPUTS};
use crate::law::{Law, LawMetadata, MOST_EVENTS};
use crate::laws::*;
use crate::variable::{Role, SLOTS, Variable};

/// Every element, in the order of the documentation.
pub static ELEMENTS: [Model; 16] = [
    entry::<frdyn2::FrDyn2, 2>(),
    entry::<frdyn2_linear::FrDyn2Linear, 2>(),
    entry::<static_regularized::StaticRegularized, 0>(),
    entry::<coulomb::Coulomb, 0>(),
    entry::<stribeck::Stribeck, 0>(),
    entry::<brown_mcphee::BrownMcPhee, 0>(),
    entry::<popp_stelter::PoppStelter, 0>(),
    entry::<non_reversible::NonReversible, 0>(),
    entry::<armstrong::Armstrong, 2>(),
    entry::<dahl::Dahl, 1>(),
    entry::<lugre::LuGre, 1>(),
    entry::<stefanski_2003::Stefanski2003, 0>(),
    entry::<stefanski_2006::Stefanski2006, 0>(),
    entry::<modelica_friction::ModelicaFriction, 0>(),
    entry::<simpack_stick_slip::SimpackStickSlip, 1>(),
    entry::<adams_stick_slip::AdamsStickSlip, 1>(),
];

/// The element of this name.
pub fn find(name: &str) -> Option<&'static Model> {
    ELEMENTS.iter().find(|entry| entry.metadata.name == name)
}

/// An element of the catalogue.
pub struct Model {
    /// What its law tells about itself.
    pub metadata: &'static LawMetadata,
    by_reference: [Option<&'static Variable>; SLOTS],
    make: fn() -> Box<dyn AnyElement>,
    /// A hash of everything that a description says and the library relies on.
    pub fingerprint: u128,
}

impl Model {
    /// Every variable: inputs, outputs, states with their derivatives, modes, parameters.
    pub fn variables(&self) -> impl Iterator<Item = &'static Variable> + '_ {
        self.by_reference.iter().copied().flatten()
    }

    /// The variable with this reference.
    #[inline]
    pub fn variable(&self, reference: u32) -> Option<&'static Variable> {
        self.by_reference.get(reference as usize).copied().flatten()
    }

    /// The fingerprint as a GUID, by which a description and a binary recognise each other.
    pub fn guid(&self) -> String {
        let hex = format!("{:032x}", self.fingerprint);
        format!("{{{}-{}-{}-{}-{}}}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
    }

    /// A new element with its start values.
    pub fn instantiate(&self) -> Box<dyn AnyElement> {
        (self.make)()
    }
}

const fn entry<L: Law<N>, const N: usize>() -> Model {
    assert!(L::METADATA.states.len() == N, "a law declares as many states as it has");
    assert!(L::METADATA.structure.rates.len() == N, "a law declares what each rate depends on");
    assert!(L::METADATA.events.len() <= MOST_EVENTS, "a law has no more events than there is room for");
    let by_reference = gather(L::METADATA, N > 0, L::COUPLED);
    Model {
        metadata: L::METADATA,
        by_reference,
        make: || Box::new(Element::<L, N>::new()),
        fingerprint: fingerprint(L::METADATA, &by_reference, L::COUPLED),
    }
}

/// All variables of a law by their reference; refuses to compile where two share one or one is out of its range.
const fn gather(metadata: &'static LawMetadata, integrated: bool, coupled: bool) -> [Option<&'static Variable>; SLOTS] {
    let mut table = [None; SLOTS];
    place_all(&mut table, &INPUTS);
    place_all(&mut table, &OUTPUTS);
    let mut i = 0;
    while i < metadata.states.len() {
        place(&mut table, &metadata.states[i].0);
        place(&mut table, &metadata.states[i].1);
        i += 1;
    }
    place_all(&mut table, metadata.inputs);
    place_all(&mut table, metadata.modes);
    place_all(&mut table, metadata.parameters);
    if integrated {
        place(&mut table, &INNER_STEPS_MAX);
    }
    if coupled {
        place_all(&mut table, &coupling::PARAMETERS);
        place_all(&mut table, &coupling::OUTPUTS);
    }
    table
}

const fn place_all(table: &mut [Option<&'static Variable>; SLOTS], variables: &'static [Variable]) {
    let mut i = 0;
    while i < variables.len() {
        place(table, &variables[i]);
        i += 1;
    }
}

const fn place(table: &mut [Option<&'static Variable>; SLOTS], variable: &'static Variable) {
    let in_range = match variable.role {
        Role::Input => variable.reference < 8,
        Role::Output | Role::BooleanOutput => {
            8 <= variable.reference && variable.reference < 16 || 64 <= variable.reference && variable.reference < 72
        }
        Role::State | Role::Derivative { .. } => 16 <= variable.reference && variable.reference < 28,
        Role::DiscreteState { .. } => 28 <= variable.reference && variable.reference < 32,
        Role::Parameter | Role::Choice(_) => 32 <= variable.reference && variable.reference < 64,
    };
    assert!(in_range, "a variable's reference lies in the range of its role");
    let slot = &mut table[variable.reference as usize];
    assert!(slot.is_none(), "no two variables share a reference");
    *slot = Some(variable);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_and_references_are_unique_and_every_number_is_described() {
        for entry in &ELEMENTS {
            let names: BTreeSet<_> = entry.variables().map(|v| v.name).collect();
            assert_eq!(names.len(), entry.variables().count(), "{}", entry.metadata.name);
            for variable in entry.variables() {
                assert_eq!(entry.variable(variable.reference), Some(variable));
                assert!(!variable.description.is_empty(), "{}", variable.name);
                assert!(variable.nominal.is_none_or(|n| n > 0.0), "{}", variable.name);
            }
            assert!(entry.variable(SLOTS as u32).is_none() && entry.variable(u32::MAX).is_none());
        }
    }

    #[test]
    fn every_element_accepts_its_own_start_values() {
        for entry in &ELEMENTS {
            let mut element = entry.instantiate();
            for variable in entry.variables() {
                if let Some(start) = variable.start {
                    assert_eq!(variable.check(start), Ok(()));
                    element.set(variable, start);
                }
            }
            assert_eq!(element.apply_parameters(), Ok(()));
        }
    }
}
