//! Messages about the bases of a system, whose motion is the master's.
//!
//! A base is a body of the master on a spring, or moves as it likes. What its inputs alone show is
//! said, each once: a position or a velocity that stands while the other one moves, and a body that
//! swings up under the force as the master applies it.

use super::System;
use crate::assembly::words::three_digits;
use crate::coupling::{Coupling, Response, ResponseMonitor};
use crate::element::AnyElement;

use super::variables::reference::{F_BASE, STIFFNESS, V_BASE, X_BASE};

/// Steps in a row in which one input moves and the other stands until a message says so.
const STEPS: u32 = 10;
/// Steps of the first window, and growth of the largest acceleration from one window to the next,
/// which is twice as long, from which a body swings up.
const WINDOW: u32 = 16;
const GROWTH: f64 = 1.2;
/// Steps in a row that turn round and grow until a message says so.
const ALTERNATING_STEPS: u32 = 4;
/// Way of a step over 1 m and the position up to which a base stands.
const ROUNDING: f64 = 1e-12;
/// Force over the largest one so far from whose changes the response of the base is found: a
/// period of 600 steps has changes of 1 %.
const SCALE: f64 = 0.2;

/// Monitor of the inputs of one base; no part of the state, as it changes no result.
#[derive(Clone, Debug, Default)]
pub struct BaseMonitor {
    x: f64,
    v: f64,
    /// Steps in a row in which x stood while v was not 0, and in which v was 0 while x moved.
    still: [u32; 2],
    response: ResponseMonitor,
    /// Largest acceleration in this window and in those before, m/s², and steps so far.
    largest: [f64; 2],
    steps: u32,
    /// Last change of v, m/s, and steps in a row in which it turned round and grew.
    change: f64,
    alternating: u32,
    /// Largest force so far, N.
    largest_force: f64,
    is_given: bool,
}

impl BaseMonitor {
    /// Adds the motion of the base at a communication point, after a step of this length (s).
    fn add_motion(&mut self, x: f64, v: f64, last: f64) {
        let moved = (v * last).abs() > ROUNDING * (1.0 + x.abs());
        let [x_stands, v_stands] = [x == self.x && moved, v == 0.0 && x != self.x];
        for (count, stands) in self.still.iter_mut().zip([x_stands, v_stands]) {
            *count = if stands { *count + 1 } else { 0 };
        }
        self.response.add_velocity(v, last);
        self.steps += 1;
        if self.steps >= WINDOW && self.steps.is_power_of_two() {
            let [now, before] = self.largest;
            self.largest = [0.0, before.max(now)];
        }
        let change = v - self.v;
        let alternates = change * self.change < 0.0 && change.abs() > GROWTH * self.change.abs();
        self.alternating = if alternates { self.alternating + 1 } else { 0 };
        self.largest[0] = self.largest[0].max(change.abs() / last);
        (self.x, self.v, self.change) = (x, v, change);
    }

    /// Begins anew, after a jump of the state.
    pub fn restart(&mut self) {
        *self = BaseMonitor {
            is_given: self.is_given,
            ..BaseMonitor::default()
        };
    }

    /// Whether the acceleration grows from window to window.
    fn grows(&self) -> bool {
        let [now, before] = self.largest;
        before > 0.0 && now > GROWTH * before
    }

    /// Whether the base turns round from step to step, ever faster.
    fn bursts(&self) -> bool {
        self.alternating >= ALTERNATING_STEPS
    }
}

impl System {
    /// Message about a base before a step of `duration` (s), if there is one.
    pub(in crate::assembly) fn message(
        &mut self,
        contacts: &[Box<dyn AnyElement>],
        duration: f64,
    ) -> Option<String> {
        let coupling = Coupling::of(contacts.first()?.values());
        (0..self.bases).find_map(|base| {
            let message = self.message_about(base, coupling, duration)?;
            self.monitors[base].is_given = true;
            Some(message)
        })
    }

    fn message_about(&mut self, base: usize, coupling: Coupling, duration: f64) -> Option<String> {
        let (values, last) = (&self.state.values, self.state.last);
        let [x, v, force] = [X_BASE, V_BASE, F_BASE].map(|of| values.at(base, of));
        let has_derivatives = self.state.derivatives[base]
            .iter()
            .any(|order| order.iter().any(|derivative| *derivative != 0.0));
        let stiffness = self.stiffness_at(base);
        let monitor = &mut self.monitors[base];
        if monitor.is_given || coupling == Coupling::Prescribed {
            return None;
        }
        if last > 0.0 {
            monitor.add_motion(x, v, last);
        } else {
            (monitor.x, monitor.v) = (x, v);
        }
        monitor.largest_force = monitor.largest_force.max(force.abs());
        let scale = SCALE * monitor.largest_force;
        monitor.response.add_force(-force, scale);
        // A step without a message allocates nothing.
        let name = || match self.bases {
            1 => "the base".to_owned(),
            _ => format!("base {}", base + 1),
        };
        let [x_stands, v_stands] = monitor.still.map(|count| count >= STEPS);
        if x_stands && stiffness > 0.0 && !has_derivatives {
            return Some(format!(
                "{} has the velocity {} m/s or rad/s, but its position stays at {}, so that its \
                 spring does not follow: connect the position as well, x_base or phi_base",
                name(),
                three_digits(v),
                three_digits(x)
            ));
        }
        if v_stands && !has_derivatives {
            return Some(format!(
                "the position of {} moves, but its velocity stays 0, so that its spring follows \
                 late and its damper not at all: connect the velocity as well, v_base or omega_base",
                name()
            ));
        }
        if monitor.bursts() {
            return Some(format!(
                "{} swings up at H = {duration:.1e} s, on a spring of {}: shorten H, or put the \
                 body of the base inside as well ([system])",
                name(),
                three_digits(stiffness)
            ));
        }
        let Response { order, mass } = monitor.response.response_of_body()?;
        if !monitor.grows() {
            return None;
        }
        let remedy = if order == coupling || order == Coupling::Serial {
            "shorten H, or put the body of the base inside as well ([system])".to_owned()
        } else {
            format!(
                "set coupling to {}, or put the body of the base inside as well ([system])",
                order.name()
            )
        };
        Some(format!(
            "{} swings up at H = {duration:.1e} s: it moves like a body of {} kg or kg m2 in a {} \
             coupling, on a spring of {}; {remedy}",
            name(),
            three_digits(mass),
            order.name(),
            three_digits(stiffness)
        ))
    }

    /// Stiffness of the springs at a base.
    fn stiffness_at(&self, base: usize) -> f64 {
        let springs = self.mechanism.structure.springs.iter().enumerate();
        springs
            .map(|(s, row)| {
                let factor = row.bases[base];
                factor * factor * self.state.values.at(s, STIFFNESS)
            })
            .sum()
    }
}
