//! Description of FrDyn2Linear along a line.

use super::{
    AT_FIRST_POINT, BRISTLE_MASS, CHOOSING_THE_BRISTLE, DER_Z, DER_Z_DOT, DIRECTED, DYNAMICS,
    LIMIT_OF_THE_MODEL, MU_D, MU_S, OPEN_CONTACT, REPLACED, SIGMA_0, SIGMA_1, SIGMA_2, SLIP_OF_TIP,
    STATIC_FORCE, STICK, STICKING_FORCE, V_D, V_S, Z, Z_DOT,
};
use crate::by_direction;
use crate::law::{
    Dependencies, Equation, F_N, LawMetadata, MeasuredForm, Phenomena, Structure, V, on,
};
use crate::laws::symbols::NO_PHENOMENA;

/// Dependencies of the force.
const FORCE: Dependencies =
    on(&[F_N, V, Z, Z_DOT]).initially(&[SIGMA_0, SIGMA_1, MU_S, V_S, MU_D, V_D, SIGMA_2]);

/// Variables, equations and notes of FrDyn2Linear.
pub static METADATA: LawMetadata = LawMetadata {
    name: "FrDyn2Linear",
    title: "Second-order dynamic friction model with a linear regularisation",
    summary: "FrDyn2 with a regularisation that is linear up to v_s: stick is a linear system, \
              which does not creep under loads \
              that pulsate; break-away at the static friction force and sliding as in FrDyn2.",
    kind: "dynamic, second order",
    source: "G. Rill, M. Schuderer: A Second-Order Dynamic Friction Model Compared to Commercial \
             Stick\u{2013}Slip Models. \
             Modelling 2023, 4(3), 366\u{2013}381, doi:10.3390/modelling4030021, with the linear \
             regularisation that the \
             abstract of a follow-up by Hanft et al. proposes against drift under asymmetric \
             excitation; the follow-up \
             was not available in full, and the equations of shift and characteristic in stick \
             are our own derivation",
    place: "equations (2)\u{2013}(4), Listing A4 in sliding; shift and characteristic in stick \
            derived by us",
    equations: &[
        DYNAMICS,
        BRISTLE_MASS,
        STICKING_FORCE,
        Equation {
            number: "derived",
            latex: r"\Delta v = v_s \cdot \begin{cases} F_0/F_s & |F_0| \le F_s \\ F_0/|F_0| & |F_0| > F_s \end{cases}",
            meaning: "Linear shift of the characteristic that gives F_R = F_0 at zero slip, with \
                      F_s = mu_s F_N.",
        },
        SLIP_OF_TIP,
        Equation {
            number: "derived, Listing A4",
            latex: r"F_R = \frac{w}{|w|} \cdot \begin{cases} F_s\,|w|/v_s & |w| \le v_s \\ F_s - (F_s - F_d)\,x_2^2\,(3 - 2\,x_2) & v_s < |w| < v_d, \quad x_2 = (|w| - v_s)/(v_d - v_s) \\ F_d + \sigma_2\,(|w| - v_d) & |w| \ge v_d \end{cases}",
            meaning: "The characteristic at the shifted slip velocity: straight line, the \
                      published cubic and constant with F_d = \
                      mu_d F_N, and beyond v_d viscous friction.",
        },
        Equation {
            number: "derived",
            latex: r"|w| \le v_s, \; |F_0| \le F_s: \qquad F_R = F_0 + k\,e, \qquad m_b\,\dot e = -(k + \sigma_1)\,e + m_b\,\dot v, \qquad k = F_s/v_s, \quad e = v - \dot z",
            meaning: "Stick is linear: the integral of e, which is what creeps, is m_b (z_dot(0) \
                      \u{2212} z_dot(t))/(k + sigma_1), \
                      bounded for every path.",
        },
        OPEN_CONTACT,
    ],
    sticking: "|w| \u{2264} v_s and |F_0| < F_s: the bristle\u{2019}s tip sticks to its \
               counterpart.",
    phenomena: Phenomena {
        stribeck: true,
        pre_sliding: true,
        long_term_stick: true,
        ..NO_PHENOMENA
    },
    notes: &[
        (
            "Modelled",
            "Long-term stick without creep, under a constant load and under loads that pulsate \
             about a mean as long as \
             |F_0| and |F_R| stay below F_s; pre-sliding displacement (z = F_R/sigma_0), \
             break-away at F_s, the Stribeck effect, \
             stick\u{2013}slip, varying normal force, loss of contact and viscous friction. |F_R| \
             never exceeds F_s where \
             sigma_2 = 0.",
        ),
        (
            "Not modelled",
            "Growth of the break-away force with the time at rest, and frictional memory (lag of \
             the force behind the \
             velocity beyond that of the bristle itself).",
        ),
        (
            "Peaks slide",
            "A load that pulsates excites body and bristle, and F_R exceeds the load where it \
             comes near their resonance. \
             Where a peak of |F_0| reaches F_s the shift saturates: the contact slides a little \
             and keeps a displacement, \
             below the break-away load. That is sliding, not creep.",
        ),
        (
            "Viscous friction",
            "sigma_2 (N.s/m, independent of F_N) is the slope of F_R over the shifted slip \
             velocity beyond v_d, so that F_R is \
             continuous there. In steady sliding the shift is v_s: F_R = mu_d F_N + sigma_2 (|v| \
             + v_s \u{2212} v_d) from \
             |v| = v_d \u{2212} v_s on. F_R is then not bounded by F_s, and jumps by its viscous \
             part where the contact opens or \
             closes while it slides.",
        ),
        (
            "Difference from FrDyn2",
            "Both have the same limits: F_s at break-away, F_d in sliding. In stick the slope of \
             F_R over w is F_s/v_s instead \
             of 2 F_s/v_s at rest and 0 at break-away. The slope jumps at |w| = v_s, from F_s/v_s \
             to 0: an event in Model \
             Exchange.",
        ),
        CHOOSING_THE_BRISTLE,
        LIMIT_OF_THE_MODEL,
    ],
    inputs: &[],
    states: &[(Z, DER_Z), (Z_DOT, DER_Z_DOT)],
    modes: &[],
    events: &[
        "the contact opens or closes",
        "|w| passes v_s: the slope of the characteristic jumps",
    ],
    parameters: &[SIGMA_0, SIGMA_1, MU_S, V_S, MU_D, V_D, SIGMA_2],
    directed: &[
        DIRECTED[0],
        DIRECTED[1],
        by_direction!(SIGMA_2, "sigma_2", r"\sigma_2"),
    ],
    structure: Structure {
        force: FORCE,
        at_rest: &[],
        sticking: STICK,
        rates: &[on(&[Z_DOT]).constant(), FORCE],
        response: on(&[F_N, V, Z, Z_DOT]).initially(&[SIGMA_0, SIGMA_1, MU_S, V_S, V_D, SIGMA_2]),
    },
    measured: &MEASURED,
    ..LawMetadata::EMPTY
};

/// FrDyn2Linear with a measured characteristic.
pub static MEASURED: MeasuredForm = MeasuredForm {
    replaced: REPLACED,
    at_first_point: AT_FIRST_POINT,
    static_force: STATIC_FORCE,
    has_one_range: true,
    replaced_equation: "derived, Listing A4",
    equations: &[Equation {
        number: "derived",
        latex: r"F_R = \frac{w}{|w|} \cdot \begin{cases} F_s\,|w|/v_a & |w| \le v_a \\ \mu(|w| - v_a)\,F_N + \sigma_2\,\max(|w| - v_a - v_b,\,0) & |w| > v_a \end{cases}",
        meaning: "The characteristic at the shifted slip velocity: straight line, then the \
                  measured curve. In steady sliding the shift is \
                  v_a, so that |w| \u{2212} v_a = |v|. The curve is mu_a below its first speed \
                  v_a, and mu_b, or the last slope, beyond its last, v_b.",
    }],
    notes_left_out: &[
        "Choosing the bristle",
        "Viscous friction",
        "Limit of the model",
    ],
};
