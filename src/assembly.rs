//! Assembly: the contacts of an FMU behind one set of value references.
//!
//! An FMU has one contact, or several that share parameters, or the points of one rigid plate. One contact has the value references of
//! its law. Several have a range each ([`RANGE`]), contact i from i `RANGE` on; the range from 0 on holds the shared parameters and the
//! variables of the plate. Contacts advance one after the other and do not act on each other, so that each has the bits of an element
//! alone, unless a card says that they act on one body, whose observer advances them together.

mod body;
mod plate;
mod several;
mod snapshot;
mod table;

use self::body::BodyOfContacts;
pub use self::plate::{ALPHA, M_R, OMEGA, PLATE_ACCELERATIONS, PLATE_INPUTS, PLATE_OUTPUTS, Plate, Point};
use self::several::{Several, place, save_into};
pub use self::snapshot::AssemblySnapshot;
pub use self::table::Table;

use crate::coupling::shared::Mobility;
use crate::element::{AnyElement, F_R, F_R_Y, Report, STICKING, Watch};
use crate::integrate::SolverError;
use crate::law::MAX_EVENTS;
use crate::variable::{InputError, RANGE, Variable, slot};
use core::slice;

/// Largest number of contacts of an FMU. Convention: a value reference stays below 2¹⁴, and a state below the size that importers expect.
pub const MAX_CONTACTS: usize = 64;

/// Contacts of one FMU instance.
pub struct Assembly(Contacts);

/// One contact, whose calls go straight to its element, or several.
enum Contacts {
    One(Box<dyn AnyElement>),
    Several(Box<Several>),
}

impl Assembly {
    /// Assembly of one contact, with the value references of its law.
    pub fn of_one(contact: Box<dyn AnyElement>) -> Self {
        Assembly(Contacts::One(contact))
    }

    /// Assembly of several contacts that are independent.
    pub fn of_several(contacts: Vec<Box<dyn AnyElement>>) -> Self {
        Assembly(Contacts::Several(Box::new(Several::new(contacts, None))))
    }

    /// Assembly of several contacts on one body.
    pub fn of_body(contacts: Vec<Box<dyn AnyElement>>, mobility: Mobility) -> Self {
        let mut several = Several::new(contacts, None);
        several.set_body(BodyOfContacts::new(mobility));
        Assembly(Contacts::Several(Box::new(several)))
    }

    /// Assembly of the points of a rigid plate, in the order of `plate`, on the body that the plate is.
    pub fn of_plate_on_body(contacts: Vec<Box<dyn AnyElement>>, plate: Plate, mobility: Mobility) -> Self {
        let mut several = Several::new(contacts, Some(plate));
        several.set_body(BodyOfContacts::new(mobility));
        Assembly(Contacts::Several(Box::new(several)))
    }

    /// Assembly of the points of a rigid plate, in the order of `plate`.
    pub fn of_plate(contacts: Vec<Box<dyn AnyElement>>, plate: Plate) -> Self {
        Assembly(Contacts::Several(Box::new(Several::new(contacts, Some(plate)))))
    }

    /// The contacts.
    #[inline]
    pub fn contacts(&self) -> &[Box<dyn AnyElement>] {
        match &self.0 {
            Contacts::One(contact) => slice::from_ref(contact),
            Contacts::Several(several) => &several.contacts,
        }
    }

    fn contacts_mut(&mut self) -> &mut [Box<dyn AnyElement>] {
        match &mut self.0 {
            Contacts::One(contact) => slice::from_mut(contact),
            Contacts::Several(several) => &mut several.contacts,
        }
    }

    /// Value of the variable with this reference, which the FMU has.
    #[inline]
    pub fn value(&self, reference: u32) -> f64 {
        match &self.0 {
            Contacts::One(contact) => contact.values().0[slot(reference)],
            Contacts::Several(several) => several.value(reference),
        }
    }

    /// Sets an input, parameter or start value; see [`AnyElement::set`]. A shared parameter is set in every contact.
    #[inline]
    pub fn set(&mut self, variable: &Variable, value: f64) {
        match &mut self.0 {
            Contacts::One(contact) => contact.set(variable, value),
            Contacts::Several(several) => several.set(variable, value),
        }
    }

    /// Sets inputs of contacts; see [`AnyElement::set_input`]. No inputs of a plate.
    #[inline]
    pub fn set_inputs(&mut self, references: &[u32], values: &[f64]) {
        let inputs = references.iter().zip(values);
        match &mut self.0 {
            Contacts::One(contact) => inputs.for_each(|(&input, &value)| contact.set_input(slot(input), value)),
            Contacts::Several(several) => {
                let contacts = &mut several.contacts[..];
                inputs.for_each(|(&input, &value)| contacts[place(input)].set_input(slot(input), value));
            }
        }
    }

    /// Sets the time derivative of an input; see [`AnyElement::set_input_derivative`].
    pub fn set_input_derivative(&mut self, input: &Variable, order: usize, value: f64) -> Result<(), InputError> {
        match &mut self.0 {
            Contacts::One(contact) => contact.set_input_derivative(input, order, value),
            Contacts::Several(several) => several.set_input_derivative(input, order, value),
        }
    }

    /// Gives the points of a plate their velocities and their shares of the normal force.
    fn distribute(&mut self) {
        if let Contacts::Several(several) = &mut self.0 {
            several.distribute();
        }
    }

    fn body(&self) -> Option<&BodyOfContacts> {
        match &self.0 {
            Contacts::One(_) => None,
            Contacts::Several(several) => several.body.as_deref(),
        }
    }

    fn plate(&self) -> Option<&Plate> {
        match &self.0 {
            Contacts::One(_) => None,
            Contacts::Several(several) => several.plate.as_ref(),
        }
    }

    /// Sets the tolerance of steps; see [`AnyElement::set_tolerance`].
    pub fn set_tolerance(&mut self, tolerance: f64) {
        self.contacts_mut().iter_mut().for_each(|contact| contact.set_tolerance(tolerance));
    }

    /// Whether parameters were set that are not in force yet.
    #[inline]
    pub fn parameters_are_dirty(&mut self) -> bool {
        match &mut self.0 {
            Contacts::One(contact) => contact.parameters_are_dirty(),
            Contacts::Several(several) => several.parameters_are_dirty(),
        }
    }

    /// Puts changed parameters into force; see [`AnyElement::apply_parameters`].
    pub fn apply_parameters(&mut self) -> Result<(), InputError> {
        self.contacts_mut().iter_mut().try_for_each(|contact| contact.apply_parameters())
    }

    /// Puts changed parameters into force and leaves the states; see [`AnyElement::apply_parameters_keeping_states`].
    pub fn apply_parameters_keeping_states(&mut self) -> Result<(), InputError> {
        self.contacts_mut().iter_mut().try_for_each(|contact| contact.apply_parameters_keeping_states())
    }

    /// Sets modes, clears the histories and calculates outputs; see [`AnyElement::initialize`].
    pub fn initialize(&mut self) -> Result<(), SolverError> {
        if let Contacts::Several(several) = &mut self.0
            && let Some(body) = &mut several.body
        {
            body.end();
        }
        self.each(|contact| contact.initialize())
    }

    /// Calculates the outputs as [`initialize`](Self::initialize) does, and leaves the start values unchanged.
    pub fn evaluate_initial(&mut self) -> Result<(), SolverError> {
        self.each(|contact| contact.evaluate_initial())
    }

    /// Calculates outputs and derivatives from the present inputs, states and modes.
    pub fn evaluate(&mut self) -> Result<(), SolverError> {
        self.each(|contact| contact.evaluate())
    }

    /// Calculates outputs and derivatives, and leaves discrete values; see [`AnyElement::evaluate_between_events`].
    pub fn evaluate_between_events(&mut self) -> Result<(), SolverError> {
        match &mut self.0 {
            Contacts::One(contact) => contact.evaluate_between_events(),
            Contacts::Several(several) => several.evaluate_between_events(),
        }
    }

    fn each(&mut self, body: fn(&mut dyn AnyElement) -> Result<(), SolverError>) -> Result<(), SolverError> {
        match &mut self.0 {
            Contacts::One(contact) => body(&mut **contact),
            Contacts::Several(several) => several.each(body),
        }
    }

    /// Handles events at the present instant until the modes hold.
    pub fn event_iteration(&mut self) {
        self.distribute();
        self.contacts_mut().iter_mut().for_each(|contact| contact.event_iteration());
    }

    /// Whether an event is due in a contact, or one at which a contact or the plate begins to stick or to slide.
    pub fn event_is_pending(&self) -> bool {
        let contacts = self.contacts();
        let sticking_is_old = || match self.plate() {
            Some(plate) => plate.sticking_is_old(contacts),
            None => contacts.iter().any(|contact| contact.sticks() != (contact.values()[&STICKING] != 0.0)),
        };
        contacts.iter().any(|contact| contact.event_is_pending()) || sticking_is_old()
    }

    /// Event indicators of each contact in turn.
    pub fn indicators(&mut self) -> impl Iterator<Item = [f64; MAX_EVENTS]> {
        self.distribute();
        self.contacts().iter().map(|contact| contact.indicators())
    }

    /// Sets the time of inputs and states, s.
    pub fn set_time(&mut self, time: f64) {
        self.contacts_mut().iter_mut().for_each(|contact| contact.set_time(time));
    }

    /// Adds the present velocity to the history of laws with a delay; see [`AnyElement::record`].
    pub fn record(&mut self) {
        self.contacts_mut().iter_mut().for_each(|contact| contact.record());
    }

    /// Notes the present power, from which [`add_energy`](Self::add_energy) starts.
    pub fn note_power(&mut self) {
        self.contacts_mut().iter_mut().for_each(|contact| contact.note_power());
    }

    /// Adds the energy since the noted power over `duration` (s) by the trapezoidal rule; an error where a sum is not finite, and then
    /// nothing is added.
    pub fn add_energy(&mut self, duration: f64) -> Result<(), SolverError> {
        if self.contacts().iter().any(|contact| !contact.energy_after(duration).is_finite()) {
            return Err(SolverError::NotFinite);
        }
        self.contacts_mut().iter_mut().for_each(|contact| contact.add_energy(duration));
        if let Contacts::Several(several) = &mut self.0 {
            several.collect_between_events();
        }
        Ok(())
    }

    /// Advances all contacts by `duration` (s, > 0). After an error the assembly is unchanged.
    #[inline]
    pub fn advance(&mut self, duration: f64) -> Result<Report, SolverError> {
        match &mut self.0 {
            Contacts::One(contact) => contact.advance(duration),
            Contacts::Several(several) => several.advance(duration),
        }
    }

    /// Resets all contacts to the start values of the law.
    pub fn reset(&mut self) {
        self.contacts_mut().iter_mut().for_each(|contact| contact.reset());
        if let Contacts::Several(several) = &mut self.0 {
            several.reset();
        }
    }

    /// First warning about the law in a contact, with the index of the contact.
    #[inline]
    pub fn model_warning(&self) -> Option<(usize, String)> {
        match &self.0 {
            Contacts::One(contact) => contact.model_warning().map(|text| (0, text)),
            Contacts::Several(several) => {
                several.contacts.iter().enumerate().find_map(|(i, contact)| Some((i, contact.model_warning()?)))
            }
        }
    }

    /// Records the velocities of a coming step, and returns which warnings may be due; see [`AnyElement::watch`].
    #[inline]
    pub fn watch(&mut self, model: bool) -> Watch {
        match &mut self.0 {
            Contacts::One(contact) => contact.watch(model),
            Contacts::Several(several) => several.watch(model),
        }
    }

    /// Records the contacts at the end of a step of a solver; see [`AnyElement::watch_contact`].
    pub fn watch_contacts(&mut self) -> bool {
        self.contacts_mut().iter_mut().fold(false, |open, contact| contact.watch_contact() | open)
    }

    /// First warning about a contact that moves without having been closed, with the index of the contact.
    pub fn open_warning(&self) -> Option<(usize, String)> {
        self.contacts().iter().enumerate().find_map(|(i, contact)| Some((i, contact.open_warning()?)))
    }

    /// First warning about the coupling, with the index of the contact; see [`AnyElement::coupling_warning`].
    pub fn coupling_warning(&mut self, duration: f64) -> Option<(usize, String)> {
        match &mut self.0 {
            Contacts::One(contact) => contact.coupling_warning(duration).map(|text| (0, text)),
            Contacts::Several(several) => several.coupling_warning(duration),
        }
    }

    /// Directional derivative of all outputs and state derivatives along `seed`; see [`AnyElement::directional_derivative`].
    pub fn directional_derivative(&mut self, seed: &Table) -> Table {
        self.distribute();
        if let Contacts::One(contact) = &self.0 {
            return Table::single(contact.directional_derivative(&seed.shared));
        }
        let mut change = Table::of(self.contacts().len());
        for (i, contact) in self.contacts().iter().enumerate() {
            let seed = self.plate().map_or_else(|| seed.of_contact(i), |plate| plate.seed(i, seed));
            change.contacts[i] = contact.directional_derivative(&seed);
        }
        if let Some(plate) = self.plate() {
            change.shared = plate.sum(&change.contacts);
        }
        self.hold_forces(&mut change);
        change
    }

    /// Time derivatives of all outputs at the end of the last step; see [`AnyElement::output_derivatives`].
    pub fn output_derivatives(&self) -> Table {
        if let Contacts::One(contact) = &self.0 {
            return Table::single(contact.output_derivatives());
        }
        let mut derivatives = Table::of(self.contacts().len());
        for (derivatives, contact) in derivatives.contacts.iter_mut().zip(self.contacts()) {
            *derivatives = contact.output_derivatives();
        }
        if let Some(plate) = self.plate() {
            derivatives.shared = plate.sum(&derivatives.contacts);
        }
        self.hold_forces(&mut derivatives);
        derivatives
    }

    /// Sets the derivatives of forces to 0 that a body holds over the step.
    fn hold_forces(&self, derivatives: &mut Table) {
        // A contact along a line has no variables with the other references.
        let held = [&F_R, &F_R_Y, &M_R];
        if self.body().is_some_and(BodyOfContacts::is_observed) {
            for table in derivatives.contacts.iter_mut().chain([&mut derivatives.shared]) {
                held.iter().for_each(|force| table[*force] = 0.0);
            }
        }
    }

    /// Output that is calculated on demand; see [`AnyElement::on_demand_output`].
    pub fn on_demand_output(&self, variable: &Variable) -> Result<f64, SolverError> {
        let contact = place(variable.reference);
        // Below the references of the contacts are those of plate and body.
        if variable.reference >= RANGE {
            return self.on_demand_output_of(contact, variable);
        }
        if let Some(plate) = self.plate()
            && Plate::has_mean(variable)
        {
            return plate.mean(variable, |point, component| self.on_demand_output_of(point, component));
        }
        let of_body = self.body().and_then(|body| body.output(None, variable));
        of_body.map_or_else(|| self.contacts()[contact].on_demand_output(variable), Ok)
    }

    /// Output of a contact that is calculated on demand.
    fn on_demand_output_of(&self, contact: usize, variable: &Variable) -> Result<f64, SolverError> {
        let of_body = self.body().and_then(|body| body.output(Some(contact), variable));
        of_body.map_or_else(|| self.contacts()[contact].on_demand_output(variable), Ok)
    }

    /// State of all contacts.
    pub fn save(&self) -> AssemblySnapshot {
        let mut snapshot = AssemblySnapshot::default();
        self.save_into(&mut snapshot);
        snapshot
    }

    /// Saves the state into the memory of an older one.
    pub fn save_into(&self, snapshot: &mut AssemblySnapshot) {
        save_into(self.contacts(), self.plate(), self.body(), snapshot);
    }

    /// Restores the state of an assembly of the same card.
    pub fn restore(&mut self, snapshot: &AssemblySnapshot) {
        match &mut self.0 {
            Contacts::One(contact) => snapshot.contacts.iter().for_each(|snapshot| contact.restore(snapshot)),
            Contacts::Several(several) => several.restore(snapshot),
        }
    }
}

#[cfg(test)]
mod tests;
