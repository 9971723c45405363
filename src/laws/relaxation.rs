//! First-order bristles under varying inputs, integrated as their distance from the steady deflection.
//!
//! Dahl's and LuGre's bristle tends to the deflection g = sgn(v) μ(|v|) F_N/σ_0, at the rate σ_0 |v|/(μ F_N), which is
//! unbounded where F_N goes to 0. With e = 1 − z/g,
//!
//! F_N de/dt = −P |e|^α sgn e + Q (1 − e), P = σ_0 |v|/μ, Q = dF_N/dt + F_N/μ dμ/dt:
//!
//! has bounded coefficients, is the equation of the steady motion at F_N = 0, and dz/dt = v |e|^α sgn e is free of cancellation. It
//! is solved by Radau IIA with five stages, of order 9. For α = 1 the stage equations are linear. For α < 1 the unknown is
//! |e|^α sgn e, whose slope at 0 is finite. See §19 of `docs/numerics.md`.

mod advance;
mod step;

pub use self::advance::advance;

use super::symbols::Exponential;
use crate::law::{Contact, InputSegment, bisect};

/// Tolerance of an inner step over that of the communication step: errors of several inner steps add up, and relative to F_s they
/// grow where F_N falls. The estimate, of order 6, is far above the error of the step, of order 10.
const INNER_SHARE: f64 = 0.05;
/// Normal force over its maximum in the step and over the tolerance, below which e is constant while F_N goes to 0: the contact opens,
/// and e may grow without bound before.
const MIN_FORCE_SHARE: f64 = 1e-4;
/// Lower bound on the normal force in the error scale over its maximum in the segment: F_s must not vanish where F_N goes to 0.
const MIN_MEASURE_SHARE: f64 = 1e-3;
/// Relative rounding of a time; times the maximum of F_N over F_N, the rounding of e = 1 − z/g.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Length of a segment over the time constant 1/λ of a transient, from which on the transient is split off in closed form: it has
/// decayed to e⁻⁵⁰. Smaller values neglect more of it, larger ones integrate it in small steps.
const SHORT_TRANSIENT: f64 = 50.0;
/// Deflection over the steady one, above which the bristle was deflected before F_N fell: that of a contact that just closed is smaller.
const LARGE_DEFLECTION: f64 = 100.0;
/// Normal force over that at the end of the segment, up to which a deflection from before decays in closed form where F_N rises from next
/// to 0. Its time and its loss are less than this share squared.
const CLOSING_SHARE: f64 = 1e-6;
/// Largest relative change of λ within the time constants of a transient.
const STEADY_RATE: f64 = 0.01;
/// Lower bound on the derivative of |e|^α sgn e, or of its inverse, in the matrix of the stage equations. It avoids a singular matrix;
/// far above underflow.
const MIN_SLOPE: f64 = 1e-200;
/// Largest change of v in an inner step over the sum of speed and Stribeck velocity, so that no step passes over the falling branch.
const MAX_DV_SHARE: f64 = 0.5;

/// The equation of a first-order bristle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bristle {
    /// Steady coefficient of friction over the speed.
    pub curve: Exponential,
    /// Stiffness, N/m.
    pub sigma_0: f64,
    /// Damping, N·s/m.
    pub sigma_1: f64,
    /// Exponent α.
    pub alpha: f64,
}

/// Coefficients of the equation at one instant.
#[derive(Clone, Copy)]
struct Coefficients {
    normal: f64,
    p: f64,
    q: f64,
    /// Steady deflection g, m.
    steady: f64,
}

/// Values at one instant: e and |e|^α sgn e, with their derivatives by the unknown.
#[derive(Clone, Copy)]
struct Unknown {
    e: f64,
    by_e: f64,
    bending: f64,
    by_bending: f64,
}

impl Bristle {
    /// μ at a speed and dμ/d|v|.
    fn coefficient(&self, speed: f64) -> (f64, f64) {
        if self.is_flat() { (self.curve.mu_d, 0.0) } else { self.curve.at(speed) }
    }

    fn is_flat(&self) -> bool {
        self.curve.mu_s == self.curve.mu_d
    }

    /// Unknown u that belongs to a value of e: e for α ≥ 1, |e|^α sgn e for α < 1.
    fn unknown(&self, e: f64) -> f64 {
        if self.alpha < 1.0 { libm::pow(e.abs(), self.alpha).copysign(e) } else { e }
    }

    fn at(&self, u: f64) -> Unknown {
        if self.alpha == 1.0 {
            return Unknown { e: u, by_e: 1.0, bending: u, by_bending: 1.0 };
        }
        let exponent = if self.alpha < 1.0 { 1.0 / self.alpha } else { self.alpha };
        let slope = libm::pow(u.abs(), exponent - 1.0);
        // Without the bound a stage equation would be singular at u = 0 with v = 0 and constant F_N.
        let (power, slope) = (slope * u, (exponent * slope).max(MIN_SLOPE));
        if self.alpha < 1.0 {
            Unknown { e: power, by_e: slope, bending: u, by_bending: 1.0 }
        } else {
            Unknown { e: u, by_e: 1.0, bending: power, by_bending: slope }
        }
    }
}

/// Transient that decays long before the end of its segment.
struct Transient {
    /// e without the transient.
    rest: f64,
    /// Impulse of the transient part of F_R, N·s.
    impulse: f64,
}

/// Bristle in a segment in which v has one sign and the contact is closed.
struct Relaxation<'a> {
    bristle: &'a Bristle,
    segment: &'a InputSegment<'a>,
    /// Sign of v.
    side: f64,
    /// Lower bound on the normal force in the error scale, N.
    error_force: f64,
    /// Largest |F_N| of the step, N.
    max_force: f64,
    /// Largest speed of the step, m/s.
    max_speed: f64,
    /// Length of the communication step, s.
    duration: f64,
    /// Normal force below which e is constant, N.
    min_force: f64,
}

impl Relaxation<'_> {
    fn coefficients(&self, t: f64) -> Coefficients {
        let Contact { F_N: normal, v, .. } = self.segment.at(t);
        let slope = self.segment.trajectory().derivative_at(t);
        let speed = (self.side * v).max(0.0);
        let (mu, by_speed) = self.bristle.coefficient(speed);
        Coefficients {
            normal,
            p: self.bristle.sigma_0 * speed / mu,
            q: slope.F_N + normal / mu * by_speed * self.side * slope.v,
            steady: self.side * mu * normal / self.bristle.sigma_0,
        }
    }

    /// Initial e of a segment with the deflection `z` (m); where F_N rises from 0, that of the steady motion, unless the deflection is far
    /// larger.
    fn start(&self, t: f64, z: f64) -> f64 {
        let Coefficients { normal, p, q, steady } = self.coefficients(t);
        if normal > self.min_force || z.abs() > LARGE_DEFLECTION * steady.abs() && steady != 0.0 {
            return 1.0 - z / steady;
        }
        // P |e|^α = Q (1 − e) with Q > 0 has one root between 0 and 1.
        let (mut low, mut high) = (0.0, 1.0);
        if self.bristle.alpha == 1.0 {
            return if q > 0.0 { q / (p + q) } else { 1.0 };
        }
        for _ in 0..60 {
            let e = 0.5 * (low + high);
            if p * libm::pow(e, self.bristle.alpha) < q * (1.0 - e) { low = e } else { high = e }
        }
        high
    }

    /// Time (s) and deflection (m) from which a segment with the deflection `z` (m) is integrated.
    ///
    /// A contact that closes again, F_N rising from next to 0, may have a deflection from before, far larger than the steady one. With
    /// constant P and dF_N/dt the distance from the steady motion decays as F_N^(−P/(dF_N/dt)), over many decades of F_N, where e is far
    /// larger than any error that matters later.
    fn after_closing(&self, z: f64) -> (f64, f64) {
        let InputSegment { from, to, .. } = *self.segment;
        let Coefficients { normal, p, steady, .. } = self.coefficients(from);
        let closed = CLOSING_SHARE * self.segment.at(to).F_N;
        let is_large = z.abs() > LARGE_DEFLECTION * steady.abs() && steady != 0.0;
        if self.bristle.alpha != 1.0 || !is_large || normal >= closed {
            return (from, z);
        }
        let t = bisect(from, to, |t| self.segment.at(t).F_N >= closed).unwrap_or(from);
        let slope = (self.segment.at(t).F_N - normal) / (t - from);
        if !(slope > 0.0 && slope.is_finite()) {
            return (from, z);
        }
        let share = p / (p + slope);
        let decay = libm::exp(-p / slope * libm::log(self.segment.at(t).F_N / normal));
        (t, (z - share * steady) * decay + share * self.coefficients(t).steady)
    }

    /// Transient at the start `t` (s) of a segment up to `end` (s); `None` where it is not far shorter than the segment.
    ///
    /// For α = 1 the equation is linear, and e is the sum of a slow motion e_s and a transient that decays at the rate
    /// λ = (P + Q)/F_N: with e* = Q/(P + Q), e_s = e* − (de*/dt)/λ up to terms of higher order. While the elastic force is
    /// limited, F_R does not depend on e and has its value at the limit.
    fn transient(&self, t: f64, end: f64, e: f64, tolerance: f64) -> Option<Transient> {
        let here = self.coefficients(t);
        let rate = (here.p + here.q) / here.normal;
        if self.bristle.alpha != 1.0 || !(rate * (end - t) > SHORT_TRANSIENT) {
            return None;
        }
        let steady = |c: Coefficients| c.q / (c.p + c.q);
        let ahead = 1e-3 * (end - t);
        let slope = (steady(self.coefficients(t + ahead)) - steady(here)) / ahead;
        let rest = steady(here) - slope / rate;
        let Contact { F_N: normal, v, .. } = self.segment.at(t);
        let (mu, _) = self.bristle.coefficient(v.abs());
        let mu_s = self.bristle.curve.mu_s;
        // Value of e from which on F_R depends on it, and the time until then, times λ. Where μ = μ_s the steady force is at the limit, to
        // which the tolerance is added.
        let is_limited = |e: f64| (e - 1.0).abs() * mu > mu_s * (1.0 + tolerance);
        let (initialize, until) = if is_limited(e) {
            let nearest = 1.0 + (mu_s / mu).copysign(e - 1.0);
            let initialize = rest + (nearest - rest).abs().max(tolerance).copysign(e - rest);
            (initialize, libm::log((e - rest) / (initialize - rest)))
        } else {
            (e, 0.0)
        };
        let static_force = mu_s * normal.max(self.error_force);
        let force = (self.bristle.sigma_1 * v - self.side * mu * normal) * (initialize - rest);
        // The coefficients are taken as constant over the transient: the relative error of its loss is their relative change.
        let length = (1.0 + until) / rate;
        let share = length / self.duration;
        let after = self.coefficients((t + length).min(end));
        let change = ((after.p + after.q) / after.normal / rate - 1.0).abs();
        let wrong = force / static_force * share * share.max(change);
        let is_short = until >= 0.0 && SHORT_TRANSIENT * length < end - t && change < STEADY_RATE && !is_limited(rest);
        let impulse = force * (1.0 + until) / rate;
        (is_short && wrong.abs() <= INNER_SHARE * tolerance).then_some(Transient { rest, impulse })
    }

    /// Error of e allowed in an inner step between these times (s) at a value of e: `share` of the change that changes F_R by F_s, and
    /// rounding.
    ///
    /// The damping σ_1 dz/dt may change F_R by far more than the elastic force does, but an error of e decays with the distance that is
    /// slid, at 1/λ in time. Of the damping counts what is left at the end of the segment, and what passes into the work: over 1/λ it is
    /// σ_1/(σ_0 H) of F_s H. Rounding is that of e itself, and of its rate by that of v, which is relative to the largest speed of the step.
    fn allowed(&self, times: [f64; 2], share: f64) -> impl Fn(f64) -> f64 {
        let Bristle { curve: Exponential { mu_s, mu_d, .. }, sigma_0, sigma_1, .. } = *self.bristle;
        let [from, to] = times.map(|t| self.segment.at(t));
        let here = from.F_N.max(to.F_N).max(self.min_force);
        let normal = here.max(self.error_force);
        let speed = from.v.abs().max(to.v.abs());
        let mut sensitivity = sigma_1 * speed / (mu_s * normal);
        if sensitivity > 1.0 && self.bristle.alpha == 1.0 {
            let end = self.segment.at(self.segment.to);
            let distance = [self.segment.to, times[1]].map(|t| self.segment.trajectory().displacement_at(t));
            let decay = libm::exp(-sigma_0 * (distance[0] - distance[1]).abs() / (mu_s * to.F_N.max(end.F_N)));
            let at_end = (end.v / speed).abs().max(1.0) * sensitivity * decay;
            sensitivity = sensitivity.min(at_end.max(sigma_1 / (sigma_0 * self.duration)));
        }
        let sensitivity = sensitivity.max(1.0);
        let rate = sigma_0 * self.max_speed / (mu_d * here);
        let rounding = (self.max_force / here).max(1.0).max(rate * (times[1] - times[0]));
        // e is relative to the steady deflection under the normal force at the same instant.
        move |e| {
            share * ((1.0 - e).abs().max(1.0) * (normal / here) / sensitivity) + ROUNDING * (1.0 + e.abs()) * rounding
        }
    }

    /// Whether the deflection exceeds its limit at `t` (s), in or against the direction of v, and stays there until F_N is 0 at `end` (s):
    /// the elastic force is limited and does not depend on e.
    fn stays_limited(&self, t: f64, end: f64, e: f64) -> bool {
        let Exponential { mu_s, .. } = self.bristle.curve;
        let outward = if e < 1.0 { -1.0 } else { 1.0 };
        let remains = |part: f64| {
            let t = t + part * (end - t);
            let Coefficients { p, q, .. } = self.coefficients(t);
            let (mu, _) = self.bristle.coefficient(self.segment.at(t).v.abs());
            // e at the limit, 1 ∓ μ_s/μ, and the sign of its rate there.
            let limit = 1.0 + outward * mu_s / mu;
            let rate = q * (1.0 - limit) - p * libm::pow(limit.abs(), self.bristle.alpha).copysign(limit);
            outward * (e - limit) > 0.0 && outward * rate > 0.0
        };
        [0.0, 0.25, 0.5, 0.75, 0.999].into_iter().all(remains)
    }

    /// Longest step from `t` (s) that does not pass over the falling branch of the characteristic, s.
    fn longest(&self, t: f64) -> f64 {
        if self.bristle.is_flat() {
            return f64::INFINITY;
        }
        let max_dv = MAX_DV_SHARE * (self.segment.at(t).v.abs() + self.bristle.curve.v_stribeck);
        self.segment.trajectory().time_within(max_dv, t)
    }
}
