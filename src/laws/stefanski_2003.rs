//! The acceleration-dependent friction characteristic of Stefański, Wojewoda, Wiercigroch and
//! Kapitaniak (2003).
//!
//! Source: A. Stefański, J. Wojewoda, M. Wiercigroch, T. Kapitaniak, Proc. IMechE Part C 2006,
//! doi 10.1243/09544062C09305, equation (10).

use super::directions::{CONTACT_EVENT, DIRECTION, Directions, TREND, V_EVENT};
use super::symbols::stefanski::{MU_D, MU_S};
use super::symbols::{
    DEFAULTS_OF_SECTION_4_2, NO_PHENOMENA, STEFANSKI_AND_OTHERS, bounds, coefficients,
};
use crate::characteristic::Measured;
use crate::law::{
    A, Contact, Equation, Evaluation, F_N, Law, LawMetadata, Numerics, Phenomena, Structure, V, on,
};
use crate::scalar::Scalar;
use crate::variable::{InputError, Unit, Values, Variable};

/// a_1: with the default the memory term decays over the Stribeck velocity of the default contact,
/// 5e-3 m/s, at |a| = 1 m/s².
const A_1: Variable = Variable::parameter(
    34,
    "a_1",
    "a_1",
    Unit::PerSecond,
    200.0,
    "Decay rate of the memory term with the speed",
)
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
    summary: "A symmetric non-reversible characteristic: friction above its Coulomb value while \
              the contact speeds up, \
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
        Equation {
            number: "(12)",
            latex: r"F_R = F_N\,f",
            meaning: "The friction force.",
        },
    ],
    sticking: "",
    phenomena: Phenomena {
        stribeck: true,
        memory: true,
        ..NO_PHENOMENA
    },
    notes: &[
        (
            "Modelled",
            "The Stribeck effect and frictional memory, with loops that depend on the motion.",
        ),
        (
            "Not modelled",
            "Stick and pre-sliding displacement. The force jumps where v or a changes its sign.",
        ),
        (
            "If a is not connected",
            "it is 0, and the element is Coulomb friction: F_R = mu_d F_N sgn(v).",
        ),
        (
            "An algebraic loop",
            "The acceleration depends on the force. In Co-Simulation a is that of the step \
             before; in Model Exchange feed \
             a measured or filtered a.",
        ),
        DEFAULTS_OF_SECTION_4_2,
    ],
    inputs: &[A],
    states: &[],
    modes: &[DIRECTION, TREND],
    events: &[
        CONTACT_EVENT,
        V_EVENT,
        "a passes through 0: the memory changes sides",
    ],
    parameters: &[MU_S, MU_D, A_1, A_2],
    structure: Structure::of_force(on(&[F_N, V, A]).initially(&[MU_S, MU_D, A_1, A_2])),
    ..LawMetadata::EMPTY
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
    /// The coefficient of a contact with the magnitudes of v and a.
    #[inline(always)]
    fn inside<S: Scalar>(&self, Contact { v, a, .. }: Contact<S>, signs: &Directions) -> S {
        let exponent = v * (a + self.a_2).reciprocal() * -self.a_1;
        exponent.exp() * ((self.mu_s - self.mu_d) * signs.side()) + self.mu_d
    }
}

impl Law<0> for Stefanski2003 {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = Directions;

    fn new(values: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
        let [mu_s, mu_d] = coefficients(&MU_S, &MU_D, values)?;
        Ok(Stefanski2003 {
            mu_s,
            mu_d,
            a_1: values[&A_1],
            a_2: values[&A_2],
        })
    }

    fn evaluate<S: Scalar>(
        &self,
        contact: Contact<S>,
        _: &[S; 0],
        signs: &Directions,
    ) -> Evaluation<0, S> {
        if contact.is_open() {
            return Evaluation::zero();
        }
        let mu = signs.continued(contact, |contact| self.inside(contact, signs));
        Evaluation::of_force(mu * contact.F_N * signs.v)
    }

    fn numerics(&self, _: Contact, _: &[f64; 0], _: f64) -> Numerics<0> {
        Numerics::of([])
    }
}
