//! Derivatives of an assembly, and outputs that are calculated on demand.

use super::{Assembly, Plate, Table, place};
use crate::element::{F_R, F_R_Y};
use crate::integrate::SolverError;
use crate::law::F_T;
use crate::variable::{RANGE, Values, Variable};

impl Assembly {
    /// Directional derivative of all outputs and state derivatives along `seed`; see
    /// [`AnyElement::directional_derivative`](crate::element::AnyElement::directional_derivative).
    pub fn directional_derivative(&mut self, seed: &Table) -> Table {
        self.distribute();
        let of_contact = |i: usize| {
            let mut own = self
                .plate
                .as_ref()
                .map_or_else(|| seed.of_contact(i), |plate| plate.seed(i, seed));
            if let Some(system) = &self.system {
                system.seed(i, &seed.system, &mut own);
            }
            own
        };
        let contacts = self.contacts.iter().enumerate();
        let mut changes: Vec<Values> = contacts
            .map(|(i, contact)| contact.directional_derivative(&of_contact(i)))
            .collect();
        // The force on a contact that sticks follows from the forces of those that slide.
        if let Some(system) = &self.system {
            let friction = |row: usize| system.component(row, |i| &changes[i]);
            for (i, applied) in system.changes_of_applied(&seed.system, friction) {
                let mut own = of_contact(i);
                own[&F_T] = applied;
                changes[i] = self.contacts[i].directional_derivative(&own);
            }
        }
        let of_system = self.system.as_ref().map(|system| {
            let friction = |row: usize| system.component(row, |i| &changes[i]);
            system.directional_derivative(&seed.system, friction)
        });
        let mut table = self.table(changes);
        table.system = of_system.unwrap_or_default();
        table
    }

    /// Time derivatives of all outputs at the end of the last step; see
    /// [`AnyElement::output_derivatives`](crate::element::AnyElement::output_derivatives).
    pub fn output_derivatives(&self) -> Table {
        let mut table = self.table(
            self.contacts
                .iter()
                .map(|contact| contact.output_derivatives())
                .collect(),
        );
        if let Some(system) = &self.system {
            table.system = system.output_derivatives();
        }
        table
    }

    /// Derivatives of the assembly from those of its contacts. Those of forces that an observer
    /// holds over the step are 0, as those of means over the step are.
    fn table(&self, mut contacts: Vec<Values>) -> Table {
        let bodies = self
            .bodies
            .iter()
            .flat_map(|body| core::iter::repeat_n(body, body.count()));
        for (values, _) in contacts
            .iter_mut()
            .zip(bodies)
            .filter(|(_, body)| body.is_observed())
        {
            (values[&F_R], values[&F_R_Y]) = (0.0, 0.0);
        }
        match &self.plate {
            Some(plate) => Table {
                shared: plate.sum(&contacts),
                contacts,
                ..Table::ZERO
            },
            None if self.is_single => Table::single(contacts.swap_remove(0)),
            None => Table {
                contacts,
                ..Table::ZERO
            },
        }
    }

    /// Output that is calculated on demand; see
    /// [`AnyElement::on_demand_output`](crate::element::AnyElement::on_demand_output).
    pub fn on_demand_output(&self, variable: &Variable) -> Result<f64, SolverError> {
        match &self.plate {
            Some(plate) if variable.reference < RANGE && Plate::has_mean(variable) => plate
                .mean(variable, |point, component| {
                    self.output_of(point, component)
                }),
            // Below the references of several contacts are those of their body.
            _ if variable.reference < RANGE => {
                let of_all = self
                    .bodies
                    .first()
                    .filter(|body| !body.is_own())
                    .and_then(|body| body.output_of_all(variable));
                of_all.map_or_else(|| self.output_of(0, variable), Ok)
            }
            _ => self.output_of(place(variable.reference), variable),
        }
    }

    /// Output of a contact that is calculated on demand.
    fn output_of(&self, contact: usize, variable: &Variable) -> Result<f64, SolverError> {
        let of_body = match &self.bodies[..] {
            [body] => body.output(contact, variable),
            bodies => bodies
                .get(contact)
                .and_then(|body| body.output(0, variable)),
        };
        of_body.map_or_else(|| self.contacts[contact].on_demand_output(variable), Ok)
    }
}
