//! State machine of \[MSL\] PartialFriction: a contact slides forward, slides backward or is stuck;
//! stuck, it balances the applied force up to a peak, then starts to slide until the velocity
//! follows.
//!
//! An element with velocity input cannot impose der(v) = 0: the stuck contact returns the applied
//! force, and where the velocity leaves ±v_small nevertheless, it slides.

use crate::law::{REST, ReferenceLaw, sgn};
use crate::modes::{HybridLaw, advance_modes};
use crate::trajectory::{Contact, InputTrajectory};

/// Characteristic of a sliding contact.
pub trait SlidingCurve: Copy + 'static {
    /// Coefficient of friction at a speed |v| (m/s).
    fn coefficient(&self, speed: f64) -> f64;
    /// Force that ends the stuck mode over the sliding force at rest.
    fn peak(&self) -> f64;
    /// Velocity up to which the contact can be stuck, m/s.
    fn v_small(&self) -> f64;
}

/// Mode of the contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Mode {
    /// Before the first step.
    #[default]
    New,
    /// Open contact.
    Open,
    /// Slides in this direction.
    Slides(f64),
    /// Bears the applied force.
    Stuck,
    /// Has broken away in this direction, while the velocity is still 0.
    Starts(f64),
}

impl Mode {
    /// Backward −1, Stuck 0, Forward 1, Free 2, as in the library.
    pub fn number(self) -> i32 {
        match self {
            Mode::Slides(direction) => direction as i32,
            Mode::Open => 2,
            Mode::New | Mode::Stuck | Mode::Starts(_) => 0,
        }
    }
}

/// State machine with its characteristic.
struct StateMachine<'a, S>(&'a S);

impl<S: SlidingCurve> HybridLaw for StateMachine<'_, S> {
    type State = Mode;

    fn flow(&self, mode: Mode, _: &InputTrajectory, _: f64, _: f64) -> Mode {
        mode
    }

    fn mode_ends(&self, mode: Mode, inputs: &InputTrajectory, t: f64) -> bool {
        self.next(mode, inputs.at(t)) != mode
    }

    fn switch_mode(&self, mode: Mode, inputs: &InputTrajectory, t: f64) -> Mode {
        self.next(mode, inputs.at(t))
    }
}

impl<S: SlidingCurve> StateMachine<'_, S> {
    #[allow(non_snake_case)] // the source's symbols
    fn next(&self, mode: Mode, contact: Contact) -> Mode {
        let Contact { F_N, v, F_t, .. } = contact;
        if !contact.is_closed() {
            return Mode::Open;
        }
        let f_0 = self.0.coefficient(0.0) * F_N;
        let f_peak = self.0.peak() * f_0;
        let by_velocity = if v == 0.0 {
            Mode::Stuck
        } else {
            Mode::Slides(sgn(v))
        };
        match mode {
            Mode::New | Mode::Open => by_velocity,
            Mode::Slides(direction) if direction * v > REST => mode,
            Mode::Slides(_) => Mode::Stuck,
            Mode::Stuck | Mode::Starts(_) if v.abs() > self.0.v_small() => by_velocity,
            Mode::Stuck if F_t.abs() > f_peak => Mode::Starts(sgn(F_t)),
            Mode::Stuck => mode,
            Mode::Starts(direction) if direction * v > 2.0 * REST => Mode::Slides(direction),
            Mode::Starts(direction) if direction * F_t <= f_0 => Mode::Stuck,
            Mode::Starts(_) => mode,
        }
    }

    fn force(&self, mode: Mode, contact: Contact) -> f64 {
        let sliding = |speed: f64| self.0.coefficient(speed) * contact.F_N;
        match mode {
            Mode::New | Mode::Open => 0.0,
            Mode::Slides(direction) => direction * sliding(contact.v.abs()),
            Mode::Stuck => contact.F_t,
            Mode::Starts(direction) => direction * sliding((direction * contact.v).max(0.0)),
        }
    }
}

/// Mode and F_R (N) after a step of `h` (s).
fn advance<S: SlidingCurve>(
    sliding: &S,
    mode: Mode,
    inputs: &InputTrajectory,
    h: f64,
) -> (Mode, f64) {
    let machine = StateMachine(sliding);
    let mode = advance_modes(&machine, mode, inputs, h);
    (mode, machine.force(mode, inputs.at(h)))
}

/// Reference solution: law and mode.
#[derive(Clone, Copy, Debug)]
pub struct Solution<S> {
    law: S,
    mode: Mode,
}

impl<S> Solution<S> {
    /// Before its first step.
    pub fn new(law: S) -> Self {
        Solution {
            law,
            mode: Mode::default(),
        }
    }
}

impl<S: SlidingCurve> ReferenceLaw for Solution<S> {
    fn advance(&mut self, inputs: &InputTrajectory, h: f64) -> f64 {
        let (mode, force) = advance(&self.law, self.mode, inputs, h);
        self.mode = mode;
        force
    }

    fn boxed(&self) -> Box<dyn ReferenceLaw> {
        Box::new(*self)
    }

    fn synchronise(&mut self, _: Contact, value: &dyn Fn(&str) -> f64) {
        self.mode = match (value("mode"), value("start")) {
            (0.0, 0.0) => Mode::Stuck,
            (0.0, direction) => Mode::Starts(direction),
            (2.0, _) => Mode::Open,
            (direction, _) => Mode::Slides(direction),
        };
    }

    fn static_friction(&self) -> f64 {
        self.law.coefficient(0.0) * self.law.peak()
    }

    fn mode(&self) -> Option<i32> {
        Some(self.mode.number())
    }
}
