//! The non-reversible friction characteristic of Powell and Wiercigroch.
//!
//! Source: A. Stefański, J. Wojewoda, M. Wiercigroch, T. Kapitaniak, Proc. IMechE Part C 2006, doi
//! 10.1243/09544062C09305, equation (3). The branch is chosen by sgn(v a), not by sgn(a) as
//! printed: the printed form is right for v > 0 only, and the paper's Fig. 3b is symmetric.

use super::directions::{CONTACT_EVENT, DIRECTION, Direction, Directions, TREND, V_EVENT};
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

/// a: the default brings the upper branch nearest to the characteristic of FrDyn2 in steady
/// sliding, within 0.06.
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
const B_L: Variable = Variable::parameter(
    35,
    "b_l",
    "b_l",
    Unit::SecondPerMetre,
    190.0,
    "Slope of the lower branch: b of the source",
)
.within(bounds::SLOPE);

static METADATA: LawMetadata = LawMetadata {
    name: "NonReversible",
    title: "Non-reversible friction characteristic",
    summary: "Two characteristics, one for rising and one for falling speed: friction is larger \
              while the contact speeds \
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
            "The Stribeck effect when sliding begins, and the hysteresis between rising and \
             falling speed as two fixed \
             branches.",
        ),
        (
            "Not modelled",
            "Stick, pre-sliding displacement, and loops whose size depends on the motion. The \
             force jumps where a changes \
             its sign.",
        ),
        (
            "If a is not connected",
            "it is 0, and the element is a reversible Stribeck curve: the upper branch in both \
             directions.",
        ),
        (
            "An algebraic loop",
            "The acceleration depends on the force. In Co-Simulation a is that of the step \
             before; in Model Exchange a \
             fed back at once makes an implicit equation with two solutions where both branches \
             fit: feed a measured or \
             filtered a.",
        ),
        DEFAULTS_OF_SECTION_4_2,
    ],
    inputs: &[A],
    states: &[],
    modes: &[DIRECTION, TREND],
    events: &[
        CONTACT_EVENT,
        V_EVENT,
        "a passes through 0: the branch changes",
    ],
    parameters: &[MU_S, MU_D, A_U, B_L],
    structure: Structure::of_force(on(&[F_N, V]).initially(&[A, MU_S, MU_D, A_U, B_L])),
    ..LawMetadata::EMPTY
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
    /// The coefficient at a speed (m/s), at least 0.
    #[inline(always)]
    fn at<S: Scalar>(&self, speed: S, signs: &Directions) -> S {
        if signs.side() >= 0.0 {
            (speed * -self.a_u).exp() * (self.mu_s - self.mu_d) + self.mu_d
        } else {
            let part = libm::expm1(-self.b_l * speed.value());
            speed.chain(-self.mu_d * part, self.mu_d * self.b_l * (1.0 + part))
        }
    }
}

impl Law<0> for NonReversible {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = Directions;

    fn new(values: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
        let [mu_s, mu_d] = coefficients(&MU_S, &MU_D, values)?;
        Ok(NonReversible {
            mu_s,
            mu_d,
            a_u: values[&A_U],
            b_l: values[&B_L],
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
        let mu = Direction { v: signs.v }.continued(contact.v, |speed| self.at(speed, signs));
        Evaluation::of_force(mu * contact.F_N * signs.v)
    }

    fn numerics(&self, _: Contact, _: &[f64; 0], _: f64) -> Numerics<0> {
        Numerics::of([])
    }
}
