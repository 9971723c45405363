//! The knowns that each output and derivative of an element depends on, from the structure that its
//! law declares.

use super::Model;
use crate::coupling::{COUPLING, F_LAW, H_MAX, M_EFF};
use crate::element::{F_R, F_R_Y, P_LOSS, STICKING, V_SLIP, V_SLIP_Y, V_Y};
use crate::law::{Dependencies, V};
use crate::variable::Variable;
use std::collections::BTreeSet;

/// References of the knowns that an unknown depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knowns {
    /// Inputs and states, at any time.
    pub continuous: BTreeSet<u32>,
    /// Inputs, start values of states, and parameters, in Initialization Mode.
    pub initial: BTreeSet<u32>,
    /// The partial derivatives with respect to inputs and states are constants.
    pub constant: bool,
}

impl Knowns {
    fn of(dependencies: &Dependencies) -> Self {
        let continuous = references(dependencies.on);
        let initial = &continuous | &references(dependencies.initially);
        Knowns {
            continuous,
            initial,
            constant: dependencies.constant,
        }
    }

    /// The knowns of a function of the unknown and these variables.
    fn and(mut self, variables: &[Variable]) -> Self {
        self.continuous.extend(references(variables));
        self.initial.extend(references(variables));
        self
    }
}

impl Model {
    /// The knowns that an output or a derivative of the element depends on. Quantities that are
    /// calculated over a step, E_loss and the coupling's means and derivatives, depends on nothing
    /// at the same instant.
    pub fn knowns_of(&self, unknown: &Variable) -> Knowns {
        let structure = &self.metadata.structure;
        let is_planar = self.variable(V_Y.reference).is_some();
        let rate = |place: usize| Knowns::of(&structure.rates[place]);
        match unknown {
            _ if [F_R, F_LAW].iter().any(|force| unknown.is(force)) => Knowns::of(&structure.force),
            _ if is_planar && unknown.is(&F_R_Y) => Knowns::of(&structure.force),
            _ if unknown.is(&STICKING) => Knowns::of(&structure.sticking),
            _ if unknown.is(&P_LOSS) => {
                let force = Knowns::of(&structure.force);
                let initial = &force.initial - &references(structure.at_rest);
                let knowns = Knowns {
                    initial,
                    constant: false,
                    ..force
                }
                .and(&[V]);
                if is_planar {
                    knowns.and(&[V_Y])
                } else {
                    knowns
                }
            }
            _ if unknown.is(&V_SLIP) || is_planar && unknown.is(&V_SLIP_Y) => {
                let (place, velocity) = if unknown.is(&V_SLIP) {
                    (0, V)
                } else {
                    (1, V_Y)
                };
                if structure.rates.is_empty() {
                    return Knowns {
                        constant: true,
                        ..Knowns::default()
                    }
                    .and(&[velocity]);
                }
                rate(place).and(&[velocity])
            }
            _ if unknown.is(&H_MAX) => {
                let mut knowns = Knowns::of(&structure.response);
                knowns.initial.extend(references(&[M_EFF, COUPLING]));
                knowns
            }
            _ => {
                let place = self
                    .metadata
                    .states
                    .iter()
                    .position(|(_, derivative)| unknown.is(derivative));
                place.map(rate).unwrap_or_default()
            }
        }
    }
}

fn references(variables: &[Variable]) -> BTreeSet<u32> {
    variables
        .iter()
        .map(|variable| variable.reference)
        .collect()
}
