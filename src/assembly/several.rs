//! Several contacts of an assembly, with the plate whose points they may be, or the body that they may act on.

use super::body::BodyOfContacts;
use super::{AssemblySnapshot, Plate};
use crate::coupling::{COUPLING, Coupling, M_EFF};
use crate::element::{AnyElement, Report, V, Watch};
use crate::integrate::SolverError;
use crate::variable::{InputError, RANGE, Variable, slot};

/// Several contacts, or the points of a plate.
pub struct Several {
    /// The contacts, in the order of their value references.
    pub contacts: Vec<Box<dyn AnyElement>>,
    /// The rigid plate whose points the contacts are.
    pub plate: Option<Plate>,
    /// The body that the contacts act on, where a card gives it.
    pub body: Option<Box<BodyOfContacts>>,
    /// Steps in a row in which two contacts with observers of their own moved alike; no part of the state, as it changes no result.
    alike: u32,
    /// Whether parameters may be set that are not in force: false where no contact has such.
    may_be_dirty: bool,
    /// Memory for the state during a step, which so allocates nothing.
    before: AssemblySnapshot,
}

/// Steps in a row with equal velocities of two contacts after which they count as contacts of one body.
const ALIKE_STEPS: u32 = 5;

/// Index of the contact of a value reference.
#[inline]
pub fn place(reference: u32) -> usize {
    (reference / RANGE).saturating_sub(1) as usize
}

/// Saves contacts, the inputs of a plate and the observer of a body into the memory of an older state.
pub fn save_into(
    contacts: &[Box<dyn AnyElement>],
    plate: Option<&Plate>,
    body: Option<&BodyOfContacts>,
    snapshot: &mut AssemblySnapshot,
) {
    snapshot.plate = plate.map(Plate::inputs);
    match (body, &mut snapshot.body) {
        (Some(body), Some(known)) => known.clone_from(body.observer()),
        (body, known) => *known = body.map(|body| body.observer().clone()),
    }
    snapshot.contacts.truncate(contacts.len());
    for (i, contact) in contacts.iter().enumerate() {
        match snapshot.contacts.get_mut(i) {
            Some(known) => known.clone_from(contact.snapshot()),
            None => snapshot.contacts.push(contact.snapshot().clone()),
        }
    }
    // The points' inputs follow from the plate's, whether they have been distributed or not.
    if let Some(plate) = plate {
        plate.complete(&mut snapshot.contacts);
    }
}

impl Several {
    /// These contacts, of which each has the state it has.
    pub fn new(contacts: Vec<Box<dyn AnyElement>>, plate: Option<Plate>) -> Self {
        // Memory for all steps: a step allocates nothing.
        let mut before = AssemblySnapshot::default();
        save_into(&contacts, plate.as_ref(), None, &mut before);
        Several { contacts, plate, body: None, alike: 0, may_be_dirty: true, before }
    }

    /// Puts the contacts on a body.
    pub fn set_body(&mut self, body: BodyOfContacts) {
        body.give_masses(&mut self.contacts);
        save_into(&self.contacts, self.plate.as_ref(), Some(&body), &mut self.before);
        self.body = Some(Box::new(body));
    }

    /// Resets plate and body after the contacts.
    pub fn reset(&mut self) {
        self.may_be_dirty = true;
        if let Some(plate) = &mut self.plate {
            plate.reset();
        }
        if let Some(body) = &mut self.body {
            body.end();
            body.give_masses(&mut self.contacts);
        }
    }

    /// Records the velocities of a coming step, and returns which warnings may be due.
    #[inline]
    pub fn watch(&mut self, model: bool) -> Watch {
        // A law in the plane has no coupling of its own to watch.
        let all = Watch { coupling: self.body.is_some(), ..Watch::default() };
        self.contacts.iter_mut().fold(all, |all, contact| {
            let Watch { model, coupling, open } = contact.watch(model);
            Watch { model: all.model | model, coupling: all.coupling | coupling, open: all.open | open }
        })
    }

    /// Whether parameters were set that are not in force yet.
    #[inline]
    pub fn parameters_are_dirty(&mut self) -> bool {
        self.may_be_dirty = self.may_be_dirty && self.contacts.iter().any(|contact| contact.parameters_are_dirty());
        self.may_be_dirty
    }

    /// First warning about the coupling, with the index of the contact.
    pub fn coupling_warning(&mut self, duration: f64) -> Option<(usize, String)> {
        if let Some(body) = self.body.as_ref().filter(|body| body.is_observed()) {
            return body.warning(&self.contacts, duration).map(|text| (0, text));
        }
        let warning = |(i, contact): (usize, &mut Box<dyn AnyElement>)| Some((i, contact.coupling_warning(duration)?));
        self.contacts.iter_mut().enumerate().find_map(warning).or_else(|| self.warning_of_one_body())
    }

    /// Warning about contacts with observers of their own in a parallel coupling that move alike, as those of one body do.
    fn warning_of_one_body(&mut self) -> Option<(usize, String)> {
        let observed = |contact: &dyn AnyElement| {
            let values = contact.values();
            let is_parallel = Coupling::of(values[&COUPLING]) == Coupling::Parallel;
            (is_parallel && values[&M_EFF] > 0.0 && values[&V] != 0.0).then_some(values[&V])
        };
        let moves_as_another = |i: usize| {
            let v = observed(&*self.contacts[i]);
            v.is_some() && self.contacts[..i].iter().any(|other| observed(&**other) == v)
        };
        let alike = (1..self.contacts.len()).find(|i| moves_as_another(*i));
        self.alike = if alike.is_some() { self.alike.saturating_add(1) } else { 0 };
        let contact = alike.filter(|_| self.alike >= ALIKE_STEPS)?;
        Some((
            contact,
            "the contact moves as another one of this element does, each with m_eff in a parallel coupling: on one body their observers \
             drive each other. Give the body in the section [body] of the card, couple in series, or set coupling to held"
                .to_owned(),
        ))
    }

    /// Value of the variable with this reference.
    pub fn value(&self, reference: u32) -> f64 {
        match &self.plate {
            Some(plate) if reference < RANGE && !Variable::is_parameter_slot(slot(reference)) => {
                plate.values().0[slot(reference)]
            }
            _ => self.contacts[place(reference)].values().0[slot(reference)],
        }
    }

    /// Sets an input, parameter or start value; a shared parameter in every contact.
    pub fn set(&mut self, variable: &Variable, value: f64) {
        self.may_be_dirty |= variable.is_parameter();
        match &mut self.plate {
            _ if variable.reference >= RANGE => self.contacts[place(variable.reference)].set(variable, value),
            Some(plate) if !variable.is_parameter() => plate.set(variable, value),
            _ => self.contacts.iter_mut().for_each(|contact| contact.set(variable, value)),
        }
    }

    /// Sets the time derivative of an input.
    pub fn set_input_derivative(&mut self, input: &Variable, order: usize, value: f64) -> Result<(), InputError> {
        match &mut self.plate {
            Some(plate) if input.reference < RANGE && !input.is_parameter() => {
                plate.set_derivative(input, order, value);
                Ok(())
            }
            _ => self.contacts[place(input.reference)].set_input_derivative(input, order, value),
        }
    }

    /// Gives the points of a plate their velocities and their shares of the normal force.
    pub fn distribute(&mut self) {
        if let Some(plate) = &self.plate {
            plate.distribute(&mut self.contacts);
        }
    }

    /// Adds the forces of the points of a plate up, and latches whether it sticks.
    fn collect(&mut self) {
        if let Some(plate) = &mut self.plate {
            plate.latch_sticking(&self.contacts);
            plate.collect(&self.contacts);
        }
    }

    /// Adds the forces of the points of a plate up.
    pub fn collect_between_events(&mut self) {
        if let Some(plate) = &mut self.plate {
            plate.collect(&self.contacts);
        }
    }

    /// Advances all contacts, with their body if they have one; after an error all are as they were.
    pub fn advance(&mut self, duration: f64) -> Result<Report, SolverError> {
        if self.body.is_some() {
            return self.advance_with_body(duration);
        }
        self.distribute();
        if let Some(plate) = &self.plate {
            plate.distribute_derivatives(&mut self.contacts);
        }
        let mut total = Report::default();
        for i in 0..self.contacts.len() {
            match self.contacts[i].prepare(duration, &mut self.before.contacts[i]) {
                Ok(report) => total = total.and(report),
                Err(error) => {
                    self.cancel(i);
                    return Err(error);
                }
            }
        }
        self.contacts.iter_mut().for_each(|contact| contact.commit());
        self.collect();
        if let Some(plate) = &mut self.plate {
            plate.clear_derivatives();
        }
        Ok(total)
    }

    /// Advances the contacts with their body, or one after the other where it is not observed.
    fn advance_with_body(&mut self, duration: f64) -> Result<Report, SolverError> {
        save_into(&self.contacts, self.plate.as_ref(), self.body.as_deref(), &mut self.before);
        self.distribute();
        if let Some(plate) = &self.plate {
            plate.distribute_derivatives(&mut self.contacts);
        }
        let of_body = self.body.as_mut().and_then(|body| body.advance(&mut self.contacts, duration));
        let outcome = of_body.unwrap_or_else(|| {
            let mut contacts = self.contacts.iter_mut();
            contacts.try_fold(Report::default(), |total, contact| Ok(total.and(contact.advance_alone(duration)?)))
        });
        if outcome.is_err() {
            let before = core::mem::take(&mut self.before);
            self.restore(&before);
            self.before = before;
            return outcome;
        }
        self.collect();
        if let Some(plate) = &mut self.plate {
            plate.clear_derivatives();
        }
        outcome
    }

    /// Calculates values of all contacts; after an error all are as they were.
    pub fn each(&mut self, body: fn(&mut dyn AnyElement) -> Result<(), SolverError>) -> Result<(), SolverError> {
        self.all_or_none(body)?;
        self.collect();
        Ok(())
    }

    /// Calculates values of all contacts between events; after an error all are as they were.
    pub fn evaluate_between_events(&mut self) -> Result<(), SolverError> {
        self.all_or_none(|contact| contact.evaluate_between_events())?;
        self.collect_between_events();
        Ok(())
    }

    /// Runs `body` on all contacts; after an error all are as they were.
    fn all_or_none(&mut self, body: fn(&mut dyn AnyElement) -> Result<(), SolverError>) -> Result<(), SolverError> {
        for (before, contact) in self.before.contacts.iter_mut().zip(&self.contacts) {
            before.clone_from(contact.snapshot());
        }
        self.distribute();
        let outcome = self.contacts.iter_mut().try_for_each(|contact| body(&mut **contact));
        if outcome.is_err() {
            for (contact, before) in self.contacts.iter_mut().zip(&self.before.contacts) {
                contact.restore(before);
            }
        }
        outcome
    }

    /// Drops the prepared steps of the first `count` contacts.
    fn cancel(&mut self, count: usize) {
        for (contact, before) in self.contacts.iter_mut().zip(&self.before.contacts).take(count) {
            contact.cancel(before);
        }
        if let Some(plate) = &self.plate {
            plate.withdraw_derivatives(&mut self.contacts);
        }
    }

    /// Restores a saved state.
    pub fn restore(&mut self, snapshot: &AssemblySnapshot) {
        self.may_be_dirty = true;
        for (contact, snapshot) in self.contacts.iter_mut().zip(&snapshot.contacts) {
            contact.restore(snapshot);
        }
        if let (Some(plate), Some(inputs)) = (&mut self.plate, &snapshot.plate) {
            plate.restore(inputs);
            plate.collect(&self.contacts);
        }
        if let (Some(body), Some(observer)) = (&mut self.body, &snapshot.body) {
            body.restore(observer);
        }
    }
}
