//! The continuously differentiable friction model of Brown and McPhee.
//!
//! Source: A. Kargaonkar, N. K. Singh, European Journal of Mechanical Engineering Research 2024, 11(2), 76–92,
//! doi 10.37745/ejmer.2014/vol11n27692, equation (7).

use super::symbols::{
    DEFAULTS_OF_TABLE_3, FORCES, KARGAONKAR_SINGH, MU_D, MU_S, NO_PHENOMENA, SIGMA_2, V_STRIBECK, coefficients,
};
use crate::law::{Contact, Equation, Evaluation, F_N, Jacobian, Law, LawMetadata, Phenomena, Structure, V, on};
use crate::variable::{InputError, Values, Variable};

/// Parameters.
pub(super) const PARAMETERS: &[Variable] = &[MU_S, MU_D, V_STRIBECK, SIGMA_2];

pub(super) static METADATA: LawMetadata = LawMetadata {
    name: "BrownMcPhee",
    title: "Friction model of Brown and McPhee",
    summary: "Coulomb friction with the Stribeck effect as one smooth function of velocity: fast and passive, but it \
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
    phenomena: Phenomena { stribeck: true, ..NO_PHENOMENA },
    notes: &[
        ("Modelled", "The Stribeck effect, sliding and viscous friction, once continuously differentiable."),
        (
            "Not modelled",
            "Stick: under a load F the body creeps with the velocity at which F_R = F, about v_Stribeck F/(4 F_c + 16/9 (F_s \
             \u{2212} F_c)) for small loads. No pre-sliding displacement, no memory. The largest force is a little above \
             or below F_s, because the curves of its two parts do not peak at the same speed.",
        ),
        DEFAULTS_OF_TABLE_3,
    ],
    inputs: &[],
    states: &[],
    modes: &[],
    events: &[],
    parameters: PARAMETERS,
    structure: Structure::of_force(on(&[F_N, V]).initially(PARAMETERS)),
};

/// The model of Brown and McPhee with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrownMcPhee {
    mu_s: f64,
    mu_d: f64,
    v_stribeck: f64,
    pub(super) sigma_2: f64,
}

impl BrownMcPhee {
    /// Dry coefficient of friction, odd in v, and its derivative, s/m.
    pub(super) fn coefficient(&self, v: f64) -> (f64, f64) {
        let x = v / self.v_stribeck;
        let rise = libm::tanh(4.0 * x);
        let width = 0.25 * x * x + 0.75;
        let bump = x / (width * width);
        let bump_slope = (1.0 - x * x / width) / (width * width);
        let mu = self.mu_d * rise + (self.mu_s - self.mu_d) * bump;
        let slope = self.mu_d * 4.0 * (1.0 - rise * rise) + (self.mu_s - self.mu_d) * bump_slope;
        // At large x its powers overflow, and the Stribeck part is negligible.
        if width < 1e100 { (mu, slope / self.v_stribeck) } else { (self.mu_d.copysign(v), 0.0) }
    }
}

impl Law<0> for BrownMcPhee {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = ();

    fn new(values: &Values) -> Result<Self, InputError> {
        let [mu_s, mu_d] = coefficients(&MU_S, &MU_D, values)?;
        Ok(BrownMcPhee { mu_s, mu_d, v_stribeck: values[&V_STRIBECK], sigma_2: values[&SIGMA_2] })
    }

    fn evaluate(&self, contact: Contact, _: &[f64; 0], (): &()) -> Evaluation<0> {
        let force = self.coefficient(contact.v).0 * contact.F_N + self.sigma_2 * contact.v;
        Evaluation { F_R: if contact.is_open() { 0.0 } else { force }, sticking: false, rate: [] }
    }

    fn jacobian(&self, contact: Contact, _: &[f64; 0], (): &()) -> Jacobian<0> {
        if contact.is_open() {
            return Jacobian::ZERO;
        }
        let (mu, slope) = self.coefficient(contact.v);
        Jacobian { F_R_F_N: mu, F_R_v: slope * contact.F_N + self.sigma_2, ..Jacobian::ZERO }
    }

    fn scale(&self, _: Contact, _: &[f64; 0]) -> [f64; 0] {
        []
    }

    fn error_force(&self, normal_force: f64) -> f64 {
        self.mu_s * normal_force
    }
}
