//! The state machine of a contact that sticks under an applied force and slides with a given one.
//!
//! Source: Modelica Standard Library, *Modeling of Friction* (base model PartialFriction), after M. Otter, H. Elmqvist,
//! S. E. Mattsson, *Hybrid Modeling in Modelica based on the Synchronous Data Flow Principle*, CACSD 1999.
//!
//! A contact that starts from stick has the sliding force until its velocity has the direction of the start. The library holds a stuck
//! body by an acceleration constraint, which an element with the velocity as its input cannot. Here the applied force is an input
//! instead, and a stuck contact whose velocity leaves ±v_small slides.

use super::symbols::bounds;
use crate::law::{
    BEYOND, Contact, DiscreteState, Evaluation, HYSTERESIS, Jacobian, MAX_EVENTS, Motion, NOMINAL_FORCE,
    NOMINAL_VELOCITY, Path, Polynomial, REST, opening,
};
use crate::variable::{Unit, Values, Variable};

/// Mode of the state machine.
pub const MODE: Variable =
    Variable::mode(28, "mode", "-1 slides backward, 0 stuck, 1 slides forward, 2 open").up_to(OPEN as i32);
/// Direction in which a stuck contact is starting.
pub const START: Variable =
    Variable::mode(29, "start", "Direction in which a stuck contact starts to slide, 0 while it sticks");
/// Velocity at which stick ends by motion.
pub const V_SMALL: Variable = Variable::parameter(
    34,
    "v_small",
    r"v_\mathrm{small}",
    Unit::MetrePerSecond,
    1e-3,
    "Velocity above which a stuck contact slides, whatever the applied force; above 2 F_s H/m for a master with fixed \
     steps",
)
.within(bounds::THRESHOLD);

/// Descriptions of the events of [`State::indicators`].
pub const EVENTS: &[&str] = &[
    "the contact opens or closes",
    "sliding: v passes through 0; starting: v has the direction of the start; stuck: |v| exceeds v_small",
    "stuck: |F_t| exceeds the break-away force; starting: the applied force no longer exceeds the sliding force",
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
        let mode = if open { Motion::Stuck } else { Motion::of(values[&MODE]) };
        State { open, mode, start: Motion::of(values[&START]) }
    }

    fn write(self, values: &mut Values) {
        values[&MODE] = if self.open { OPEN } else { self.mode.sign() };
        values[&START] = self.start.sign();
    }
}

/// Forces and velocity at which the machine changes its state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Break-away force, N.
    pub break_away: f64,
    /// Sliding force at rest, N.
    pub at_rest: f64,
    /// Velocity at which stick ends by motion, m/s.
    pub v_small: f64,
}

impl Limits {
    /// Speed above which a stuck contact slides, m/s: at least twice that at which a solver's event ends sliding, so that stick begins there.
    fn moving(&self) -> f64 {
        self.v_small.max(2.0 * HYSTERESIS * NOMINAL_VELOCITY)
    }
}

impl State {
    /// State at initialisation.
    pub fn initialize(contact: Contact) -> Self {
        match contact.is_open() {
            true => State { open: true, ..State::default() },
            false => State { mode: Motion::of(contact.v), ..State::default() },
        }
    }

    /// Direction of the sliding force; `Stuck` where the contact balances the applied force.
    pub fn direction(&self) -> Motion {
        if self.mode == Motion::Stuck { self.start } else { self.mode }
    }

    /// Force for a coefficient of sliding friction, which `sliding` gives for a direction with its derivative by the speed (s/m).
    pub fn evaluate(&self, contact: Contact, limits: Limits, sliding: impl Fn(Motion) -> (f64, f64)) -> Evaluation<0> {
        let (force, sticking) = match self.direction() {
            _ if contact.is_open() => (0.0, false),
            Motion::Stuck => (contact.F_t.clamp(-limits.break_away, limits.break_away), true),
            direction => (sliding(direction).0 * contact.F_N * direction.sign(), false),
        };
        Evaluation { F_R: force, sticking, rate: [] }
    }

    /// Partial derivatives of the force; `sliding` gives the coefficient for a direction and its derivative by the speed (s/m).
    pub fn jacobian(&self, contact: Contact, limits: Limits, sliding: impl Fn(Motion) -> (f64, f64)) -> Jacobian<0> {
        match self.direction() {
            _ if contact.is_open() => Jacobian::ZERO,
            Motion::Stuck if contact.F_t.abs() <= limits.break_away => Jacobian { F_R_F_t: 1.0, ..Jacobian::ZERO },
            Motion::Stuck => {
                let coefficient = limits.break_away / contact.F_N;
                Jacobian { F_R_F_N: coefficient.copysign(contact.F_t), ..Jacobian::ZERO }
            }
            direction => {
                let (mu, slope) = sliding(direction);
                Jacobian { F_R_F_N: mu * direction.sign(), F_R_v: slope * contact.F_N, ..Jacobian::ZERO }
            }
        }
    }

    /// Event indicator of each of [`EVENTS`].
    pub fn indicators(&self, contact: Contact, limits: Limits) -> [f64; MAX_EVENTS] {
        let Contact { v, F_t: applied, .. } = contact;
        let break_away = limits.break_away * (1.0 + BEYOND);
        let (motion, force) = match (self.mode, self.start) {
            _ if self.open => (1.0, 1.0),
            (Motion::Stuck, Motion::Stuck) => (limits.moving() + REST - v.abs(), break_away - applied.abs()),
            (Motion::Stuck, start) => {
                let on = start.sign() * v;
                let at_rest = limits.at_rest * (1.0 - BEYOND);
                ((3.0 * REST - on).min(limits.moving() + REST + on), start.sign() * applied - at_rest)
            }
            (mode, _) => (mode.sign() * v, 1.0),
        };
        [opening(contact), motion / NOMINAL_VELOCITY, force / NOMINAL_FORCE, 1.0]
    }

    /// Polynomials whose changes of sign are the events of a closed contact, with the limits under a normal force of 1 N.
    pub fn event_polynomials(&self, path: &Path<0>, limits: Limits) -> [Polynomial; MAX_EVENTS] {
        let Path { F_N: normal, v, F_t: applied, .. } = *path;
        let mut events = [Polynomial::constant(1.0); MAX_EVENTS];
        match (self.mode, self.start) {
            (Motion::Stuck, Motion::Stuck) => {
                let still = Polynomial::constant(limits.moving() + REST);
                let break_away = normal * (limits.break_away * (1.0 + BEYOND));
                events = [still - v, still + v, break_away - applied, break_away + applied];
            }
            (Motion::Stuck, start) => {
                let on = v * start.sign();
                events[0] = Polynomial::constant(3.0 * REST) - on;
                events[1] = Polynomial::constant(limits.moving() + REST) + on;
                events[2] = applied * start.sign() - normal * (limits.at_rest * (1.0 - BEYOND));
            }
            (mode, _) => events[0] = v * mode.sign(),
        }
        events
    }

    /// Makes one change of the state, if one is due; returns whether it did.
    pub fn handle_event(&mut self, contact: Contact, limits: Limits) -> bool {
        let before = *self;
        let Contact { v, F_t: applied, .. } = contact;
        *self = match (self.mode, self.start) {
            _ if self.open != contact.is_open() => State::initialize(contact),
            _ if self.open => before,
            (Motion::Stuck, Motion::Stuck) if v.abs() > limits.moving() => State::initialize(contact),
            (Motion::Stuck, Motion::Stuck) if applied.abs() > limits.break_away => {
                State { start: Motion::of(applied), ..State::default() }
            }
            (Motion::Stuck, Motion::Stuck) => before,
            (Motion::Stuck, start) if start.sign() * v > 2.0 * REST => State { mode: start, ..State::default() },
            (Motion::Stuck, _) if v.abs() > limits.moving() => State::initialize(contact),
            (Motion::Stuck, start) if start.sign() * applied <= limits.at_rest => State::default(),
            (mode, _) if mode != Motion::Stuck && mode.sign() * v <= REST => State::default(),
            _ => before,
        };
        *self != before
    }
}

#[cfg(test)]
mod tests;
