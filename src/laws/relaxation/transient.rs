//! Transient of a first-order bristle with α = 1 at the start of a segment, split off in closed form.
//!
//! The equation is linear: its solution is the sum of a slow motion and a part that decays as e^(−Λ), Λ = ∫ λ dt, λ = P/F_N, which adds
//! (σ_0 − σ_1 λ) z to F_R. With Λ as the variable its work and its impulse are integrals of e^(−Λ) times a slow function: quadrature by
//! Laguerre, after the part of the damping is integrated by parts. While the elastic force is limited, F_R does not depend on z. See §19
//! of `docs/internals/numerics.md`.

use super::drift::mean_decay;
use super::relaxing::{LinearEquation, Relaxing, Transient};
use super::{INNER_SHARE, Relaxation};
use crate::vector::{inner, length};
use core::array;

/// Length of a segment over the time constant 1/λ of a transient, from which on it is split off: it has decayed to e⁻⁵⁰. Smaller values
/// neglect more of it, larger ones integrate it in small steps.
const SHORT_TRANSIENT: f64 = 50.0;
/// Largest relative change of λ, F_N and v while the elastic force is limited, and in a time constant after it.
const LARGEST_CHANGE: f64 = 0.01;
/// Largest relative change of λ, F_N and v in a time constant of a transient with negligible loss and impulse, which only has to decay: where
/// F_N rises from next to 0, λ falls as fast, and e^(−Λ) is a power of F_N.
const LARGEST_CHANGE_OF_NEGLIGIBLE: f64 = 0.1;
/// Iterations for the time at which the elastic force ceases to be limited: the error falls by [`LARGEST_CHANGE`] with each.
const ITERATIONS: usize = 3;
/// Share of the transient in loss and impulse over the tolerance, below which it is left out.
const NEGLIGIBLE: f64 = 1e-3;
/// Nodes and weights of Gauss–Laguerre quadrature, of order 4: 2 ∓ √2 and (2 ± √2)/4.
const LAGUERRE: [[f64; 2]; 2] =
    [[0.585_786_437_626_905, 0.853_553_390_593_273_8], [3.414_213_562_373_095, 0.146_446_609_406_726_24]];
/// Nodes of Gauss's quadrature on the unit interval, of order 4, with equal weights.
const GAUSS: [f64; 2] = [0.211_324_865_405_187_1, 0.788_675_134_594_812_9];

/// The slow functions at one instant.
#[derive(Clone, Copy)]
struct Instant<const N: usize> {
    /// F_N, N.
    normal: f64,
    /// λ, 1/s.
    rate: f64,
    /// Velocity, m/s.
    v: [f64; N],
    /// Its derivative, m/s².
    a: [f64; N],
}

impl<const N: usize> Instant<N> {
    /// Largest relative change up to another instant.
    fn change(&self, to: &Self) -> f64 {
        let of_v: [f64; N] = array::from_fn(|k| to.v[k] - self.v[k]);
        let by_v = length(of_v) / length(self.v);
        (to.rate / self.rate - 1.0).abs().max((to.normal / self.normal - 1.0).abs()).max(by_v)
    }
}

/// A bristle with a time (s), after which times are measured: they may be shorter than its rounding.
struct After<'r, 'a, B, const N: usize>(&'r Relaxation<'a, B>, f64);

impl<'a, B, const N: usize> After<'_, 'a, B, N>
where
    Relaxation<'a, B>: Relaxing<N>,
{
    fn at(&self, time: f64) -> Instant<N> {
        let &After(relaxation, from) = self;
        let (contact, derivative) =
            (relaxation.segment.at(from + time), relaxation.segment.trajectory().derivative_at(from + time));
        let LinearEquation { normal, decay, .. } =
            relaxation.equation_of_deflection(&relaxation.coefficients(from + time));
        Instant { normal, rate: decay / normal, v: relaxation.velocity(contact), a: relaxation.velocity(derivative) }
    }

    /// The unknown and the deflection (m) of the slow motion: those of the steady one where it was 1/λ before.
    fn slow(&self, time: f64) -> [[f64; N]; 2] {
        let &After(relaxation, from) = self;
        let at = |time: f64| relaxation.coefficients(from + time);
        let here = at(time);
        let equation = relaxation.equation(&here);
        let steady = |LinearEquation { decay, drive, .. }: LinearEquation<N>| drive.map(|drive| drive / decay);
        let later = steady(relaxation.equation(&at(time + equation.normal / equation.decay)));
        let steady = steady(equation);
        let unknown = array::from_fn(|k| steady[k] + (steady[k] - later[k]));
        [unknown, relaxation.deflection(&here, unknown)]
    }

    /// Mean of λ over `duration` (s) from a time (s), 1/s.
    fn mean_rate(&self, time: f64, duration: f64) -> f64 {
        GAUSS.map(|node| 0.5 * self.at(time + node * duration).rate).iter().sum()
    }
}

/// Deflection (m) of the slow motion at a time (s), to the second order in its change within 1/λ.
pub fn slow_deflection<'a, B, const N: usize>(relaxation: &Relaxation<'a, B>, t: f64) -> [f64; N]
where
    Relaxation<'a, B>: Relaxing<N>,
{
    let [_, deflection] = After(relaxation, t).slow(0.0);
    deflection
}

/// The transient from the deflection `z` (m) at the time `from` (s); `None` where it is not far shorter than the rest of the segment
/// up to `end` (s), or not within the tolerance.
pub fn split<'a, B, const N: usize>(
    relaxation: &Relaxation<'a, B>,
    [from, end]: [f64; 2],
    z: [f64; N],
    tolerance: f64,
) -> Option<Transient<N>>
where
    Relaxation<'a, B>: Relaxing<N>,
{
    let bristle = relaxation.equation_of_bristle();
    let after = After(relaxation, from);
    let start = after.at(0.0);
    let is_short = |until: f64, constant: f64| until + SHORT_TRANSIENT * constant < end - from;
    if !relaxation.is_linear() || !is_short(0.0, 1.0 / start.rate) {
        return None;
    }
    let largest = |normal: f64| bristle.curve.mu_s * normal / bristle.sigma_0;
    // Where μ = μ_s the steady force is at the limit, to which the tolerance is added.
    let is_limited = |z: [f64; N]| !(length(z) <= largest(start.normal) * (1.0 + tolerance));
    let [slow, slow_deflection] = after.slow(0.0);
    let off: [f64; N] = array::from_fn(|k| z[k] - slow_deflection[k]);
    // In the plane the direction of a limited force turns.
    if is_limited(slow_deflection) || N > 1 && is_limited(z) {
        return None;
    }
    // The limited deflection less that of the slow motion, which may be at the limit to its rounding.
    let limited = |time: f64| {
        let left = largest(after.at(time).normal).copysign(z[0]) - after.slow(time)[1][0];
        if left * off[0] > 0.0 { left } else { 0.0 }
    };
    let (mut until, mut left) = (0.0, off);
    if is_limited(z) {
        // Such a motion is left at a distance whose impulse in the damping is negligible.
        let least = tolerance / (1.0 + bristle.sigma_1 / (bristle.sigma_0 * relaxation.duration));
        for _ in 0..ITERATIONS {
            left[0] = limited(until);
            let distance = left[0].abs().max(least * largest(start.normal));
            until = libm::log(off[0].abs() / distance) / after.mean_rate(0.0, until);
        }
        if !(until >= 0.0 && is_short(SHORT_TRANSIENT * until, 0.0)) {
            return None;
        }
    }
    let begin = if until > 0.0 { after.at(until) } else { start };
    let constant = 1.0 / begin.rate;
    let change_in_constant = begin.change(&after.at(until + constant));
    let force = length(left) * (bristle.sigma_0 + bristle.sigma_1 * begin.rate);
    let share = (until + constant) / relaxation.duration;
    let static_force = bristle.curve.mu_s * begin.normal.max(relaxation.error_force);
    let part = force * share / static_force;
    if part <= NEGLIGIBLE * tolerance && change_in_constant < LARGEST_CHANGE_OF_NEGLIGIBLE {
        // λ falls by this share in each time constant at most.
        let slowed = mean_decay(-SHORT_TRANSIENT * change_in_constant);
        return is_short(until, slowed * constant).then_some(Transient { slow, loss: 0.0, impulse: 0.0 });
    }
    let change = start.change(&begin).max(change_in_constant);
    let error = part * change * change * change;
    if !(is_short(until, constant) && change < LARGEST_CHANGE && error <= INNER_SHARE * tolerance) {
        return None;
    }
    let (mut loss, mut impulse) = (-bristle.sigma_1 * inner(left, begin.v), -bristle.sigma_1 * left[0]);
    for [node, weight] in LAGUERRE {
        let time = node / after.mean_rate(until, node * constant);
        let Instant { rate, v, a, .. } = after.at(until + time);
        loss += weight / rate * (bristle.sigma_0 * inner(left, v) - bristle.sigma_1 * inner(left, a));
        impulse += weight / rate * bristle.sigma_0 * left[0];
    }
    if until > 0.0 {
        for node in GAUSS {
            let Instant { rate, v, .. } = after.at(node * until);
            let part = 0.5 * until * (bristle.sigma_0 - bristle.sigma_1 * rate) * limited(node * until);
            loss += part * v[0];
            impulse += part;
        }
    }
    Some(Transient { slow, loss, impulse })
}

#[cfg(test)]
mod tests;
