//! Description of Dahl's model along a line.

use super::{DER_Z, EVENTS, SIGMA_0, Z};
use crate::by_direction;
use crate::law::{Dependencies, Equation, F_N, LawMetadata, Phenomena, Structure, V, on};
use crate::laws::symbols::{DEFAULTS_OF_TABLE_3, KARGAONKAR_SINGH, MU_D, NO_PHENOMENA, bounds};
use crate::variable::{Unit, Variable};

/// α.
pub const ALPHA: Variable = Variable::parameter(
    38,
    "alpha",
    r"\alpha",
    Unit::One,
    1.0,
    "Shape of the force over the displacement: below 1 brittle, above 1 ductile",
)
.within(bounds::EXPONENT);

/// Dependencies of der(z), the part of the motion that deflects the bristle.
const BEND: Dependencies = on(&[F_N, V, Z]).initially(&[MU_D, SIGMA_0, ALPHA]);

/// Variables, equations and notes of Dahl's model.
pub static METADATA: LawMetadata = LawMetadata {
    name: "Dahl",
    title: "Dahl\u{2019}s friction model",
    summary: "A bristle whose deflection saturates at the Coulomb force: hysteresis in the \
              displacement, whatever the speed.",
    kind: "dynamic, first order",
    source: KARGAONKAR_SINGH,
    place: "equations (8)\u{2013}(11)",
    equations: &[
        Equation {
            number: "(8)",
            latex: r"\frac{\mathrm{d}F}{\mathrm{d}x} = \sigma_0 \operatorname{sgn}(b)\,|b|^\alpha, \qquad b = 1 - \frac{F}{F_c} \operatorname{sgn}(v), \qquad F_c = \mu_k\,F_N",
            meaning: "The force over the displacement, as a stress\u{2013}strain curve.",
        },
        Equation {
            number: "(10)",
            latex: r"F_R = \max\left(-F_c,\,\min\left(F_c,\,\sigma_0\,z\right)\right)",
            meaning: "The elastic force, printed without the limit: it acts where F_N falls \
                      faster than the bristle unbends.",
        },
        Equation {
            number: "(11)",
            latex: r"\dot z = v \operatorname{sgn}(b)\,|b|^\alpha",
            meaning: "Its rate; printed for alpha = 1.",
        },
    ],
    sticking: "|v \u{2212} der(z)| \u{2264} |v|/2: at least half of the motion goes into the \
               bristle; or |v| \u{2264} 1e-12 m/s: rest.",
    phenomena: Phenomena {
        pre_sliding: true,
        ..NO_PHENOMENA
    },
    notes: &[
        (
            "Modelled",
            "Pre-sliding displacement with hysteresis, independent of the rate. |F_R| never \
             exceeds F_c = mu_d F_N.",
        ),
        (
            "Not modelled",
            "Static friction above the kinetic one, the Stribeck effect, memory. Under a load \
             that pulsates below F_c the \
             body drifts.",
        ),
        (
            "Varying normal force",
            "Where F_N falls, at rest or while sliding, the force is limited to the present F_c; \
             with the equations as printed it \
             exceeds F_c until sliding has reduced the deflection. The deflection beyond the \
             limit decays with that sliding. When \
             the contact opens, z is reset to 0.",
        ),
        DEFAULTS_OF_TABLE_3,
    ],
    inputs: &[],
    states: &[(Z, DER_Z)],
    modes: &[],
    events: EVENTS,
    parameters: &[MU_D, SIGMA_0, ALPHA],
    directed: &[by_direction!(MU_D, "mu_d", r"\mu_k")],
    structure: Structure {
        force: on(&[F_N, Z]).initially(&[MU_D, SIGMA_0]),
        at_rest: &[],
        sticking: BEND,
        rates: &[BEND],
        response: BEND,
    },
    ..LawMetadata::EMPTY
};
