//! Second component of elements in the plane: inputs and outputs.
//!
//! The first component has the references of a translational element, v_x that of v and F_R,x that
//! of F_R, so that along x an element in the plane is read and written as a translational one.

use super::{E_LOSS, F_N, P_LOSS, STICKING};
use crate::law::{A, NOMINAL_FORCE, NOMINAL_VELOCITY};
use crate::variable::{Unit, Variable};

/// First component of the contact velocity.
pub const V_X: Variable = Variable::input(
    1,
    "v_x",
    "v_x",
    Unit::MetrePerSecond,
    "Contact velocity along x: tangential velocity of the contact point relative to its \
     counterpart",
)
.nominal(NOMINAL_VELOCITY);

/// Second component of the contact velocity.
pub const V_Y: Variable = Variable::input(
    4,
    "v_y",
    "v_y",
    Unit::MetrePerSecond,
    "Contact velocity along y, across x in the contact plane",
)
.nominal(NOMINAL_VELOCITY);

/// First component of the acceleration, for the observer of a body.
pub const A_X: Variable = Variable::input(
    A.reference,
    "a_x",
    "a_x",
    Unit::MetrePerSecondSquared,
    "Relative acceleration of the contact point along x: the time derivative of v_x",
)
.nominal(1.0);

/// Second component of the acceleration, for the observer of a body.
pub const A_Y: Variable = Variable::input(
    6,
    "a_y",
    "a_y",
    Unit::MetrePerSecondSquared,
    "Relative acceleration of the contact point along y: the time derivative of v_y",
)
.nominal(1.0);

/// First component of the friction force.
pub const F_R_X: Variable = Variable::output(
    8,
    "F_R_x",
    "F_{R,x}",
    Unit::Newton,
    "Friction force along x, positive for v_x > 0 and opposing it: m d(v_x)/dt = F_x - F_R_x",
)
.nominal(NOMINAL_FORCE);

/// First component of the slip velocity.
pub const V_SLIP_X: Variable = Variable::output(
    9,
    "v_slip_x",
    r"v_x - \dot z_x",
    Unit::MetrePerSecond,
    "Slip velocity of the bristle tip along x",
)
.nominal(NOMINAL_VELOCITY);

/// Second component of the friction force.
pub const F_R_Y: Variable = Variable::output(
    13,
    "F_R_y",
    "F_{R,y}",
    Unit::Newton,
    "Friction force along y, positive for v_y > 0 and opposing it: m d(v_y)/dt = F_y - F_R_y",
)
.nominal(NOMINAL_FORCE);

/// Second component of the slip velocity.
pub const V_SLIP_Y: Variable = Variable::output(
    14,
    "v_slip_y",
    r"v_y - \dot z_y",
    Unit::MetrePerSecond,
    "Slip velocity of the bristle tip along y",
)
.nominal(NOMINAL_VELOCITY);

/// Inputs of an element in the plane.
pub static PLANAR_INPUTS: [Variable; 3] = [F_N, V_X, V_Y];
/// Outputs of an element in the plane.
pub static PLANAR_OUTPUTS: [Variable; 7] =
    [F_R_X, V_SLIP_X, P_LOSS, E_LOSS, STICKING, F_R_Y, V_SLIP_Y];
