//! The knowns that each output and derivative of an element depends on, from the structure that its law declares.

use super::Model;
use crate::coupling::{COUPLING, F_LAW, H_MAX, M_EFF};
use crate::element::{F_R, P_LOSS, STICKING, V_SLIP};
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
        Knowns { continuous, initial, constant: dependencies.constant }
    }

    /// The knowns of a function of the unknown and these variables.
    fn and(mut self, variables: &[Variable]) -> Self {
        self.continuous.extend(references(variables));
        self.initial.extend(references(variables));
        self
    }
}

impl Model {
    /// The knowns that an output or a derivative of the element depends on. What is calculated over a step, E_loss and the
    /// coupling's means and derivatives, depends on nothing at the same instant.
    pub fn knowns_of(&self, unknown: &Variable) -> Knowns {
        let structure = &self.metadata.structure;
        let rate = |place: usize| Knowns::of(&structure.rates[place]);
        match unknown {
            _ if [F_R, F_LAW].contains(unknown) => Knowns::of(&structure.force),
            _ if *unknown == STICKING => Knowns::of(&structure.sticking),
            _ if *unknown == P_LOSS => {
                let force = Knowns::of(&structure.force);
                let initial = &force.initial - &references(structure.at_rest);
                Knowns { initial, constant: false, ..force }.and(&[V])
            }
            _ if *unknown == V_SLIP && structure.rates.is_empty() => {
                Knowns { constant: true, ..Knowns::default() }.and(&[V])
            }
            _ if *unknown == V_SLIP => rate(0).and(&[V]),
            _ if *unknown == H_MAX => {
                let mut knowns = Knowns::of(&structure.response);
                knowns.initial.extend(references(&[M_EFF, COUPLING]));
                knowns
            }
            _ => {
                let place = self.metadata.states.iter().position(|(_, derivative)| derivative == unknown);
                place.map(rate).unwrap_or_default()
            }
        }
    }
}

fn references(variables: &[Variable]) -> BTreeSet<u32> {
    variables.iter().map(|variable| variable.reference).collect()
}
