//! Assembly: the contacts of an FMU behind one set of value references.
//!
//! An FMU has one contact, or several that share parameters, or the points of one rigid plate. One contact has the value references of
//! its law. Several have a range each ([`RANGE`]), contact i from i `RANGE` on; the range from 0 on holds the shared parameters and the
//! variables of the plate. Contacts advance one after the other and do not act on each other, so that each has the bits of an element
//! alone, unless they act on a body whose observer advances them: each on one of its own, with m_eff, or all on that of the card. One
//! contact may have a block, a body inside the element, whose variables are above those of the law ([`BLOCK`](crate::variable::BLOCK)).

mod block;
mod body;
mod plate;
mod snapshot;
mod table;

pub use self::block::{Block, BlockState, BlockValues, variables as block_variables};
use self::body::BodyOfContacts;
pub use self::plate::{ALPHA, M_R, OMEGA, PLATE_ACCELERATIONS, PLATE_INPUTS, PLATE_OUTPUTS, Plate, Point};
pub use self::snapshot::AssemblySnapshot;
pub use self::table::Table;

use crate::coupling::Mobility;
use crate::element::{AnyElement, F_R, F_R_Y, Report, STICKING};
use crate::integrate::SolverError;
use crate::law::MAX_EVENTS;
use crate::variable::{InputError, RANGE, Values, Variable, slot};

/// Largest number of contacts of an FMU. Convention: a value reference stays below 2¹⁴, and a state below the size that importers expect.
pub const MAX_CONTACTS: usize = 64;

/// Contacts of one FMU instance.
pub struct Assembly {
    /// The contacts, in the order of their value references.
    contacts: Vec<Box<dyn AnyElement>>,
    /// Whether there is one contact with the value references of its law.
    is_single: bool,
    /// The rigid plate whose points the contacts are.
    plate: Option<Plate>,
    /// The body inside the element, on the only contact.
    block: Option<Block>,
    /// Bodies that the contacts act on, in the order of the contacts: one for all, one for each, or none for laws without states.
    bodies: Vec<BodyOfContacts>,
    /// Whether parameters may be set that are not in force: false where no contact has such.
    may_be_dirty: bool,
    /// Memory for the state during a step, which so allocates nothing.
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
        Assembly { is_single: true, ..Self::new(vec![contact], None, None) }
    }

    /// Assembly of one contact on a block, which has no observer.
    pub fn of_block(contact: Box<dyn AnyElement>, block: Block) -> Self {
        let mut assembly = Assembly { block: Some(block), bodies: Vec::new(), ..Self::of_one(contact) };
        assembly.before = assembly.save();
        assembly
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
    pub fn of_plate(contacts: Vec<Box<dyn AnyElement>>, plate: Plate, mobility: Option<Mobility>) -> Self {
        Self::new(contacts, Some(plate), mobility)
    }

    fn new(contacts: Vec<Box<dyn AnyElement>>, plate: Option<Plate>, mobility: Option<Mobility>) -> Self {
        let bodies = match mobility {
            Some(mobility) => vec![BodyOfContacts::of_all(mobility)],
            None => contacts.iter().filter(|contact| contact.is_coupled()).map(|_| BodyOfContacts::of_one()).collect(),
        };
        let before = AssemblySnapshot::default();
        let mut assembly =
            Assembly { contacts, is_single: false, plate, block: None, bodies, may_be_dirty: true, before };
        assembly.give_masses();
        // Memory for all steps: a step allocates nothing.
        assembly.before = assembly.save();
        assembly
    }

    /// Gives each contact of a body its part of it as m_eff, from which the limit of held values follows.
    fn give_masses(&mut self) {
        self.bodies.iter().for_each(|body| body.give_masses(&mut self.contacts));
    }

    /// The contacts.
    #[inline]
    pub fn contacts(&self) -> &[Box<dyn AnyElement>] {
        &self.contacts
    }

    /// Value of the variable with this reference, which the FMU has.
    #[inline]
    pub fn value(&self, reference: u32) -> f64 {
        if let Some(block) = self.block.as_ref().filter(|_| Variable::is_block_slot(slot(reference))) {
            return block.values()[reference];
        }
        match &self.plate {
            Some(plate) if reference < RANGE && !Variable::is_parameter_slot(slot(reference)) => {
                plate.values().0[slot(reference)]
            }
            _ => self.contacts[place(reference)].values().0[slot(reference)],
        }
    }

    /// Sets an input, parameter or start value; see [`AnyElement::set`]. A shared parameter is set in every contact.
    #[inline]
    pub fn set(&mut self, variable: &Variable, value: f64) {
        if let Some(block) = self.block.as_mut().filter(|_| variable.is_of_block()) {
            return block.set(variable, value);
        }
        self.may_be_dirty |= variable.is_parameter();
        match &mut self.plate {
            _ if variable.reference >= RANGE => self.contacts[place(variable.reference)].set(variable, value),
            Some(plate) if !variable.is_parameter() => plate.set(variable, value),
            _ => self.contacts.iter_mut().for_each(|contact| contact.set(variable, value)),
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
    pub fn set_input_derivative(&mut self, input: &Variable, order: usize, value: f64) -> Result<(), InputError> {
        if let Some(block) = self.block.as_mut().filter(|_| input.is_of_block()) {
            block.set_derivative(input, order, value);
            return Ok(());
        }
        match &mut self.plate {
            Some(plate) if input.reference < RANGE && !input.is_parameter() => {
                plate.set_derivative(input, order, value);
                Ok(())
            }
            _ => self.contacts[place(input.reference)].set_input_derivative(input, order, value),
        }
    }

    /// Gives the points of a plate their velocities and their shares of the normal force, or the contact of a block its velocity.
    fn distribute(&mut self) {
        if let Some(plate) = &self.plate {
            plate.distribute(&mut self.contacts);
        }
        if let (Some(block), [contact]) = (&self.block, &mut self.contacts[..]) {
            block.distribute(&mut **contact);
        }
    }

    /// Adds the forces of the points of a plate up, and calculates the derivatives of a block.
    fn collect(&mut self) {
        if let Some(plate) = &mut self.plate {
            plate.collect(&self.contacts);
        }
        if let (Some(block), [contact]) = (&mut self.block, &self.contacts[..]) {
            block.evaluate(&**contact);
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
        self.contacts.iter_mut().for_each(|contact| contact.set_tolerance(tolerance));
    }

    /// Whether parameters were set that are not in force yet.
    #[inline]
    pub fn parameters_are_dirty(&mut self) -> bool {
        self.may_be_dirty = self.may_be_dirty && self.contacts.iter().any(|contact| contact.parameters_are_dirty());
        self.may_be_dirty
    }

    /// Puts changed parameters into force; see [`AnyElement::apply_parameters`].
    pub fn apply_parameters(&mut self) -> Result<(), InputError> {
        self.contacts.iter_mut().try_for_each(|contact| contact.apply_parameters())
    }

    /// Puts changed parameters into force and leaves the states; see [`AnyElement::apply_parameters_keeping_states`].
    pub fn apply_parameters_keeping_states(&mut self) -> Result<(), InputError> {
        self.contacts.iter_mut().try_for_each(|contact| contact.apply_parameters_keeping_states())
    }

    /// Sets modes, clears the histories and calculates outputs; see [`AnyElement::initialize`].
    pub fn initialize(&mut self) -> Result<(), SolverError> {
        self.bodies.iter_mut().for_each(BodyOfContacts::end);
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
        self.all_or_none(|contact| contact.evaluate_between_events())?;
        self.collect();
        Ok(())
    }

    /// Calculates values of all contacts, and latches whether a plate sticks; after an error all are as they were.
    fn each(&mut self, of_contact: fn(&mut dyn AnyElement) -> Result<(), SolverError>) -> Result<(), SolverError> {
        self.all_or_none(of_contact)?;
        self.latch_sticking();
        self.collect();
        Ok(())
    }

    /// Calculates values of all contacts; after an error all are as they were.
    fn all_or_none(
        &mut self,
        of_contact: fn(&mut dyn AnyElement) -> Result<(), SolverError>,
    ) -> Result<(), SolverError> {
        if let [contact] = &mut self.contacts[..]
            && self.plate.is_none()
        {
            if let Some(block) = &self.block {
                block.distribute(&mut **contact);
            }
            return of_contact(&mut **contact);
        }
        for (before, contact) in self.before.contacts.iter_mut().zip(&self.contacts) {
            before.clone_from(contact.snapshot());
        }
        self.distribute();
        let outcome = self.contacts.iter_mut().try_for_each(|contact| of_contact(&mut **contact));
        if outcome.is_err() {
            for (contact, before) in self.contacts.iter_mut().zip(&self.before.contacts) {
                contact.restore(before);
            }
        }
        outcome
    }

    /// Handles events at the present instant until the modes hold.
    pub fn event_iteration(&mut self) {
        self.distribute();
        self.contacts.iter_mut().for_each(|contact| contact.event_iteration());
    }

    /// Whether an event is due in a contact, or one at which a contact or the plate begins to stick or to slide.
    pub fn event_is_pending(&self) -> bool {
        let contacts = &self.contacts;
        let sticking_is_old = || match &self.plate {
            Some(plate) => plate.sticking_is_old(contacts),
            None => contacts.iter().any(|contact| contact.sticks() != (contact.values()[&STICKING] != 0.0)),
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
        self.contacts.iter_mut().for_each(|contact| contact.set_time(time));
    }

    /// Adds the present velocity to the history of laws with a delay; see [`AnyElement::record`].
    pub fn record(&mut self) {
        self.contacts.iter_mut().for_each(|contact| contact.record());
    }

    /// Notes the present power, from which [`add_energy`](Self::add_energy) starts.
    pub fn note_power(&mut self) {
        self.contacts.iter_mut().for_each(|contact| contact.note_power());
    }

    /// Adds the energy since the noted power over `duration` (s) by the trapezoidal rule; an error where a sum is not finite, and then
    /// nothing is added.
    pub fn add_energy(&mut self, duration: f64) -> Result<(), SolverError> {
        if self.contacts.iter().any(|contact| !contact.energy_after(duration).is_finite()) {
            return Err(SolverError::NotFinite);
        }
        self.contacts.iter_mut().for_each(|contact| contact.add_energy(duration));
        self.collect();
        Ok(())
    }

    /// Advances all contacts by `duration` (s, > 0), with their bodies where these are observed. After an error the assembly is unchanged.
    #[inline]
    pub fn advance(&mut self, duration: f64) -> Result<Report, SolverError> {
        if let [contact] = &mut self.contacts[..]
            && self.plate.is_none()
            && self.block.is_none()
            && !self.bodies.first().is_some_and(|body| body.is_to_observe(&**contact, duration))
        {
            // A step of one contact takes effect as a whole.
            self.bodies.iter_mut().for_each(BodyOfContacts::end);
            return contact.advance(duration);
        }
        self.advance_all(duration)
    }

    /// Advances several contacts, or a body.
    fn advance_all(&mut self, duration: f64) -> Result<Report, SolverError> {
        let mut before = core::mem::take(&mut self.before);
        self.save_into(&mut before);
        self.before = before;
        self.distribute();
        if let Some(plate) = &self.plate {
            plate.distribute_derivatives(&mut self.contacts);
        }
        let outcome = match &mut self.block {
            Some(block) => block.advance(&mut self.contacts, duration),
            None => self.advance_each(duration),
        };
        if outcome.is_err() {
            let before = core::mem::take(&mut self.before);
            self.restore(&before);
            self.before = before;
            return outcome;
        }
        self.latch_sticking();
        if let Some(plate) = &mut self.plate {
            plate.collect(&self.contacts);
            plate.clear_derivatives();
        }
        outcome
    }

    fn advance_each(&mut self, duration: f64) -> Result<Report, SolverError> {
        let (mut total, mut rest) = (Report::default(), &mut self.contacts[..]);
        for body in &mut self.bodies {
            let (own, others) = rest.split_at_mut(body.count());
            total = total.and(body.advance(own, duration)?);
            rest = others;
        }
        rest.iter_mut().try_fold(total, |total, contact| Ok(total.and(contact.advance(duration)?)))
    }

    /// Resets all contacts to the start values of the law.
    pub fn reset(&mut self) {
        self.contacts.iter_mut().for_each(|contact| contact.reset());
        self.may_be_dirty = true;
        if let Some(plate) = &mut self.plate {
            plate.reset();
        }
        if let Some(block) = &mut self.block {
            block.reset();
        }
        self.bodies.iter_mut().for_each(BodyOfContacts::reset);
        self.give_masses();
    }

    /// First warning about the law in a contact, with the index of the contact.
    #[inline]
    pub fn model_warning(&self) -> Option<(usize, String)> {
        self.contacts.iter().enumerate().find_map(|(i, contact)| Some((i, contact.model_warning()?)))
    }

    /// Records the contacts at the start of a step, or at the end of one of a solver; returns whether one moves without having been closed.
    #[inline]
    pub fn watch_contacts(&mut self) -> bool {
        self.contacts.iter_mut().fold(false, |open, contact| contact.watch_contact() | open)
    }

    /// First warning about a contact that moves without having been closed, with the index of the contact.
    pub fn open_warning(&self) -> Option<(usize, String)> {
        self.contacts.iter().enumerate().find_map(|(i, contact)| Some((i, contact.open_warning()?)))
    }

    /// Message about the coupling before a step of `duration` (s), with the index of the contact; each is given once. Called before
    /// every step.
    #[inline]
    pub fn coupling_message(&mut self, duration: f64) -> Option<(usize, String)> {
        let (mut rest, mut first) = (&self.contacts[..], 0);
        let mut message = None;
        for body in &mut self.bodies {
            let (own, others) = rest.split_at(body.count());
            message = message.or_else(|| Some((first, body.message(own, duration)?)));
            (rest, first) = (others, first + own.len());
        }
        message
    }

    /// Directional derivative of all outputs and state derivatives along `seed`; see [`AnyElement::directional_derivative`].
    pub fn directional_derivative(&mut self, seed: &Table) -> Table {
        self.distribute();
        let of_contact = |i: usize| {
            let mut own = self.plate.as_ref().map_or_else(|| seed.of_contact(i), |plate| plate.seed(i, seed));
            if let Some(block) = &self.block {
                block.seed(&seed.block, &mut own);
            }
            own
        };
        let contacts = self.contacts.iter().enumerate();
        let changes = contacts.map(|(i, contact)| contact.directional_derivative(&of_contact(i))).collect();
        let mut table = self.table(changes);
        if let Some(block) = &self.block {
            table.block = block.directional_derivative(&seed.block, table.shared[&F_R]);
        }
        table
    }

    /// Time derivatives of all outputs at the end of the last step; see [`AnyElement::output_derivatives`].
    pub fn output_derivatives(&self) -> Table {
        let mut table = self.table(self.contacts.iter().map(|contact| contact.output_derivatives()).collect());
        if let Some(block) = &self.block {
            table.block = block.output_derivatives();
        }
        table
    }

    /// Derivatives of the assembly from those of its contacts. Those of forces that an observer holds over the step are 0.
    fn table(&self, mut contacts: Vec<Values>) -> Table {
        let bodies = self.bodies.iter().flat_map(|body| core::iter::repeat_n(body, body.count()));
        for (values, _) in contacts.iter_mut().zip(bodies).filter(|(_, body)| body.is_observed()) {
            (values[&F_R], values[&F_R_Y]) = (0.0, 0.0);
        }
        match &self.plate {
            Some(plate) => Table { shared: plate.sum(&contacts), contacts, ..Table::ZERO },
            None if self.is_single => Table::single(contacts.swap_remove(0)),
            None => Table { contacts, ..Table::ZERO },
        }
    }

    /// Output that is calculated on demand; see [`AnyElement::on_demand_output`].
    pub fn on_demand_output(&self, variable: &Variable) -> Result<f64, SolverError> {
        match &self.plate {
            Some(plate) if variable.reference < RANGE && Plate::has_mean(variable) => {
                plate.mean(variable, |point, component| self.output_of(point, component))
            }
            // Below the references of several contacts are those of their body.
            _ if variable.reference < RANGE && !self.is_single && self.bodies.len() == 1 => {
                let of_body = self.bodies[0].output_of_all(variable);
                of_body.map_or_else(|| self.contacts[0].on_demand_output(variable), Ok)
            }
            _ => self.output_of(place(variable.reference), variable),
        }
    }

    /// Output of a contact that is calculated on demand.
    fn output_of(&self, contact: usize, variable: &Variable) -> Result<f64, SolverError> {
        let of_body = match &self.bodies[..] {
            [body] => body.output(contact, variable),
            bodies => bodies.get(contact).and_then(|body| body.output(0, variable)),
        };
        of_body.map_or_else(|| self.contacts[contact].on_demand_output(variable), Ok)
    }

    /// State of all contacts.
    pub fn save(&self) -> AssemblySnapshot {
        let mut snapshot = AssemblySnapshot::default();
        self.save_into(&mut snapshot);
        snapshot
    }

    /// Saves the state into the memory of an older one.
    pub fn save_into(&self, snapshot: &mut AssemblySnapshot) {
        snapshot.plate = self.plate.as_ref().map(Plate::inputs);
        copy_all(&mut snapshot.bodies, self.bodies.iter().map(BodyOfContacts::observer));
        copy_all(&mut snapshot.contacts, self.contacts.iter().map(|contact| contact.snapshot()));
        snapshot.block = self.block.as_ref().map(Block::state);
        if let (Some(block), [contact], [saved]) = (&self.block, &self.contacts[..], &mut snapshot.contacts[..]) {
            block.complete(&**contact, saved);
        }
        // The points' inputs follow from the plate's, whether they have been distributed or not.
        if let Some(plate) = &self.plate {
            plate.complete(&mut snapshot.contacts);
        }
    }

    /// Restores the state of an assembly of the same card.
    pub fn restore(&mut self, snapshot: &AssemblySnapshot) {
        self.may_be_dirty = true;
        for (contact, snapshot) in self.contacts.iter_mut().zip(&snapshot.contacts) {
            contact.restore(snapshot);
        }
        if let (Some(plate), Some(inputs)) = (&mut self.plate, &snapshot.plate) {
            plate.restore(inputs);
            plate.collect(&self.contacts);
        }
        if let (Some(block), Some(state)) = (&mut self.block, &snapshot.block) {
            block.restore(state);
        }
        for (body, observer) in self.bodies.iter_mut().zip(&snapshot.bodies) {
            body.restore(observer);
        }
    }
}

/// Copies all of these into a list, in the memory that it has.
fn copy_all<'a, T: Clone + 'a>(list: &mut Vec<T>, from: impl ExactSizeIterator<Item = &'a T>) {
    list.truncate(from.len());
    for (i, source) in from.enumerate() {
        match list.get_mut(i) {
            Some(known) => known.clone_from(source),
            None => list.push(source.clone()),
        }
    }
}

#[cfg(test)]
mod tests;
