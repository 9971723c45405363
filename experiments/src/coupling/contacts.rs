//! Contacts of a system: an element of FrDyn2 in each, or one element for all.

use crate::case::Case;
use anyhow::{Context, Result};
use bristle::assembly::Assembly;
use bristle::catalogue::{Card, CardBody, Contacts as CardContacts, Setting, Variant, find};
use bristle::coupling::COUPLING;
use bristle::element::{F_N, F_R, V};
use bristle::law::Contact;
use bristle::variable::{RANGE, Variable};

/// Elements of a system.
pub struct Contacts {
    units: Vec<Assembly>,
    /// One unit has all contacts.
    is_one: bool,
}

impl Contacts {
    /// An element in each contact.
    pub fn separate(cases: impl Iterator<Item = Case>) -> Result<Self> {
        let units: Result<Vec<_>> = cases
            .map(|case| Ok(Assembly::of_one(case.instantiate()?)))
            .collect();
        Ok(Contacts {
            units: units?,
            is_one: false,
        })
    }

    /// One element for all contacts on a body of `mass` (kg), with a coupling scheme.
    pub fn of_body(mass: f64, count: usize, scheme: f64) -> Result<Self> {
        let mut card = Card::of_law("FrDyn2", "");
        card.contacts = Some(CardContacts {
            count: count as u32,
            ..CardContacts::default()
        });
        card.body = Some(CardBody {
            mass: Some(mass),
            ..CardBody::default()
        });
        card.parameters.insert(
            COUPLING.reference,
            Setting {
                start: Some(scheme),
                ..Setting::default()
            },
        );
        let model = find("FrDyn2").context("FrDyn2 is in the catalogue")?;
        Ok(Contacts {
            units: vec![Variant::new(model, card)?.instantiate()],
            is_one: true,
        })
    }

    /// Unit of a contact, and one of its variables there.
    fn variable(&self, contact: usize, declared: &Variable) -> (usize, Variable) {
        let (unit, offset) = if self.is_one {
            (0, RANGE * (contact as u32 + 1))
        } else {
            (contact, 0)
        };
        (
            unit,
            Variable {
                reference: declared.reference + offset,
                ..*declared
            },
        )
    }

    /// Sets F_N and v of a contact.
    pub fn set_contact(&mut self, contact: usize, inputs: Contact) {
        for (declared, value) in [(&F_N, inputs.F_N), (&V, inputs.v)] {
            let (unit, variable) = self.variable(contact, declared);
            self.units[unit].set(&variable, value);
        }
    }

    /// Initialises all elements.
    pub fn initialize(&mut self) -> Result<()> {
        self.units
            .iter_mut()
            .try_for_each(|unit| Ok(unit.initialize()?))
    }

    /// Whether an element warns about a step of `h` (s).
    pub fn warns(&mut self, h: f64) -> bool {
        let warns = |unit: &mut Assembly| unit.coupling_message(h).is_some();
        self.units
            .iter_mut()
            .map(warns)
            .fold(false, |any, warns| any | warns)
    }

    /// Advances all elements; whether every one could.
    pub fn advance(&mut self, h: f64) -> bool {
        self.units.iter_mut().all(|unit| unit.advance(h).is_ok())
    }

    /// Force of a contact, N.
    pub fn force(&self, contact: usize) -> f64 {
        let (unit, variable) = self.variable(contact, &F_R);
        self.units[unit].value(variable.reference)
    }
}
