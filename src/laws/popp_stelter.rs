//! The friction characteristic of Popp and Stelter.
//!
//! Source: A. Stefański, J. Wojewoda, M. Wiercigroch, T. Kapitaniak, Proc. IMechE Part C 2006,
//! doi 10.1243/09544062C09305, equation (2), where the second name is spelt Stelzer.

use super::directions::{CONTACT_EVENT, DIRECTION, Direction, V_EVENT};
use super::symbols::{F_COULOMB, F_STATIC, NO_PHENOMENA, STEFANSKI_AND_OTHERS, descending};
use crate::law::{
    Contact, Equation, Evaluation, F_N, Jacobian, Law, LawMetadata, MAX_EVENTS, Path, Phenomena, Polynomial, Structure,
    V, on,
};
use crate::variable::{InputError, Unit, Values, Variable};

const ETA_1: Variable = Variable::parameter(
    34,
    "eta_1",
    r"\eta_1",
    Unit::SecondPerMetre,
    1.42,
    "Decay of friction from f_s to f_c with the speed",
)
.at_least(0.0);
const ETA_2: Variable = Variable::parameter(
    35,
    "eta_2",
    r"\eta_2",
    Unit::SecondSquaredPerMetreSquared,
    0.01,
    "Growth of friction with the square of the speed",
)
.at_least(0.0);

/// Parameters.
pub(super) const PARAMETERS: &[Variable] = &[F_STATIC, F_COULOMB, ETA_1, ETA_2];

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
        meaning: "Friction falls from f_s with the speed and rises with its square; sgn(0) = 0.",
    }],
    sticking: "",
    phenomena: Phenomena { stribeck: true, ..NO_PHENOMENA },
    notes: &[
        ("Modelled", "The Stribeck effect and friction that rises at high speed."),
        (
            "Not modelled",
            "Stick: at rest the force is 0 and jumps to f_s F_N with any motion. No pre-sliding displacement, no memory.",
        ),
        (
            "Defaults",
            "f_s and f_c are those of the source\u{2019}s Sec. 4.2. It gives no eta_1 and eta_2; the defaults are \
             chosen: 1.42 s/m and 0.01 s\u{b2}/m\u{b2}.",
        ),
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
    f_s: f64,
    f_c: f64,
    eta_1: f64,
    eta_2: f64,
}

impl PoppStelter {
    /// Coefficient of friction at a speed (m/s), and its derivative, s/m.
    pub(super) fn coefficient(&self, speed: f64) -> (f64, f64) {
        let fall = 1.0 + self.eta_1 * speed;
        let drop = (self.f_s - self.f_c) / fall;
        let coefficient = drop + self.f_c + self.eta_2 * speed * speed;
        (coefficient, -drop * self.eta_1 / fall + 2.0 * self.eta_2 * speed)
    }
}

impl Law<0> for PoppStelter {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = Direction;

    fn new(values: &Values) -> Result<Self, InputError> {
        descending(&F_STATIC, &F_COULOMB, values)?;
        Ok(PoppStelter {
            f_s: values[&F_STATIC],
            f_c: values[&F_COULOMB],
            eta_1: values[&ETA_1],
            eta_2: values[&ETA_2],
        })
    }

    fn evaluate(&self, contact: Contact, _: &[f64; 0], direction: &Direction) -> Evaluation<0> {
        let force = self.coefficient(contact.v.abs()).0 * contact.F_N * direction.v;
        Evaluation { F_R: if contact.is_open() { 0.0 } else { force }, sticking: false, rate: [] }
    }

    fn jacobian(&self, contact: Contact, _: &[f64; 0], direction: &Direction) -> Jacobian<0> {
        if contact.is_open() {
            return Jacobian::ZERO;
        }
        let (coefficient, slope) = self.coefficient(contact.v.abs());
        Jacobian {
            F_R_F_N: coefficient * direction.v,
            F_R_v: slope * contact.F_N * direction.v.abs(),
            ..Jacobian::ZERO
        }
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
