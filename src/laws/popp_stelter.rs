//! The friction characteristic of Popp and Stelter.
//!
//! Source: A. Stefański, J. Wojewoda, M. Wiercigroch, T. Kapitaniak, Proc. IMechE Part C 2006,
//! doi 10.1243/09544062C09305, equation (2), where the second name is spelt Stelzer.

use super::directions::{CONTACT_EVENT, DIRECTION, Direction, V_EVENT};
use super::symbols::stefanski::{MU_D, MU_S};
use super::symbols::{DEFAULTS_OF_SECTION_4_2, NO_PHENOMENA, STEFANSKI_AND_OTHERS, bounds, coefficients};
use crate::law::{
    Contact, Equation, Evaluation, F_N, Jacobian, Law, LawMetadata, MAX_EVENTS, Path, Phenomena, Polynomial, Structure,
    V, on,
};
use crate::variable::{InputError, Unit, Values, Variable};

/// η_1: the default brings the falling characteristic nearest to that of FrDyn2 in steady sliding, within 0.08.
const ETA_1: Variable = Variable::parameter(
    34,
    "eta_1",
    r"\eta_1",
    Unit::SecondPerMetre,
    320.0,
    "Decay of friction from mu_s to mu_d with the speed",
)
.within(bounds::SLOPE);
const ETA_2: Variable = Variable::parameter(
    35,
    "eta_2",
    r"\eta_2",
    Unit::SecondSquaredPerMetreSquared,
    0.0,
    "Growth of friction with the square of the speed",
)
.at_least(0.0);

/// Parameters.
pub(super) const PARAMETERS: &[Variable] = &[MU_S, MU_D, ETA_1, ETA_2];

pub(super) static METADATA: LawMetadata = LawMetadata {
    name: "PoppStelter",
    title: "Friction characteristic of Popp and Stelter",
    summary: "A falling characteristic that rises again at high speed, with a jump at rest: the classic source of \
              self-excited vibration.",
    kind: "static",
    source: STEFANSKI_AND_OTHERS,
    place: "equation (2)",
    equations: &[Equation {
        number: "(2)",
        latex: r"F_R = F_N \left(\frac{f_s - f_c}{1 + \eta_1\,|v|} + f_c + \eta_2\,v^2\right) \operatorname{sgn}(v)",
        meaning: "Friction falls from mu_s with the speed and rises with its square; sgn(0) = 0.",
    }],
    sticking: "",
    phenomena: Phenomena { stribeck: true, ..NO_PHENOMENA },
    notes: &[
        ("Modelled", "The Stribeck effect and friction that rises at high speed."),
        (
            "Not modelled",
            "Stick: at rest the force is 0 and jumps to mu_s F_N with any motion. No pre-sliding displacement, no memory.",
        ),
        DEFAULTS_OF_SECTION_4_2,
    ],
    inputs: &[],
    states: &[],
    modes: &[DIRECTION],
    events: &[CONTACT_EVENT, V_EVENT],
    parameters: PARAMETERS,
    structure: Structure::of_force(on(&[F_N, V]).initially(PARAMETERS)),
};

/// The characteristic with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoppStelter {
    mu_s: f64,
    mu_d: f64,
    eta_1: f64,
    eta_2: f64,
}

impl PoppStelter {
    /// Coefficient of friction at a speed (m/s), and its derivative, s/m.
    pub(super) fn coefficient(&self, speed: f64) -> (f64, f64) {
        let fall = 1.0 + self.eta_1 * speed;
        let drop = (self.mu_s - self.mu_d) / fall;
        let coefficient = drop + self.mu_d + self.eta_2 * speed * speed;
        (coefficient, -drop * self.eta_1 / fall + 2.0 * self.eta_2 * speed)
    }

    /// The coefficient at v and its derivative, s/m, also beyond the event of the sign of v.
    #[cold]
    fn continued(&self, v: f64, direction: &Direction) -> (f64, f64) {
        direction.continued(v, self.coefficient(v.abs()), || self.coefficient(0.0))
    }
}

impl Law<0> for PoppStelter {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = Direction;

    fn new(values: &Values) -> Result<Self, InputError> {
        let [mu_s, mu_d] = coefficients(&MU_S, &MU_D, values)?;
        Ok(PoppStelter { mu_s, mu_d, eta_1: values[&ETA_1], eta_2: values[&ETA_2] })
    }

    fn evaluate(&self, contact: Contact, _: &[f64; 0], direction: &Direction) -> Evaluation<0> {
        let mu = if direction.is_beyond(contact.v) {
            self.continued(contact.v, direction).0
        } else {
            self.coefficient(contact.v.abs()).0
        };
        let force = mu * contact.F_N * direction.v;
        Evaluation { F_R: if contact.is_open() { 0.0 } else { force }, sticking: false, rate: [] }
    }

    fn jacobian(&self, contact: Contact, _: &[f64; 0], direction: &Direction) -> Jacobian<0> {
        if contact.is_open() {
            return Jacobian::ZERO;
        }
        let (mu, slope) = self.continued(contact.v, direction);
        Jacobian { F_R_F_N: mu * direction.v, F_R_v: slope * contact.F_N * direction.v.abs(), ..Jacobian::ZERO }
    }

    fn scale(&self, _: Contact, _: &[f64; 0]) -> [f64; 0] {
        []
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
