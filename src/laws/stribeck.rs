//! Coulomb friction with the Stribeck effect, as a function of velocity.
//!
//! Source: A. Kargaonkar, N. K. Singh, European Journal of Mechanical Engineering Research 2024, 11(2), 76–92,
//! doi 10.37745/ejmer.2014/vol11n27692, equations (5) and (6).

use super::directions::{CONTACT_EVENT, DIRECTION, Direction, V_EVENT};
use super::symbols::{
    DEFAULTS_OF_TABLE_3, DELTA_SIGMA, Exponential, FORCES, KARGAONKAR_SINGH, MU_D, MU_S, NO_PHENOMENA, SIGMA_2,
    V_STRIBECK,
};
use crate::law::{
    Contact, Equation, Evaluation, F_N, Jacobian, Law, LawMetadata, MAX_EVENTS, Path, Phenomena, Polynomial, Structure,
    V, on,
};
use crate::variable::{InputError, Values, Variable};

/// Parameters.
pub(super) const PARAMETERS: &[Variable] = &[MU_S, MU_D, V_STRIBECK, DELTA_SIGMA, SIGMA_2];

pub(super) static METADATA: LawMetadata = LawMetadata {
    name: "Stribeck",
    title: "Stribeck friction",
    summary: "Friction that falls from its static to its kinetic value as an exponential of the speed, with a jump at rest.",
    kind: "static",
    source: KARGAONKAR_SINGH,
    place: "equations (5), (6)",
    equations: &[
        Equation {
            number: "(5)",
            latex: r"F_R = \left(F_c + (F_s - F_c)\,e^{-\left(|v|/v_S\right)^{\delta_\sigma}}\right) \operatorname{sgn}(v) + \mu_v\,v",
            meaning: "Coulomb friction, the Stribeck effect and viscous friction; sgn(0) = 0.",
        },
        FORCES,
    ],
    sticking: "",
    phenomena: Phenomena { stribeck: true, ..NO_PHENOMENA },
    notes: &[
        ("Modelled", "The Stribeck effect, sliding and viscous friction."),
        (
            "Not modelled",
            "Stick: at rest the force is 0 and jumps to F_s with any motion, so that a body which the load cannot \
             move chatters between the signs. For bodies that come to rest use BrownMcPhee, which is continuous, or a \
             law that sticks. No pre-sliding displacement, no memory.",
        ),
        DEFAULTS_OF_TABLE_3,
    ],
    inputs: &[],
    states: &[],
    modes: &[DIRECTION],
    events: &[CONTACT_EVENT, V_EVENT],
    parameters: PARAMETERS,
    structure: Structure::of_force(on(&[F_N, V]).initially(PARAMETERS)),
};

/// Stribeck friction with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stribeck {
    pub(super) curve: Exponential,
    pub(super) sigma_2: f64,
}

impl Stribeck {
    /// The coefficient at v and its derivative, s/m, also beyond the event of the sign of v.
    #[cold]
    fn continued(&self, v: f64, direction: &Direction) -> (f64, f64) {
        direction.continued(v, self.curve.at(v.abs()), || self.curve.at(0.0))
    }
}

impl Law<0> for Stribeck {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = Direction;

    fn new(values: &Values) -> Result<Self, InputError> {
        Ok(Stribeck { curve: Exponential::new(values)?, sigma_2: values[&SIGMA_2] })
    }

    fn evaluate(&self, contact: Contact, _: &[f64; 0], direction: &Direction) -> Evaluation<0> {
        let mu = if direction.is_beyond(contact.v) {
            self.continued(contact.v, direction).0
        } else {
            self.curve.at(contact.v.abs()).0
        };
        let force = mu * contact.F_N * direction.v + self.sigma_2 * contact.v;
        Evaluation { F_R: if contact.is_open() { 0.0 } else { force }, sticking: false, rate: [] }
    }

    fn jacobian(&self, contact: Contact, _: &[f64; 0], direction: &Direction) -> Jacobian<0> {
        if contact.is_open() {
            return Jacobian::ZERO;
        }
        let (mu, slope) = self.continued(contact.v, direction);
        Jacobian {
            F_R_F_N: mu * direction.v,
            F_R_v: slope * contact.F_N * direction.v.abs() + self.sigma_2,
            ..Jacobian::ZERO
        }
    }

    fn scale(&self, _: Contact, _: &[f64; 0]) -> [f64; 0] {
        []
    }

    fn error_force(&self, normal_force: f64) -> f64 {
        self.curve.mu_s * normal_force
    }

    fn initialize(&self, contact: Contact) -> Direction {
        Direction::of(contact)
    }

    fn indicators(&self, contact: Contact, _: &[f64; 0], direction: &Direction) -> [f64; MAX_EVENTS] {
        direction.indicators(contact)
    }

    fn event_polynomials(&self, path: &Path<0>, direction: &Direction) -> Option<[Polynomial; MAX_EVENTS]> {
        Some(direction.event_polynomials(path))
    }

    fn handle_event(&self, contact: Contact, _: &mut [f64; 0], direction: &mut Direction) -> bool {
        let before = core::mem::replace(direction, Direction::of(contact));
        before != *direction
    }
}
