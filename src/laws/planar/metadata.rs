//! States, dependencies and descriptions that laws in the plane share.

use crate::element::{V_X, V_Y};
use crate::law::{Dependencies, F_N, LawMetadata, Structure};
use crate::variable::Variable;

/// Inputs of a law in the plane.
pub const INPUTS: [Variable; 3] = [F_N, V_X, V_Y];

/// Description of a law in the plane: that of the law along a line, with its own equations, states
/// and dependencies.
pub const fn in_plane(line: &LawMetadata, own: Own) -> LawMetadata {
    LawMetadata {
        title: own.title,
        equations: own.equations,
        sticking: own.sticking,
        notes: own.notes,
        states: own.states,
        modes: &[],
        events: own.events,
        parameters: own.parameters,
        directed: &[],
        structure: own.structure,
        planar: true,
        ..*line
    }
}

/// The parts of a description in which a law in the plane differs from the one along a line.
pub struct Own {
    pub title: &'static str,
    pub equations: &'static [crate::law::Equation],
    pub sticking: &'static str,
    pub notes: &'static [(&'static str, &'static str)],
    pub states: &'static [(Variable, Variable)],
    pub events: &'static [&'static str],
    pub parameters: &'static [Variable],
    pub structure: Structure,
}

/// Dependencies on the inputs alone.
pub const fn on_inputs(initially: &'static [Variable]) -> Dependencies {
    crate::law::on(&INPUTS).initially(initially)
}
