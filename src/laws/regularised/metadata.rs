//! Variables of FrDyn2 and FrDyn2Linear, with the values of Rill & Schuderer's Listing A1, and what
//! their descriptions share.

pub mod in_plane;
pub mod linear;
pub mod parabola;

use crate::by_direction;
use crate::law::{Dependencies, Equation, F_N, V, on};
use crate::laws::symbols::bounds;
use crate::variable::{Unit, Variable};

/// z.
pub const Z: Variable = Variable::state(
    16,
    "z",
    "z",
    Unit::Metre,
    "Bristle deflection, positive for v > 0",
)
.nominal(1e-6)
.reinit();
/// dz/dt.
pub const DER_Z: Variable = Variable::derivative(
    17,
    &Z,
    "der(z)",
    r"\dot z",
    Unit::MetrePerSecond,
    "Time derivative of z, equal to z_dot",
);
/// ż.
pub const Z_DOT: Variable = Variable::state(
    18,
    "z_dot",
    r"\dot z",
    Unit::MetrePerSecond,
    "Velocity of the bristle deflection",
)
.nominal(1e-3);
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
pub const SIGMA_0: Variable = Variable::parameter(
    32,
    "sigma_0",
    r"\sigma_0",
    Unit::NewtonPerMetre,
    5e6,
    "Bristle stiffness",
)
.within(bounds::STIFFNESS);
/// σ_1.
pub const SIGMA_1: Variable = Variable::parameter(
    33,
    "sigma_1",
    r"\sigma_1",
    Unit::NewtonSecondPerMetre,
    3192.75,
    "Bristle damping",
)
.within(bounds::BRISTLE_DAMPING);

/// μ_s.
pub const MU_S: Variable = Variable::parameter(
    34,
    "mu_s",
    r"\mu_s",
    Unit::One,
    0.6,
    "Static coefficient of friction",
)
.within(bounds::STATIC_COEFFICIENT);
/// v_s.
pub const V_S: Variable = Variable::parameter(
    35,
    "v_s",
    "v_s",
    Unit::MetrePerSecond,
    1e-3,
    "Velocity at which the regularised characteristic reaches mu_s",
)
.within(bounds::SPEED);
/// μ_d.
pub const MU_D: Variable = Variable::parameter(
    36,
    "mu_d",
    r"\mu_d",
    Unit::One,
    0.3,
    "Dynamic coefficient of friction, at most mu_s",
)
.within(bounds::COEFFICIENT);
/// v_d.
pub const V_D: Variable = Variable::parameter(
    37,
    "v_d",
    "v_d",
    Unit::MetrePerSecond,
    1e-2,
    "Velocity from which the regularised characteristic is mu_d, above v_s",
)
.within(bounds::SPEED);

/// σ_2.
pub const SIGMA_2: Variable = Variable::parameter(
    38,
    "sigma_2",
    r"\sigma_2",
    Unit::NewtonSecondPerMetre,
    0.0,
    "Viscous friction: slope of F_R over |w| beyond the characteristic in a closed contact",
)
.within(bounds::DAMPING);

/// Coefficients by direction; σ_2 as well for the laws that have it.
pub const DIRECTED: &[[Variable; 2]] = &[
    by_direction!(MU_S, "mu_s", r"\mu_s"),
    by_direction!(MU_D, "mu_d", r"\mu_d"),
];

/// Parameters that a measured characteristic replaces.
pub const REPLACED: &[Variable] = &[MU_S, V_S, MU_D, V_D];
/// Those of them that the first point gives.
pub const AT_FIRST_POINT: &[Variable] = &[MU_S, V_S];
/// Largest friction force at rest with a measured characteristic.
pub const STATIC_FORCE: &str = "the largest coefficient of the curve times F_N";

/// Dependencies of stick, which w and F_0 decide.
pub const STICK: Dependencies = on(&[F_N, V, Z, Z_DOT]).initially(&[SIGMA_0, SIGMA_1, MU_S, V_S]);

/// Equation (2).
const DYNAMICS: Equation = Equation {
    number: "(2)",
    latex: r"m_b\,\ddot z = F_R - F_B, \qquad F_B = \sigma_0\,z + \sigma_1\,\dot z",
    meaning: "Dynamics of the bristle between the body and the contact; the force on the body is \
              F_R.",
};
/// Equation (3).
const BRISTLE_MASS: Equation = Equation {
    number: "(3)",
    latex: r"m_b = \frac{\sigma_1^2}{4\,\sigma_0}",
    meaning: "The bristle\u{2019}s mass makes it aperiodic (critically damped).",
};
/// Equation (4).
const STICKING_FORCE: Equation = Equation {
    number: "(4)",
    latex: r"F_0 = \sigma_0\,z + \sigma_1\,v",
    meaning: "The force that sticking requires: the bristle force in the steady state where its \
              velocity is v.",
};
/// Slip velocity of the tip.
const SLIP_OF_TIP: Equation = Equation {
    number: "Listing A4",
    latex: r"w = v - \dot z + \Delta v",
    meaning: "The slip velocity of the bristle\u{2019}s tip, shifted.",
};
/// The open contact.
const OPEN_CONTACT: Equation = Equation {
    number: "Listing A4",
    latex: r"F_N \le 0: \qquad F_R = 0, \qquad m_b\,\ddot z = -(\sigma_0\,z + \sigma_1\,\dot z)",
    meaning: "Open contact: no force on the body, and the bristle relaxes.",
};

/// Note on the choice of parameters, with the numbers of docs/choosing-the-bristle.md.
pub const CHOOSING_THE_BRISTLE: (&str, &str) = (
    "Choosing the bristle",
    "From a reference friction force F_ref and a reference deflection z_ref: sigma_0 = \
     F_ref/z_ref, \
     sigma_1 = 2 \u{221a}(m_ref sigma_0) with m_ref = F_ref/g. 5 N and 1e-6 m give the defaults. \
     With F_ref = F_N/2 and \
     z_ref = 1e-6 m, sigma_0 and sigma_1 are 5e6 N/m and 3193 N.s/m at F_N = 10 N, 5e8 N/m and \
     3.193e5 N.s/m at 1 kN, \
     5e9 N/m and 3.193e6 N.s/m at 10 kN: the key normal_force of a card sets them. Then v_d \
     \u{2265} v_s + 3 (mu_s \u{2212} mu_d) F_N/sigma_1 keeps a factor of 2 to \
     the limit of the model below; the default is enough. On a body whose weight is F_N a \
     coupling with held values \
     allows communication steps up to 2.1e-4 s in parallel and 4.6e-4 s in series; ten times \
     z_ref allows longer ones. \
     v_s is small beside the velocities at which the contact slides.",
);

/// Note on the instability of the bristle on the falling branch.
pub const LIMIT_OF_THE_MODEL: (&str, &str) = (
    "Limit of the model",
    "Where 1.5 (mu_s \u{2212} mu_d) F_N/(v_d \u{2212} v_s) > sigma_1 the bristle itself is \
     unstable on the falling branch of the characteristic, and F_R oscillates at constant v. \
     That is the model, not its integration; a larger sigma_1 or a wider v_d \u{2212} v_s avoids \
     it. The element \
     logs one warning when parameters and F_N meet the condition. It follows the oscillation \
     within its tolerance; \
     where rounding decides what becomes of the bristle, fmi2DoStep returns fmi2Warning and the \
     log says how far off \
     F_R may be.",
);
