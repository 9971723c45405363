//! The state machine of a contact that sticks under an applied force and slides with a given one.
//!
//! Source: Modelica Standard Library, *Modeling of Friction* (base model PartialFriction), after M.
//! Otter, H. Elmqvist, S. E. Mattsson, *Hybrid Modeling in Modelica based on the Synchronous Data
//! Flow Principle*, CACSD 1999.
//!
//! A contact that starts from stick has the sliding force until its velocity has the direction of
//! the start. The library holds a stuck body by an acceleration constraint, which an element with
//! the velocity as its input cannot. Here the applied force is an input instead, and a stuck
//! contact whose velocity leaves ±v_small slides.

mod with_stick;

pub use self::with_stick::WithStick;

use super::symbols::bounds;
use crate::characteristic::Signed;
use crate::law::{
    BEYOND, Contact, DiscreteState, Evaluation, Events, HYSTERESIS, MAX_EVENTS, Motion,
    NOMINAL_FORCE, NOMINAL_VELOCITY, Path, Polynomial, REST, opening,
};
use crate::scalar::Scalar;
use crate::variable::{Unit, Values, Variable};

/// Mode of the state machine.
pub const MODE: Variable = Variable::mode(
    28,
    "mode",
    "-1 slides backward, 0 stuck, 1 slides forward, 2 open",
)
.up_to(OPEN as i32);
/// Direction in which a stuck contact is starting.
pub const START: Variable = Variable::mode(
    29,
    "start",
    "Direction in which a stuck contact starts to slide, 0 while it sticks",
);
/// Velocity at which stick ends by motion.
pub const V_SMALL: Variable = Variable::parameter(
    34,
    "v_small",
    r"v_\mathrm{small}",
    Unit::MetrePerSecond,
    1e-3,
    "Velocity above which a stuck contact slides, whatever the applied force; above 2 F_s H/m for \
     a master with fixed \
     steps; a block in Co-Simulation has no need of it",
)
.within(bounds::THRESHOLD);

/// Descriptions of the events of a [`State`].
pub const EVENTS: &[&str] = &[
    "the contact opens or closes",
    "sliding: v passes through 0; starting: v has the direction of the start; stuck: |v| exceeds \
     v_small",
    "stuck: |F_t| exceeds the break-away force; starting: the applied force no longer exceeds the \
     sliding force",
];

/// State of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State {
    /// Whether the contact is open.
    pub open: bool,
    /// Stick or direction of sliding; stick while the contact is open.
    pub mode: Motion,
    /// Direction in which the contact starts from stick; `Stuck` where it does not start.
    pub start: Motion,
}

/// Value of [`MODE`] of an open contact, as in the library.
const OPEN: f64 = 2.0;

impl DiscreteState for State {
    fn read(values: &Values) -> Self {
        let open = values[&MODE] == OPEN;
        let mode = if open {
            Motion::Stuck
        } else {
            Motion::of(values[&MODE])
        };
        State {
            open,
            mode,
            start: Motion::of(values[&START]),
        }
    }

    fn write(self, values: &mut Values) {
        values[&MODE] = if self.open { OPEN } else { self.mode.sign() };
        values[&START] = self.start.sign();
    }

    fn initial(contact: Contact) -> Self {
        match contact.is_open() {
            true => State {
                open: true,
                ..State::default()
            },
            false => State {
                mode: Motion::of(contact.v),
                ..State::default()
            },
        }
    }
}

/// Coefficients of friction and velocity at which the machine changes its state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Break-away force over the normal force, by the sign of the applied force.
    pub break_away: Signed<f64>,
    /// Sliding force at rest over the normal force, by the direction of a start.
    pub at_rest: Signed<f64>,
    /// Speed above which a stuck contact slides, m/s: [`moving`] or [`MOVING_BODY`].
    pub moving: f64,
}

/// Speed above which a stuck contact slides, m/s, for this `v_small`: at least twice that at which
/// a solver's event ends sliding, so that stick begins there.
pub fn moving(v_small: f64) -> f64 {
    v_small.max(2.0 * HYSTERESIS * NOMINAL_VELOCITY)
}

/// Speed above which a stuck contact slides in one system with its body, whose slip has no error at
/// rest, m/s.
pub const MOVING_BODY: f64 = 2.0 * REST;

impl Limits {
    /// Whether the law is in one system with its body.
    fn is_of_body(&self) -> bool {
        self.moving == MOVING_BODY
    }

    /// Whether the applied force (N) drives the body on in this direction: it cannot come to rest.
    /// A velocity of the integration that says so has an error, next to a start above all.
    fn drives(&self, direction: Motion, applied: f64, normal: f64) -> bool {
        let sign = direction.sign();
        self.is_of_body() && sign * applied > self.at_rest.of(sign) * normal
    }
}

/// Law of a contact that the machine describes.
pub trait Machine {
    /// The limits of the law.
    fn limits(&self) -> Limits;
}

impl State {
    /// Direction of the sliding force; `Stuck` where the contact balances the applied force.
    pub fn direction(&self) -> Motion {
        if self.mode == Motion::Stuck {
            self.start
        } else {
            self.mode
        }
    }

    /// Force for a coefficient of sliding friction, which `sliding` gives for a direction.
    pub fn evaluate<S: Scalar>(
        &self,
        contact: Contact<S>,
        limits: Limits,
        sliding: impl Fn(Motion) -> S,
    ) -> Evaluation<0, S> {
        let break_away = contact.F_N * *limits.break_away.of(contact.F_t.value());
        match self.direction() {
            _ if contact.is_open() => Evaluation::zero(),
            Motion::Stuck => {
                let applied = contact.F_t;
                let force = if applied.value().abs() <= break_away.value() {
                    applied
                } else {
                    break_away * 1_f64.copysign(applied.value())
                };
                Evaluation {
                    sticking: true,
                    ..Evaluation::of_force(force)
                }
            }
            direction => Evaluation::of_force(sliding(direction) * contact.F_N * direction.sign()),
        }
    }
}

impl<L: Machine> Events<L, 0> for State {
    fn indicators(&self, law: &L, contact: Contact, _: &[f64; 0]) -> [f64; MAX_EVENTS] {
        let (
            limits,
            Contact {
                v, F_t: applied, ..
            },
        ) = (law.limits(), contact);
        let break_away = limits.break_away.of(applied) * contact.F_N * (1.0 + BEYOND);
        let (motion, force) = match (self.mode, self.start) {
            _ if self.open => (1.0, 1.0),
            (Motion::Stuck, Motion::Stuck) => {
                (limits.moving + REST - v.abs(), break_away - applied.abs())
            }
            (Motion::Stuck, start) => {
                let on = start.sign() * v;
                let at_rest = limits.at_rest.of(start.sign()) * contact.F_N * (1.0 - BEYOND);
                (
                    (3.0 * REST - on).min(limits.moving + REST + on),
                    start.sign() * applied - at_rest,
                )
            }
            (mode, _) => (mode.sign() * v, 1.0),
        };
        [
            opening(contact),
            motion / NOMINAL_VELOCITY,
            force / NOMINAL_FORCE,
            1.0,
        ]
    }

    fn polynomials(&self, law: &L, path: &Path<0>) -> Option<[Polynomial; MAX_EVENTS]> {
        let limits = law.limits();
        let Path {
            F_N: normal,
            v,
            F_t: applied,
            ..
        } = *path;
        let mut events = [Polynomial::constant(1.0); MAX_EVENTS];
        match (self.mode, self.start) {
            (Motion::Stuck, Motion::Stuck) => {
                let still = Polynomial::constant(limits.moving + REST);
                let [ahead, back] =
                    [1.0, -1.0].map(|side| normal * (limits.break_away.of(side) * (1.0 + BEYOND)));
                events = [still - v, still + v, ahead - applied, back + applied];
            }
            (Motion::Stuck, start) => {
                let on = v * start.sign();
                events[0] = Polynomial::constant(3.0 * REST) - on;
                if !limits.is_of_body() {
                    events[1] = Polynomial::constant(limits.moving + REST) + on;
                }
                events[2] = applied * start.sign()
                    - normal * (limits.at_rest.of(start.sign()) * (1.0 - BEYOND));
            }
            (mode, _) => events[0] = v * mode.sign(),
        }
        Some(events)
    }

    fn handle_event(&mut self, law: &L, contact: Contact, _: &mut [f64; 0]) -> bool {
        let (limits, before) = (law.limits(), *self);
        let Contact {
            F_N: normal,
            v,
            F_t: applied,
            ..
        } = contact;
        *self = match (self.mode, self.start) {
            _ if self.open != contact.is_open() => State::initial(contact),
            _ if self.open => before,
            (Motion::Stuck, Motion::Stuck) if v.abs() > limits.moving => State::initial(contact),
            (Motion::Stuck, Motion::Stuck)
                if applied.abs() > limits.break_away.of(applied) * normal =>
            {
                State {
                    start: Motion::of(applied),
                    ..State::default()
                }
            }
            (Motion::Stuck, Motion::Stuck) => before,
            (Motion::Stuck, start) if start.sign() * v > 2.0 * REST => State {
                mode: start,
                ..State::default()
            },
            (Motion::Stuck, start)
                if v.abs() > limits.moving && !limits.drives(start, applied, normal) =>
            {
                State::initial(contact)
            }
            (Motion::Stuck, start)
                if start.sign() * applied <= limits.at_rest.of(start.sign()) * normal =>
            {
                State::default()
            }
            (mode, _)
                if mode != Motion::Stuck
                    && mode.sign() * v <= REST
                    && !limits.drives(mode, applied, normal) =>
            {
                State::default()
            }
            _ => before,
        };
        *self != before
    }
}

#[cfg(test)]
mod tests;
