//! Descriptions of Dahl's and LuGre's model in the plane.

use super::lugre::{SIGMA_1, SIGMA_2};
use super::{SIGMA_0, dahl, lugre};
use crate::element::{V_X, V_Y};
use crate::law::{Dependencies, Equation, F_N, LawMetadata, Structure, on};
use crate::laws::planar::metadata::{INPUTS, Own, in_plane};
use crate::laws::symbols::{DELTA_SIGMA, MU_D, MU_S, V_STRIBECK};
use crate::variable::{Unit, Variable};

/// Deflection along x.
pub const Z_X: Variable = Variable::state(
    16,
    "z_x",
    "z_x",
    Unit::Metre,
    "Bristle deflection along x, positive for v_x > 0",
)
.nominal(1e-3)
.reinit();
/// Its time derivative.
pub const DER_Z_X: Variable = Variable::derivative(
    17,
    &Z_X,
    "der(z_x)",
    r"\dot z_x",
    Unit::MetrePerSecond,
    "Time derivative of z_x",
);
/// Deflection along y.
pub const Z_Y: Variable = Variable::state(
    18,
    "z_y",
    "z_y",
    Unit::Metre,
    "Bristle deflection along y, positive for v_y > 0",
)
.nominal(1e-3)
.reinit();
/// Its time derivative.
pub const DER_Z_Y: Variable = Variable::derivative(
    19,
    &Z_Y,
    "der(z_y)",
    r"\dot z_y",
    Unit::MetrePerSecond,
    "Time derivative of z_y",
);

const STATES: &[(Variable, Variable)] = &[(Z_X, DER_Z_X), (Z_Y, DER_Z_Y)];
const EVENTS: &[&str] = &["the contact opens or closes"];
const STICKING: &str = "|v \u{2212} der(z)| \u{2264} |v|/2, of the vectors: at least half of the \
                        motion goes into the bristle; or |v| \u{2264} 1e-12 m/s: rest.";

const COUPLED: &str = "The deflection is a vector, and its decay depends on the speed alone, so \
                       that the force never leaves the \
     circle of the static friction force. This is the coupled form of E. Velenis, P. Tsiotras, C. \
     Canudas de Wit (Proc. 10th IEEE \
     Mediterranean Conference on Control and Automation, 2002; Vehicle System Dynamics 2005). \
     Along any line it is the law along a \
     line. The uncoupled form, one law for each axis, exceeds the circle.";

const ON_Z_X: Dependencies = on(&[F_N, V_X, V_Y, Z_X]);
const ON_Z_Y: Dependencies = on(&[F_N, V_X, V_Y, Z_Y]);
const ON_ALL: [Variable; 5] = [INPUTS[0], INPUTS[1], INPUTS[2], Z_X, Z_Y];

const DAHL_PARAMETERS: &[Variable] = &[MU_D, SIGMA_0];

/// Dahl's model in the plane.
pub static DAHL: LawMetadata = in_plane(
    &dahl::METADATA,
    Own {
        title: "Dahl\u{2019}s friction model in the plane",
        equations: &[Equation {
            number: "in the plane, alpha = 1",
            latex: r"\dot{\boldsymbol z} = \boldsymbol v - \frac{\sigma_0\,|\boldsymbol v|}{F_c}\,\boldsymbol z, \qquad \boldsymbol F_R = \sigma_0\,\boldsymbol z, \quad |\boldsymbol F_R| \le F_c = \mu_k\,F_N",
            meaning: "The coupled form: the deflection as a vector.",
        }],
        sticking: STICKING,
        notes: &[
            ("In the plane", COUPLED),
            (
                "Exponent",
                "The exponent alpha of the law along a line is 1: its power of a signed number \
                 has no counterpart for a vector.",
            ),
            (
                "Varying normal force",
                "Where F_N falls, the force is limited to the present F_c in its own direction. \
                 When the contact opens, z is reset to 0.",
            ),
        ],
        states: STATES,
        events: EVENTS,
        parameters: DAHL_PARAMETERS,
        structure: Structure {
            force: on(&[F_N, Z_X, Z_Y]).initially(DAHL_PARAMETERS),
            at_rest: &[],
            sticking: on(&ON_ALL).initially(DAHL_PARAMETERS),
            rates: &[
                ON_Z_X.initially(DAHL_PARAMETERS),
                ON_Z_Y.initially(DAHL_PARAMETERS),
            ],
            response: Dependencies::NONE,
        },
    },
);

const LUGRE_PARAMETERS: &[Variable] = &[
    MU_S,
    MU_D,
    V_STRIBECK,
    DELTA_SIGMA,
    SIGMA_0,
    SIGMA_1,
    SIGMA_2,
];
const BENDING: &[Variable] = &[MU_S, MU_D, V_STRIBECK, DELTA_SIGMA, SIGMA_0];

/// LuGre in the plane.
pub static LUGRE: LawMetadata = in_plane(
    &lugre::METADATA,
    Own {
        title: "LuGre friction model in the plane",
        equations: &[Equation {
            number: "in the plane",
            latex: r"\dot{\boldsymbol z} = \boldsymbol v - \frac{\sigma_0\,|\boldsymbol v|}{G(|\boldsymbol v|)}\,\boldsymbol z, \qquad \boldsymbol F_R = \sigma_0\,\boldsymbol z + \sigma_1\,\dot{\boldsymbol z} + \sigma_2\,\boldsymbol v",
            meaning: "The coupled form: the deflection as a vector, with the Stribeck curve G of \
                      the speed.",
        }],
        sticking: STICKING,
        notes: &[
            ("In the plane", COUPLED),
            (
                "Creep",
                "Under loads that pulsate the body drifts, as along a line; on an inclined plane \
                 that vibrates it walks downhill.",
            ),
            (
                "Varying normal force",
                "Where F_N falls, the bristle\u{2019}s part of the force is limited to F_s in its \
                 own direction. When the contact opens, z \
                 is reset to 0.",
            ),
        ],
        states: STATES,
        events: EVENTS,
        parameters: LUGRE_PARAMETERS,
        structure: Structure {
            force: on(&ON_ALL).initially(LUGRE_PARAMETERS),
            at_rest: &[],
            sticking: on(&ON_ALL).initially(BENDING),
            rates: &[ON_Z_X.initially(BENDING), ON_Z_Y.initially(BENDING)],
            response: Dependencies::NONE,
        },
    },
);
