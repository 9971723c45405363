//! Signs of velocity and acceleration as discrete states, for static laws whose force jumps with
//! them.
//!
//! The signs change at events only, so that the force is smooth for a solver that steps beyond an
//! event in order to locate it: there the force is [continued](Direction::continued). In
//! Co-Simulation a step has breakpoints at the zeros of its inputs, so that the signs are exact.

use super::symbols::sgn;
use crate::law::{
    Contact, DiscreteState, Events, MAX_EVENTS, NOMINAL_VELOCITY, Path, Polynomial, REST, opening,
};
use crate::scalar::Scalar;
use crate::variable::{Values, Variable};

/// Sign of v.
pub const DIRECTION: Variable = Variable::mode(
    28,
    "direction",
    "Sign of v since the last event: -1, 0 or 1; the force jumps with it",
);
/// Sign of a.
pub const TREND: Variable = Variable::mode(
    29,
    "trend",
    "Sign of a since the last event: -1, 0 or 1; the branch of the law changes with it",
);

/// Event of a law whose force jumps with the sign of v.
pub const V_EVENT: &str = "v passes through 0: the force jumps";
/// Event of an opening or closing contact.
pub const CONTACT_EVENT: &str = "the contact opens or closes";

/// Sign of v at the last event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Direction {
    /// Sign of v, −1, 0 or 1.
    pub v: f64,
}

impl Direction {
    /// Coefficient of friction of a law that depends on the speed alone, at v: `at` gives it for a
    /// speed. Beyond v = 0 it is continued by reflection in its point on the axis, f(−s) = 2 f(0) −
    /// f(s): its value and its slope are continuous there.
    #[inline(always)]
    pub fn continued<S: Scalar>(&self, v: S, at: impl Fn(S) -> S) -> S {
        let speed = v * self.v;
        if speed.value() < 0.0 {
            reflected(at(S::constant(0.0)), at(-speed))
        } else {
            at(speed)
        }
    }
}

impl DiscreteState for Direction {
    fn read(values: &Values) -> Self {
        Direction {
            v: values[&DIRECTION],
        }
    }

    fn write(self, values: &mut Values) {
        values[&DIRECTION] = self.v;
    }

    fn initial(contact: Contact) -> Self {
        Direction { v: sgn(contact.v) }
    }

    fn differs_by_rounding(&self, other: &Self, contact: Contact) -> bool {
        is_rounding(self.v, other.v, contact.v, REST)
    }
}

impl<L> Events<L, 0> for Direction {
    fn indicators(&self, _: &L, contact: Contact, _: &[f64; 0]) -> [f64; MAX_EVENTS] {
        [
            opening(contact),
            margin(self.v, contact.v, REST) / NOMINAL_VELOCITY,
            1.0,
            1.0,
        ]
    }

    fn polynomials(&self, _: &L, path: &Path<0>) -> Option<[Polynomial; MAX_EVENTS]> {
        let [first, second] = margins(self.v, path.v, REST);
        Some([
            first,
            second,
            Polynomial::constant(1.0),
            Polynomial::constant(1.0),
        ])
    }

    fn handle_event(&mut self, _: &L, contact: Contact, _: &mut [f64; 0]) -> bool {
        let before = core::mem::replace(self, Self::initial(contact));
        before != *self
    }
}

/// A coefficient beyond the axis, from those on the axis and inside.
#[cold]
fn reflected<S: Scalar>(axis: S, inside: S) -> S {
    axis * 2.0 - inside
}

/// Whether two signs are equal, or differ by an input that is next to 0 and not 0.
fn is_rounding(sign: f64, other: f64, x: f64, width: f64) -> bool {
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

/// Magnitude of a beyond 0 at which a change of its sign counts, m/s². Convention, as [`REST`] for
/// v.
const NO_ACCELERATION: f64 = 1e-12;

impl Directions {
    /// Sign of v a: 1 where the speed rises, −1 where it falls, 0 where v or a is 0.
    pub fn side(&self) -> f64 {
        self.v * self.a
    }

    /// Coefficient of friction, or force, of a contact whose v and a had these signs at the last
    /// event: `at` gives it for magnitudes of both. Beyond v = 0 and a = 0 it is continued as
    /// [`Direction::continued`] does.
    #[inline(always)]
    pub fn continued<S: Scalar>(&self, contact: Contact<S>, at: impl Fn(Contact<S>) -> S) -> S {
        let along_v = |a: S| {
            Direction { v: self.v }.continued(contact.v, |v| at(Contact { v, a, ..contact }))
        };
        Direction { v: self.a }.continued(contact.a, along_v)
    }
}

/// Events of a law whose branch changes with the signs of v and a.
impl<L> Events<L, 0> for Directions {
    fn indicators(&self, _: &L, contact: Contact, _: &[f64; 0]) -> [f64; MAX_EVENTS] {
        let of_v = margin(self.v, contact.v, REST) / NOMINAL_VELOCITY;
        [
            opening(contact),
            of_v,
            margin(self.a, contact.a, NO_ACCELERATION),
            1.0,
        ]
    }

    fn polynomials(&self, _: &L, path: &Path<0>) -> Option<[Polynomial; MAX_EVENTS]> {
        let [first, second] = margins(self.v, path.v, REST);
        let [third, fourth] = margins(self.a, path.a, NO_ACCELERATION);
        Some([first, second, third, fourth])
    }

    fn handle_event(&mut self, _: &L, contact: Contact, _: &mut [f64; 0]) -> bool {
        let before = core::mem::replace(self, Self::initial(contact));
        before != *self
    }
}

impl DiscreteState for Directions {
    fn read(values: &Values) -> Self {
        Directions {
            v: values[&DIRECTION],
            a: values[&TREND],
        }
    }

    fn write(self, values: &mut Values) {
        values[&DIRECTION] = self.v;
        values[&TREND] = self.a;
    }

    fn initial(contact: Contact) -> Self {
        Directions {
            v: sgn(contact.v),
            a: sgn(contact.a),
        }
    }

    fn differs_by_rounding(&self, other: &Self, contact: Contact) -> bool {
        is_rounding(self.v, other.v, contact.v, REST)
            && is_rounding(self.a, other.a, contact.a, NO_ACCELERATION)
    }
}

/// Event margin of a sign of `x`: above 0 while `sign` holds. Its zero lies `width` beyond x = 0,
/// so that a solver which stops a little before or after this zero finds `x` beyond 0 with the new
/// sign.
fn margin(sign: f64, x: f64, width: f64) -> f64 {
    if sign == 0.0 {
        width - x.abs()
    } else {
        sign * x + width
    }
}

/// [`margin`] along a segment: one polynomial on either side of 0 where the sign is 0.
fn margins(sign: f64, x: Polynomial, width: f64) -> [Polynomial; 2] {
    let width = Polynomial::constant(width);
    if sign == 0.0 {
        [width - x, width + x]
    } else {
        [x * sign + width, Polynomial::constant(1.0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_is_positive_while_the_sign_holds_and_negative_beyond_the_width() {
        for (sign, inside, outside) in [
            (1.0, 0.0, -2e-12),
            (-1.0, 0.0, 2e-12),
            (0.0, 0.0, 2e-12),
            (0.0, 5e-13, -2e-12),
        ] {
            assert!(
                margin(sign, inside, REST) > 0.0 && margin(sign, outside, REST) < 0.0,
                "{sign}"
            );
        }
    }
}
