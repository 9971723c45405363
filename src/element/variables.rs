//! Variables that all elements have.

use crate::integrate::step_limit::StepLimit;
use crate::law::{F_N, V};
use crate::variable::{Unit, Values, Variable};

/// Friction force.
pub const F_R: Variable = Variable::output(
    8,
    "F_R",
    "F_R",
    Unit::Newton,
    "Friction force, positive for v > 0 and opposing it: m dv/dt = F - F_R",
)
.nominal(10.0);

/// Slip velocity.
pub const V_SLIP: Variable = Variable::output(
    9,
    "v_slip",
    "v - \\dot z",
    Unit::MetrePerSecond,
    "Slip velocity of the bristle tip",
)
.nominal(1e-2);

/// Friction power.
pub const P_LOSS: Variable = Variable::output(
    10,
    "P_loss",
    "F_R\\,v",
    Unit::Watt,
    "Power the contact takes from the bodies: F_R v",
)
.nominal(0.1);

/// Friction energy.
pub const E_LOSS: Variable = Variable::output(
    11,
    "E_loss",
    "\\int F_R\\,v\\,\\mathrm{d}t",
    Unit::Joule,
    "Energy the contact has taken from the bodies since initialisation",
)
.nominal(0.1);

/// Stick flag.
pub const STICKING: Variable = Variable::flag(12, "sticking", "The contact sticks");

/// Limit of inner steps.
pub const INNER_STEPS_MAX: Variable = Variable::parameter(
    61,
    "inner_steps_max",
    r"n_\mathrm{max}",
    Unit::One,
    1e5,
    "Inner steps in a communication step that keep the tolerance. For real time: beyond it the \
     tolerance is relaxed, some half \
     as many more are made, up to four times as many where the contact closes and opens, and \
     fmi2DoStep returns fmi2Warning with the estimated \
     error of F_R; values above 1e6 count as 1e6",
)
.at_least(1.0);

/// Friction radius of a rotational element.
pub const RADIUS: Variable = Variable::parameter(
    60,
    "radius",
    "r",
    Unit::Metre,
    0.0,
    "Friction radius: the contact slides at r omega, and its force acts on this lever",
)
.positive();

/// Constant force beside friction, of a card that gives it.
pub const F_OFFSET: Variable = Variable {
    start: None,
    ..Variable::parameter(
        48,
        "F_offset",
        r"F_\mathrm{offset}",
        Unit::Newton,
        0.0,
        "Constant force added to F_R, from an imbalance or the zero of a sensor: no friction, in \
         F_R and not in P_loss",
    )
};

/// Inputs of every element; a law may have more.
pub static INPUTS: [Variable; 2] = [F_N, V];
/// Outputs of every element.
pub static OUTPUTS: [Variable; 5] = [F_R, V_SLIP, P_LOSS, E_LOSS, STICKING];

/// Limit of inner steps of a law with N states; laws without states need few steps and have no
/// limit.
pub(super) fn step_limit<const N: usize>(values: &Values) -> StepLimit {
    if N > 0 {
        StepLimit::new(values[&INNER_STEPS_MAX] as u32)
    } else {
        StepLimit::default()
    }
}
