//! Lubricated friction: Stribeck's curve and an Eyring film, as a law that Bristle does not have.
//!
//! Sources: the curve with exp(−|v|/v_S) is that of A. Tustin, Journal of the IEE 94, Part IIA,
//! 1947, 143–151; the shear stress of the film, τ_E asinh(v/v_E), that of H. Eyring, Journal of
//! Chemical Physics 4, 1936, 283–291, doi 10.1063/1.1749836, here over the pressure as the
//! coefficient σ_E. The jump of Tustin's curve at v = 0 is smoothed by tanh(v/v_0).

use bristle::catalogue::Model;
use bristle::characteristic::Measured;
use bristle::element::{F_N, V};
use bristle::law::{
    Contact, Equation, Evaluation, Law, LawMetadata, Numerics, Phenomena, Scalar, Structure, on,
};
use bristle::variable::{InputError, Unit, Values, Variable};

const MU_S: Variable = Variable::parameter(
    32,
    "mu_s",
    r"\mu_s",
    Unit::One,
    0.15,
    "Static coefficient of friction, at least mu_d",
)
.positive();
const MU_D: Variable = Variable::parameter(
    33,
    "mu_d",
    r"\mu_k",
    Unit::One,
    0.1,
    "Kinetic coefficient of friction",
)
.positive();
const V_STRIBECK: Variable = Variable::parameter(
    34,
    "v_Stribeck",
    "v_S",
    Unit::MetrePerSecond,
    1e-2,
    "Stribeck velocity",
)
.positive();
const SIGMA_E: Variable = Variable::parameter(
    35,
    "sigma_E",
    r"\sigma_E",
    Unit::One,
    0.01,
    "Coefficient of friction of the film",
)
.at_least(0.0);
const V_E: Variable = Variable::parameter(
    36,
    "v_E",
    "v_E",
    Unit::MetrePerSecond,
    0.1,
    "Eyring velocity",
)
.positive();
const V_0: Variable = Variable::parameter(
    37,
    "v_0",
    "v_0",
    Unit::MetrePerSecond,
    1e-4,
    "Velocity of the regularisation",
)
.positive();

static METADATA: LawMetadata = LawMetadata {
    name: "StribeckEyring",
    title: "Stribeck friction with an Eyring film",
    summary: "Lubricated friction: it falls to the kinetic value as sliding sets in, and rises as \
              the logarithm of the speed.",
    source: "A. Tustin, Journal of the IEE 94, Part IIA, 1947, 143\u{2013}151; H. Eyring, Journal \
             of Chemical Physics 4, 1936, 283\u{2013}291",
    place: "friction that falls with the speed; viscosity as a rate process",
    equations: &[Equation {
        number: "(1)",
        latex: r"F_R = F_N \left(\left(\mu_k + (\mu_s - \mu_k)\,e^{-|v|/v_S}\right) \tanh\frac{v}{v_0} + \sigma_E \operatorname{asinh}\frac{v}{v_E}\right)",
        meaning: "Boundary friction with the Stribeck effect, regularised at rest, and the shear \
                  stress of the film.",
    }],
    phenomena: Phenomena {
        stribeck: true,
        ..Phenomena::NONE
    },
    notes: &[(
        "Not modelled",
        "Stick: the law creeps under any load. No displacement before sliding, no memory.",
    )],
    parameters: &[MU_S, MU_D, V_STRIBECK, SIGMA_E, V_E, V_0],
    structure: Structure::of_force(
        on(&[F_N, V]).initially(&[MU_S, MU_D, V_STRIBECK, SIGMA_E, V_E, V_0]),
    ),
    ..LawMetadata::EMPTY
};

/// The law with its parameters.
struct StribeckEyring {
    mu_s: f64,
    mu_d: f64,
    v_stribeck: f64,
    sigma_e: f64,
    v_e: f64,
    v_0: f64,
}

impl Law<0> for StribeckEyring {
    const METADATA: &'static LawMetadata = &METADATA;
    type DiscreteState = ();

    fn new(values: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
        if values[&MU_S] < values[&MU_D] {
            return Err(InputError::new(
                "mu_s lies below mu_d; raise mu_s or lower mu_d",
            ));
        }
        Ok(StribeckEyring {
            mu_s: values[&MU_S],
            mu_d: values[&MU_D],
            v_stribeck: values[&V_STRIBECK],
            sigma_e: values[&SIGMA_E],
            v_e: values[&V_E],
            v_0: values[&V_0],
        })
    }

    fn evaluate<S: Scalar>(&self, contact: Contact<S>, _: &[S; 0], (): &()) -> Evaluation<0, S> {
        if contact.is_open() {
            return Evaluation::zero();
        }
        let &StribeckEyring {
            mu_s,
            mu_d,
            v_stribeck,
            sigma_e,
            v_e,
            v_0,
        } = self;
        let v = contact.v;
        let boundary = ((v.abs() * (-1.0 / v_stribeck)).exp() * (mu_s - mu_d) + mu_d)
            * (v * (1.0 / v_0)).tanh();
        let ratio = v.value() / v_e;
        let film = v.chain(
            libm::asinh(ratio),
            1.0 / (v_e * (1.0 + ratio * ratio).sqrt()),
        );
        Evaluation::of_force(contact.F_N * (boundary + film * sigma_e))
    }

    fn numerics(&self, contact: Contact, _: &[f64; 0], _: f64) -> Numerics<0> {
        Numerics {
            error_force: self.mu_s * contact.F_N,
            ..Numerics::of([])
        }
    }
}

/// The models of the shared library.
pub static MODELS: [Model; 1] = [Model::of::<StribeckEyring, 0>()];

bristle_fmu::export_fmi2!(MODELS);
