//! Description of a law: names, source, equations, variables, phenomena.

use super::inputs::{A, F_T};
use super::structure::Structure;
use crate::variable::{BACKWARD, Variable, slot};

/// Description of a law, from which variables, documentation and fingerprint follow.
#[derive(Debug)]
pub struct LawMetadata {
    /// Name of the element, a C identifier.
    pub name: &'static str,
    /// Full name of the law.
    pub title: &'static str,
    /// Purpose, one sentence.
    pub summary: &'static str,
    /// Class of the law in the field's terms.
    pub kind: &'static str,
    /// Citation of the source.
    pub source: &'static str,
    /// Place of the law in the source: sections, equations, listings.
    pub place: &'static str,
    /// Equations in reading order.
    pub equations: &'static [Equation],
    /// Criterion of the output `sticking`; empty for a law without stick.
    pub sticking: &'static str,
    /// Phenomena of friction that the law models.
    pub phenomena: Phenomena,
    /// Notes on scope and limits, a heading and a paragraph each.
    pub notes: &'static [(&'static str, &'static str)],
    /// Inputs beside F_N and v: [`A`](super::A), [`F_T`](super::F_T).
    pub inputs: &'static [Variable],
    /// States, each with its time derivative, in the order of the state vector.
    pub states: &'static [(Variable, Variable)],
    /// Discrete states: integers that change at events only.
    pub modes: &'static [Variable],
    /// Event of each of [`Events::indicators`](super::Events::indicators).
    pub events: &'static [&'static str],
    /// Parameters.
    pub parameters: &'static [Variable],
    /// Those of them that a card may give for v > 0 and for v < 0, as
    /// [`by_direction`](crate::by_direction) declares both.
    pub directed: &'static [[Variable; 2]],
    /// Dependencies of force, stick and rates.
    pub structure: Structure,
    /// Description of the law with a measured characteristic.
    pub measured: &'static MeasuredForm,
    /// Whether the law is one of contacts in the plane: the second component of the velocity is
    /// [`Contact::v_y`](super::Contact::v_y), and the first two states are the deflections along x
    /// and y.
    pub planar: bool,
    /// Parameter with the time lag of the force behind the velocity, s, for laws with
    /// [`Contact::v_past`](super::Contact::v_past).
    pub delay: Option<Variable>,
}

impl LawMetadata {
    /// Whether the element can be coupled to the body it acts on (`m_eff`): the law has states
    /// along a line, and no history beside states and modes.
    pub const fn is_coupled(&self) -> bool {
        !self.states.is_empty() && !self.planar && self.delay.is_none()
    }

    /// Whether the law has this input.
    pub const fn has_input(&self, input: &Variable) -> bool {
        let mut i = 0;
        while i < self.inputs.len() {
            if self.inputs[i].reference == input.reference {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether the force of a body at rest changes its sign without end: the law has modes, and
    /// none in which it sticks.
    pub const fn chatters_at_rest(&self) -> bool {
        !self.modes.is_empty() && self.states.is_empty() && !self.has_input(&F_T)
    }

    /// Whether a block may slide on the contact: the law is along a line, and its force follows
    /// from states, velocity and applied force.
    pub const fn allows_block(&self) -> bool {
        !self.planar && self.delay.is_none() && !self.has_input(&A) && !self.chatters_at_rest()
    }
}

/// Description of a law with a measured characteristic, where it differs from [`LawMetadata`].
///
/// (v_a, mu_a) is the first point of the curve, (v_b, mu_b) the last.
#[derive(Debug)]
pub struct MeasuredForm {
    /// Parameters that the curve replaces; none for a law that takes no measured characteristic.
    pub replaced: &'static [Variable],
    /// Those of them that the first point gives: a velocity is v_a, a coefficient mu_a.
    pub at_first_point: &'static [Variable],
    /// Largest friction force at rest.
    pub static_force: &'static str,
    /// Whether both directions need the same first and last speed.
    pub has_one_range: bool,
    /// Number of the equation of the law that the curve replaces.
    pub replaced_equation: &'static str,
    /// Equations in its place.
    pub equations: &'static [Equation],
    /// Headings of the notes of the law that do not hold with a curve.
    pub notes_left_out: &'static [&'static str],
}

impl MeasuredForm {
    /// Whether the curve replaces the parameter with this reference, for v > 0 or for v < 0.
    pub fn replaces(&self, reference: u32) -> bool {
        let of = |replaced: &Variable| {
            [0, BACKWARD]
                .iter()
                .any(|distance| slot(reference) == slot(replaced.reference + distance))
        };
        self.replaced.iter().any(of)
    }

    /// That of a law that takes no measured characteristic.
    pub const NONE: MeasuredForm = MeasuredForm {
        replaced: &[],
        at_first_point: &[],
        static_force: "",
        has_one_range: false,
        replaced_equation: "",
        equations: &[],
        notes_left_out: &[],
    };
}

/// Phenomena of friction that a law models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phenomena {
    /// A force that falls as sliding sets in.
    pub stribeck: bool,
    /// An elastic displacement before sliding.
    pub pre_sliding: bool,
    /// A force that lags behind the velocity, or differs between rising and falling speed.
    pub memory: bool,
    /// A break-away force that grows with the time at rest.
    pub break_away_growth: bool,
    /// Stick for hours under a constant load, without creep.
    pub long_term_stick: bool,
}

/// An equation of a law's documentation.
#[derive(Debug)]
pub struct Equation {
    /// Number in the source, for instance "(5)".
    pub number: &'static str,
    /// Equation in LaTeX.
    pub latex: &'static str,
    /// Meaning, one sentence.
    pub meaning: &'static str,
}
