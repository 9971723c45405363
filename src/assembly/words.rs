//! Words of messages for the motion of a contact: a rotation has M_R, omega and J_eff where a line
//! has F_R, v and m_eff.

use crate::domain::{GRAVITY, LIGHT_BODY_ACCELERATIONS};
use crate::element::{AnyElement, F_N, RADIUS};

/// Symbols of a motion, and the unit of its inertia.
pub struct Words {
    /// Friction force or torque.
    pub force: &'static str,
    /// Applied force or torque.
    pub applied: &'static str,
    /// Velocity.
    pub velocity: &'static str,
    /// Effective mass or moment of inertia.
    pub mass: &'static str,
    /// Quantity of this: mass or inertia.
    pub quantity: &'static str,
    /// Mass that the normal force suggests, or its moment of inertia at the friction radius.
    pub weight: &'static str,
    unit: &'static str,
}

/// Words of a contact along a line, and in a plane.
const LINE: Words = Words {
    force: "F_R",
    applied: "F_t",
    velocity: "v",
    mass: "m_eff",
    quantity: "mass",
    weight: "F_N/g",
    unit: "kg",
};
/// Words of a contact about an axis.
const ROTATION: Words = Words {
    force: "M_R",
    applied: "M_t",
    velocity: "omega",
    mass: "J_eff",
    quantity: "inertia",
    weight: "radius^2 F_N/g",
    unit: "kg m2",
};
/// Words of a joint that states its friction, along a line and about an axis.
const JOINTS: [Words; 2] = [
    Words {
        weight: "F_s/(5.89 m/s2)",
        ..LINE
    },
    Words {
        weight: "M_s/(294 rad/s2)",
        ..ROTATION
    },
];

impl Words {
    /// Words for the motion of a contact.
    pub fn of(contact: &dyn AnyElement) -> &'static Words {
        match (contact.is_joint(), contact.values()[&RADIUS] > 0.0) {
            (true, is_rotational) => &JOINTS[usize::from(is_rotational)],
            (false, true) => &ROTATION,
            (false, false) => &LINE,
        }
    }

    /// Mass (kg) or moment of inertia (kg·m²) of the lightest body that is likely on these contacts.
    pub fn lightest(contacts: &[Box<dyn AnyElement>]) -> f64 {
        let of_contact = |contact: &dyn AnyElement| {
            let (values, normal_force) = (contact.values(), contact.values()[&F_N].max(0.0));
            let radius = values[&RADIUS];
            if contact.is_joint() {
                let force = Some(contact.static_force_under(normal_force));
                let force = force.filter(|force| force.is_finite());
                force.unwrap_or(normal_force) / LIGHT_BODY_ACCELERATIONS[usize::from(radius > 0.0)]
            } else if radius > 0.0 {
                normal_force / GRAVITY * radius * radius
            } else {
                normal_force / GRAVITY
            }
        };
        contacts.iter().map(|contact| of_contact(&**contact)).sum()
    }

    /// Inertia of a body with three digits and its unit.
    pub fn inertia(&self, value: f64) -> String {
        format!("{} {}", three_digits(value), self.unit)
    }
}

/// Number with three digits, with an exponent where it is small or large.
pub fn three_digits(value: f64) -> String {
    let rounded: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    let is_plain = rounded == 0.0 || (1e-4..1e6).contains(&rounded);
    if is_plain {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inertia_is_written_as_engineers_write_it() {
        for (value, text) in [
            (1.0, "1 kg"),
            (0.006_524, "0.00652 kg"),
            (1234.5, "1230 kg"),
            (1e-9, "1e-9 kg"),
            (2.34e7, "2.34e7 kg"),
        ] {
            assert_eq!(LINE.inertia(value), text);
        }
        assert_eq!(ROTATION.inertia(0.5), "0.5 kg m2");
    }
}
