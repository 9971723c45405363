//! Stick under held inputs, in closed form up to its end.
//!
//! With E = e^(−λt) both F_R and F_0 are A + Bt + CE with the same A and B = σ_0 v. Such a function is convex or concave throughout and
//! has one extremum at most: while both start and end within ±F_s, and A does, all of the step sticks. Else the first instant of
//! |F_R| = F_s or |F_0| = F_s is bracketed in the monotonic parts.

use super::equations::Equations;
use super::stick::{Stick, StickPart};
use crate::integrate::exponential;
use crate::law::{Contact, bisect};

/// Force A + Bt + C e^(−λt), N.
#[derive(Clone, Copy)]
struct Force {
    a: f64,
    b: f64,
    c: f64,
    lambda: f64,
}

impl Force {
    fn at(&self, t: f64) -> f64 {
        self.a + self.b * t + self.c * exponential::decay(self.lambda * t)
    }

    /// First instant before `end` (s) after which the size exceeds `limit` (N); the size at the start does not.
    fn exceeds(&self, limit: f64, end: f64) -> Option<f64> {
        let ratio = self.b / (self.c * self.lambda);
        let turn = if ratio > 0.0 && ratio < 1.0 { (-libm::log(ratio) / self.lambda).min(end) } else { end };
        let is_within = |t: f64| self.at(t).abs() <= limit;
        let mut from = 0.0;
        for to in [turn, end] {
            if to > from && !is_within(to) {
                return Some(bisect(from, to, is_within).unwrap_or(from));
            }
            from = to;
        }
        None
    }
}

/// Stick from the start of a step of `duration` (s) to its end or to the end of stick; `None` where the contact does not stick.
#[inline]
pub fn held_stick(equations: &Equations, contact: Contact, duration: f64, x: &[f64; 2]) -> Option<StickPart> {
    let stick = Stick::new(equations, contact.F_N);
    let [slip, sticking_force] = stick.start(equations, contact, x)?;
    let base = &equations.base;
    let lag = slip / stick.lambda;
    let (b, c_0) = (base.sigma_0 * contact.v, base.sigma_0 * lag);
    let (a, c) = (sticking_force - c_0, c_0 + stick.k * slip);
    let decay = exponential::decay(stick.lambda * duration);
    let end = a + b * duration;
    let most = a.abs().max((end + c * decay).abs()).max((end + c_0 * decay).abs());
    let (length, decay) = if most <= stick.F_s {
        (duration, decay)
    } else {
        let length = sticks_for(&stick, [a, b, c, c_0], duration)?;
        (length, exponential::decay(stick.lambda * length))
    };
    let travel = contact.v * length;
    let slipped = lag * (1.0 - decay);
    let impulse = (a + 0.5 * b * length) * length + c / stick.lambda * (1.0 - decay);
    let z_dot = Stick::z_dot(equations, contact.v, slip * decay);
    Some(StickPart { length, x: [x[0] + travel - slipped, z_dot], loss: impulse * contact.v })
}

/// Time (s) for which the contact sticks, `None` where it is negligible.
#[cold]
fn sticks_for(stick: &Stick, [a, b, c, c_0]: [f64; 4], duration: f64) -> Option<f64> {
    let forces = [c, c_0].map(|c| Force { a, b, c, lambda: stick.lambda });
    let length = forces.iter().filter_map(|force| force.exceeds(stick.F_s, duration)).fold(duration, f64::min);
    (length > 0.0).then_some(length)
}
