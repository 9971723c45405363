//! Rigs with one rigid body that slides and spins on a plane, or turns about an axis, under
//! friction at its points of contact.

use crate::{Rig, runge_kutta};
use bristle::law::Contact;

/// Velocity of a body, in its own axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Velocity of the origin of the body's axes, m/s.
    pub velocity: [f64; 2],
    /// Angular velocity, rad/s.
    pub omega: f64,
}

impl Twist {
    /// Velocity of the point at a position (m) of the body's axes, m/s.
    pub fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [
            self.velocity[0] - self.omega * y,
            self.velocity[1] + self.omega * x,
        ]
    }
}

/// Friction on a body, in its own axes, positive against its velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Force, N.
    pub force: [f64; 2],
    /// Torque about the origin of the body's axes, N·m.
    pub torque: f64,
}

impl Wrench {
    /// Adds a force (N) at a position (m).
    pub fn add(&mut self, [x, y]: [f64; 2], [force_x, force_y]: [f64; 2]) {
        self.force[0] += force_x;
        self.force[1] += force_y;
        self.torque += x * force_y - y * force_x;
    }
}

/// A mechanical system with friction on one rigid body.
pub trait PlanarRig: Sync {
    /// Name and unit of each state: those of a rigid body in the plane unless the rig has others.
    fn states(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("x", "m"),
            ("y", "m"),
            ("phi", "rad"),
            ("v_x", "m/s"),
            ("v_y", "m/s"),
            ("omega", "rad/s"),
        ]
    }

    /// State at t = 0, SI units.
    fn start(&self) -> Vec<f64> {
        vec![0.0; self.states().len()]
    }

    /// A typical size of each state, by which errors of a solution are measured.
    fn sizes(&self) -> Vec<f64>;

    /// The number of points of contact.
    fn contacts(&self) -> usize {
        1
    }

    /// Position of a point of contact in the body's axes, m.
    fn position(&self, contact: usize) -> [f64; 2];

    /// Normal force of a contact at time `t` (s), N.
    fn normal_force(&self, t: f64, contact: usize) -> f64;

    /// Velocity of the body in the state `y`.
    fn twist(&self, y: &[f64]) -> Twist;

    /// The time derivative of the state under friction.
    fn rate(&self, t: f64, y: &[f64], friction: Wrench, rate: &mut [f64]);

    /// The times at which a load has a kink, ascending, s.
    fn kinks(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The longest step, s, in which the classic Runge–Kutta method follows the rig without
    /// friction.
    fn longest_step(&self) -> f64;

    /// Moves the rig from `t` to `t + h` (s) while the friction is held, as a multibody code does
    /// between two communication points.
    fn advance(&self, t: f64, y: &mut [f64], h: f64, friction: Wrench) {
        runge_kutta(self.longest_step(), t, y, h, |t, y, rate| {
            self.rate(t, y, friction, rate)
        });
    }
}

/// A planar rig as a rig with a contact of its own at each point: along x where a law gives one
/// component of force, else in the plane, with both components of each contact in turn.
pub struct PointContacts<'a>(pub &'a dyn PlanarRig);

impl PointContacts<'_> {
    /// Sum of the forces of the points, N.
    pub fn wrench(&self, friction: &[f64]) -> Wrench {
        let components = friction.len() / self.0.contacts();
        let mut sum = Wrench::default();
        for (contact, force) in friction.chunks(components).enumerate() {
            sum.add(
                self.0.position(contact),
                [force[0], force.get(1).copied().unwrap_or(0.0)],
            );
        }
        sum
    }
}

impl Rig for PointContacts<'_> {
    fn states(&self) -> &'static [(&'static str, &'static str)] {
        self.0.states()
    }

    fn start(&self) -> Vec<f64> {
        self.0.start()
    }

    fn sizes(&self) -> Vec<f64> {
        self.0.sizes()
    }

    fn contacts(&self) -> usize {
        self.0.contacts()
    }

    fn contact(&self, t: f64, y: &[f64], contact: usize) -> Contact {
        let [v, v_y] = self.0.twist(y).at(self.0.position(contact));
        Contact {
            v_y,
            ..Contact::new(self.0.normal_force(t, contact), v)
        }
    }

    /// Not a number: it serves laws with F_t as an input only, and these have no form in the plane.
    fn mass(&self, _: usize) -> f64 {
        f64::NAN
    }

    fn rate(&self, t: f64, y: &[f64], friction: &[f64], rate: &mut [f64]) {
        self.0.rate(t, y, self.wrench(friction), rate);
    }

    fn kinks(&self) -> Vec<f64> {
        self.0.kinks()
    }

    fn longest_step(&self) -> f64 {
        self.0.longest_step()
    }
}

/// The vector turned by an angle (rad).
pub fn turned([x, y]: [f64; 2], angle: f64) -> [f64; 2] {
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    [cos * x - sin * y, sin * x + cos * y]
}

/// Cubic that rises from 0 to 1 while `part` does, with zero slope at both ends, and holds.
pub fn rise(part: f64) -> f64 {
    let part = part.clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_of_friction_is_that_of_its_points() {
        let twist = Twist {
            velocity: [0.3, -0.2],
            omega: 1.7,
        };
        let points = [([0.1, 0.2], [1.0, 2.0]), ([-0.3, 0.05], [-0.5, 0.25])];
        let mut sum = Wrench::default();
        let mut power = 0.0;
        for (position, force) in points {
            sum.add(position, force);
            let [v_x, v_y] = twist.at(position);
            power += force[0] * v_x + force[1] * v_y;
        }
        let whole = sum.force[0] * twist.velocity[0]
            + sum.force[1] * twist.velocity[1]
            + sum.torque * twist.omega;
        assert!((whole - power).abs() < 1e-15, "{whole}, {power}");
    }
}
