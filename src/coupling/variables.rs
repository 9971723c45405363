//! Variables of the coupling, of elements whose law has states.

use crate::variable::{Unit, Variable, slot};

/// Effective mass.
pub const M_EFF: Variable = Variable::parameter(
    62,
    "m_eff",
    r"m_\mathrm{eff}",
    Unit::Kilogram,
    0.0,
    "Effective mass of the body at the contact, in the direction of v; 0: not known, and F_R is \
     the law's own force",
)
.at_least(0.0);

/// Couplings of an element with its master.
pub(super) const COUPLINGS: &[(&str, &str)] = &[
    (
        "serial",
        "The element steps first, and the body moves under its force over the same step",
    ),
    (
        "parallel",
        "The body moves under the element's force of the step before",
    ),
    (
        "prescribed",
        "v does not depend on the force: the output is the law's own force",
    ),
    (
        "unspecified",
        "The output is the law's own force, and a message says where the step is too long for a \
         coupled body",
    ),
];

/// Coupling of the master.
pub const COUPLING: Variable = Variable {
    start: Some(4.0),
    ..Variable::choice(
        63,
        "coupling",
        COUPLINGS,
        "Coupling of the element with the master, set as an integer (1 to 4): with serial and \
         parallel, and the mass of the body, the \
         output is the force that moves an observed body along with the observer",
    )
};

/// Coupling of the master, of elements without an observer.
pub const COUPLING_WITHOUT_OBSERVER: Variable = Variable {
    description: "Coupling of the element with the master, set as an integer (1 to 4); it changes \
                  no force: with unspecified, a message says \
                  where the step is too long for a body that F_R moves",
    ..COUPLING
};

/// Coupling of the base of a block.
pub const COUPLING_OF_BLOCK: Variable = Variable {
    description: "Coupling of the base with the master, set as an integer (1 to 4): with \
                  parallel, F_base is the mean force extrapolated to the \
                  next step; else that of the last step",
    ..COUPLING
};

/// The law's own force.
pub const F_LAW: Variable = Variable::output(
    64,
    "F_law",
    r"F_\mathrm{law}",
    Unit::Newton,
    "Friction force of the law at the end of the step; the force to apply differs where the \
     element observes the body",
)
.nominal(10.0);

/// Mean friction force.
pub const F_R_MEAN: Variable = Variable::output(
    65,
    "F_R_mean",
    r"\overline{F}_R",
    Unit::Newton,
    "Mean of the law's friction force over the last communication step: its impulse over H; 0 \
     before the first",
)
.nominal(10.0);

/// Response of a step to its velocity.
pub const DF_R_DV: Variable = Variable::output(
    66,
    "dF_R_dv",
    r"\partial F_R/\partial v",
    Unit::NewtonSecondPerMetre,
    "Change of the law's force at the end of the last step for a change of v over all of it",
)
.nominal(1e4);

/// Response of a step to its normal force.
pub const DF_R_DF_N: Variable = Variable::output(
    67,
    "dF_R_dF_N",
    r"\partial F_R/\partial F_N",
    Unit::One,
    "Change of the law's force at the end of the last step for a change of F_N over all of it",
)
.nominal(1.0);

/// Longest step.
pub const H_MAX: Variable = Variable::output(
    68,
    "H_max",
    r"H_\mathrm{max}",
    Unit::Second,
    "Longest communication step for which a coupling with held values is stable in this state, in \
     series with coupling = \
     serial, else in parallel; 1000 s: no limit; 0: no step is stable, or the mass is not known",
)
.nominal(1e-3);

/// Error of the work of the applied force.
pub const E_LOSS_ERROR: Variable = Variable::output(
    69,
    "E_loss_error",
    r"\Delta E/E",
    Unit::One,
    "Work of F_R as the master applied it, less that of the law on the observed body, over the \
     latter; 0 without an observer",
)
.nominal(1e-2);

/// Error of the work of the applied forces of all contacts of a body in a plane.
pub const E_LOSS_ERROR_OF_BODY: Variable = Variable {
    description: "Work of the forces of all contacts as the master applied them, less that of the \
                  law on the observed body, over the latter; \
                  0 without an observer",
    ..E_LOSS_ERROR
};

/// Mean friction force along x of a contact or a plate in a plane, on a body.
pub const F_R_X_MEAN: Variable = Variable::output(
    F_R_MEAN.reference,
    "F_R_x_mean",
    r"\overline{F}_{R,x}",
    Unit::Newton,
    "Mean of the law's friction force along x over the last communication step: its impulse over \
     H; 0 before the first",
)
.nominal(10.0);

/// Mean friction force along y.
pub const F_R_Y_MEAN: Variable = Variable::output(
    70,
    "F_R_y_mean",
    r"\overline{F}_{R,y}",
    Unit::Newton,
    "Mean of the law's friction force along y over the last communication step: its impulse over \
     H; 0 before the first",
)
.nominal(10.0);

/// Mean friction torque of a plate.
pub const M_R_MEAN: Variable = Variable::output(
    71,
    "M_R_mean",
    r"\overline{M}_R",
    Unit::NewtonMetre,
    "Mean of the law's friction torque over the last communication step, about the origin of the \
     plate\u{2019}s axes; 0 before the first",
)
.nominal(1.0);

/// Outputs of contacts in a plane on a body: one for the body, and of each contact; the last one of
/// a plate only.
pub static OUTPUTS_IN_PLANE: [Variable; 4] =
    [E_LOSS_ERROR_OF_BODY, F_R_X_MEAN, F_R_Y_MEAN, M_R_MEAN];

/// Parameters of the coupling, of elements whose law has states.
pub static PARAMETERS: [Variable; 2] = [M_EFF, COUPLING];
/// Outputs of the coupling, of elements whose law has states.
pub static OUTPUTS: [Variable; 6] = [F_LAW, F_R_MEAN, DF_R_DV, DF_R_DF_N, H_MAX, E_LOSS_ERROR];

/// Whether the variable with this value reference is calculated on demand only.
#[inline]
pub const fn is_on_demand(reference: u32) -> bool {
    F_R_MEAN.slot() <= slot(reference) && slot(reference) <= M_R_MEAN.slot()
}
