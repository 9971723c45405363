//! Assembly: the contacts of an FMU behind one set of value references.
//!
//! An FMU has one contact, or several that share parameters, or the points of one rigid plate. One contact has the value references of
//! its law. Several have a range each ([`RANGE`]), contact i from i `RANGE` on; the range from 0 on holds the shared parameters and the
//! variables of the plate. Contacts advance one after the other and do not act on each other, so that each has the bits of an element
//! alone.

mod plate;
mod snapshot;
mod table;

pub use self::plate::{M_R, OMEGA, PLATE_INPUTS, PLATE_OUTPUTS, Plate, Point};
pub use self::snapshot::AssemblySnapshot;
pub use self::table::Table;

use crate::element::{AnyElement, Report};
use crate::integrate::SolverError;
use crate::law::MAX_EVENTS;
use crate::variable::{InputError, RANGE, Variable, slot};

/// Largest number of contacts of an FMU. Convention: a value reference stays below 2¹⁴, and a state below the size that importers expect.
pub const MAX_CONTACTS: usize = 64;

/// Contacts of one FMU instance.
pub struct Assembly {
    contacts: Vec<Box<dyn AnyElement>>,
    /// The rigid plate whose points the contacts are.
    plate: Option<Plate>,
    /// Memory for the state before a step, of several contacts.
    before: AssemblySnapshot,
}

impl Assembly {
    /// Assembly of a contact, or of several that are independent.
    pub fn new(contacts: Vec<Box<dyn AnyElement>>) -> Self {
        Assembly::with(contacts, None)
    }

    /// Assembly of the points of a rigid plate, in the order of `plate`.
    pub fn of_plate(contacts: Vec<Box<dyn AnyElement>>, plate: Plate) -> Self {
        Assembly::with(contacts, Some(plate))
    }

    fn with(contacts: Vec<Box<dyn AnyElement>>, plate: Option<Plate>) -> Self {
        let mut assembly = Assembly { contacts, plate, before: AssemblySnapshot::default() };
        if assembly.contacts.len() > 1 || assembly.plate.is_some() {
            // Memory for all steps: a step allocates nothing.
            assembly.before = assembly.save();
        }
        assembly
    }

    /// The contacts.
    pub fn contacts(&self) -> &[Box<dyn AnyElement>] {
        &self.contacts
    }

    /// Index of the contact of a value reference.
    #[inline]
    fn place(reference: u32) -> usize {
        (reference / RANGE).saturating_sub(1) as usize
    }

    fn contact(&self, variable: &Variable) -> &dyn AnyElement {
        &*self.contacts[Self::place(variable.reference)]
    }

    /// Value of the variable with this reference, which the FMU has.
    #[inline]
    pub fn value(&self, reference: u32) -> f64 {
        if let Some(plate) = &self.plate
            && reference < RANGE
            && !Variable::is_parameter_slot(slot(reference))
        {
            return plate.values().0[slot(reference)];
        }
        self.contacts[Self::place(reference)].values().0[slot(reference)]
    }

    /// Sets an input, parameter or start value; see [`AnyElement::set`]. A shared parameter is set in every contact.
    #[inline]
    pub fn set(&mut self, variable: &Variable, value: f64) {
        if let [contact] = &mut self.contacts[..]
            && self.plate.is_none()
        {
            return contact.set(variable, value);
        }
        if variable.reference >= RANGE {
            return self.contacts[Self::place(variable.reference)].set(variable, value);
        }
        match &mut self.plate {
            Some(plate) if !variable.is_parameter() => plate.set(variable, value),
            _ => self.contacts.iter_mut().for_each(|contact| contact.set(variable, value)),
        }
    }

    /// Sets the time derivative of an input; see [`AnyElement::set_input_derivative`].
    pub fn set_input_derivative(&mut self, input: &Variable, order: usize, value: f64) -> Result<(), InputError> {
        match &mut self.plate {
            Some(plate) if input.reference < RANGE && !input.is_parameter() => {
                plate.set_derivative(input, order, value);
                Ok(())
            }
            _ => self.contacts[Self::place(input.reference)].set_input_derivative(input, order, value),
        }
    }

    /// Gives the points of a plate their velocities and their shares of the normal force.
    fn distribute(&mut self) {
        if let Some(plate) = &mut self.plate {
            plate.distribute(&mut self.contacts);
        }
    }

    /// Adds the forces of the points of a plate up.
    fn collect(&mut self) {
        if let Some(plate) = &mut self.plate {
            plate.collect(&self.contacts);
        }
    }

    /// Sets the tolerance of steps; see [`AnyElement::set_tolerance`].
    pub fn set_tolerance(&mut self, tolerance: f64) {
        self.contacts.iter_mut().for_each(|contact| contact.set_tolerance(tolerance));
    }

    /// Whether parameters were set that are not in force yet.
    #[inline]
    pub fn parameters_are_dirty(&self) -> bool {
        self.contacts.iter().any(|contact| contact.parameters_are_dirty())
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

    fn each(&mut self, body: fn(&mut dyn AnyElement) -> Result<(), SolverError>) -> Result<(), SolverError> {
        self.distribute();
        self.contacts.iter_mut().try_for_each(|contact| body(&mut **contact))?;
        self.collect();
        Ok(())
    }

    /// Handles events at the present instant until the modes hold.
    pub fn event_iteration(&mut self) {
        self.distribute();
        self.contacts.iter_mut().for_each(|contact| contact.event_iteration());
    }

    /// Whether an event is due in a contact.
    pub fn event_is_pending(&self) -> bool {
        self.contacts.iter().any(|contact| contact.event_is_pending())
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

    /// Notes the present velocity and power; see [`AnyElement::record`].
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

    /// Advances all contacts by `duration` (s, > 0). After an error the assembly is unchanged.
    #[inline]
    pub fn advance(&mut self, duration: f64) -> Result<Report, SolverError> {
        match &mut self.contacts[..] {
            [contact] if self.plate.is_none() => contact.advance(duration),
            _ => self.advance_all(duration),
        }
    }

    fn advance_all(&mut self, duration: f64) -> Result<Report, SolverError> {
        let mut before = core::mem::take(&mut self.before);
        self.save_into(&mut before);
        self.distribute();
        let mut total = Report::default();
        let mut failure = None;
        for contact in &mut self.contacts {
            match contact.advance(duration) {
                Ok(report) => total = total.and(report),
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            }
        }
        if failure.is_some() {
            self.restore(&before);
        } else {
            self.collect();
            if let Some(plate) = &mut self.plate {
                plate.clear_derivatives();
            }
        }
        self.before = before;
        failure.map_or(Ok(total), Err)
    }

    /// Resets all contacts to the start values of the law.
    pub fn reset(&mut self) {
        self.contacts.iter_mut().for_each(|contact| contact.reset());
        if let Some(plate) = &mut self.plate {
            plate.reset();
        }
    }

    /// First warning about the law in a contact, with the index of the contact.
    pub fn model_warning(&self) -> Option<(usize, String)> {
        self.contacts.iter().enumerate().find_map(|(i, contact)| Some((i, contact.model_warning()?)))
    }

    /// First warning about the coupling, with the index of the contact; see [`AnyElement::coupling_warning`].
    #[inline]
    pub fn coupling_warning(&mut self, duration: f64) -> Option<(usize, String)> {
        self.contacts.iter_mut().enumerate().find_map(|(i, contact)| Some((i, contact.coupling_warning(duration)?)))
    }

    /// Directional derivative of all outputs and state derivatives along `seed`; see [`AnyElement::directional_derivative`].
    pub fn directional_derivative(&mut self, seed: &Table) -> Table {
        self.distribute();
        if let [contact] = &self.contacts[..]
            && self.plate.is_none()
        {
            return Table::single(contact.directional_derivative(&seed.shared));
        }
        let mut change = Table::of(self.contacts.len());
        for (i, contact) in self.contacts.iter().enumerate() {
            let seed = match &self.plate {
                Some(plate) => plate.seed(i, seed),
                None => seed.of_contact(i),
            };
            change.contacts[i] = contact.directional_derivative(&seed);
        }
        if let Some(plate) = &self.plate {
            change.shared = plate.sum(&change.contacts);
        }
        change
    }

    /// Time derivatives of all outputs at the end of the last step; see [`AnyElement::output_derivatives`].
    pub fn output_derivatives(&self) -> Table {
        if let [contact] = &self.contacts[..]
            && self.plate.is_none()
        {
            return Table::single(contact.output_derivatives());
        }
        let mut derivatives = Table::of(self.contacts.len());
        for (derivatives, contact) in derivatives.contacts.iter_mut().zip(&self.contacts) {
            *derivatives = contact.output_derivatives();
        }
        if let Some(plate) = &self.plate {
            derivatives.shared = plate.sum(&derivatives.contacts);
        }
        derivatives
    }

    /// Output that is calculated on demand; see [`AnyElement::on_demand_output`].
    pub fn on_demand_output(&self, variable: &Variable) -> Result<f64, SolverError> {
        self.contact(variable).on_demand_output(variable)
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
        snapshot.contacts.truncate(self.contacts.len());
        for (i, contact) in self.contacts.iter().enumerate() {
            match snapshot.contacts.get_mut(i) {
                Some(known) => known.clone_from(contact.snapshot()),
                None => snapshot.contacts.push(contact.snapshot().clone()),
            }
        }
    }

    /// Restores the state of an assembly of the same card.
    pub fn restore(&mut self, snapshot: &AssemblySnapshot) {
        for (contact, snapshot) in self.contacts.iter_mut().zip(&snapshot.contacts) {
            contact.restore(snapshot);
        }
        if let (Some(plate), Some(inputs)) = (&mut self.plate, &snapshot.plate) {
            plate.restore(inputs);
            plate.collect(&self.contacts);
        }
    }
}
