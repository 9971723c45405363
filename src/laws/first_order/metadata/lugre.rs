//! Description of LuGre along a line.

use super::{DER_Z, EVENTS, SIGMA_0, Z};
use crate::by_direction;
use crate::law::{
    Dependencies, Equation, F_N, LawMetadata, MeasuredForm, Phenomena, Structure, V, on,
};
use crate::laws::symbols::{
    DEFAULTS_OF_TABLE_3, DELTA_SIGMA, KARGAONKAR_SINGH, MU_D, MU_S, NO_PHENOMENA, V_STRIBECK,
    bounds, contact,
};
use crate::variable::{Unit, Variable};

/// σ_1.
pub const SIGMA_1: Variable = Variable::parameter(
    38,
    "sigma_1",
    r"\sigma_1",
    Unit::NewtonSecondPerMetre,
    contact::SIGMA_1,
    "Bristle damping",
)
.within(bounds::DAMPING);
/// σ_2.
pub const SIGMA_2: Variable = Variable::parameter(
    39,
    "sigma_2",
    r"\sigma_2",
    Unit::NewtonSecondPerMetre,
    0.0,
    "Viscous friction",
)
.within(bounds::DAMPING);

/// Dependencies of der(z), the part of the motion that deflects the bristle.
const BEND: Dependencies =
    on(&[F_N, V, Z]).initially(&[MU_S, MU_D, V_STRIBECK, DELTA_SIGMA, SIGMA_0]);
/// Dependencies of F_R: those of der(z), damping and viscous friction.
const FORCE: Dependencies = on(&[F_N, V, Z]).initially(&[
    MU_S,
    MU_D,
    V_STRIBECK,
    DELTA_SIGMA,
    SIGMA_0,
    SIGMA_1,
    SIGMA_2,
]);

/// Variables, equations and notes of LuGre.
pub static METADATA: LawMetadata = LawMetadata {
    name: "LuGre",
    title: "LuGre model",
    summary: "Dahl\u{2019}s bristle with the Stribeck effect and damping: the standard dynamic \
              friction model of control \
              engineering.",
    kind: "dynamic, first order",
    source: KARGAONKAR_SINGH,
    place: "equations (12)\u{2013}(14)",
    equations: &[
        Equation {
            number: "(12)",
            latex: r"\dot z = v - \sigma_0\,\frac{|v|}{G(v)}\,z",
            meaning: "The deflection tends to G(v)/sigma_0 in the direction of motion.",
        },
        Equation {
            number: "(13)",
            latex: r"F_R = \sigma_0\,\hat z + \sigma_1 \left(v - \sigma_0\,\frac{|v|}{G(v)}\,\hat z\right) + \sigma_2\,v, \qquad \hat z = \max\left(-\frac{F_s}{\sigma_0},\,\min\left(\frac{F_s}{\sigma_0},\,z\right)\right)",
            meaning: "Elastic force, damping of the bristle, viscous friction; printed with z \
                      itself, without the limit, which acts \
                      where F_N falls faster than the bristle unbends.",
        },
        Equation {
            number: "(14)",
            latex: r"G(v) = F_c + (F_s - F_c)\,e^{-\left(|v|/v_S\right)^{\delta_\sigma}}, \qquad F_s = \mu_s\,F_N, \qquad F_c = \mu_k\,F_N",
            meaning: "The Stribeck curve, a force.",
        },
    ],
    sticking: "|v \u{2212} der(z)| \u{2264} |v|/2: at least half of the motion goes into the \
               bristle; or |v| \u{2264} 1e-12 m/s: rest.",
    phenomena: Phenomena {
        stribeck: true,
        pre_sliding: true,
        memory: true,
        ..NO_PHENOMENA
    },
    notes: &[
        (
            "Modelled",
            "Pre-sliding displacement, the Stribeck effect, memory by the bristle, a break-away \
             force that varies with \
             the rate of loading, viscous friction.",
        ),
        (
            "Not modelled",
            "Stick under loads that pulsate: the body drifts a little with every pulse. Growth of \
             the break-away force \
             with the time at rest. The damping force is not limited: at a sudden start F_R \
             exceeds F_s by sigma_1 v.",
        ),
        (
            "Varying normal force",
            "Where F_N falls, at rest or while sliding, the bristle\u{2019}s part of the force is \
             limited to F_s; the equations as \
             printed exceed it there. The deflection beyond the limit decays with the \
             next motion. When the contact opens, z is reset to 0.",
        ),
        DEFAULTS_OF_TABLE_3,
    ],
    inputs: &[],
    states: &[(Z, DER_Z)],
    modes: &[],
    events: EVENTS,
    parameters: &[
        MU_S,
        MU_D,
        V_STRIBECK,
        DELTA_SIGMA,
        SIGMA_0,
        SIGMA_1,
        SIGMA_2,
    ],
    directed: &[
        by_direction!(MU_S, "mu_s", r"\mu_s"),
        by_direction!(MU_D, "mu_d", r"\mu_k"),
        by_direction!(V_STRIBECK, "v_Stribeck", "v_S"),
        by_direction!(SIGMA_2, "sigma_2", r"\sigma_2"),
    ],
    structure: Structure {
        force: FORCE,
        at_rest: &[],
        sticking: BEND,
        rates: &[BEND],
        response: FORCE,
    },
    measured: &MEASURED,
    ..LawMetadata::EMPTY
};

/// Description with a measured characteristic.
pub static MEASURED: MeasuredForm = MeasuredForm {
    replaced: &[MU_S, MU_D, V_STRIBECK, DELTA_SIGMA],
    at_first_point: &[],
    static_force: "the largest coefficient of the curve times F_N",
    has_one_range: false,
    replaced_equation: "(14)",
    equations: &[Equation {
        number: "(14)",
        latex: r"G(v) = \mu(|v|)\,F_N, \qquad F_s = \max(\mu)\,F_N",
        meaning: "The measured curve in place of Stribeck\u{2019}s; mu_a below its first speed \
                  v_a, mu_b or the last slope beyond its last, v_b.",
    }],
    notes_left_out: &[],
};
