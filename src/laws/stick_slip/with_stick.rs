//! Laws whose force jumps at rest, with a body inside the element: there they stick.
//!
//! The characteristic gives the force of sliding. Where the slip comes to rest, the contact
//! balances the applied force up to its value at v = 0, as in Coulomb's equation (2).

use super::{EVENTS, Limits, MODE, MOVING_BODY, Machine, START, State, moving};
use crate::characteristic::{Measured, Signed};
use crate::law::{
    Contact, Equation, Evaluation, F_N, F_T, Law, LawMetadata, Motion, Numerics, Phenomena,
    Structure, V, on,
};
use crate::laws::directions::Direction;
use crate::laws::symbols::{FORCES, MU_S, stefanski};
use crate::laws::{popp_stelter, stribeck};
use crate::scalar::Scalar;
use crate::variable::{InputError, Values, Variable};

/// Law with a jump at rest.
pub trait Jumps: Law<0, DiscreteState = Direction> {
    /// Description of its form with stick.
    const WITH_STICK: &'static LawMetadata;
}

const AT_REST: Equation = Equation {
    number: "at rest",
    latex: r"F_R = \min(|F_t|,\, F_s) \operatorname{sgn}(F_t), \qquad v = 0",
    meaning: "Stick: the contact balances the applied force up to F_s, the force of sliding at v = 0.",
};
/// Descriptions of the events, without the velocity of Coulomb's law that ends stick.
const OWN_EVENTS: &[&str] = &[
    EVENTS[0],
    "sliding: v passes through 0; starting: v has the direction of the start; stuck: v leaves 0",
    EVENTS[2],
];
const NOTES: &[(&str, &str)] = &[
    (
        "Modelled",
        "Sliding friction by the characteristic, and stick: at rest the contact balances the \
         applied force up to its value at v = 0. As an element without a body inside, the law has \
         no stick.",
    ),
    ("Not modelled", "Pre-sliding displacement and memory."),
];

/// Description with stick of a law along a line, with these equations and parameters.
const fn with_stick(
    line: &LawMetadata,
    equations: &'static [Equation],
    force: &'static [Variable],
    sticking: &'static [Variable],
) -> LawMetadata {
    LawMetadata {
        equations,
        sticking: "the contact is stuck: v has come to 0, and |F_t| \u{2264} F_s since.",
        phenomena: Phenomena {
            long_term_stick: true,
            ..line.phenomena
        },
        notes: NOTES,
        inputs: &[F_T],
        modes: &[MODE, START],
        events: OWN_EVENTS,
        structure: Structure {
            at_rest: &[F_T],
            sticking: on(&[F_N]).initially(sticking),
            ..Structure::of_force(on(&[F_N, V, F_T]).initially(force))
        },
        ..*line
    }
}

static STRIBECK: LawMetadata = with_stick(
    &stribeck::METADATA,
    &[stribeck::EQUATION, FORCES, AT_REST],
    stribeck::PARAMETERS,
    &[V, F_T, MU_S],
);
static POPP_STELTER: LawMetadata = with_stick(
    &popp_stelter::METADATA,
    &[popp_stelter::EQUATION, AT_REST],
    popp_stelter::PARAMETERS,
    &[V, F_T, stefanski::MU_S],
);

impl Jumps for stribeck::Stribeck {
    const WITH_STICK: &'static LawMetadata = &STRIBECK;
}

impl Jumps for popp_stelter::PoppStelter {
    const WITH_STICK: &'static LawMetadata = &POPP_STELTER;
}

/// A law whose force jumps at rest, with stick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WithStick<L> {
    law: L,
    limits: Limits,
}

impl<L: Jumps> WithStick<L> {
    fn of(law: L) -> Self {
        let at_rest = |v: f64| {
            let contact = Contact::new(1.0, 0.0);
            v * law.evaluate(contact, &[], &Direction { v }).F_R
        };
        let at_rest = Signed::even(at_rest(1.0)).joined(Signed::even(at_rest(-1.0)));
        WithStick {
            law,
            limits: Limits {
                break_away: at_rest,
                at_rest,
                moving: moving(0.0),
            },
        }
    }
}

impl<L: Jumps> Machine for WithStick<L> {
    fn limits(&self) -> Limits {
        self.limits
    }
}

impl<L: Jumps + Copy> Law<0> for WithStick<L> {
    const METADATA: &'static LawMetadata = L::WITH_STICK;

    type DiscreteState = State;

    fn new(values: &Values, characteristic: Option<&'static Measured>) -> Result<Self, InputError> {
        L::new(values, characteristic).map(Self::of)
    }

    fn signed(self, backward: Self) -> Result<Self, InputError> {
        self.law.signed(backward.law).map(Self::of)
    }

    fn coupled(&self, _: f64) -> Option<Self> {
        let limits = Limits {
            moving: MOVING_BODY,
            ..self.limits
        };
        Some(WithStick { limits, ..*self })
    }

    fn evaluate<S: Scalar>(
        &self,
        contact: Contact<S>,
        _: &[S; 0],
        state: &State,
    ) -> Evaluation<0, S> {
        match state.direction() {
            Motion::Stuck => state.evaluate(contact, self.limits, |_| S::constant(0.0)),
            direction => {
                let v = direction.sign();
                self.law.evaluate(contact, &[], &Direction { v })
            }
        }
    }

    fn numerics(&self, contact: Contact, x: &[f64; 0], duration: f64) -> Numerics<0> {
        Numerics {
            static_force: self.limits.break_away.larger() * contact.F_N,
            ..self.law.numerics(contact, x, duration)
        }
    }
}
