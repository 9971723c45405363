//! Descriptions of FrDyn2 and FrDyn2Linear in the plane.

use super::{
    CHOOSING_THE_BRISTLE, LIMIT_OF_THE_MODEL, MU_D, MU_S, SIGMA_0, SIGMA_1, SIGMA_2, V_D, V_S,
    linear, parabola,
};
use crate::element::{V_X, V_Y};
use crate::law::{Dependencies, Equation, F_N, LawMetadata, Structure, on};
use crate::laws::planar::metadata::{Own, in_plane};
use crate::variable::{Unit, Variable};

const fn deflection(
    reference: u32,
    name: &'static str,
    symbol: &'static str,
    description: &'static str,
) -> Variable {
    Variable::state(reference, name, symbol, Unit::Metre, description)
        .nominal(1e-6)
        .reinit()
}

const fn rate(
    reference: u32,
    name: &'static str,
    symbol: &'static str,
    description: &'static str,
) -> Variable {
    Variable::state(reference, name, symbol, Unit::MetrePerSecond, description).nominal(1e-3)
}

const Z_X: Variable = deflection(
    16,
    "z_x",
    "z_x",
    "Bristle deflection along x, positive for v_x > 0",
);
const DER_Z_X: Variable = Variable::derivative(
    17,
    &Z_X,
    "der(z_x)",
    r"\dot z_x",
    Unit::MetrePerSecond,
    "Time derivative of z_x, equal to z_dot_x",
);
const Z_Y: Variable = deflection(
    18,
    "z_y",
    "z_y",
    "Bristle deflection along y, positive for v_y > 0",
);
const DER_Z_Y: Variable = Variable::derivative(
    19,
    &Z_Y,
    "der(z_y)",
    r"\dot z_y",
    Unit::MetrePerSecond,
    "Time derivative of z_y, equal to z_dot_y",
);
const Z_DOT_X: Variable = rate(
    20,
    "z_dot_x",
    r"\dot z_x",
    "Velocity of the bristle deflection along x",
);
const DER_Z_DOT_X: Variable = Variable::derivative(
    21,
    &Z_DOT_X,
    "der(z_dot_x)",
    r"\ddot z_x",
    Unit::MetrePerSecondSquared,
    "Acceleration of the bristle deflection along x",
);
const Z_DOT_Y: Variable = rate(
    22,
    "z_dot_y",
    r"\dot z_y",
    "Velocity of the bristle deflection along y",
);
const DER_Z_DOT_Y: Variable = Variable::derivative(
    23,
    &Z_DOT_Y,
    "der(z_dot_y)",
    r"\ddot z_y",
    Unit::MetrePerSecondSquared,
    "Acceleration of the bristle deflection along y",
);

/// Deflection first, then its velocity, each along x and y.
const STATES: &[(Variable, Variable)] = &[
    (Z_X, DER_Z_X),
    (Z_Y, DER_Z_Y),
    (Z_DOT_X, DER_Z_DOT_X),
    (Z_DOT_Y, DER_Z_DOT_Y),
];

const ALL: &[Variable] = &[F_N, V_X, V_Y, Z_X, Z_Y, Z_DOT_X, Z_DOT_Y];
const STICK: Dependencies = on(ALL).initially(&[SIGMA_0, SIGMA_1, MU_S, V_S]);
const STICKING: &str = "|w| \u{2264} v_s and |F_0| < F_s, of the vectors: the bristle\u{2019}s \
                        tip sticks to its counterpart.";

const fn structure(parameters: &'static [Variable], rates: &'static [Dependencies]) -> Structure {
    Structure {
        force: on(ALL).initially(parameters),
        at_rest: &[],
        sticking: STICK,
        rates,
        response: Dependencies::NONE,
    }
}

const PARAMETERS: &[Variable] = &[SIGMA_0, SIGMA_1, MU_S, V_S, MU_D, V_D];
const LINEAR_PARAMETERS: &[Variable] = &[SIGMA_0, SIGMA_1, MU_S, V_S, MU_D, V_D, SIGMA_2];

const OWN_EXTENSION: &str = "The source gives the law along a line. This is our own extension to \
                             the plane: velocity, deflection and \
     force are vectors, the shift has the direction of F_0 and the force that of w, so that along \
     any line it is the law along \
     that line, |F_R| never exceeds F_s where it does not there, and a sliding body does not hold \
     a load across its velocity.";

const DYNAMICS: Equation = Equation {
    number: "in the plane, (2), (4)",
    latex: r"m_b\,\ddot{\boldsymbol z} = \boldsymbol F_R - \sigma_0\,\boldsymbol z - \sigma_1\,\dot{\boldsymbol z}, \qquad \boldsymbol F_0 = \sigma_0\,\boldsymbol z + \sigma_1\,\boldsymbol v",
    meaning: "Dynamics of the bristle as a vector.",
};
const FORCE: Equation = Equation {
    number: "in the plane, Listing A4",
    latex: r"\boldsymbol w = \boldsymbol v - \dot{\boldsymbol z} + \Delta\boldsymbol v, \qquad \boldsymbol F_R = F_R(|\boldsymbol w|)\,\frac{\boldsymbol w}{|\boldsymbol w|}",
    meaning: "The characteristic at the size of the shifted slip velocity, along that velocity.",
};

/// FrDyn2 in the plane.
pub static PARABOLA: LawMetadata = in_plane(
    &parabola::METADATA,
    Own {
        title: "Second-order dynamic friction model in the plane",
        equations: &[
            DYNAMICS,
            Equation {
                number: "in the plane, (5)",
                latex: r"\Delta\boldsymbol v = v_s\left(1 - \sqrt{1 - r}\right)\frac{\boldsymbol F_0}{|\boldsymbol F_0|}, \qquad r = \min\left(\frac{|\boldsymbol F_0|}{F_s}, 1\right)",
                meaning: "The shift of the characteristic along F_0.",
            },
            FORCE,
        ],
        sticking: STICKING,
        notes: &[
            ("In the plane", OWN_EXTENSION),
            (
                "Creep",
                "As along a line, a load that pulsates about a mean makes it creep, and so does \
                 one that pulsates across it or turns. \
                 FrDyn2Linear does not creep.",
            ),
            CHOOSING_THE_BRISTLE,
            LIMIT_OF_THE_MODEL,
        ],
        states: STATES,
        events: &[],
        parameters: PARAMETERS,
        structure: structure(
            PARAMETERS,
            &[
                on(&[Z_DOT_X]).constant(),
                on(&[Z_DOT_Y]).constant(),
                on(ALL).initially(PARAMETERS),
                on(ALL).initially(PARAMETERS),
            ],
        ),
    },
);

/// FrDyn2Linear in the plane.
pub static LINEAR: LawMetadata = in_plane(
    &linear::METADATA,
    Own {
        title: "Second-order dynamic friction model with a linear regularisation, in the plane",
        equations: &[
            DYNAMICS,
            Equation {
                number: "in the plane, derived",
                latex: r"\Delta\boldsymbol v = v_s\,\min\left(\frac{|\boldsymbol F_0|}{F_s}, 1\right)\frac{\boldsymbol F_0}{|\boldsymbol F_0|}",
                meaning: "The linear shift of the characteristic along F_0.",
            },
            FORCE,
            Equation {
                number: "in the plane, derived",
                latex: r"|\boldsymbol w| \le v_s, \; |\boldsymbol F_0| \le F_s: \qquad \boldsymbol F_R = \boldsymbol F_0 + k\,\boldsymbol e, \qquad m_b\,\dot{\boldsymbol e} = -(k + \sigma_1)\,\boldsymbol e + m_b\,\dot{\boldsymbol v}, \qquad k = \frac{F_s}{v_s}, \quad \boldsymbol e = \boldsymbol v - \dot{\boldsymbol z}",
                meaning: "Stick is linear, each component for itself: what creeps, the integral \
                          of e, is bounded for every path.",
            },
        ],
        sticking: STICKING,
        notes: &[
            ("In the plane", OWN_EXTENSION),
            (
                "Creep",
                "Stick is a linear system of the vectors, so that no load within F_s makes it \
                 creep: neither one that pulsates about a \
                 mean, nor one that pulsates across it, nor one that turns.",
            ),
            (
                "Viscous friction",
                "sigma_2 is the slope of |F_R| over the size of the shifted slip velocity beyond \
                 v_d, as along a line.",
            ),
            CHOOSING_THE_BRISTLE,
            LIMIT_OF_THE_MODEL,
        ],
        states: STATES,
        events: linear::METADATA.events,
        parameters: LINEAR_PARAMETERS,
        structure: structure(
            LINEAR_PARAMETERS,
            &[
                on(&[Z_DOT_X]).constant(),
                on(&[Z_DOT_Y]).constant(),
                on(ALL).initially(LINEAR_PARAMETERS),
                on(ALL).initially(LINEAR_PARAMETERS),
            ],
        ),
    },
);
