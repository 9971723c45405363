//! Variables of bodies inside an element, along a line and about an axis.

use crate::variable::{BLOCK, Unit, Variable};

/// References of the variables of a block, which are those of its table.
pub mod reference {
    use super::BLOCK;

    /// Applied force.
    pub const F: u32 = BLOCK;
    /// Position of the base.
    pub const X_BASE: u32 = BLOCK + 1;
    /// Velocity of the base.
    pub const V_BASE: u32 = BLOCK + 2;
    /// Velocity of the counterface.
    pub const V_SURFACE: u32 = BLOCK + 3;
    /// Velocity of the counterface along y, of a contact in a plane.
    pub const V_SURFACE_Y: u32 = BLOCK + 5;
    /// Velocity of the counterface along each axis of a contact.
    pub const SURFACE: [u32; 2] = [V_SURFACE, V_SURFACE_Y];
    /// Force on the base.
    pub const F_BASE: u32 = BLOCK + 4;
    /// Position, and its derivative.
    pub const X: u32 = BLOCK + 8;
    /// Velocity, and its derivative.
    pub const V: u32 = BLOCK + 10;
    /// Mass.
    pub const MASS: u32 = BLOCK + 12;
    /// Stiffness of the spring to the base.
    pub const STIFFNESS: u32 = BLOCK + 13;
    /// Damping of the damper to the base.
    pub const DAMPING: u32 = BLOCK + 14;
    /// Gap of a spring of a system.
    pub const GAP: u32 = BLOCK + 15;
}

use reference::*;

const POSITION: Variable = Variable::state(
    X,
    "x",
    "x",
    Unit::Metre,
    "Position of the block; without force the spring is at x = x_base",
)
.nominal(1e-2);
const VELOCITY: Variable = Variable::state(
    V,
    "v",
    "v",
    Unit::MetrePerSecond,
    "Velocity of the block; the contact slides at v - v_surface",
)
.nominal(1.0);
const ANGLE: Variable = Variable::state(
    X,
    "phi",
    r"\varphi",
    Unit::Radian,
    "Angle of the block; without torque the spring is at phi = phi_base",
)
.nominal(1e-2);
const ANGULAR_VELOCITY: Variable = Variable::state(
    V,
    "omega",
    r"\omega",
    Unit::RadianPerSecond,
    "Angular velocity of the block; the contact slides at radius (omega - omega_surface)",
)
.nominal(1.0);

/// Variables of a block that moves along a line, by rising reference.
pub static ALONG_LINE: [Variable; 12] = [
    Variable::input(
        F,
        "F",
        "F",
        Unit::Newton,
        "Applied force: all forces on the block but F_R and those of spring and damper; held over \
         a step unless its derivative is given",
    )
    .nominal(10.0),
    Variable::input(
        X_BASE,
        "x_base",
        r"x_\mathrm{b}",
        Unit::Metre,
        "Position of the base at the start of the step; it moves on with v_base",
    )
    .nominal(1e-2),
    Variable::input(
        V_BASE,
        "v_base",
        r"v_\mathrm{b}",
        Unit::MetrePerSecond,
        "Velocity of the \
        base",
    )
    .nominal(1.0),
    Variable::input(
        V_SURFACE,
        "v_surface",
        r"v_\mathrm{s}",
        Unit::MetrePerSecond,
        "Velocity of the surface that the block slides on, such as a belt",
    )
    .nominal(1.0),
    Variable::output(
        F_BASE,
        "F_base",
        r"F_\mathrm{b}",
        Unit::Newton,
        "Force of spring and damper on the base: the mean over the last communication step, in \
         Model Exchange the present one",
    )
    .nominal(10.0),
    POSITION,
    Variable::derivative(
        X + 1,
        &POSITION,
        "der(x)",
        r"\dot x",
        Unit::MetrePerSecond,
        "Time \
        derivative of x",
    )
    .nominal(1.0),
    VELOCITY,
    Variable::derivative(
        V + 1,
        &VELOCITY,
        "der(v)",
        r"\dot v",
        Unit::MetrePerSecondSquared,
        "Time derivative of v: m dv/dt = F - F_R - k (x - x_base) - d (v - v_base)",
    )
    .nominal(10.0),
    Variable::parameter(MASS, "mass", "m", Unit::Kilogram, 1.0, "Mass of the block").positive(),
    Variable::parameter(
        STIFFNESS,
        "stiffness",
        "k",
        Unit::NewtonPerMetre,
        0.0,
        "Stiffness of the spring between block and base; 0: none",
    )
    .at_least(0.0),
    Variable::parameter(
        DAMPING,
        "damping",
        "d",
        Unit::NewtonSecondPerMetre,
        0.0,
        "Damping of the damper between block and base; 0: none",
    )
    .at_least(0.0),
];

/// Variables of a block that turns about an axis, by rising reference.
pub static ABOUT_AXIS: [Variable; 12] = [
    Variable::input(
        F,
        "M",
        "M",
        Unit::NewtonMetre,
        "Applied torque: all torques on the block but M_R and those of spring and damper; held \
         over a step unless its derivative is given",
    )
    .nominal(1.0),
    Variable::input(
        X_BASE,
        "phi_base",
        r"\varphi_\mathrm{b}",
        Unit::Radian,
        "Angle of the base at the start of the step; it moves on with omega_base",
    )
    .nominal(1e-2),
    Variable::input(
        V_BASE,
        "omega_base",
        r"\omega_\mathrm{b}",
        Unit::RadianPerSecond,
        "Angular velocity of the base",
    )
    .nominal(1.0),
    Variable::input(
        V_SURFACE,
        "omega_surface",
        r"\omega_\mathrm{s}",
        Unit::RadianPerSecond,
        "Angular velocity of the surface that the block slides on",
    )
    .nominal(1.0),
    Variable::output(
        F_BASE,
        "M_base",
        r"M_\mathrm{b}",
        Unit::NewtonMetre,
        "Torque of spring and damper on the base: the mean over the last communication step, in \
         Model Exchange the present one",
    )
    .nominal(1.0),
    ANGLE,
    Variable::derivative(
        X + 1,
        &ANGLE,
        "der(phi)",
        r"\dot\varphi",
        Unit::RadianPerSecond,
        "Time derivative of phi",
    )
    .nominal(1.0),
    ANGULAR_VELOCITY,
    Variable::derivative(
        V + 1,
        &ANGULAR_VELOCITY,
        "der(omega)",
        r"\dot\omega",
        Unit::RadianPerSecondSquared,
        "Time derivative of omega: J d(omega)/dt = M - M_R - k (phi - phi_base) - d (omega - \
         omega_base)",
    )
    .nominal(10.0),
    Variable::parameter(
        MASS,
        "inertia",
        "J",
        Unit::KilogramMetreSquared,
        1.0,
        "Moment of inertia \
        of the block",
    )
    .positive(),
    Variable::parameter(
        STIFFNESS,
        "stiffness",
        "k",
        Unit::NewtonMetrePerRadian,
        0.0,
        "Stiffness of the torsional spring between block and base; 0: none",
    )
    .at_least(0.0),
    Variable::parameter(
        DAMPING,
        "damping",
        "d",
        Unit::NewtonMetreSecondPerRadian,
        0.0,
        "Damping of the torsional damper between block and base; 0: none",
    )
    .at_least(0.0),
];

/// Gap of a spring of a system, along a line and of angles.
static GAPS: [Variable; 2] = [
    Variable::parameter(
        GAP,
        "gap",
        "g",
        Unit::Metre,
        0.0,
        "Backlash: way of the spring between its two sides; it presses beyond half of it",
    )
    .at_least(0.0),
    Variable::parameter(
        GAP,
        "gap",
        "g",
        Unit::Radian,
        0.0,
        "Backlash: angle of the spring between its two sides; it presses beyond half of it",
    )
    .at_least(0.0),
];

/// Velocity of the surface under a contact in a plane, along its axes.
pub static SURFACE_IN_PLANE: [Variable; 2] = [
    Variable::input(
        V_SURFACE,
        "v_surface_x",
        r"v_{\mathrm{s},x}",
        Unit::MetrePerSecond,
        "Velocity along x of the surface that the contact slides on, beside that of coordinates \
         and bases",
    )
    .nominal(1.0),
    Variable::input(
        V_SURFACE_Y,
        "v_surface_y",
        r"v_{\mathrm{s},y}",
        Unit::MetrePerSecond,
        "Velocity along y of the surface that the contact slides on, beside that of coordinates \
         and bases",
    )
    .nominal(1.0),
];

/// Description of a variable in a system of several coordinates: of one along a line, and of one
/// about an axis.
const IN_SYSTEM: [(u32, [&str; 2]); 11] = [
    (
        F,
        [
            "Applied force: all forces on the coordinate but those of springs, dampers and contacts; \
             held over a step unless its derivative is given",
            "Applied torque: all torques on the coordinate but those of springs, dampers and \
             contacts; held over a step unless its derivative is given",
        ],
    ),
    (
        X_BASE,
        [
            "Position of the base at the start of the step; it moves on with its velocity",
            "Angle of the base at the start of the step; it moves on with its velocity",
        ],
    ),
    (
        V_BASE,
        ["Velocity of the base", "Angular velocity of the base"],
    ),
    (
        V_SURFACE,
        [
            "Velocity of the surface that the contact slides on, such as a belt, beside that of \
             coordinates and bases",
            "Angular velocity of the surface that the contact slides on, beside that of coordinates \
             and bases",
        ],
    ),
    (
        F_BASE,
        [
            "Force on the base: the mean over the last communication step, in Model Exchange the \
             present one",
            "Torque on the base: the mean over the last communication step, in Model Exchange the \
             present one",
        ],
    ),
    (X, ["Position", "Angle"]),
    (V, ["Velocity", "Angular velocity"]),
    (V + 1, ["Acceleration", "Angular acceleration"]),
    (MASS, ["Mass", "Moment of inertia"]),
    (
        STIFFNESS,
        [
            "Stiffness of the spring",
            "Stiffness of the torsional spring",
        ],
    ),
    (
        DAMPING,
        [
            "Damping of the damper beside the spring",
            "Damping of the torsional damper beside the spring",
        ],
    ),
];

/// Variable of a system by its reference in a block, of a coordinate that turns or does not.
pub fn in_system(reference: u32, is_angle: bool) -> Variable {
    if reference == GAP {
        return GAPS[usize::from(is_angle)];
    }
    let list = if is_angle { &ABOUT_AXIS } else { &ALONG_LINE };
    let declared = list.iter().find(|variable| variable.reference == reference);
    let declared = *declared.unwrap_or(&list[0]);
    let text = IN_SYSTEM.iter().find(|(of, _)| *of == reference);
    Variable {
        description: text.map_or(declared.description, |(_, texts)| {
            texts[usize::from(is_angle)]
        }),
        ..declared
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variable::BLOCK_SLOTS;

    #[test]
    fn variables_of_both_motions_have_the_same_references_and_roles() {
        for (line, axis) in ALONG_LINE.iter().zip(&ABOUT_AXIS) {
            assert_eq!(
                (line.reference, line.role, line.start, line.min),
                (axis.reference, axis.role, axis.start, axis.min)
            );
            assert!(
                Variable::is_block_slot(line.slot()) && line.reference < BLOCK + BLOCK_SLOTS as u32
            );
            assert_eq!(
                line.is_parameter(),
                line.role == crate::variable::Role::Parameter,
                "{}",
                line.name
            );
        }
        assert!(ALONG_LINE.is_sorted_by_key(|variable| variable.reference));
    }
}
