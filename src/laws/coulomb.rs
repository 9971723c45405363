//! Coulomb friction with stick under an applied force.
//!
//! Source: A. Kargaonkar, N. K. Singh, European Journal of Mechanical Engineering Research 2024,
//! 11(2), 76–92, doi 10.37745/ejmer.2014/vol11n27692, equations (1)–(3); A. Stefański and others
//! 2006, equation (1).
//!
//! Equation (2) requires v = 0 exactly, which sampled velocities rarely are: the state machine of
//! `stick_slip` decides between stick and sliding.

use super::stick_slip::{
    EVENTS, Limits, MODE, MOVING_BODY, Machine, START, State, V_SMALL, moving,
};
use super::symbols::{
    DEFAULTS_OF_TABLE_3, KARGAONKAR_SINGH, MU_D, NO_PHENOMENA, THRESHOLD_OF_REST,
};
use crate::by_direction;
use crate::characteristic::{Measured, Signed};
use crate::law::{
    Contact, Equation, Evaluation, F_N, F_T, Law, LawMetadata, Numerics, Phenomena, Structure, V,
    on,
};
use crate::scalar::Scalar;
use crate::variable::{InputError, Values};

static METADATA: LawMetadata = LawMetadata {
    name: "Coulomb",
    title: "Coulomb friction with stick",
    summary: "A constant force against the motion; at rest it balances the applied force up to \
              that.",
    kind: "static, switching",
    source: KARGAONKAR_SINGH,
    place: "equations (1)\u{2013}(3)",
    equations: &[
        Equation {
            number: "(1)",
            latex: r"F_c = \mu_k\,F_N",
            meaning: "The Coulomb force.",
        },
        Equation {
            number: "(2)",
            latex: r"F_R = \begin{cases} F_c \operatorname{sgn}(v) & v \ne 0 \\ \min(|F_t|,\,F_c) \operatorname{sgn}(F_t) & v = 0 \end{cases}",
            meaning: "Sliding and stick. With F_t + m v/H as the applied force, which brings the \
                      body to rest within a step \
                      H, stick is the time-stepping form (3).",
        },
    ],
    sticking: "the contact is stuck: v has come to 0, |F_t| \u{2264} F_c since, and |v| \u{2264} \
               v_small.",
    phenomena: Phenomena {
        long_term_stick: true,
        ..NO_PHENOMENA
    },
    notes: &[
        (
            "Modelled",
            "Coulomb friction and stick. |F_R| never exceeds F_c.",
        ),
        (
            "Not modelled",
            "Static friction above the kinetic one, the Stribeck effect, pre-sliding \
             displacement, memory.",
        ),
        (
            "Stick",
            "Sliding ends when v passes through 0; the contact is stuck and balances F_t until \
             |F_t| exceeds F_c, or |v| \
             exceeds v_small. In Model Exchange give F_t as all forces on the body but F_R; v \
             passes through 0 as an event. \
             With a master of fixed steps H give F_t + m v/H, which stops the velocity that \
             remains from the step in which \
             v changed sign, and v_small above 2 F_c H/m.",
        ),
        (
            "If F_t is not connected",
            "it is 0: F_R = F_c sgn(v), but 0 while a contact that has come to rest moves no \
             faster than v_small. Set \
             v_small = 0 for the bare sign function.",
        ),
        DEFAULTS_OF_TABLE_3,
        THRESHOLD_OF_REST,
    ],
    inputs: &[F_T],
    states: &[],
    modes: &[MODE, START],
    events: EVENTS,
    parameters: &[MU_D, V_SMALL],
    directed: &[by_direction!(MU_D, "mu_d", r"\mu_k")],
    structure: Structure {
        at_rest: &[F_T],
        sticking: on(&[F_N]).initially(&[V, F_T, MU_D]),
        ..Structure::of_force(on(&[F_N, F_T]).initially(&[V, MU_D]))
    },
    ..LawMetadata::EMPTY
};

/// Coulomb friction with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coulomb {
    mu_d: Signed<f64>,
    moving: f64,
}

impl Law<0> for Coulomb {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = State;

    fn new(values: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
        Ok(Coulomb {
            mu_d: Signed::even(values[&MU_D]),
            moving: moving(values[&V_SMALL]),
        })
    }

    fn signed(self, backward: Self) -> Result<Self, InputError> {
        Ok(Coulomb {
            mu_d: self.mu_d.joined(backward.mu_d),
            ..self
        })
    }

    fn coupled(&self, _: f64) -> Option<Self> {
        Some(Coulomb {
            moving: MOVING_BODY,
            ..*self
        })
    }

    fn evaluate<S: Scalar>(
        &self,
        contact: Contact<S>,
        _: &[S; 0],
        state: &State,
    ) -> Evaluation<0, S> {
        state.evaluate(contact, self.limits(), |direction| {
            S::constant(*self.mu_d.of(direction.sign()))
        })
    }

    fn numerics(&self, contact: Contact, _: &[f64; 0], _: f64) -> Numerics<0> {
        Numerics {
            static_force: self.mu_d.larger() * contact.F_N,
            ..Numerics::of([])
        }
    }
}

impl Machine for Coulomb {
    fn limits(&self) -> Limits {
        Limits {
            break_away: self.mu_d,
            at_rest: self.mu_d,
            moving: self.moving,
        }
    }
}
