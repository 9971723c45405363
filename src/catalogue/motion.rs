//! Motions of a contact, and the variables that each shows.

use super::Model;
use crate::coupling::{COUPLING, DF_R_DF_N, DF_R_DV, F_LAW, F_R_MEAN, M_EFF};
use crate::element::{F_OFFSET, F_R, RADIUS, ReactionJoint};
use crate::law::{A, F_T, V};
use crate::variable::{Unit, Variable};

/// Motion of a contact relative to its counterpart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    /// Along a line: v and F_R.
    #[default]
    Translational,
    /// About an axis, at a friction radius: ω and M_R.
    Rotational,
    /// In a plane: v_x, v_y and F_R,x, F_R,y.
    Planar,
    /// A rigid plate in a plane, on several points: v_x, v_y, ω and F_R,x, F_R,y, M_R.
    Patch,
}

impl Motion {
    /// All motions, in the order of the card's bytes.
    pub const ALL: [Motion; 4] = [
        Motion::Translational,
        Motion::Rotational,
        Motion::Planar,
        Motion::Patch,
    ];

    /// Name in a card.
    pub const fn name(self) -> &'static str {
        match self {
            Motion::Translational => "translational",
            Motion::Rotational => "rotational",
            Motion::Planar => "planar",
            Motion::Patch => "patch",
        }
    }

    /// Whether contacts of this motion need the law's form in the plane.
    pub const fn is_planar(self) -> bool {
        matches!(self, Motion::Planar | Motion::Patch)
    }

    /// Motion of a contact in a joint with reactions.
    pub const fn of_joint(joint: ReactionJoint) -> Motion {
        match joint {
            ReactionJoint::Revolute => Motion::Rotational,
            ReactionJoint::Prismatic => Motion::Translational,
        }
    }

    /// Form of a law for this motion, if it has one.
    pub fn model(self, law: &'static Model) -> Option<&'static Model> {
        if self.is_planar() {
            law.planar
        } else {
            Some(law)
        }
    }

    /// Variables of a contact of this motion with a law, as they are declared.
    pub fn variables(self, model: &'static Model) -> impl Iterator<Item = &'static Variable> {
        let radius = (self == Motion::Rotational).then_some(&RADIUS);
        let declared = model
            .variables()
            .map(move |declared| self.declared(declared));
        // In the order of the references.
        let mut variables: Vec<_> = declared.chain(radius).collect();
        variables.sort_by_key(|variable| variable.reference);
        variables.into_iter()
    }

    /// Declaration of a law's variable in this motion.
    pub fn declared(self, declared: &'static Variable) -> &'static Variable {
        let of_rotation = || ROTATIONAL.iter().find(|variable| variable.is(declared));
        if self == Motion::Rotational {
            of_rotation().unwrap_or(declared)
        } else {
            declared
        }
    }
}

/// Variables of a rotational contact in place of the translational ones with the same references.
static ROTATIONAL: [Variable; 10] = [
    Variable {
        name: "M_offset",
        symbol: r"M_\mathrm{offset}",
        unit: Unit::NewtonMetre,
        description: "Constant torque added to M_R, from an imbalance or the zero of a sensor: no \
                      friction, in M_R and not in P_loss",
        ..F_OFFSET
    },
    Variable::input(
        V.reference,
        "omega",
        r"\omega",
        Unit::RadianPerSecond,
        "Angular velocity of the body relative to its counterpart",
    )
    .nominal(1.0),
    Variable::input(
        A.reference,
        "omega_dot",
        r"\dot\omega",
        Unit::RadianPerSecondSquared,
        "Relative angular acceleration: the time derivative of omega",
    )
    .nominal(100.0),
    Variable::input(
        F_T.reference,
        "M_t",
        "M_t",
        Unit::NewtonMetre,
        "Applied torque that the contact must balance to stick: all torques on the body but M_R, \
         in the direction of omega; a master \
         with a fixed step H adds J omega/H, so that the body comes to rest within the step",
    )
    .nominal(1.0),
    Variable::output(
        F_R.reference,
        "M_R",
        "M_R",
        Unit::NewtonMetre,
        "Friction torque, positive for omega > 0 and opposing it: J d(omega)/dt = M - M_R",
    )
    .nominal(1.0),
    Variable::parameter(
        M_EFF.reference,
        "J_eff",
        r"J_\mathrm{eff}",
        Unit::KilogramMetreSquared,
        0.0,
        "Effective moment of inertia of the body at the contact; 0: not known, and M_R is the \
         law's own torque",
    )
    .at_least(0.0),
    Variable::output(
        F_LAW.reference,
        "M_law",
        r"M_\mathrm{law}",
        Unit::NewtonMetre,
        "Friction torque of the law at the end of the step; M_R is the torque to apply, which \
         differs with J_eff > 0",
    )
    .nominal(1.0),
    Variable::output(
        F_R_MEAN.reference,
        "M_R_mean",
        r"\overline{M}_R",
        Unit::NewtonMetre,
        "Mean of the law's friction torque over the last communication step; 0 before the first",
    )
    .nominal(1.0),
    Variable::output(
        DF_R_DV.reference,
        "dM_R_domega",
        r"\partial M_R/\partial\omega",
        Unit::NewtonMetreSecondPerRadian,
        "Change of the law's torque at the end of the last step for a change of omega over all of \
         it",
    )
    .nominal(10.0),
    Variable::output(
        DF_R_DF_N.reference,
        "dM_R_dF_N",
        r"\partial M_R/\partial F_N",
        Unit::Metre,
        "Change of the law's torque at the end of the last step for a change of F_N over all of it",
    )
    .nominal(0.1),
];

/// Whether a variable belongs to the coupling with a body.
pub fn is_of_coupling(variable: &Variable) -> bool {
    variable.is(&M_EFF) || variable.is(&COUPLING)
}
