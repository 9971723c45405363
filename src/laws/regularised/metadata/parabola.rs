//! Description of FrDyn2 along a line.

use super::{
    BRISTLE_MASS, CHOOSING_THE_BRISTLE, DER_Z, DER_Z_DOT, DIRECTED, DYNAMICS, LIMIT_OF_THE_MODEL,
    MU_D, MU_S, OPEN_CONTACT, SIGMA_0, SIGMA_1, SLIP_OF_TIP, STICK, STICKING_FORCE, V_D, V_S, Z,
    Z_DOT,
};
use crate::law::{Dependencies, Equation, F_N, LawMetadata, Phenomena, Structure, V, on};
use crate::laws::symbols::{NO_PHENOMENA, RILL_SCHUDERER};

/// Dependencies of the force.
const FORCE: Dependencies =
    on(&[F_N, V, Z, Z_DOT]).initially(&[SIGMA_0, SIGMA_1, MU_S, V_S, MU_D, V_D]);

/// Variables, equations and notes of FrDyn2.
pub static METADATA: LawMetadata = LawMetadata {
    name: "FrDyn2",
    title: "Second-order dynamic friction model",
    summary: "A fictitious bristle with mass behind a shifted regularised characteristic: it \
              sticks without creeping, \
              breaks away at the static friction force and follows the characteristic when it \
              slides.",
    kind: "dynamic, second order",
    source: RILL_SCHUDERER,
    place: "equations (2)\u{2013}(5), Listing A4",
    equations: &[
        DYNAMICS,
        BRISTLE_MASS,
        STICKING_FORCE,
        Equation {
            number: "(5)",
            latex: r"\Delta v = \frac{F_0}{|F_0|}\,v_s \cdot \begin{cases} 1 - \sqrt{1 - |F_0|/F_s} & |F_0| \le F_s \\ 1 & |F_0| > F_s \end{cases}",
            meaning: "Shift of the characteristic that gives F_R = F_0 at zero slip, with F_s = \
                      mu_s F_N.",
        },
        SLIP_OF_TIP,
        Equation {
            number: "Listing A4",
            latex: r"\frac{F_R}{F_N} = \frac{w}{|w|} \cdot \begin{cases} \mu_s\,x_1\,(2 - x_1) & |w| \le v_s, \quad x_1 = |w|/v_s \\ \mu_s - (\mu_s - \mu_d)\,x_2^2\,(3 - 2\,x_2) & v_s < |w| < v_d, \quad x_2 = (|w| - v_s)/(v_d - v_s) \\ \mu_d & |w| \ge v_d \end{cases}",
            meaning: "The regularised characteristic at the shifted slip velocity: parabola, \
                      cubic, constant.",
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
            "Long-term stick without creep under a constant load, pre-sliding displacement (z = \
             F_R/sigma_0), break-away at F_s, the Stribeck \
             effect, stick\u{2013}slip, varying normal force and loss of contact. |F_R| never \
             exceeds F_s.",
        ),
        (
            "Not modelled",
            "Growth of the break-away force with the time at rest, frictional memory (lag of the \
             force behind the \
             velocity beyond that of the bristle itself), and viscous friction. Under a load that \
             pulsates about a mean, well below \
             F_s, the law as published creeps slowly against the mean load.",
        ),
        (
            "Where the force has fallen to mu_d",
            "The characteristic is a function of the shifted slip velocity w. In steady sliding \
             the shift is v_s in the direction \
             of motion, so that F_R = mu_d F_N from |v| = v_d \u{2212} v_s on, and the largest \
             force F_s is met at the start of \
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
    directed: DIRECTED,
    structure: Structure {
        force: FORCE,
        at_rest: &[],
        sticking: STICK,
        rates: &[on(&[Z_DOT]).constant(), FORCE],
        response: STICK,
    },
    ..LawMetadata::EMPTY
};
