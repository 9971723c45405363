//! Impulse of F_R in a motion in closed form.
//!
//! F_R = σ_0 ẑ + σ_1 (v − P ẑ/F_N) + σ_2 v with the deflection ẑ limited to μ_s F_N/σ_0. Where it is not limited, the integral of
//! the damping is the change of z, and that of z follows from d(F_N z)/dt = v F_N − (P − s) z.

use super::{Drift, mean_decay, mean_inverse};
use crate::integrate::collocation::{NODES, STAGES, WEIGHTS};
use crate::integrate::exponential;
use crate::laws::relaxation::Bristle;
use crate::vector;
use core::array;

/// Time over that in which F_N or the distance from the steady motion changes e-fold, up to which z is smooth enough for a quadrature
/// of order 9: its error is rounding.
const SMOOTH: f64 = 0.1;
/// |P − s| T below which the terms of the integral of z cancel by more than two digits.
const MIN_DIFFERENCE: f64 = 0.01;
/// Excess of z/F_N over its limit, relative, that counts as rounding: with μ = μ_s the steady deflection is at the limit.
const ROUNDING: f64 = 1e-12;
/// Exponent of a growth without bound.
const LARGE_EXPONENT: f64 = 700.0;

/// A deflection at a time.
#[derive(Clone, Copy)]
struct Place<const N: usize> {
    /// Time, s.
    t: f64,
    /// Deflection, m.
    z: [f64; N],
}

impl Drift<'_> {
    /// Impulse (N·s) of F_R up to the time `to` (s), from the deflection `z` (m) at the velocity `v` (m/s); `None` where it has no accurate
    /// closed form, or F_R is limited in the plane, where its direction turns.
    pub fn impulse<const N: usize>(&self, bristle: &Bristle, z: [f64; N], v: [f64; N], to: f64) -> Option<[f64; N]> {
        let &Bristle { curve, sigma_0, sigma_1, sigma_2, .. } = bristle;
        let duration = to - self.from;
        let limit = curve.mu_s / sigma_0;
        let viscous = v.map(|v| (sigma_1 + sigma_2) * v * duration);
        let begin = Place { t: self.from, z };
        let end = Place { t: to, z: self.deflection(z, v, to) };
        let ends = [self.share(z, v, begin.t), self.share(z, v, to)];
        let [limited_at_start, limited_at_end] = ends.map(|share| !(vector::length(share) <= limit * (1.0 + ROUNDING)));
        if !limited_at_start && !limited_at_end {
            let free = self.free(bristle, begin, end, v)?;
            return Some(array::from_fn(|k| viscous[k] + free[k]));
        }
        if N > 1 {
            return None;
        }
        // z/F_N goes to its steady value without turning, so that it passes each limit once at most.
        let sides = ends.map(|share| 1.0_f64.copysign(share[0]));
        let turned = sides[0] != sides[1];
        let [first, last] = match (limited_at_start, limited_at_end) {
            (true, true) if !turned => [end, end],
            (at_start, at_end) => {
                let from = if at_start { self.at_limit(sides[0] * limit, z[0], v[0], to)? } else { begin };
                let until = if at_end { self.at_limit(sides[1] * limit, z[0], v[0], to)? } else { end };
                [from, until]
            }
        };
        let limited = |side: f64, from: f64, until: f64| {
            let normal = 0.5 * (self.segment.at(from).F_N + self.segment.at(until).F_N);
            side * limit * (sigma_0 * normal - sigma_1 * self.p) * (until - from)
        };
        let free = if first.t < last.t { self.free(bristle, first, last, v)?[0] } else { 0.0 };
        let impulse = viscous[0] + limited(sides[0], begin.t, first.t) + free + limited(sides[1], last.t, end.t);
        impulse.is_finite().then_some([impulse; N])
    }

    /// Time (s) before `to` at which an elastic force that was limited at the start returns to its limit, from the deflection `z` (m) at the velocity
    /// `v` (m/s); `None` where it is not limited, or does not return to a steady motion.
    pub fn returns<const N: usize>(&self, bristle: &Bristle, z: [f64; N], v: [f64; N], to: f64) -> Option<f64> {
        let &Drift { p, slope, from, normal, .. } = self;
        let limit = bristle.curve.mu_s / bristle.sigma_0;
        // z/F_N moves straight to its steady value: the steady one plus x times the distance at the start, x = e^(−(P + s) T).
        let steady = v.map(|v| v / (p + slope));
        let off: [f64; N] = array::from_fn(|k| z[k] / normal - steady[k]);
        let (square, product) = (vector::inner(off, off), vector::inner(steady, off));
        let root = (product * product - square * (vector::inner(steady, steady) - limit * limit)).sqrt();
        let x = (root - product) / square;
        if !(p + slope > 0.0 && x > 0.0 && x < 1.0 - ROUNDING) {
            return None;
        }
        let length = -libm::log(x) / (p + slope);
        let t = from + normal * length * mean_decay(-slope * length);
        (t > from && t < to).then_some(t)
    }

    /// z/F_N at the time `t` (s), m/N: infinite where it grows while F_N goes to 0.
    fn share<const N: usize>(&self, z: [f64; N], v: [f64; N], t: f64) -> [f64; N] {
        let &Drift { p, slope, from, normal, segment } = self;
        let length = (t - from) / normal * mean_inverse(segment.at(t).F_N, normal);
        let exponent = (p + slope) * length;
        array::from_fn(|k| {
            let start = z[k] / normal;
            let rate = v[k] - (p + slope) * start;
            if exponent > 1.0 {
                let steady = v[k] / (p + slope);
                steady + (start - steady) * exponential::decay(exponent)
            } else if exponent > -LARGE_EXPONENT {
                start + rate * length * mean_decay(exponent)
            } else {
                f64::INFINITY.copysign(rate)
            }
        })
    }

    /// Where z/F_N is this limit (m/N), from the deflection `z` (m) at the start.
    fn at_limit<const N: usize>(&self, limit: f64, z: f64, v: f64, to: f64) -> Option<Place<N>> {
        let &Drift { p, slope, from, normal, segment } = self;
        let start = z / normal;
        let (way, rate) = (limit - start, v - (p + slope) * start);
        // way = rate · T · mean of e^(−(P + s) T): the distance from the steady share falls to e^(−(P + s) T) of that at the start.
        let fall = -(p + slope) * way / rate;
        let length = if fall < -0.5 {
            let steady = v / (p + slope);
            -libm::log((limit - steady) / (start - steady)) / (p + slope)
        } else {
            way / rate * if fall == 0.0 { 1.0 } else { libm::log1p(fall) / fall }
        };
        let t = from + normal * length * mean_decay(-slope * length);
        (length >= 0.0 && t <= to).then(|| Place { t, z: [limit * segment.at(t).F_N; N] })
    }

    /// Impulse of σ_0 z − σ_1 P z/F_N between two places, N·s.
    fn free<const N: usize>(
        &self,
        &Bristle { sigma_0, sigma_1, .. }: &Bristle,
        from: Place<N>,
        to: Place<N>,
        v: [f64; N],
    ) -> Option<[f64; N]> {
        let &Drift { segment, p, slope, .. } = self;
        let duration = to.t - from.t;
        let [start, end] = [from.t, to.t].map(|t| segment.at(t).F_N);
        let length = duration / start * mean_inverse(end, start);
        let part = Drift { from: from.t, normal: start, ..*self };
        let of_deflection: [f64; N] = if (p.abs().max(slope.abs())) * length < SMOOTH {
            let places: [[f64; N]; STAGES] =
                array::from_fn(|i| part.deflection(from.z, v, from.t + NODES[i] * duration));
            array::from_fn(|k| (0..STAGES).map(|i| WEIGHTS[i] * places[i][k]).sum::<f64>() * duration)
        } else if (p - slope).abs() * length > MIN_DIFFERENCE {
            let mean = 0.5 * (start + end);
            array::from_fn(|k| (v[k] * mean * duration - (end * to.z[k] - start * from.z[k])) / (p - slope))
        } else {
            return None;
        };
        let impulse =
            array::from_fn(|k| sigma_0 * of_deflection[k] - sigma_1 * (v[k] * duration - (to.z[k] - from.z[k])));
        impulse.iter().all(|part| part.is_finite()).then_some(impulse)
    }
}

#[cfg(test)]
mod tests;
