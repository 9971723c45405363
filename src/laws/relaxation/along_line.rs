//! Bristle along a line, with the unknown e = 1 − z/g.

mod reversal;
mod step;

use super::{
    Bristle, Drift, LARGE_DEFLECTION, LinearEquation, MIN_SLOPE, Relaxation, Relaxing, Solved, Transient, linear_step,
    split,
};
use crate::integrate::extrema::larger;
use crate::law::Contact;
use crate::laws::symbols::{Exponential, sgn};

/// Time in which a bristle relaxes over the spacing of floating-point numbers at its time, from which on steps resolve it.
const RESOLVED: f64 = 1e3;

/// Coefficients of the equation at one instant.
#[derive(Clone, Copy)]
pub struct Coefficients {
    normal: f64,
    p: f64,
    q: f64,
    /// Steady deflection g, m.
    steady: f64,
    /// Velocity, m/s.
    v: f64,
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
    /// Unknown u that belongs to a value of e: e for α ≥ 1, |e|^α sgn e for α < 1.
    fn unknown(&self, e: f64) -> f64 {
        if self.alpha < 1.0 { libm::pow(e.abs(), self.alpha).copysign(e) } else { e }
    }

    fn at(&self, u: f64) -> Unknown {
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

impl Relaxation<'_, Bristle> {
    /// The unknown e at the time `t` (s), or the largest that relaxes in a time that steps resolve, where the bristle relaxes in `time` (s) from
    /// e = 1: with α > 1 the rate grows with e, and a deflection of before may be 1e17 times the steady one.
    fn resolved(&self, e: f64, time: f64, t: f64) -> f64 {
        let alpha = self.bristle.alpha;
        let shortest = RESOLVED * (t.next_up() - t);
        if alpha <= 1.0 || e.abs() <= LARGE_DEFLECTION || !(time > shortest) {
            return e;
        }
        e.abs().min(libm::pow(time / shortest, 1.0 / (alpha - 1.0))).copysign(e)
    }

    /// Sign of v, which it has throughout the segment.
    fn side(&self) -> f64 {
        sgn(self.middle.v)
    }
}

impl Relaxing<1> for Relaxation<'_, Bristle> {
    type Coefficients = Coefficients;

    fn coefficients(&self, t: f64) -> Coefficients {
        let [normal, v] = self.segment.normal_force_and_velocity_at(t);
        let [normal_rate, acceleration] = self.segment.trajectory().normal_force_and_velocity_derivatives_at(t);
        let side = self.side();
        let speed = larger(side * v, 0.0);
        let (mu, by_speed) = self.bristle.coefficient(speed);
        Coefficients {
            normal,
            p: self.bristle.sigma_0 * speed / mu,
            q: if by_speed == 0.0 { normal_rate } else { normal_rate + normal / mu * by_speed * side * acceleration },
            steady: side * mu * normal / self.bristle.sigma_0,
            v,
        }
    }

    fn deflection(&self, at: &Coefficients, [e]: [f64; 1]) -> [f64; 1] {
        [at.steady * (1.0 - e)]
    }

    fn integrands(&self, &Coefficients { normal, p, v, .. }: &Coefficients, [z]: [f64; 1]) -> [f64; 2] {
        if normal <= 0.0 {
            return [0.0; 2];
        }
        let limit = self.bristle.curve.mu_s * normal / self.bristle.sigma_0;
        let [force] = self.bristle.force(normal, p, [v], [z.clamp(-limit, limit)]);
        [force * v, force]
    }

    fn start(&self, t: f64, [z]: [f64; 1]) -> [f64; 1] {
        let here @ Coefficients { normal, p, q, .. } = self.coefficients(t);
        if normal > self.min_force || self.is_large(&here, [z]) {
            let [e] = self.unknown(&here, [z]);
            return [self.resolved(e, normal / p, t)];
        }
        // P |e|^α = Q (1 − e) with Q > 0 has one root between 0 and 1.
        let (mut low, mut high) = (0.0, 1.0);
        if self.bristle.alpha == 1.0 {
            return [if q > 0.0 { q / (p + q) } else { 1.0 }];
        }
        for _ in 0..60 {
            let e = 0.5 * (low + high);
            if p * libm::pow(e, self.bristle.alpha) < q * (1.0 - e) { low = e } else { high = e }
        }
        [high]
    }

    fn drift_from(&self, t: f64) -> Option<Drift<'_>> {
        if self.is_linear() { self.drift(self.coefficients(t).p, t) } else { None }
    }

    fn velocity(&self, contact: Contact) -> [f64; 1] {
        [contact.v]
    }

    fn equation_of_bristle(&self) -> &Bristle {
        self.bristle
    }

    fn is_large(&self, at: &Coefficients, [z]: [f64; 1]) -> bool {
        let Bristle { curve, sigma_0, .. } = self.bristle;
        z.abs() > LARGE_DEFLECTION * at.steady.abs()
            && at.steady != 0.0
            && sigma_0 * z.abs() > curve.mu_s * self.min_force
    }

    fn allowed(&self, times: [f64; 2], share: f64) -> impl Fn([f64; 1]) -> f64 {
        let trajectory = self.segment.trajectory();
        let slid = |[from, to]: [f64; 2]| (trajectory.displacement_at(to) - trajectory.displacement_at(from)).abs();
        let errors = self.errors(self.bristle, times, |contact| contact.v.abs(), slid);
        // e is relative to the steady deflection under the normal force at the same instant.
        move |[e]| share * errors.of_force((1.0 - e).abs()) + errors.rounding(e.abs())
    }

    /// The deflection exceeds its limit in or against the direction of v.
    fn stays_limited(&self, t: f64, end: f64, [e]: [f64; 1]) -> bool {
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

    fn longest(&self, t: f64) -> f64 {
        let [_, v] = self.segment.normal_force_and_velocity_at(t);
        self.bristle.longest(self.segment, t, v.abs())
    }

    fn unknown(&self, at: &Coefficients, [z]: [f64; 1]) -> [f64; 1] {
        [1.0 - z / at.steady]
    }

    fn sticks(&self, here: &Coefficients) -> bool {
        here.p < here.q.abs()
    }

    fn equation(&self, at: &Coefficients) -> LinearEquation<1> {
        LinearEquation { normal: at.normal, decay: at.p + at.q, drive: [at.q] }
    }

    fn equation_of_deflection(&self, at: &Coefficients) -> LinearEquation<1> {
        let &Coefficients { normal, p, steady, .. } = at;
        LinearEquation { normal, decay: p, drive: [p * steady] }
    }

    fn unit(&self, at: &Coefficients) -> f64 {
        at.steady.abs()
    }

    fn transient(&self, times: [f64; 2], z: [f64; 1], tolerance: f64) -> Option<Transient<1>> {
        split(self, times, z, tolerance).or_else(|| reversal::transient(self, times, z[0], tolerance))
    }

    fn step(&self, t: f64, here: Coefficients, h: f64, e: [f64; 1], allowed: f64) -> Option<Solved<1, Coefficients>> {
        if self.bristle.alpha != 1.0 {
            return step::step(self, t, here, h, e, allowed);
        }
        linear_step(self, [t, h], &here, e, allowed)
    }
}

#[cfg(test)]
mod tests;
