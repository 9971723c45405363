//! The second-order dynamic friction model FrDyn2.
//!
//! Source: G. Rill, M. Schuderer, *A Second-Order Dynamic Friction Model Compared to Commercial Stick–Slip Models*, Modelling 2023, 4(3),
//! 366–381, doi 10.3390/modelling4030021. Equation numbers are the paper's. The equations are in [`regularised::bristle`](super::regularised).

use super::axes::Axes;
use super::planar::frdyn2_metadata::PARABOLA;
use super::regularised::bristle::{Regularisation, Regularised};
use super::regularised::{MU_D, MU_S, V_D, V_S};
use super::symbols::{NO_PHENOMENA, RILL_SCHUDERER, bounds};
use crate::law::{Dependencies, Equation, F_N, LawMetadata, MeasuredForm, Phenomena, Structure, V, on};
use crate::variable::{Unit, Values, Variable};

/// z.
pub const Z: Variable =
    Variable::state(16, "z", "z", Unit::Metre, "Bristle deflection, positive for v > 0").nominal(1e-6).reinit();
/// dz/dt.
pub const DER_Z: Variable =
    Variable::derivative(17, &Z, "der(z)", r"\dot z", Unit::MetrePerSecond, "Time derivative of z, equal to z_dot");
/// ż.
pub const Z_DOT: Variable =
    Variable::state(18, "z_dot", r"\dot z", Unit::MetrePerSecond, "Velocity of the bristle deflection").nominal(1e-3);
/// dż/dt.
pub const DER_Z_DOT: Variable = Variable::derivative(
    19,
    &Z_DOT,
    "der(z_dot)",
    r"\ddot z",
    Unit::MetrePerSecondSquared,
    "Acceleration of the bristle deflection",
);

/// σ_0.
pub const SIGMA_0: Variable =
    Variable::parameter(32, "sigma_0", r"\sigma_0", Unit::NewtonPerMetre, 5e6, "Bristle stiffness")
        .within(bounds::STIFFNESS);
/// σ_1.
pub const SIGMA_1: Variable =
    Variable::parameter(33, "sigma_1", r"\sigma_1", Unit::NewtonSecondPerMetre, 3192.75, "Bristle damping")
        .within(bounds::BRISTLE_DAMPING);

/// Dependencies of stick, which w and F_0 decide.
const STICK: Dependencies = on(&[F_N, V, Z, Z_DOT]).initially(&[SIGMA_0, SIGMA_1, MU_S, V_S]);

/// Note on the choice of parameters, with the numbers of docs/choosing-the-bristle.md.
pub const CHOOSING_THE_BRISTLE: (&str, &str) = (
    "Choosing the bristle",
    "From a reference friction force F_ref and a reference deflection z_ref: sigma_0 = F_ref/z_ref, \
     sigma_1 = 2 \u{221a}(m_ref sigma_0) with m_ref = F_ref/g. 5 N and 1e-6 m give the defaults. With F_ref = F_N/2 and \
     z_ref = 1e-6 m, sigma_0 and sigma_1 are 5e6 N/m and 3193 N.s/m at F_N = 10 N, 5e8 N/m and 3.193e5 N.s/m at 1 kN, \
     5e9 N/m and 3.193e6 N.s/m at 10 kN. Then v_d \u{2265} v_s + 3 (mu_s \u{2212} mu_d) F_N/sigma_1 keeps a factor of 2 to \
     the limit of the model below; the default is enough. On a body whose weight is F_N a coupling with held values \
     allows communication steps up to 2.1e-4 s in parallel and 4.6e-4 s in series; ten times z_ref allows longer ones. \
     v_s is small beside the velocities at which the contact slides.",
);

/// Note on the instability of the bristle on the falling branch.
pub const LIMIT_OF_THE_MODEL: (&str, &str) = (
    "Limit of the model",
    "Where 1.5 (mu_s \u{2212} mu_d) F_N/(v_d \u{2212} v_s) > sigma_1 the bristle itself is unstable on the falling branch of the characteristic, and F_R oscillates at constant v. \
     That is the model, not its integration; a larger sigma_1 or a wider v_d \u{2212} v_s avoids it. The element \
     logs one warning when parameters and F_N meet the condition. It follows the oscillation within its tolerance; \
     where rounding decides what becomes of the bristle, fmi2DoStep returns fmi2Warning and the log says how far off \
     F_R may be.",
);

/// Variables, equations and notes of FrDyn2.
pub static METADATA: LawMetadata = LawMetadata {
    name: "FrDyn2",
    title: "Second-order dynamic friction model",
    summary: "A fictitious bristle with mass behind a shifted regularised characteristic: it sticks without creeping, \
              breaks away at the static friction force and follows the characteristic when it slides.",
    kind: "dynamic, second order",
    source: RILL_SCHUDERER,
    place: "equations (2)\u{2013}(5), Listing A4",
    equations: &[
        Equation {
            number: "(2)",
            latex: r"m_b\,\ddot z = F_R - F_B, \qquad F_B = \sigma_0\,z + \sigma_1\,\dot z",
            meaning: "Dynamics of the bristle between the body and the contact; the force on the body is F_R.",
        },
        Equation {
            number: "(3)",
            latex: r"m_b = \frac{\sigma_1^2}{4\,\sigma_0}",
            meaning: "The bristle\u{2019}s mass makes it aperiodic (critically damped).",
        },
        Equation {
            number: "(4)",
            latex: r"F_0 = \sigma_0\,z + \sigma_1\,v",
            meaning: "The force that sticking requires: the bristle force in the steady state where its velocity is v.",
        },
        Equation {
            number: "(5)",
            latex: r"\Delta v = \frac{F_0}{|F_0|}\,v_s \cdot \begin{cases} 1 - \sqrt{1 - |F_0|/F_s} & |F_0| \le F_s \\ 1 & |F_0| > F_s \end{cases}",
            meaning: "Shift of the characteristic that gives F_R = F_0 at zero slip, with F_s = mu_s F_N.",
        },
        Equation {
            number: "Listing A4",
            latex: r"w = v - \dot z + \Delta v",
            meaning: "The slip velocity of the bristle\u{2019}s tip, shifted.",
        },
        Equation {
            number: "Listing A4",
            latex: r"\frac{F_R}{F_N} = \frac{w}{|w|} \cdot \begin{cases} \mu_s\,x_1\,(2 - x_1) & |w| \le v_s, \quad x_1 = |w|/v_s \\ \mu_s - (\mu_s - \mu_d)\,x_2^2\,(3 - 2\,x_2) & v_s < |w| < v_d, \quad x_2 = (|w| - v_s)/(v_d - v_s) \\ \mu_d & |w| \ge v_d \end{cases}",
            meaning: "The regularised characteristic at the shifted slip velocity: parabola, cubic, constant.",
        },
        Equation {
            number: "Listing A4",
            latex: r"F_N \le 0: \qquad F_R = 0, \qquad m_b\,\ddot z = -(\sigma_0\,z + \sigma_1\,\dot z)",
            meaning: "Open contact: no force on the body, and the bristle relaxes.",
        },
    ],
    sticking: "|w| \u{2264} v_s and |F_0| < F_s: the bristle\u{2019}s tip sticks to its counterpart.",
    phenomena: Phenomena { stribeck: true, pre_sliding: true, long_term_stick: true, ..NO_PHENOMENA },
    notes: &[
        (
            "Modelled",
            "Long-term stick without creep under a constant load, pre-sliding displacement (z = F_R/sigma_0), break-away at F_s, the Stribeck \
             effect, stick\u{2013}slip, varying normal force and loss of contact. |F_R| never exceeds F_s.",
        ),
        (
            "Not modelled",
            "Growth of the break-away force with the time at rest, frictional memory (lag of the force behind the \
             velocity beyond that of the bristle itself), and viscous friction. Under a load that pulsates about a mean, well below \
             F_s, the law as published creeps slowly against the mean load.",
        ),
        (
            "Where the force has fallen to mu_d",
            "The characteristic is a function of the shifted slip velocity w. In steady sliding the shift is v_s in the direction \
             of motion, so that F_R = mu_d F_N from |v| = v_d \u{2212} v_s on, and the largest force F_s is met at the start of \
             sliding.",
        ),
        CHOOSING_THE_BRISTLE,
        LIMIT_OF_THE_MODEL,
    ],
    inputs: &[],
    states: &[(Z, DER_Z), (Z_DOT, DER_Z_DOT)],
    modes: &[],
    events: &[],
    parameters: &[SIGMA_0, SIGMA_1, MU_S, V_S, MU_D, V_D],
    structure: Structure {
        force: on(&[F_N, V, Z, Z_DOT]).initially(&[SIGMA_0, SIGMA_1, MU_S, V_S, MU_D, V_D]),
        at_rest: &[],
        sticking: STICK,
        rates: &[on(&[Z_DOT]).constant(), on(&[F_N, V, Z, Z_DOT]).initially(&[SIGMA_0, SIGMA_1, MU_S, V_S, MU_D, V_D])],
        response: STICK,
    },
};

/// The regularisation of FrDyn2: a parabola up to v_s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parabola;

impl Regularisation for Parabola {
    const METADATA: [&'static LawMetadata; 2] = [&METADATA, &PARABOLA];
    const MEASURED: &'static MeasuredForm = &MeasuredForm::NONE;
    const IS_LINEAR: bool = false;

    fn viscosity(_: &Values) -> f64 {
        0.0
    }
}

/// FrDyn2 along a line.
pub type FrDyn2 = Axes<Regularised<Parabola>, 1, 2>;
/// FrDyn2 in the plane.
pub type PlanarFrDyn2 = Axes<Regularised<Parabola>, 2, 4>;
