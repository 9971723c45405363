//! The acceleration-dependent friction characteristic of Stefański, Wojewoda, Wiercigroch and Kapitaniak (2003).
//!
//! Source: A. Stefański, J. Wojewoda, M. Wiercigroch, T. Kapitaniak, Proc. IMechE Part C 2006,
//! doi 10.1243/09544062C09305, equation (10).

use super::directions::{Branch, CONTACT_EVENT, DIRECTION, Directions, TREND, V_EVENT};
use super::symbols::stefanski::{MU_D, MU_S};
use super::symbols::{DEFAULTS_OF_SECTION_4_2, NO_PHENOMENA, STEFANSKI_AND_OTHERS, bounds, coefficients};
use crate::law::{
    A, Contact, Equation, Evaluation, F_N, Jacobian, Law, LawMetadata, MAX_EVENTS, Path, Phenomena, Polynomial,
    Structure, V, on,
};
use crate::variable::{InputError, Unit, Values, Variable};

/// a_1: with the default the memory term decays over the Stribeck velocity of the default contact, 5e-3 m/s, at |a| = 1 m/s².
const A_1: Variable =
    Variable::parameter(34, "a_1", "a_1", Unit::PerSecond, 200.0, "Decay rate of the memory term with the speed")
        .at_least(0.0);
const A_2: Variable = Variable::parameter(
    35,
    "a_2",
    "a_2",
    Unit::MetrePerSecondSquared,
    1e-3,
    "Acceleration that keeps the denominator from 0",
)
.within(bounds::ACCELERATION);

static METADATA: LawMetadata = LawMetadata {
    name: "Stefanski2003",
    title: "Friction characteristic with the acceleration, 2003",
    summary: "A symmetric non-reversible characteristic: friction above its Coulomb value while the contact speeds up, \
              below it while it slows down, the more the larger the acceleration.",
    kind: "static, acceleration-dependent",
    source: STEFANSKI_AND_OTHERS,
    place: "equation (10)",
    equations: &[
        Equation {
            number: "(10)",
            latex: r"f = f_c \left[1 + \frac{f_s - f_c}{f_c}\,\exp\left(-\frac{a_1\,|v|}{|a| + a_2}\right) \operatorname{sgn}(a\,v)\right] \operatorname{sgn}(v)",
            meaning: "The coefficient of friction; sgn(0) = 0.",
        },
        Equation { number: "(12)", latex: r"F_R = F_N\,f", meaning: "The friction force." },
    ],
    sticking: "",
    phenomena: Phenomena { stribeck: true, memory: true, ..NO_PHENOMENA },
    notes: &[
        ("Modelled", "The Stribeck effect and frictional memory, with loops that depend on the motion."),
        ("Not modelled", "Stick and pre-sliding displacement. The force jumps where v or a changes its sign."),
        ("If a is not connected", "it is 0, and the element is Coulomb friction: F_R = mu_d F_N sgn(v)."),
        (
            "An algebraic loop",
            "The acceleration depends on the force. In Co-Simulation a is that of the step before; in Model Exchange feed \
             a measured or filtered a.",
        ),
        DEFAULTS_OF_SECTION_4_2,
    ],
    inputs: &[A],
    states: &[],
    modes: &[DIRECTION, TREND],
    events: &[CONTACT_EVENT, V_EVENT, "a passes through 0: the memory changes sides"],
    parameters: &[MU_S, MU_D, A_1, A_2],
    structure: Structure::of_force(on(&[F_N, V, A]).initially(&[MU_S, MU_D, A_1, A_2])),
};

/// The characteristic with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stefanski2003 {
    mu_s: f64,
    mu_d: f64,
    a_1: f64,
    a_2: f64,
}

impl Stefanski2003 {
    /// The coefficient with its derivatives, also beyond the events of the signs of v and a.
    #[cold]
    fn continued(&self, contact: Contact, signs: &Directions) -> Branch {
        let here = self.inside(contact.magnitudes(), signs);
        here.continued(signs, contact, |contact| self.inside(contact, signs))
    }

    /// The coefficient of a contact with the magnitudes of v and a.
    #[inline(always)]
    fn inside(&self, Contact { v, a, .. }: Contact, signs: &Directions) -> Branch {
        let width = a + self.a_2;
        let exponent = self.a_1 * v / width;
        let part = (self.mu_s - self.mu_d) * libm::exp(-exponent) * signs.side();
        Branch {
            value: self.mu_d + part,
            by_normal_force: 0.0,
            by_speed: -part * self.a_1 / width,
            by_acceleration: part * exponent / width,
        }
    }
}

impl Law<0> for Stefanski2003 {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = Directions;

    fn new(values: &Values) -> Result<Self, InputError> {
        let [mu_s, mu_d] = coefficients(&MU_S, &MU_D, values)?;
        Ok(Stefanski2003 { mu_s, mu_d, a_1: values[&A_1], a_2: values[&A_2] })
    }

    fn evaluate(&self, contact: Contact, _: &[f64; 0], signs: &Directions) -> Evaluation<0> {
        let is_beyond = signs.are_beyond(contact) != [false; 2];
        let branch = if is_beyond { self.continued(contact, signs) } else { self.inside(contact.magnitudes(), signs) };
        let force = branch.value * contact.F_N * signs.v;
        Evaluation { F_R: if contact.is_open() { 0.0 } else { force }, sticking: false, rate: [] }
    }

    fn jacobian(&self, contact: Contact, _: &[f64; 0], signs: &Directions) -> Jacobian<0> {
        if contact.is_open() {
            return Jacobian::ZERO;
        }
        let Branch { value, by_speed, by_acceleration, .. } = self.continued(contact, signs);
        Jacobian {
            F_R_F_N: value * signs.v,
            F_R_v: by_speed * contact.F_N * signs.v.abs(),
            F_R_a: by_acceleration * contact.F_N * signs.side(),
            ..Jacobian::ZERO
        }
    }

    fn scale(&self, _: Contact, _: &[f64; 0]) -> [f64; 0] {
        []
    }

    fn initialize(&self, contact: Contact) -> Directions {
        Directions::of(contact)
    }

    fn indicators(&self, contact: Contact, _: &[f64; 0], signs: &Directions) -> [f64; MAX_EVENTS] {
        signs.indicators(contact)
    }

    fn event_polynomials(&self, path: &Path<0>, signs: &Directions) -> Option<[Polynomial; MAX_EVENTS]> {
        Some(signs.event_polynomials(path))
    }

    fn handle_event(&self, contact: Contact, _: &mut [f64; 0], signs: &mut Directions) -> bool {
        let before = core::mem::replace(signs, Directions::of(contact));
        before != *signs
    }
}
