//! Dependencies of a law: inputs, states and parameters that force, rates and stick depend on at
//! the same instant.
//!
//! They become the `dependencies` of `ModelStructure` in an FMU. With a missing dependency a solver
//! sets up the wrong equations, with a superfluous one it does needless work. A test compares each
//! declaration with differences of the packaged FMU.

use crate::variable::Variable;

/// The knowns that one unknown depends on.
#[derive(Clone, Copy, Debug)]
pub struct Dependencies {
    /// Inputs and states that the unknown depends on while discrete states are constant.
    pub on: &'static [Variable],
    /// Further knowns that the unknown depends on in Initialization Mode: parameters, and the
    /// knowns of the discrete states.
    pub initially: &'static [Variable],
    /// Whether the partial derivatives with respect to all of `on` are constants.
    pub constant: bool,
}

impl Dependencies {
    /// No dependencies.
    pub const NONE: Dependencies = on(&[]);

    /// Adds the dependencies in Initialization Mode.
    pub const fn initially(self, initially: &'static [Variable]) -> Self {
        Dependencies { initially, ..self }
    }

    /// Declares the partial derivatives constant.
    pub const fn constant(self) -> Self {
        Dependencies {
            constant: true,
            ..self
        }
    }
}

/// Dependencies on these inputs and states.
pub const fn on(on: &'static [Variable]) -> Dependencies {
    Dependencies {
        on,
        initially: &[],
        constant: false,
    }
}

/// The dependencies of a law's unknowns.
#[derive(Clone, Copy, Debug)]
pub struct Structure {
    /// Dependencies of F_R.
    pub force: Dependencies,
    /// Knowns that change F_R in Initialization Mode at v = 0 only, so that the power F_R v does
    /// not depend on them.
    pub at_rest: &'static [Variable],
    /// Dependencies of `sticking`.
    pub sticking: Dependencies,
    /// Dependencies of the time derivative of each state, in the order of the state vector.
    pub rates: &'static [Dependencies],
    /// Dependencies of [`quasi_static_response`](super::quasi_static_response), for laws with a
    /// coupling.
    pub response: Dependencies,
}

impl Structure {
    /// Structure of a law without states and without stick: F_R is its only unknown.
    pub const fn of_force(force: Dependencies) -> Self {
        let none = Dependencies::NONE;
        Structure {
            force,
            at_rest: &[],
            sticking: none,
            rates: &[],
            response: none,
        }
    }
}
