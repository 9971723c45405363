//! Inputs over a communication step, as polynomials of time.

use super::contact::Contact;
use super::history::{Delay, PastVelocity};
use crate::domain::OPEN_FORCE;
use core::array;

/// Largest order of the time derivatives of the inputs.
pub const MAX_INPUT_DERIVATIVE_ORDER: usize = 3;

/// Inputs over a communication step: values and time derivatives at its start.
#[derive(Clone, Copy, Debug)]
pub struct InputTrajectory<'a> {
    /// Contact at the start of the step.
    pub start: Contact,
    /// Time derivatives of order 1 and above at the start, per sⁿ; `None` where the inputs are
    /// held.
    pub derivatives: Option<&'a [Contact; MAX_INPUT_DERIVATIVE_ORDER]>,
    /// Past velocities, for a law with a delay.
    pub delay: Option<Delay<'a>>,
}

/// Largest values of the inputs over a step.
#[derive(Clone, Copy, Debug)]
pub struct Largest {
    /// Normal force, N.
    pub force: f64,
    /// Speed, m/s.
    pub speed: f64,
}

/// Ranges of the inputs over a step.
#[derive(Clone, Copy, Debug)]
pub struct Ranges {
    /// Largest normal force and speed.
    pub largest: Largest,
    /// Least normal force, N.
    pub least: f64,
    /// Time of it, s from the start of the step.
    pub least_at: f64,
    /// Normal force at the end, N.
    pub end: f64,
}

impl<'a> InputTrajectory<'a> {
    /// Contact and its time derivatives at time `t`, s from the start of the step, without the
    /// delayed velocity.
    #[inline]
    pub(crate) fn orders(
        &self,
        t: f64,
    ) -> (Contact, Option<[Contact; MAX_INPUT_DERIVATIVE_ORDER]>) {
        let derivatives = self.derivatives.map(|&[_, second, third]| {
            let (from, by) = (second.numbers(), third.numbers());
            let later = Contact::of(array::from_fn(|i| from[i] + t * by[i]));
            [self.polynomial_derivative(t), later, third]
        });
        (self.polynomial(t), derivatives)
    }

    /// Ranges of normal force and speed over a step with these breakpoints.
    pub fn ranges(&self, breakpoints: Breakpoints) -> Ranges {
        let speed = |c: Contact| c.v.abs().max(c.v_y.abs());
        let start = self.start.F_N;
        let mut ranges = Ranges {
            largest: Largest {
                force: start,
                speed: speed(self.start),
            },
            least: start,
            least_at: 0.0,
            end: start,
        };
        if self.derivatives.is_some() {
            for t in breakpoints {
                let c = self.polynomial(t);
                ranges.largest.force = ranges.largest.force.max(c.F_N);
                ranges.largest.speed = ranges.largest.speed.max(speed(c));
                if c.F_N < ranges.least {
                    (ranges.least, ranges.least_at) = (c.F_N, t);
                }
                ranges.end = c.F_N;
            }
        }
        ranges
    }

    /// Next time after `t`, s from the start of the step, at which [`Contact::v_past`] has a kink,
    /// a zero or an extremum; infinite for a law without a delay. `breakpoints` are those of the
    /// trajectory.
    pub(super) fn delayed_velocity_smooth_until(&self, t: f64, breakpoints: Breakpoints) -> f64 {
        let Some(delay) = &self.delay else {
            return f64::INFINITY;
        };
        // Anything nearer is rounding of the clock, or a zero that is found again by rounding.
        let near = t + (SAME_TIME * delay.delay).max(CLOCK_ROUNDING * delay.start.abs());
        let later = breakpoints.map(|breakpoint| breakpoint + delay.delay);
        let later = later
            .into_iter()
            .find(|bend| *bend > near)
            .unwrap_or(f64::INFINITY);
        if t >= delay.delay {
            return later;
        }
        let sample = delay
            .history
            .samples()
            .iter()
            .map(|[time, _]| time - delay.start + delay.delay);
        let bend = sample
            .into_iter()
            .find(|bend| *bend > near)
            .unwrap_or(delay.delay)
            .min(delay.delay);
        // v_past is linear in time from `near` to `bend`; at `t` it may have the slope before a
        // kink there, by rounding.
        let PastVelocity { v, slope } = delay.past(near - delay.delay, self.start.v);
        let zero = near - v / slope;
        if zero > near && zero < bend {
            zero
        } else {
            bend
        }
    }

    /// Constant inputs.
    pub const fn held(contact: Contact) -> Self {
        InputTrajectory {
            start: contact,
            derivatives: None,
            delay: None,
        }
    }

    /// Whether all inputs are constant, the delayed velocity included.
    #[inline]
    pub fn is_held(&self) -> bool {
        self.derivatives.is_none() && self.delay.is_none()
    }

    /// Contact at time `t`, s from the start of the step.
    #[inline]
    pub fn at(&self, t: f64) -> Contact {
        let mut contact = self.polynomial(t);
        if let Some(delay) = &self.delay {
            contact.v_past = match t - delay.delay {
                before if before < 0.0 => delay.past(before, self.start.v).v,
                within => self.polynomial(within).v,
            };
        }
        contact
    }

    #[inline]
    fn polynomial(&self, t: f64) -> Contact {
        let Some(&[first, second, third]) = self.derivatives else {
            return self.start;
        };
        let value = |of: fn(Contact) -> f64| {
            of(self.start) + t * (of(first) + t / 2.0 * (of(second) + t / 3.0 * of(third)))
        };
        Contact {
            F_N: value(|c| c.F_N),
            v: value(|c| c.v),
            a: value(|c| c.a),
            F_t: value(|c| c.F_t),
            v_y: value(|c| c.v_y),
            v_past: self.start.v_past,
        }
    }

    /// Time after `t` (s) within which v and v_y change by at most `max_dv` (m/s) each, s.
    pub fn time_within(&self, max_dv: f64, t: f64) -> f64 {
        let Some(&[first, second, third]) = self.derivatives.filter(|_| max_dv.is_finite()) else {
            return f64::INFINITY;
        };
        let within = |[first, second, third]: [f64; 3]| {
            let [a, b, c] = [
                first + t * (second + t / 2.0 * third),
                second + t * third,
                third,
            ]
            .map(f64::abs);
            // Each order alone changes v by max_dv at the least of these times. The bound a t + b
            // t²/2 + c t³/6 is convex and begins at 0, so that it lies below its chord up to there:
            // max_dv over the slope of the chord is within the bound, by a factor of 3 at most.
            let longest = (max_dv / a)
                .min((2.0 * max_dv / b).sqrt())
                .min(libm::cbrt(6.0 * max_dv / c));
            if longest == f64::INFINITY {
                return longest;
            }
            // The time of one order may overflow beside that of another: for subnormal derivatives.
            let longest = longest.min(LONGEST);
            max_dv / (a + longest / 2.0 * (b + longest / 3.0 * c))
        };
        let orders = [first, second, third];
        let along = within(orders.map(|order| order.v));
        let across = orders.map(|order| order.v_y);
        if across == [0.0; 3] {
            along
        } else {
            along.min(within(across))
        }
    }

    /// Time derivative of the contact at time `t`, s from the start of the step.
    pub fn derivative_at(&self, t: f64) -> Contact {
        let mut slope = self.polynomial_derivative(t);
        if let Some(delay) = &self.delay {
            slope.v_past = match t - delay.delay {
                before if before < 0.0 => delay.past(before, self.start.v).slope,
                within => self.polynomial_derivative(within).v,
            };
        }
        slope
    }

    /// Derivative of [`Contact::v_past`] at the start of the step with respect to the velocity at
    /// the start.
    pub fn delayed_velocity_derivative(&self) -> f64 {
        let past = |v| {
            self.delay.map_or(0.0, |delay| {
                if delay.delay > 0.0 {
                    delay.past(-delay.delay, v).v
                } else {
                    v
                }
            })
        };
        past(1.0) - past(0.0)
    }

    fn polynomial_derivative(&self, t: f64) -> Contact {
        let Some(&[first, second, third]) = self.derivatives else {
            return Contact::ZERO;
        };
        let slope = |of: fn(Contact) -> f64| of(first) + t * (of(second) + t / 2.0 * of(third));
        Contact {
            F_N: slope(|c| c.F_N),
            v: slope(|c| c.v),
            a: slope(|c| c.a),
            F_t: slope(|c| c.F_t),
            v_y: slope(|c| c.v_y),
            v_past: 0.0,
        }
    }

    /// Breakpoints from 0 to `duration` (s): zeros and extrema of the inputs. Between two of them
    /// each input is monotonic and of one sign. The last one is `duration`.
    pub fn breakpoints(&self, duration: f64) -> Breakpoints {
        let mut breakpoints = Breakpoints {
            times: [duration; MAX_BREAKPOINTS],
            count: 0,
            next: 0,
        };
        if let Some(&[first, second, third]) = self.derivatives {
            let [mut start, first, second, third] =
                [self.start, first, second, third].map(|c| c.numbers());
            // The contact opens above F_N = 0.
            start[0] -= OPEN_FORCE;
            for i in 0..INPUTS {
                breakpoints.cubic(
                    [start[i], first[i], second[i] / 2.0, third[i] / 6.0],
                    duration,
                );
            }
            breakpoints.times[..breakpoints.count].sort_unstable_by(f64::total_cmp);
        }
        breakpoints.times[breakpoints.count] = duration;
        breakpoints.count += 1;
        breakpoints
    }
}

/// Time that no step has, s: its cube is a number.
const LONGEST: f64 = 1e100;
/// Distance in time from which on two kinks of the delayed velocity differ, over the delay.
const SAME_TIME: f64 = 1e-9;
/// Rounding of differences of times on the clock of the history, relative to the time.
const CLOCK_ROUNDING: f64 = 16.0 * f64::EPSILON;
/// Number of inputs with derivatives: F_N, v, a, F_t and v_y.
const INPUTS: usize = 5;
/// Largest number of breakpoints: three zeros and two extrema of each input, and the end. No law
/// has more than four inputs that move: v_y comes without a and F_t.
const MAX_BREAKPOINTS: usize = 4 * 5 + 1;

/// Breakpoints of a trajectory in order, s from the start of the step.
#[derive(Clone, Copy, Debug)]
pub struct Breakpoints {
    times: [f64; MAX_BREAKPOINTS],
    count: usize,
    next: usize,
}

impl Iterator for Breakpoints {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        let time = (self.next < self.count).then(|| self.times[self.next]);
        self.next += 1;
        time
    }
}

impl Breakpoints {
    /// Adds the zeros and extrema of c₀ + c₁t + c₂t² + c₃t³ between 0 and `duration`, both
    /// excluded.
    fn cubic(&mut self, c: [f64; 4], duration: f64) {
        if c[1..] == [0.0; 3] {
            return;
        }
        let value = |t: f64| c[0] + t * (c[1] + t * (c[2] + t * c[3]));
        let mut turns = quadratic(3.0 * c[3], 2.0 * c[2], c[1]);
        turns.sort_unstable_by(f64::total_cmp);
        let mut from = 0.0;
        for to in turns.into_iter().chain([duration]) {
            if !(to > from && to <= duration) {
                continue;
            }
            if let Some(zero) = bisect(from, to, |t| value(t) > 0.0) {
                self.add(zero, duration);
            }
            self.add(to, duration);
            from = to;
        }
    }

    fn add(&mut self, t: f64, duration: f64) {
        if t > 0.0 && t < duration {
            self.times[self.count] = t;
            self.count += 1;
        }
    }
}

/// The real roots of at² + bt + c; NaN where there is none.
pub fn quadratic(a: f64, b: f64, c: f64) -> [f64; 2] {
    // The form without cancellation.
    let q = -0.5 * (b + (b * b - 4.0 * a * c).sqrt().copysign(b));
    array::from_fn(|i| if i == 0 { q / a } else { c / q })
}

/// Smallest number above `from` at which `holds` differs from its value at `from`, to within some
/// units in the last place of `to`; `None` if `holds` has the same value at `to`.
pub fn bisect(from: f64, to: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    let before = holds(from);
    if holds(to) == before {
        return None;
    }
    let (mut near, mut far) = (from, to);
    loop {
        let middle = 0.5 * (near + far);
        if far - near <= 1e-15 * to.abs() || middle <= near || middle >= far {
            return Some(far);
        }
        if holds(middle) == before {
            near = middle;
        } else {
            far = middle;
        }
    }
}

#[cfg(test)]
mod tests;
