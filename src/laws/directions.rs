//! Signs of velocity and acceleration as discrete states, for static laws whose force jumps with them.
//!
//! The signs change at events only, so that the force is smooth for a solver that steps beyond an event in order to locate it: there the
//! force is [continued](Branch::continued). In Co-Simulation a step has breakpoints at the zeros of its inputs, so that the signs are exact.

use super::symbols::sgn;
use crate::law::{Contact, DiscreteState, MAX_EVENTS, NOMINAL_VELOCITY, Path, Polynomial, REST, opening};
use crate::variable::{Values, Variable};

/// Sign of v.
pub const DIRECTION: Variable =
    Variable::mode(28, "direction", "Sign of v since the last event: -1, 0 or 1; the force jumps with it");
/// Sign of a.
pub const TREND: Variable =
    Variable::mode(29, "trend", "Sign of a since the last event: -1, 0 or 1; the branch of the law changes with it");

/// Event of a law whose force jumps with the sign of v.
pub const V_EVENT: &str = "v passes through 0: the force jumps";
/// Event of an opening or closing contact.
pub const CONTACT_EVENT: &str = "the contact opens or closes";

/// Coefficient of friction, or force, of a direction of sliding: a function of F_N, of the speed, and of the magnitude of a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Branch {
    /// The value.
    pub value: f64,
    /// Its derivative by F_N.
    pub by_normal_force: f64,
    /// Its derivative by the speed.
    pub by_speed: f64,
    /// Its derivative by the magnitude of a.
    pub by_acceleration: f64,
}

impl Branch {
    /// Branch of a contact whose v and a had these signs at the last event; `here` is that of their magnitudes, and `at` gives it for others.
    /// Beyond v = 0 and a = 0 the branch is continued by reflection in its point on the axis, f(−s) = 2 f(0) − f(s): its value and its
    /// slope are continuous there, and bounded where those of the branch are.
    pub fn continued(self, signs: &Directions, contact: Contact, at: impl Fn(Contact) -> Branch) -> Branch {
        let ([v_is, a_is], inside) = (signs.are_beyond(contact), contact.magnitudes());
        let along_v = |here: Branch, contact: Contact| {
            if !v_is {
                return here;
            }
            let axis = at(Contact { v: 0.0, ..contact });
            Branch { by_speed: here.by_speed, ..axis.twice_less(here) }
        };
        let here = along_v(self, inside);
        if !a_is {
            return here;
        }
        let on_axis = Contact { a: 0.0, ..inside };
        let axis = along_v(at(on_axis), on_axis);
        Branch { by_acceleration: here.by_acceleration, ..axis.twice_less(here) }
    }

    /// Twice this branch less another one.
    fn twice_less(self, other: Branch) -> Branch {
        Branch {
            value: 2.0 * self.value - other.value,
            by_normal_force: 2.0 * self.by_normal_force - other.by_normal_force,
            by_speed: 2.0 * self.by_speed - other.by_speed,
            by_acceleration: 2.0 * self.by_acceleration - other.by_acceleration,
        }
    }
}

/// Sign of v at the last event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Direction {
    /// Sign of v, −1, 0 or 1.
    pub v: f64,
}

impl Direction {
    /// Sign of v of a contact.
    pub fn of(contact: Contact) -> Self {
        Direction { v: sgn(contact.v) }
    }

    /// Whether v is beyond the event of its sign.
    #[inline]
    pub fn is_beyond(&self, v: f64) -> bool {
        self.v * v < 0.0
    }

    /// Coefficient of friction of a law that depends on the speed alone, and its derivative, s/m, at v: `here` are those of the speed, `at_rest`
    /// gives them for v = 0; see [`Branch::continued`].
    pub fn continued(&self, v: f64, here: (f64, f64), at_rest: impl Fn() -> (f64, f64)) -> (f64, f64) {
        if self.is_beyond(v) { (2.0 * at_rest().0 - here.0, here.1) } else { here }
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

    fn differs_by_rounding(&self, other: &Self, contact: Contact) -> bool {
        is_rounding([self.v, other.v], contact.v, REST)
    }
}

/// Whether two signs are equal, or differ by an input that is next to 0 and not 0.
fn is_rounding([sign, other]: [f64; 2], x: f64, width: f64) -> bool {
    sign == other || (x != 0.0 && x.abs() <= width)
}

/// Signs of v and a at the last event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Directions {
    /// Sign of v, −1, 0 or 1.
    pub v: f64,
    /// Sign of a, −1, 0 or 1.
    pub a: f64,
}

/// Magnitude of a beyond 0 at which a change of its sign counts, m/s². Convention, as [`REST`] for v.
const NO_ACCELERATION: f64 = 1e-12;

impl Directions {
    /// Signs of v and a of a contact.
    pub fn of(contact: Contact) -> Self {
        Directions { v: sgn(contact.v), a: sgn(contact.a) }
    }

    /// Whether v and a are beyond the events of their signs.
    #[inline]
    pub fn are_beyond(&self, contact: Contact) -> [bool; 2] {
        [self.v * contact.v < 0.0, self.a * contact.a < 0.0]
    }

    /// Sign of v a: 1 where the speed rises, −1 where it falls, 0 where v or a is 0.
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

    fn differs_by_rounding(&self, other: &Self, contact: Contact) -> bool {
        is_rounding([self.v, other.v], contact.v, REST) && is_rounding([self.a, other.a], contact.a, NO_ACCELERATION)
    }
}

/// Event margin of a sign of `x`: above 0 while `sign` holds. Its zero lies `width` beyond x = 0, so that a solver which stops a
/// little before or after this zero finds `x` beyond 0 with the new sign.
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
