//! Contacts of a system: an element in each, or one element for all.

use crate::case::Case;
use anyhow::Result;
use bristle::assembly::{Assembly, AssemblySnapshot};
use bristle::catalogue::{Card, CardBody, Contacts as CardContacts, Setting, Variant};
use bristle::coupling::COUPLING;
use bristle::element::{F_N, F_R, V};
use bristle::law::{A, Contact};
use bristle::variable::{RANGE, Variable};

/// Elements of a system.
pub struct Contacts {
    units: Vec<Assembly>,
    /// Unit of each contact, and the distance of its value references from those of one contact.
    places: Vec<(usize, u32)>,
    /// States of the law.
    states: Vec<&'static Variable>,
}

fn states_of(law: &Case) -> Vec<&'static Variable> {
    law.entry.metadata.states.iter().map(|(state, _)| state).collect()
}

impl Contacts {
    /// An element in each contact, with the acceleration as an input or without.
    pub fn separate(cases: &[Case], has_acceleration: bool) -> Result<Self> {
        let one = |case: &Case| -> Result<Assembly> {
            let mut element = case.instantiate()?;
            if has_acceleration {
                element.use_acceleration();
            }
            Ok(Assembly::of_one(element))
        };
        let units = cases.iter().map(one).collect::<Result<_>>()?;
        let states = cases.first().map(states_of).unwrap_or_default();
        Ok(Contacts { units, places: (0..cases.len()).map(|unit| (unit, 0)).collect(), states })
    }

    /// One element for all contacts on a body, with a coupling scheme.
    pub fn of_body(law: Case, body: &CardBody, count: usize, scheme: u8, has_acceleration: bool) -> Result<Self> {
        let mut card = Card::of_law(law.name(), "");
        card.contacts = Some(CardContacts { count: count as u32, ..CardContacts::default() });
        card.body = Some(body.clone());
        card.acceleration = has_acceleration;
        let scheme = Setting { start: Some(f64::from(scheme)), ..Setting::default() };
        card.parameters.insert(COUPLING.reference, scheme);
        let unit = Variant::new(law.entry, card)?.instantiate();
        let places = (1..=count as u32).map(|contact| (0, RANGE * contact)).collect();
        Ok(Contacts { units: vec![unit], places, states: states_of(&law) })
    }

    fn variable(&self, contact: usize, declared: &Variable) -> (usize, Variable) {
        let (unit, offset) = self.places[contact];
        (unit, Variable { reference: declared.reference + offset, ..*declared })
    }

    /// Sets a variable of a contact.
    pub fn set(&mut self, contact: usize, declared: &Variable, value: f64) {
        let (unit, variable) = self.variable(contact, declared);
        self.units[unit].set(&variable, value);
    }

    /// Sets F_N and v of a contact.
    pub fn set_contact(&mut self, contact: usize, inputs: Contact) {
        self.set(contact, &F_N, inputs.F_N);
        self.set(contact, &V, inputs.v);
        // An element without this input ignores it.
        self.set(contact, &A, inputs.a);
    }

    /// Initialises all elements.
    pub fn initialize(&mut self) -> Result<()> {
        self.units.iter_mut().try_for_each(|unit| Ok(unit.initialize()?))
    }

    /// First warning about a step of `h` (s).
    pub fn warning(&mut self, h: f64) -> Option<String> {
        let of_unit = |unit: &mut Assembly| unit.watch(false).coupling.then(|| unit.coupling_warning(h)).flatten();
        self.units.iter_mut().find_map(of_unit).map(|(_, warning)| warning)
    }

    /// Advances all elements; whether every one could.
    pub fn advance(&mut self, h: f64) -> bool {
        self.units.iter_mut().all(|unit| unit.advance(h).is_ok())
    }

    /// States of the law in a contact.
    pub fn bristle(&self, contact: usize) -> Vec<f64> {
        self.states.iter().map(|state| self.value(contact, state)).collect()
    }

    /// Sets the states of the law in a contact.
    pub fn set_bristle(&mut self, contact: usize, values: &[f64]) {
        for (i, value) in values.iter().enumerate() {
            self.set(contact, self.states[i], *value);
        }
    }

    /// Value of a variable of a contact.
    fn value(&self, contact: usize, declared: &Variable) -> f64 {
        let (unit, variable) = self.variable(contact, declared);
        self.units[unit].value(variable.reference)
    }

    /// Force of a contact, N.
    pub fn force(&self, contact: usize) -> f64 {
        self.value(contact, &F_R)
    }

    /// Output of a contact that is calculated on demand.
    pub fn on_demand(&self, contact: usize, declared: &Variable) -> f64 {
        let (unit, variable) = self.variable(contact, declared);
        self.units[unit].on_demand_output(&variable).unwrap_or(f64::NAN)
    }

    /// State of all elements.
    pub fn save(&self) -> Vec<AssemblySnapshot> {
        self.units.iter().map(Assembly::save).collect()
    }

    /// Restores all elements.
    pub fn restore(&mut self, saved: &[AssemblySnapshot]) {
        self.units.iter_mut().zip(saved).for_each(|(unit, saved)| unit.restore(saved));
    }

    /// Number of contacts.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// First element.
    pub fn first(&self) -> &Assembly {
        &self.units[0]
    }
}
