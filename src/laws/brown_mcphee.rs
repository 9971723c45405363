//! The continuously differentiable friction model of Brown and McPhee.
//!
//! Source: A. Kargaonkar, N. K. Singh, European Journal of Mechanical Engineering Research 2024,
//! 11(2), 76–92, doi 10.37745/ejmer.2014/vol11n27692, equation (7).

use super::symbols::{
    DEFAULTS_OF_TABLE_3, DIRECTED, FORCES, KARGAONKAR_SINGH, MU_D, MU_S, NO_PHENOMENA, SIGMA_2,
    V_STRIBECK, coefficients,
};
use crate::characteristic::{Measured, Signed};
use crate::law::{
    Contact, Equation, Evaluation, F_N, Law, LawMetadata, Numerics, Phenomena, StepLimits,
    Structure, V, on,
};
use crate::scalar::Scalar;
use crate::variable::{InputError, Values, Variable};

/// Parameters.
pub(super) const PARAMETERS: &[Variable] = &[MU_S, MU_D, V_STRIBECK, SIGMA_2];

pub(super) static METADATA: LawMetadata = LawMetadata {
    name: "BrownMcPhee",
    title: "Friction model of Brown and McPhee",
    summary: "Coulomb friction with the Stribeck effect as one smooth function of velocity: fast \
              and passive, but it \
              creeps where it should stick.",
    kind: "static",
    source: KARGAONKAR_SINGH,
    place: "equation (7)",
    equations: &[
        Equation {
            number: "(7)",
            latex: r"F_R = \left(F_c \tanh\left(4\,x\right) + (F_s - F_c)\,\frac{x}{\left(\frac{1}{4}\,x^2 + \frac{3}{4}\right)^2}\right) \operatorname{sgn}(v) + \mu_v\,v, \qquad x = \frac{|v|}{v_S}",
            meaning: "Coulomb friction, the Stribeck effect and viscous friction.",
        },
        FORCES,
    ],
    sticking: "",
    phenomena: Phenomena {
        stribeck: true,
        ..NO_PHENOMENA
    },
    notes: &[
        (
            "Modelled",
            "The Stribeck effect, sliding and viscous friction, once continuously differentiable.",
        ),
        (
            "Not modelled",
            "Stick: under a load F the body creeps with the velocity at which F_R = F, about \
             v_Stribeck F/(4 F_c + 16/9 (F_s \
             \u{2212} F_c)) for small loads. No pre-sliding displacement, no memory. The largest \
             force is a little above \
             or below F_s, because the curves of its two parts do not peak at the same speed.",
        ),
        DEFAULTS_OF_TABLE_3,
    ],
    inputs: &[],
    states: &[],
    modes: &[],
    events: &[],
    parameters: PARAMETERS,
    directed: DIRECTED,
    structure: Structure::of_force(on(&[F_N, V]).initially(PARAMETERS)),
    ..LawMetadata::EMPTY
};

/// The model of Brown and McPhee with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrownMcPhee(pub(super) Signed<Characteristic>);

/// The parameters of one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Characteristic {
    mu_s: f64,
    mu_d: f64,
    v_stribeck: f64,
    pub(super) sigma_2: f64,
}

impl Characteristic {
    /// Dry coefficient of friction, odd in v.
    pub(super) fn coefficient<S: Scalar>(&self, v: S) -> S {
        let x = v * (1.0 / self.v_stribeck);
        let rise = (x * 4.0).tanh();
        let width = x * x * 0.25 + 0.75;
        // At large x its powers overflow, and the Stribeck part is negligible.
        if width.value() < 1e100 {
            rise * self.mu_d + x * (width * width).reciprocal() * (self.mu_s - self.mu_d)
        } else {
            rise * self.mu_d
        }
    }
}

impl Law<0> for BrownMcPhee {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = ();

    fn new(values: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
        let [mu_s, mu_d] = coefficients(&MU_S, &MU_D, values)?;
        let [v_stribeck, sigma_2] = [values[&V_STRIBECK], values[&SIGMA_2]];
        Ok(BrownMcPhee(Signed::even(Characteristic {
            mu_s,
            mu_d,
            v_stribeck,
            sigma_2,
        })))
    }

    fn signed(self, backward: Self) -> Result<Self, InputError> {
        Ok(BrownMcPhee(self.0.joined(backward.0)))
    }

    fn evaluate<S: Scalar>(&self, contact: Contact<S>, _: &[S; 0], (): &()) -> Evaluation<0, S> {
        if contact.is_open() {
            return Evaluation::zero();
        }
        let side = self.0.of(contact.v.value());
        Evaluation::of_force(side.coefficient(contact.v) * contact.F_N + contact.v * side.sigma_2)
    }

    fn numerics(&self, contact: Contact, _: &[f64; 0], _: f64) -> Numerics<0> {
        let v_stribeck = self.0.of(contact.v).v_stribeck;
        Numerics {
            error_force: self.0.map(|side| side.mu_s).larger() * contact.F_N,
            // The slope at rest is at most 4 F_s/v_Stribeck.
            velocity_scale: 0.25 * v_stribeck,
            limits: StepLimits::along(v_stribeck, contact.v.abs()),
            ..Numerics::of([])
        }
    }
}
