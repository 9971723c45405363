//! Transient of a bristle along a line after v has passed through 0, split off in closed form.
//!
//! λ grows from 0 there, and no motion follows it from the start. Any other motion will do: the one that begins with the steady
//! deflection has hardly a transient of its own. What is left decays as e^(−Λ), see [`Transient`]. Its work and impulse, both
//! integrated by parts, are integrals over time: Gauss's quadrature, with Λ by collocation. See §19 of `docs/internals/numerics.md`.

use super::{Bristle, Relaxation, Relaxing, Transient};
use crate::integrate::gauss::{INTEGRATION, NODES, STAGES, WEIGHTS};
use crate::law::bisect;
use crate::laws::relaxation::INNER_SHARE;

/// Values of Λ at the ends of the two intervals of the quadrature. The first makes the largest error least where Λ grows as time, up to its fourth
/// power; e^(−40) is rounding.
const ENDS: [f64; 2] = [8.0, 40.0];
/// Error of the integral of the acceleration times e^(−Λ) then, over the time until it has decayed and the largest acceleration.
const QUADRATURE_ERROR: f64 = 1e-6;
/// Largest relative change of the steady deflection until the transient has decayed.
const LARGEST_CHANGE: f64 = 0.01;
/// Deflection, over the steady one, below which a transient is left to the integrator.
const SMALL: f64 = 0.1;

/// The transient from the deflection `z` (m) at the time `from` (s); `None` where the steady deflection moves meanwhile, the elastic force is
/// limited, or the transient lasts beyond `end` (s).
pub fn transient(
    relaxation: &Relaxation<Bristle>,
    [from, end]: [f64; 2],
    z: f64,
    tolerance: f64,
) -> Option<Transient<1>> {
    let &Bristle { curve, sigma_0, sigma_1, .. } = relaxation.bristle;
    let trajectory = relaxation.segment.trajectory();
    let start = relaxation.coefficients(from);
    let left = z - start.steady;
    let is_limited = z.abs() * sigma_0 > curve.mu_s * start.normal * (1.0 + tolerance);
    if !relaxation.is_linear() || is_limited || !(left.abs() > SMALL * start.steady.abs()) {
        return None;
    }
    // Λ is the distance that is slid over the steady deflection, as long as that stays.
    let begin = trajectory.displacement_at(from);
    let slid = |time: f64| (trajectory.displacement_at(from + time) - begin).abs() / start.steady.abs();
    let [first, last] = ENDS.map(|end_of| bisect(0.0, end - from, |time| slid(time) >= end_of));
    let (first, last) = (first?, last?);
    let after = relaxation.coefficients(from + last);
    let change = (after.steady / start.steady - 1.0).abs();
    // A limit that falls below the deflection acts until the bristle has moved.
    let limited = (1.0 - after.normal / start.normal).max(0.0) * first / relaxation.duration;
    let static_force = curve.mu_s * start.normal.max(relaxation.error_force);
    let acceleration = trajectory.derivative_at(from + last).v.abs().max(trajectory.derivative_at(from).v.abs());
    let force = left.abs() * (sigma_0 + sigma_1 * acceleration / relaxation.max_speed);
    let error = QUADRATURE_ERROR * force * last / (relaxation.duration * static_force);
    if !(change < LARGEST_CHANGE && limited.max(error) <= INNER_SHARE * tolerance) {
        return None;
    }
    let mut loss = left * (sigma_0 * start.steady - sigma_1 * relaxation.segment.at(from).v);
    let mut impulse = -sigma_1 * left;
    let mut passed = 0.0;
    for [begin, end] in [[0.0, first], [first, last]] {
        let length = end - begin;
        let times = NODES.map(|node| from + begin + node * length);
        let at = times.map(|t| relaxation.coefficients(t));
        let rates = at.map(|at| length * at.p / at.normal);
        for i in 0..STAGES {
            let here = passed + (0..STAGES).map(|j| INTEGRATION[j][i] * rates[j]).sum::<f64>();
            let part = WEIGHTS[i] * length * left * libm::exp(-here);
            // v is λ times the steady deflection, whose derivative is that times Q/F_N.
            let of_steady = at[i].steady * at[i].q / at[i].normal;
            loss += part * (sigma_0 * of_steady - sigma_1 * trajectory.derivative_at(times[i]).v);
            impulse += part * sigma_0;
        }
        passed += (0..STAGES).map(|j| WEIGHTS[j] * rates[j]).sum::<f64>();
    }
    Some(Transient { slow: [0.0], loss, impulse })
}

#[cfg(test)]
mod tests;
