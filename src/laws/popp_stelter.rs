//! The friction characteristic of Popp and Stelter.
//!
//! Source: A. Stefański, J. Wojewoda, M. Wiercigroch, T. Kapitaniak, Proc. IMechE Part C 2006,
//! doi 10.1243/09544062C09305, equation (2), where the second name is spelt Stelzer.

use super::directions::{CONTACT_EVENT, DIRECTION, Direction, V_EVENT};
use super::symbols::stefanski::{MU_D, MU_S};
use super::symbols::{
    DEFAULTS_OF_SECTION_4_2, NO_PHENOMENA, STEFANSKI_AND_OTHERS, bounds, coefficients,
};
use crate::characteristic::Measured;
use crate::law::{
    Contact, Equation, Evaluation, F_N, Law, LawMetadata, Numerics, Phenomena, Structure, V, on,
};
use crate::scalar::Scalar;
use crate::variable::{InputError, Unit, Values, Variable};

/// η_1: the default brings the falling characteristic nearest to that of FrDyn2 in steady sliding,
/// within 0.08.
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

pub(super) const EQUATION: Equation = Equation {
    number: "(2)",
    latex: r"F_R = F_N \left(\frac{f_s - f_c}{1 + \eta_1\,|v|} + f_c + \eta_2\,v^2\right) \operatorname{sgn}(v)",
    meaning: "Friction falls from mu_s with the speed and rises with its square; sgn(0) = 0.",
};

pub(super) static METADATA: LawMetadata = LawMetadata {
    name: "PoppStelter",
    title: "Friction characteristic of Popp and Stelter",
    summary: "A falling characteristic that rises again at high speed, with a jump at rest: the \
              classic source of \
              self-excited vibration.",
    kind: "static",
    source: STEFANSKI_AND_OTHERS,
    place: "equation (2)",
    equations: &[EQUATION],
    sticking: "",
    phenomena: Phenomena {
        stribeck: true,
        ..NO_PHENOMENA
    },
    notes: &[
        (
            "Modelled",
            "The Stribeck effect and friction that rises at high speed.",
        ),
        (
            "Not modelled",
            "Stick: at rest the force is 0 and jumps to mu_s F_N with any motion; with the body inside \
             the law sticks. No pre-sliding displacement, no memory.",
        ),
        DEFAULTS_OF_SECTION_4_2,
    ],
    inputs: &[],
    states: &[],
    modes: &[DIRECTION],
    events: &[CONTACT_EVENT, V_EVENT],
    parameters: PARAMETERS,
    structure: Structure::of_force(on(&[F_N, V]).initially(PARAMETERS)),
    ..LawMetadata::EMPTY
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
    /// Coefficient of friction at a speed (m/s).
    pub(super) fn coefficient<S: Scalar>(&self, speed: S) -> S {
        let drop = (speed * self.eta_1 + 1.0).reciprocal() * (self.mu_s - self.mu_d);
        drop + self.mu_d + speed * speed * self.eta_2
    }
}

impl Law<0> for PoppStelter {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = Direction;

    fn new(values: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
        let [mu_s, mu_d] = coefficients(&MU_S, &MU_D, values)?;
        Ok(PoppStelter {
            mu_s,
            mu_d,
            eta_1: values[&ETA_1],
            eta_2: values[&ETA_2],
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
        let mu = direction.continued(contact.v, |speed| self.coefficient(speed));
        Evaluation::of_force(mu * contact.F_N * direction.v)
    }

    fn numerics(&self, contact: Contact, _: &[f64; 0], _: f64) -> Numerics<0> {
        Numerics {
            error_force: self.mu_s * contact.F_N,
            ..Numerics::of([])
        }
    }
}
