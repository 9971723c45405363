//! The non-reversible friction characteristic of Powell and Wiercigroch.
//!
//! Source: A. Stefański, J. Wojewoda, M. Wiercigroch, T. Kapitaniak, Proc. IMechE Part C 2006,
//! doi 10.1243/09544062C09305, equation (3). The branch is chosen by sgn(v a), not by sgn(a) as printed: the printed form
//! is right for v > 0 only, and the paper's Fig. 3b is symmetric.

use super::directions::{CONTACT_EVENT, DIRECTION, Direction, Directions, TREND, V_EVENT};
use super::symbols::stefanski::{MU_D, MU_S};
use super::symbols::{DEFAULTS_OF_SECTION_4_2, NO_PHENOMENA, STEFANSKI_AND_OTHERS, bounds, coefficients};
use crate::law::{
    A, Contact, Equation, Evaluation, F_N, Jacobian, Law, LawMetadata, MAX_EVENTS, Path, Phenomena, Polynomial,
    Structure, V, on,
};
use crate::variable::{InputError, Unit, Values, Variable};

/// a: the default brings the upper branch nearest to the characteristic of FrDyn2 in steady sliding, within 0.06.
const A_U: Variable = Variable::parameter(
    34,
    "a_u",
    "a_u",
    Unit::SecondPerMetre,
    190.0,
    "Slope of the upper branch: a of the source, renamed beside the acceleration",
)
.within(bounds::SLOPE);
/// b: the default is that of the upper branch.
const B_L: Variable =
    Variable::parameter(35, "b_l", "b_l", Unit::SecondPerMetre, 190.0, "Slope of the lower branch: b of the source")
        .within(bounds::SLOPE);

static METADATA: LawMetadata = LawMetadata {
    name: "NonReversible",
    title: "Non-reversible friction characteristic",
    summary: "Two characteristics, one for rising and one for falling speed: friction is larger while the contact speeds \
              up than while it slows down.",
    kind: "static, acceleration-dependent",
    source: STEFANSKI_AND_OTHERS,
    place: "equation (3), after Powell and Wiercigroch",
    equations: &[
        Equation {
            number: "(3)",
            latex: r"f_u(v) = f_c \left[1 + \frac{f_s - f_c}{f_c}\,e^{-a_u |v|}\right] \operatorname{sgn}(v), \qquad v\,a \ge 0",
            meaning: "The upper branch, while the speed rises or holds.",
        },
        Equation {
            number: "(3)",
            latex: r"f_l(v) = f_c \left[1 - e^{-b_l |v|}\right] \operatorname{sgn}(v), \qquad v\,a < 0",
            meaning: "The lower branch, while the speed falls: it decreases to 0 at rest.",
        },
        Equation { number: "(12)", latex: r"F_R = F_N\,f", meaning: "The friction force." },
    ],
    sticking: "",
    phenomena: Phenomena { stribeck: true, memory: true, ..NO_PHENOMENA },
    notes: &[
        (
            "Modelled",
            "The Stribeck effect when sliding begins, and the hysteresis between rising and falling speed as two fixed \
             branches.",
        ),
        (
            "Not modelled",
            "Stick, pre-sliding displacement, and loops whose size depends on the motion. The force jumps where a changes \
             its sign.",
        ),
        (
            "If a is not connected",
            "it is 0, and the element is a reversible Stribeck curve: the upper branch in both directions.",
        ),
        (
            "An algebraic loop",
            "The acceleration depends on the force. In Co-Simulation a is that of the step before; in Model Exchange a \
             fed back at once makes an implicit equation with two solutions where both branches fit: feed a measured or \
             filtered a.",
        ),
        DEFAULTS_OF_SECTION_4_2,
    ],
    inputs: &[A],
    states: &[],
    modes: &[DIRECTION, TREND],
    events: &[CONTACT_EVENT, V_EVENT, "a passes through 0: the branch changes"],
    parameters: &[MU_S, MU_D, A_U, B_L],
    structure: Structure::of_force(on(&[F_N, V]).initially(&[A, MU_S, MU_D, A_U, B_L])),
};

/// The characteristic with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NonReversible {
    mu_s: f64,
    mu_d: f64,
    a_u: f64,
    b_l: f64,
}

impl NonReversible {
    /// The coefficient and its derivative by the speed, s/m, also beyond the event of the sign of v.
    #[cold]
    fn continued(&self, contact: Contact, signs: &Directions) -> (f64, f64) {
        let here = self.at(contact.v.abs(), signs);
        Direction { v: signs.v }.continued(contact.v, here, || self.at(0.0, signs))
    }

    /// The coefficient at a speed (m/s), at least 0, and its derivative, s/m.
    #[inline(always)]
    fn at(&self, speed: f64, signs: &Directions) -> (f64, f64) {
        if signs.side() >= 0.0 {
            let part = (self.mu_s - self.mu_d) * libm::exp(-self.a_u * speed);
            (self.mu_d + part, -self.a_u * part)
        } else {
            let part = libm::expm1(-self.b_l * speed);
            (-self.mu_d * part, self.mu_d * self.b_l * (1.0 + part))
        }
    }
}

impl Law<0> for NonReversible {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = Directions;

    fn new(values: &Values) -> Result<Self, InputError> {
        let [mu_s, mu_d] = coefficients(&MU_S, &MU_D, values)?;
        Ok(NonReversible { mu_s, mu_d, a_u: values[&A_U], b_l: values[&B_L] })
    }

    fn evaluate(&self, contact: Contact, _: &[f64; 0], signs: &Directions) -> Evaluation<0> {
        let is_beyond = Direction { v: signs.v }.is_beyond(contact.v);
        let mu = if is_beyond { self.continued(contact, signs).0 } else { self.at(contact.v.abs(), signs).0 };
        let force = mu * contact.F_N * signs.v;
        Evaluation { F_R: if contact.is_open() { 0.0 } else { force }, sticking: false, rate: [] }
    }

    fn jacobian(&self, contact: Contact, _: &[f64; 0], signs: &Directions) -> Jacobian<0> {
        if contact.is_open() {
            return Jacobian::ZERO;
        }
        let (coefficient, slope) = self.continued(contact, signs);
        Jacobian { F_R_F_N: coefficient * signs.v, F_R_v: slope * contact.F_N * signs.v.abs(), ..Jacobian::ZERO }
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
