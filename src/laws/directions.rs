//! The signs of velocity and acceleration as discrete states, for static laws whose force jumps with them.
//!
//! Between events the signs stay as they were at the last one: a solver that steps a little beyond an event, as solvers do to
//! find it, sees a smooth force. In Co-Simulation a step is divided at the zeros of its inputs, so that the signs are exact.

use super::symbols::sgn;
use crate::law::{Contact, DiscreteState, MAX_EVENTS, NOMINAL_VELOCITY, Path, Polynomial, REST, opening};
use crate::variable::{Values, Variable};

/// The sign of v.
pub const DIRECTION: Variable =
    Variable::mode(28, "direction", "Sign of v since the last event: -1, 0 or 1; the force jumps with it");
/// The sign of a.
pub const TREND: Variable =
    Variable::mode(29, "trend", "Sign of a since the last event: -1, 0 or 1; the branch of the law changes with it");

/// The event of a law that jumps with v.
pub const V_EVENT: &str = "v passes through 0: the force jumps";
/// The event of an opening or closing contact.
pub const CONTACT_EVENT: &str = "the contact opens or closes";

/// The sign of v at the last event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Direction {
    /// −1, 0 or 1.
    pub v: f64,
}

impl Direction {
    /// The sign at an instant.
    pub fn of(contact: Contact) -> Self {
        Direction { v: sgn(contact.v) }
    }

    /// Polynomials whose changes of sign are changes of the sign of v.
    pub fn event_polynomials(&self, path: &Path<0>) -> [Polynomial; MAX_EVENTS] {
        let [first, second] = margins(self.v, path.v, REST);
        [first, second, Polynomial::constant(1.0), Polynomial::constant(1.0)]
    }

    /// Indicators of opening and of the sign of v.
    pub fn indicators(&self, contact: Contact) -> [f64; MAX_EVENTS] {
        [opening(contact), margin(self.v, contact.v, REST) / NOMINAL_VELOCITY, 1.0, 1.0]
    }
}

impl DiscreteState for Direction {
    fn read(values: &Values) -> Self {
        Direction { v: values[&DIRECTION] }
    }

    fn write(self, values: &mut Values) {
        values[&DIRECTION] = self.v;
    }
}

/// The signs of v and a at the last event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Directions {
    /// −1, 0 or 1.
    pub v: f64,
    /// −1, 0 or 1.
    pub a: f64,
}

/// Acceleration, m/s², beyond which its sign has changed.
const NO_ACCELERATION: f64 = 1e-12;

impl Directions {
    /// The signs at an instant.
    pub fn of(contact: Contact) -> Self {
        Directions { v: sgn(contact.v), a: sgn(contact.a) }
    }

    /// 1 where the speed rises, −1 where it falls, 0 where v or a is 0.
    pub fn side(&self) -> f64 {
        self.v * self.a
    }

    /// Polynomials whose changes of sign are changes of the signs of v and a.
    pub fn event_polynomials(&self, path: &Path<0>) -> [Polynomial; MAX_EVENTS] {
        let [first, second] = margins(self.v, path.v, REST);
        let [third, fourth] = margins(self.a, path.a, NO_ACCELERATION);
        [first, second, third, fourth]
    }

    /// Indicators of opening, of the sign of v and of the sign of a.
    pub fn indicators(&self, contact: Contact) -> [f64; MAX_EVENTS] {
        let [opening, direction, ..] = Direction { v: self.v }.indicators(contact);
        [opening, direction, margin(self.a, contact.a, NO_ACCELERATION), 1.0]
    }
}

impl DiscreteState for Directions {
    fn read(values: &Values) -> Self {
        Directions { v: values[&DIRECTION], a: values[&TREND] }
    }

    fn write(self, values: &mut Values) {
        values[&DIRECTION] = self.v;
        values[&TREND] = self.a;
    }
}

/// Distance of `x` from where `sign` no longer holds, above 0 while it does. `width` is the distance from 0 at which the change
/// shows: a solver that stops at this zero, before it or behind it, finds `x` beyond 0 with the new sign.
fn margin(sign: f64, x: f64, width: f64) -> f64 {
    if sign == 0.0 { width - x.abs() } else { sign * x + width }
}

/// [`margin`] along a segment: one polynomial on either side of 0 where the sign is 0.
fn margins(sign: f64, x: Polynomial, width: f64) -> [Polynomial; 2] {
    let width = Polynomial::constant(width);
    if sign == 0.0 { [width - x, width + x] } else { [x * sign + width, Polynomial::constant(1.0)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_is_positive_while_the_sign_holds_and_negative_beyond_the_width() {
        for (sign, inside, outside) in [(1.0, 0.0, -2e-12), (-1.0, 0.0, 2e-12), (0.0, 0.0, 2e-12), (0.0, 5e-13, -2e-12)]
        {
            assert!(margin(sign, inside, REST) > 0.0 && margin(sign, outside, REST) < 0.0, "{sign}");
        }
    }
}
