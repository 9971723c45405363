//! `ModelStructure`: the dependencies of outputs, derivatives and initial unknowns.

use std::collections::{BTreeMap, BTreeSet};

use bristle::catalogue::Variant;
use bristle::variable::{Role, Variable};

use super::schema::{ModelStructure, Unknown, Unknowns};

/// Index of each variable in `ModelVariables`, from 1, by its value reference.
pub struct Order(BTreeMap<u32, usize>);

impl Order {
    /// Order of an element's variables.
    pub fn of(variant: &Variant) -> Self {
        Order(
            variant
                .variables()
                .zip(1..)
                .map(|(variable, place)| (variable.reference, place))
                .collect(),
        )
    }

    /// Index of the variable with this reference.
    pub fn index(&self, reference: u32) -> usize {
        self.0[&reference]
    }

    /// Indices of these references, ascending.
    fn indices(&self, references: &BTreeSet<u32>) -> Vec<usize> {
        let mut indices: Vec<_> = references
            .iter()
            .map(|reference| self.index(*reference))
            .collect();
        indices.sort_unstable();
        indices
    }
}

/// Unknown with its dependencies on these knowns; their kind is `constant` where every partial
/// derivative is.
fn unknown(
    variable: &Variable,
    order: &Order,
    references: &BTreeSet<u32>,
    constant: bool,
) -> Unknown {
    let indices = order.indices(references);
    let kind = if constant { "constant" } else { "dependent" };
    Unknown {
        index: order.index(variable.reference),
        dependencies: indices
            .iter()
            .map(usize::to_string)
            .collect::<Vec<_>>()
            .join(" "),
        kinds: vec![kind; indices.len()].join(" "),
    }
}

/// `ModelStructure` of an element.
pub fn structure(variant: &Variant, order: &Order) -> ModelStructure {
    let is_calculated = |variable: &&Variable| variable.is_output();
    let is_output = |variable: &&Variable| variable.is_any_output();
    let is_unknown = |variable: &&Variable| {
        is_calculated(variable) || matches!(variable.role, Role::Derivative { .. })
    };
    let continuous = |variable: &Variable| {
        let knowns = variant.knowns_of(variable);
        unknown(variable, order, &knowns.continuous, knowns.constant)
    };
    let initial = |variable: &Variable| {
        let knowns = variant.knowns_of(variable);
        unknown(
            variable,
            order,
            &knowns.initial,
            knowns.constant && knowns.initial == knowns.continuous,
        )
    };
    let derivatives = variant.states().iter().map(|(_, derivative)| derivative);
    ModelStructure {
        outputs: Unknowns {
            unknowns: variant
                .variables()
                .filter(is_output)
                .map(continuous)
                .collect(),
        },
        // In the order of the state vector, which is that of the declaration.
        derivatives: Unknowns {
            unknowns: derivatives.map(continuous).collect(),
        },
        initial_unknowns: Unknowns {
            unknowns: variant
                .variables()
                .filter(is_unknown)
                .map(initial)
                .collect(),
        },
    }
}
