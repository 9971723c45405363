//! Motion of a first-order bristle with α = 1 in closed form, under a constant velocity and a normal force that is linear in time.
//!
//! With P = σ_0 |v|/μ and s = dF_N/dt, F_N dz/dt = v F_N − P z has the solution
//!
//! z = z_0 e^(−P T) + v (F_N − F_N0 e^(−P T))/(P + s), T = ∫ dt/F_N = ln(F_N/F_N0)/s:
//!
//! the deflection of the steady motion, and a power of F_N. It holds for any ratio of the two rates and up to F_N = 0, next to which an
//! integrator needs a step for each factor of F_N. See §19 of `docs/internals/numerics.md`.

mod impulse;

use super::Relaxation;
use crate::integrate::exponential;
use crate::law::InputSegment;

/// (P + s) T below which the second factor is calculated as a mean of the exponential, as its two terms cancel.
const SERIES_BELOW: f64 = 1.0;

/// The motion in a segment.
#[derive(Clone, Copy)]
pub struct Drift<'a> {
    segment: &'a InputSegment<'a>,
    /// P, N/s.
    p: f64,
    /// dF_N/dt, N/s.
    slope: f64,
    /// Start of the motion, s.
    pub from: f64,
    /// Normal force there, N.
    normal: f64,
}

impl<B> Relaxation<'_, B> {
    /// Motion in closed form from the time `from` (s) with this P (N/s); `None` where v changes, or F_N other than linearly.
    pub fn drift(&self, p: f64, from: f64) -> Option<Drift<'_>> {
        let segment = self.segment;
        let slope = match segment.trajectory().derivatives {
            None => 0.0,
            Some([first, second, third]) => {
                let rates = [first.v, first.v_y, second.v, second.v_y, second.F_N, third.v, third.v_y, third.F_N];
                if rates != [0.0; 8] {
                    return None;
                }
                first.F_N
            }
        };
        Some(Drift { segment, p, slope, from, normal: segment.at(from).F_N })
    }
}

impl Drift<'_> {
    /// Deflection (m) at the time `t` (s), from `z` (m) at the start at the velocity `v` (m/s).
    pub fn deflection<const N: usize>(&self, z: [f64; N], v: [f64; N], t: f64) -> [f64; N] {
        let [decay, by_velocity] = self.factors(t);
        core::array::from_fn(|k| decay * z[k] + by_velocity * v[k])
    }

    /// Factors of the deflection at the start, and of the velocity (s), whose sum is the deflection (m) at the time `t` (s).
    fn factors(&self, t: f64) -> [f64; 2] {
        let Drift { p, slope, normal, .. } = *self;
        let (force, time) = (self.segment.at(t).F_N, t - self.from);
        let length = time / normal * mean_inverse(force, normal);
        let decay = exponential::decay(p * length);
        let exponent = (p + slope) * length;
        let by_velocity = if exponent.abs() < SERIES_BELOW {
            force * length * mean_decay(exponent)
        } else {
            (force - normal * decay) / (p + slope)
        };
        [decay, by_velocity]
    }
}

/// Mean of `normal`/F_N while F_N goes from `normal` to `force` at a constant rate, N.
fn mean_inverse(force: f64, normal: f64) -> f64 {
    let growth = (force - normal) / normal;
    if growth == 0.0 { 1.0 } else { libm::log1p(growth) / growth }
}

/// Mean of e^(−x) from 0 to `exponent`.
pub(super) fn mean_decay(exponent: f64) -> f64 {
    if exponent == 0.0 { 1.0 } else { -libm::expm1(-exponent) / exponent }
}

#[cfg(test)]
mod tests;
