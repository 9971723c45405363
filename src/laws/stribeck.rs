//! Coulomb friction with the Stribeck effect, as a function of velocity.
//!
//! Source: A. Kargaonkar, N. K. Singh, European Journal of Mechanical Engineering Research 2024,
//! 11(2), 76–92, doi 10.37745/ejmer.2014/vol11n27692, equations (5) and (6).

use super::directions::{CONTACT_EVENT, DIRECTION, Direction, V_EVENT};
use super::symbols::{
    DEFAULTS_OF_TABLE_3, DELTA_SIGMA, DIRECTED, Exponential, FORCES, KARGAONKAR_SINGH, MU_D, MU_S,
    NO_PHENOMENA, SIGMA_2, V_STRIBECK,
};
use crate::characteristic::{Measured, Signed};
use crate::law::{
    Contact, Equation, Evaluation, F_N, Law, LawMetadata, Numerics, Phenomena, Structure, V, on,
};
use crate::scalar::Scalar;
use crate::variable::{InputError, Values, Variable};

/// Parameters.
pub(super) const PARAMETERS: &[Variable] = &[MU_S, MU_D, V_STRIBECK, DELTA_SIGMA, SIGMA_2];

pub(super) const EQUATION: Equation = Equation {
    number: "(5)",
    latex: r"F_R = \left(F_c + (F_s - F_c)\,e^{-\left(|v|/v_S\right)^{\delta_\sigma}}\right) \operatorname{sgn}(v) + \mu_v\,v",
    meaning: "Coulomb friction, the Stribeck effect and viscous friction; sgn(0) = 0.",
};

pub(super) static METADATA: LawMetadata = LawMetadata {
    name: "Stribeck",
    title: "Stribeck friction",
    summary: "Friction that falls from its static to its kinetic value as an exponential of the \
              speed, with a jump at rest.",
    kind: "static",
    source: KARGAONKAR_SINGH,
    place: "equations (5), (6)",
    equations: &[EQUATION, FORCES],
    sticking: "",
    phenomena: Phenomena {
        stribeck: true,
        ..NO_PHENOMENA
    },
    notes: &[
        (
            "Modelled",
            "The Stribeck effect, sliding and viscous friction.",
        ),
        (
            "Not modelled",
            "Stick: at rest the force is 0 and jumps to F_s with any motion, so that a body which \
             the load cannot \
             move chatters between the signs. For bodies that come to rest give the body inside, \
             with which the law sticks, use BrownMcPhee, which is continuous, or a \
             law that sticks. No pre-sliding displacement, no memory.",
        ),
        DEFAULTS_OF_TABLE_3,
    ],
    inputs: &[],
    states: &[],
    modes: &[DIRECTION],
    events: &[CONTACT_EVENT, V_EVENT],
    parameters: PARAMETERS,
    directed: DIRECTED,
    structure: Structure::of_force(on(&[F_N, V]).initially(PARAMETERS)),
    ..LawMetadata::EMPTY
};

/// Stribeck friction with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stribeck {
    pub(super) curve: Signed<Exponential>,
    pub(super) sigma_2: Signed<f64>,
}

impl Law<0> for Stribeck {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = Direction;

    fn new(values: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
        Ok(Stribeck {
            curve: Signed::even(Exponential::new(values)?),
            sigma_2: Signed::even(values[&SIGMA_2]),
        })
    }

    fn signed(self, backward: Self) -> Result<Self, InputError> {
        Ok(Stribeck {
            curve: self.curve.joined(backward.curve),
            sigma_2: self.sigma_2.joined(backward.sigma_2),
        })
    }

    fn evaluate<S: Scalar>(
        &self,
        contact: Contact<S>,
        _: &[S; 0],
        direction: &Direction,
    ) -> Evaluation<0, S> {
        if contact.is_open() {
            return Evaluation::zero();
        }
        let curve = self.curve.of(direction.v);
        let mu = direction.continued(contact.v, |speed| curve.of(speed));
        Evaluation::of_force(
            mu * contact.F_N * direction.v + contact.v * *self.sigma_2.of(direction.v),
        )
    }

    fn numerics(&self, contact: Contact, _: &[f64; 0], _: f64) -> Numerics<0> {
        Numerics {
            error_force: self.curve.map(|curve| curve.mu_s).larger() * contact.F_N,
            ..Numerics::of([])
        }
    }
}
