//! Assembly: the contacts of an FMU behind one set of value references.
//!
//! An FMU has one contact, or several that share parameters, or the points of one rigid plate. One
//! contact has the value references of its law. Several have a range each ([`RANGE`]), contact i
//! from i `RANGE` on; the range from 0 on holds the shared parameters and the variables of the
//! plate. Contacts advance one after the other and do not act on each other, so that each has the
//! bits of an element alone, unless they act on a body whose observer advances them: each on one of
//! its own, with m_eff, or all on that of the card. Contacts may have bodies inside the element,
//! whose variables are above those of the law ([`BLOCK`](crate::variable::BLOCK)).

mod advance;
mod body;
mod derivatives;
mod messages;
mod plate;
mod saving;
mod snapshot;
mod system;
mod table;
mod words;

use self::body::BodyOfContacts;
use self::messages::CouplingMessages;
pub use self::plate::{
    M_R, OMEGA, OMEGA_DOT, PLATE_ACCELERATIONS, PLATE_INPUTS, PLATE_OUTPUTS, Plate, Point,
};
pub use self::snapshot::AssemblySnapshot;
pub use self::system::{System, SystemState, SystemValues, variables as system_variables};
pub use self::table::Table;

use crate::coupling::{M_EFF, Mobility};
use crate::element::{AnyElement, STICKING, V, V_Y};
use crate::integrate::SolverError;
use crate::law::MAX_EVENTS;
use crate::variable::{InputError, RANGE, Variable, slot};

/// Largest number of contacts of an FMU. Convention: a value reference stays below 2¹⁴, and a state
/// below the size that importers expect.
pub const MAX_CONTACTS: usize = 64;

/// Contacts of one FMU instance.
pub struct Assembly {
    /// The contacts, in the order of their value references.
    contacts: Vec<Box<dyn AnyElement>>,
    /// Whether there is one contact with the value references of its law.
    is_single: bool,
    /// The rigid plate whose points the contacts are.
    plate: Option<Plate>,
    /// The bodies inside the element.
    system: Option<System>,
    /// Bodies that the contacts act on, in the order of the contacts: one for all, one for each, or
    /// none for laws without states.
    bodies: Vec<BodyOfContacts>,
    /// Messages about the coupling, in the order of the contacts: for all of a body or a plate, or
    /// for each; none beside a block.
    messages: Vec<CouplingMessages>,
    /// Whether parameters may be set that are not in force: false where no contact has such.
    may_be_dirty: bool,
    /// Memory for the state during a step, which so allocates nothing. One contact alone takes
    /// effect as a whole: it has this memory from the time on when its mass is stated.
    before: AssemblySnapshot,
}

/// Index of the contact of a value reference.
#[inline]
fn place(reference: u32) -> usize {
    (reference / RANGE).saturating_sub(1) as usize
}

impl Assembly {
    /// Assembly of one contact, with the value references of its law.
    pub fn of_one(contact: Box<dyn AnyElement>) -> Self {
        Assembly {
            is_single: true,
            ..Self::new(vec![contact], None, None)
        }
    }

    /// Assembly of one contact on a block, which has no observer.
    pub fn of_block(contact: Box<dyn AnyElement>, block: System) -> Self {
        Assembly {
            is_single: true,
            ..Self::of_system(vec![contact], block)
        }
    }

    /// Assembly of contacts between bodies inside the element.
    pub fn of_system(contacts: Vec<Box<dyn AnyElement>>, system: System) -> Self {
        let mut assembly = Assembly {
            system: Some(system),
            bodies: Vec::new(),
            messages: Vec::new(),
            ..Self::new(contacts, None, None)
        };
        assembly.before = assembly.save();
        assembly
    }

    /// Assembly of one contact in the plane on a body.
    pub fn of_one_on_body(contact: Box<dyn AnyElement>, mobility: Mobility) -> Self {
        Assembly {
            is_single: true,
            ..Self::new(vec![contact], None, Some(mobility))
        }
    }

    /// Assembly of several contacts that are independent.
    pub fn of_several(contacts: Vec<Box<dyn AnyElement>>) -> Self {
        Self::new(contacts, None, None)
    }

    /// Assembly of several contacts on one body.
    pub fn of_body(contacts: Vec<Box<dyn AnyElement>>, mobility: Mobility) -> Self {
        Self::new(contacts, None, Some(mobility))
    }

    /// Assembly of the points of a rigid plate, in the order of `plate`, which may be a body.
    pub fn of_plate(
        contacts: Vec<Box<dyn AnyElement>>,
        plate: Plate,
        mobility: Option<Mobility>,
    ) -> Self {
        Self::new(contacts, Some(plate), mobility)
    }

    fn new(
        contacts: Vec<Box<dyn AnyElement>>,
        plate: Option<Plate>,
        mobility: Option<Mobility>,
    ) -> Self {
        let are_one = plate.is_some() || mobility.is_some();
        let groups = if are_one { 1 } else { contacts.len() };
        let messages = (0..groups).map(|_| CouplingMessages::default()).collect();
        let bodies = match mobility {
            Some(mobility) => vec![BodyOfContacts::of_all(mobility)],
            None => contacts
                .iter()
                .filter(|contact| contact.metadata().is_coupled())
                .map(|_| BodyOfContacts::of_one())
                .collect(),
        };
        let before = AssemblySnapshot::default();
        let mut assembly = Assembly {
            contacts,
            is_single: false,
            plate,
            system: None,
            bodies,
            messages,
            may_be_dirty: true,
            before,
        };
        assembly.give_masses();
        if are_one || assembly.contacts.len() > 1 {
            assembly.before = assembly.save();
        }
        assembly.prepare_observers();
        assembly
    }

    /// Gives each contact of a body its part of it as m_eff, from which the limit of held values
    /// follows.
    fn give_masses(&mut self) {
        self.bodies
            .iter()
            .for_each(|body| body.give_masses(&mut self.contacts));
    }

    /// The contacts.
    #[inline]
    pub fn contacts(&self) -> &[Box<dyn AnyElement>] {
        &self.contacts
    }

    /// Value of the variable with this reference, which the FMU has.
    #[inline]
    pub fn value(&self, reference: u32) -> f64 {
        if let Some(system) = self
            .system
            .as_ref()
            .filter(|_| Variable::is_block_slot(slot(reference)))
        {
            return system.values().get(reference);
        }
        match &self.plate {
            Some(plate) if reference < RANGE && !Variable::is_parameter_slot(slot(reference)) => {
                plate.values().0[slot(reference)]
            }
            _ => self.contacts[place(reference)].values().0[slot(reference)],
        }
    }

    /// Value of a variable in its unit.
    pub fn value_of(&self, variable: &Variable) -> f64 {
        variable.of_si(self.value(variable.reference))
    }

    /// Sets an input, parameter or start value; see [`AnyElement::set`]. A shared parameter is set
    /// in every contact.
    #[inline]
    pub fn set(&mut self, variable: &Variable, value: f64) {
        let value = variable.to_si(value);
        if let Some(system) = self.system.as_mut().filter(|_| variable.is_of_block()) {
            return system.set(variable, value);
        }
        let is_parameter = variable.is_parameter();
        self.may_be_dirty |= is_parameter;
        match &mut self.plate {
            _ if variable.reference >= RANGE => {
                self.contacts[place(variable.reference)].set(variable, value)
            }
            Some(plate) if !is_parameter => plate.set(variable, value),
            _ => self
                .contacts
                .iter_mut()
                .for_each(|contact| contact.set(variable, value)),
        }
        if is_parameter && variable.is(&M_EFF) {
            self.prepare_observers();
        }
    }

    /// Makes the memory for steps with an observer where a contact has a mass.
    #[cold]
    fn prepare_observers(&mut self) {
        let mut is_new = false;
        for (body, contact) in self.bodies.iter_mut().zip(&self.contacts) {
            is_new |= body.prepare(&**contact);
        }
        if is_new {
            self.before = self.save();
        }
    }

    /// Sets inputs of contacts; see [`AnyElement::set_input`]. No inputs of a plate.
    #[inline]
    pub fn set_inputs(&mut self, references: &[u32], values: &[f64]) {
        for (&input, &value) in references.iter().zip(values) {
            self.contacts[place(input)].set_input(slot(input), value);
        }
    }

    /// Sets the time derivative of an input; see [`AnyElement::set_input_derivative`].
    pub fn set_input_derivative(
        &mut self,
        input: &Variable,
        order: usize,
        value: f64,
    ) -> Result<(), InputError> {
        let value = input.to_si(value);
        if let Some(system) = self.system.as_mut().filter(|_| input.is_of_block()) {
            return system.set_derivative(input, order, value);
        }
        let velocities: &[&Variable] = match &self.plate {
            Some(_) => &[&V, &V_Y, &OMEGA],
            None if self.contacts[0].metadata().planar => &[&V, &V_Y],
            None => &[&V],
        };
        if value != 0.0
            && velocities
                .iter()
                .any(|velocity| slot(input.reference) == slot(velocity.reference))
        {
            let group = if self.messages.len() < self.contacts.len() {
                0
            } else {
                place(input.reference)
            };
            self.messages
                .get_mut(group)
                .into_iter()
                .for_each(CouplingMessages::note_velocity_derivative);
        }
        match &mut self.plate {
            Some(plate) if input.reference < RANGE && !input.is_parameter() => {
                plate.set_derivative(input, order, value);
                Ok(())
            }
            _ => self.contacts[place(input.reference)].set_input_derivative(input, order, value),
        }
    }

    /// Gives the points of a plate their velocities and their shares of the normal force, or the
    /// contacts of a system their velocities.
    fn distribute(&mut self) {
        if let Some(plate) = &self.plate {
            plate.distribute(&mut self.contacts);
        }
        if let Some(system) = &mut self.system {
            system.distribute(&mut self.contacts);
        }
    }

    /// Adds the forces of the points of a plate up, and calculates the derivatives of a system.
    fn collect(&mut self) {
        if let Some(plate) = &mut self.plate {
            plate.collect(&self.contacts);
        }
        if let Some(system) = &mut self.system {
            system.evaluate(&self.contacts);
        }
    }

    /// Latches whether a plate sticks.
    fn latch_sticking(&mut self) {
        if let Some(plate) = &mut self.plate {
            plate.latch_sticking(&self.contacts);
        }
    }

    /// Sets the tolerance of steps; see [`AnyElement::set_tolerance`].
    pub fn set_tolerance(&mut self, tolerance: f64) {
        self.contacts
            .iter_mut()
            .for_each(|contact| contact.set_tolerance(tolerance));
    }

    /// Whether parameters were set that are not in force yet.
    #[inline]
    pub fn parameters_are_dirty(&mut self) -> bool {
        self.may_be_dirty = self.may_be_dirty
            && self
                .contacts
                .iter()
                .any(|contact| contact.parameters_are_dirty());
        self.may_be_dirty
    }

    /// Puts changed parameters into force; see [`AnyElement::apply_parameters`].
    pub fn apply_parameters(&mut self) -> Result<(), InputError> {
        if self
            .contacts
            .iter()
            .any(|contact| contact.parameters_are_dirty())
        {
            self.messages
                .iter_mut()
                .for_each(CouplingMessages::check_again);
        }
        self.contacts
            .iter_mut()
            .try_for_each(|contact| contact.apply_parameters())
    }

    /// Puts changed parameters into force and leaves the states; see
    /// [`AnyElement::apply_parameters_keeping_states`].
    pub fn apply_parameters_keeping_states(&mut self) -> Result<(), InputError> {
        self.contacts
            .iter_mut()
            .try_for_each(|contact| contact.apply_parameters_keeping_states())
    }

    /// Sets modes, clears the histories and calculates outputs; see [`AnyElement::initialize`].
    pub fn initialize(&mut self) -> Result<(), SolverError> {
        self.bodies.iter_mut().for_each(BodyOfContacts::end);
        self.each_at_start(|contact| contact.initialize())
    }

    /// Calculates the outputs as [`initialize`](Self::initialize) does, and leaves the start values
    /// unchanged.
    pub fn evaluate_initial(&mut self) -> Result<(), SolverError> {
        self.each_at_start(|contact| contact.evaluate_initial())
    }

    /// Calculates values of all contacts with modes that follow from the start values. Contacts of
    /// a system have the forces of each other, and so their modes, in the applied force.
    fn each_at_start(
        &mut self,
        of_contact: fn(&mut dyn AnyElement) -> Result<(), SolverError>,
    ) -> Result<(), SolverError> {
        for _ in 1..self.rounds() {
            self.each(of_contact)?;
        }
        self.each(of_contact)
    }

    /// Rounds in which the contacts of a system have found modes that hold together.
    fn rounds(&self) -> usize {
        match &self.system {
            Some(_) if self.contacts[0].has_applied_force() => 2 * self.contacts.len() - 1,
            _ => 1,
        }
    }

    /// Calculates outputs and derivatives from the present inputs, states and modes.
    pub fn evaluate(&mut self) -> Result<(), SolverError> {
        self.each(|contact| contact.evaluate())
    }

    /// Calculates outputs and derivatives, and leaves discrete values; see
    /// [`AnyElement::evaluate_between_events`].
    pub fn evaluate_between_events(&mut self) -> Result<(), SolverError> {
        self.all_or_none(|contact| contact.evaluate_between_events())?;
        self.collect();
        Ok(())
    }

    /// Calculates values of all contacts, and latches whether a plate sticks; after an error all
    /// are as they were.
    fn each(
        &mut self,
        of_contact: fn(&mut dyn AnyElement) -> Result<(), SolverError>,
    ) -> Result<(), SolverError> {
        self.all_or_none(of_contact)?;
        self.latch_sticking();
        self.collect();
        Ok(())
    }

    /// Changes all contacts; after an error all are as they were.
    fn all_or_none(
        &mut self,
        of_contact: impl Fn(&mut dyn AnyElement) -> Result<(), SolverError>,
    ) -> Result<(), SolverError> {
        if let [contact] = &mut self.contacts[..]
            && self.plate.is_none()
        {
            if let Some(system) = &mut self.system {
                system.distribute(core::slice::from_mut(contact));
            }
            return of_contact(&mut **contact);
        }
        for (before, contact) in self.before.contacts.iter_mut().zip(&self.contacts) {
            before.clone_from(contact.snapshot());
        }
        self.distribute();
        let outcome = self
            .contacts
            .iter_mut()
            .try_for_each(|contact| of_contact(&mut **contact));
        if outcome.is_err() {
            for (contact, before) in self.contacts.iter_mut().zip(&self.before.contacts) {
                contact.restore(before);
            }
        }
        outcome
    }

    /// Handles events at the present instant until the modes hold.
    pub fn event_iteration(&mut self) {
        for _ in 0..self.rounds() {
            self.distribute();
            self.contacts
                .iter_mut()
                .for_each(|contact| contact.event_iteration());
        }
    }

    /// Whether an event is due in a contact, or one at which a contact or the plate begins to stick
    /// or to slide.
    pub fn event_is_pending(&self) -> bool {
        let contacts = &self.contacts;
        let sticking_is_old = || match &self.plate {
            Some(plate) => plate.sticking_is_old(contacts),
            None => contacts
                .iter()
                .any(|contact| contact.sticks() != (contact.values()[&STICKING] != 0.0)),
        };
        contacts.iter().any(|contact| contact.event_is_pending()) || sticking_is_old()
    }

    /// Event indicators of each contact in turn.
    pub fn indicators(&mut self) -> impl Iterator<Item = [f64; MAX_EVENTS]> {
        self.distribute();
        self.contacts.iter().map(|contact| contact.indicators())
    }

    /// Sets the time of inputs and states, s.
    pub fn set_time(&mut self, time: f64) {
        self.contacts
            .iter_mut()
            .for_each(|contact| contact.set_time(time));
    }

    /// Adds the present velocity to the history of laws with a delay; see [`AnyElement::record`].
    pub fn record(&mut self) {
        self.contacts
            .iter_mut()
            .for_each(|contact| contact.record());
    }

    /// Notes the present power, from which [`add_energy`](Self::add_energy) starts.
    pub fn note_power(&mut self) {
        self.contacts
            .iter_mut()
            .for_each(|contact| contact.note_power());
    }

    /// Adds the energy since the noted power over `duration` (s) by the trapezoidal rule; an error
    /// where a sum is not finite, and then nothing is added.
    pub fn add_energy(&mut self, duration: f64) -> Result<(), SolverError> {
        self.all_or_none(|contact| contact.add_energy(duration))?;
        self.collect();
        Ok(())
    }

    /// Resets all contacts to the start values of the law.
    pub fn reset(&mut self) {
        self.contacts.iter_mut().for_each(|contact| contact.reset());
        self.may_be_dirty = true;
        if let Some(plate) = &mut self.plate {
            plate.reset();
        }
        if let Some(system) = &mut self.system {
            system.reset();
        }
        self.bodies.iter_mut().for_each(BodyOfContacts::end);
        self.messages
            .iter_mut()
            .for_each(|messages| *messages = CouplingMessages::default());
        self.give_masses();
    }

    /// First warning about the law in a contact, with the index of the contact.
    #[inline]
    pub fn model_warning(&self) -> Option<(usize, String)> {
        self.contacts
            .iter()
            .enumerate()
            .find_map(|(i, contact)| Some((i, contact.model_warning()?)))
    }

    /// Records the contacts at the start of a step, or at the end of one of a solver; returns
    /// whether one moves without having been closed.
    #[inline]
    pub fn watch_contacts(&mut self) -> bool {
        self.contacts
            .iter_mut()
            .fold(false, |open, contact| contact.watch_contact() | open)
    }

    /// First warning about a contact that moves without having been closed, with the index of the
    /// contact.
    pub fn open_warning(&self) -> Option<(usize, String)> {
        self.contacts
            .iter()
            .enumerate()
            .find_map(|(i, contact)| Some((i, contact.open_warning()?)))
    }

    /// Message about the coupling before a step of `duration` (s), with the index of the contact;
    /// each is given once. Called before every step.
    #[inline]
    pub fn coupling_message(&mut self, duration: f64) -> Option<(usize, String)> {
        if let Some(system) = &mut self.system {
            return Some((0, system.message(&self.contacts, duration)?));
        }
        // The points of a plate have their motion from the step itself, but for the message that
        // looks at it before.
        if let (Some(plate), [of_all]) = (&self.plate, &self.messages[..])
            && of_all.awaits_motion(&self.contacts, self.bodies.first())
        {
            plate.distribute(&mut self.contacts);
        }
        let mut messages = self.messages.iter_mut().enumerate();
        if messages.len() < self.contacts.len() {
            let (_, of_all) = messages.next()?;
            return Some((
                0,
                of_all.message(&self.contacts, self.bodies.first(), duration)?,
            ));
        }
        // One message a step: that of the next contact comes with the next one.
        messages.find_map(|(i, messages)| {
            Some((
                i,
                messages.message(&self.contacts[i..=i], self.bodies.get(i), duration)?,
            ))
        })
    }
}

#[cfg(test)]
mod tests;
