//! Dependencies of a law: which inputs, states and parameters move force, rates and stick at the same instant.
//!
//! They become the `dependencies` of `ModelStructure` in an FMU. A solver that takes an output for independent of an input sets
//! up the wrong equations, and one that takes it for dependent pays for it; a test holds each declaration against differences of
//! the packaged FMU.

use crate::variable::Variable;

/// The knowns that one unknown depends on.
#[derive(Clone, Copy, Debug)]
pub struct Dependencies {
    /// Inputs and states that it depends on while discrete states are constant.
    pub on: &'static [Variable],
    /// Further knowns that it depends on in Initialization Mode: parameters, and the knowns of the discrete states.
    pub initially: &'static [Variable],
    /// The partial derivatives with respect to all of `on` are constants.
    pub constant: bool,
}

impl Dependencies {
    /// Nothing moves it.
    pub const NONE: Dependencies = on(&[]);

    /// Adds the dependencies in Initialization Mode.
    pub const fn initially(self, initially: &'static [Variable]) -> Self {
        Dependencies { initially, ..self }
    }

    /// Declares the partial derivatives constant.
    pub const fn constant(self) -> Self {
        Dependencies { constant: true, ..self }
    }
}

/// Dependencies on these inputs and states.
pub const fn on(on: &'static [Variable]) -> Dependencies {
    Dependencies { on, initially: &[], constant: false }
}

/// The dependencies of a law's unknowns.
#[derive(Clone, Copy, Debug)]
pub struct Structure {
    /// Of F_R.
    pub force: Dependencies,
    /// Knowns that move F_R in Initialization Mode at v = 0 only, so that they do not move F_R v.
    pub at_rest: &'static [Variable],
    /// Of `sticking`.
    pub sticking: Dependencies,
    /// Of the time derivative of each state, in the order of the state vector.
    pub rates: &'static [Dependencies],
    /// Of the stiffness and damping of [`Law::quasi_static_response`](super::Law::quasi_static_response), for laws with a coupling.
    pub response: Dependencies,
}

impl Structure {
    /// The structure of a law without states whose F_R alone depends on something.
    pub const fn of_force(force: Dependencies) -> Self {
        let none = Dependencies::NONE;
        Structure { force, at_rest: &[], sticking: none, rates: &[], response: none }
    }
}
