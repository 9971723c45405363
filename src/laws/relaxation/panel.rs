//! One inner step of a bristle whose equation is linear, α = 1, by variation of constants.
//!
//! F_N dy/dt = drive − decay y, for the deflection in stick, else for the unknown of the bristle. With the straight line ȳ between the steady
//! values at both ends and Λ = ∫ decay/F_N dt,
//!
//! y = ȳ + e^(−Λ) (y_0 − ȳ_0 + ∫ ((drive − decay ȳ)/F_N − dȳ/dt) e^Λ dt):
//!
//! two quadratures by Gauss's rule of order 16, however fast a transient decays. The rate is unbounded at F_N = 0, next to which ln F_N is
//! the variable. See §19 of `docs/internals/numerics.md`.

mod clock;

pub use self::clock::is_far;

use self::clock::Clock;
use super::Relaxation;
use super::relaxing::{CoefficientsOf, LinearEquation, Place, Relaxing};
use crate::integrate::change_of_sign::change_of_sign;
use crate::integrate::extrema::{larger, smaller};
use crate::integrate::gauss::{self, AT_ENDS, INTEGRATION, NODES, STAGES, WEIGHTS, each};
use crate::integrate::rough_root::rough_root;
use crate::vector::length;
use core::array;

/// Largest Λ of a panel in stick and while a transient decays, by the rates at both ends: the polynomials at the nodes follow e^Λ that far.
const LONGEST: f64 = 8.0;
/// Largest Λ of a panel without a transient: a method for stiff equations takes longer steps.
const LONGEST_SLOW: f64 = 2.0;
/// Λ at which a shortened panel aims.
const AIM: f64 = 0.8 * LONGEST;
/// Largest number of times that a planned panel is shortened.
const MAX_SHORTENED: usize = 4;
/// Distance from the steady deflection over the error that an inner step may have, up to which the transient has decayed.
const DECAYED: f64 = 10.0;
/// Largest logarithm of the ratio of the normal forces at both ends of a panel while a transient decays: powers of F_N are no longer polynomials
/// of its logarithm beyond.
const LONGEST_LOGARITHM: f64 = 5.0;
/// Growth of e^Λ in a panel from which on it follows the steady values: below it they are unbounded where the bristle does not relax.
const FOLLOWING: f64 = 1.5;
/// Precision of the place at which the elastic force meets its limit, over the length of a panel.
const LIMIT_PRECISION: f64 = 1e-4;
/// Distance of the elastic force from its limit, over the limit, that counts as rounding.
const ROUNDING_OF_LIMIT: f64 = 1e-9;
/// Order of the error estimate over the length of a panel, as measured while the errors are near those allowed.
const ORDER: i64 = 10;
/// Safety factor of the length.
const SAFETY: f64 = 0.8;
/// Factor of the length after a solution that is no number.
const NO_NUMBER: f64 = 0.3;
/// Error over that allowed, below which it is rounding.
const MIN_ERROR: f64 = 1e-10;

/// A panel with the coefficients at its end.
pub struct Plan<C> {
    clock: Clock,
    end: C,
    /// Whether y is the deflection.
    by_deflection: bool,
}

/// Equation of y at one instant.
fn equation<R: Relaxing<N> + ?Sized, const N: usize>(
    relaxing: &R,
    by_deflection: bool,
    at: &R::Coefficients,
) -> LinearEquation<N> {
    if by_deflection { relaxing.equation_of_deflection(at) } else { relaxing.equation(at) }
}

impl<C: Copy> Plan<C> {
    /// Panel from a place over `length` (s) at most, where a share of F_s is allowed as error; `None` where it does not suit the motion.
    pub fn new<'a, B, const N: usize>(
        relaxation: &Relaxation<'a, B>,
        start: &Place<N, C>,
        length: f64,
        share: f64,
    ) -> Option<Self>
    where
        Relaxation<'a, B>: Relaxing<N, Coefficients = C>,
    {
        let LinearEquation { normal: from, .. } = relaxation.equation_of_deflection(&start.at);
        // A contact that closes has the steady deflection there, unless it was deflected before.
        let closes = from <= relaxation.min_force && !relaxation.is_large(&start.at, start.z);
        if !relaxation.is_linear() || from <= 0.0 || closes {
            return None;
        }
        let by_deflection = relaxation.sticks(&start.at);
        let decays = by_deflection || !has_decayed(relaxation, start, share);
        let clock_over = |length: f64| {
            let [to, _] = relaxation.segment.normal_force_and_velocity_at(start.t + length);
            (Clock::new([start.t, length], [from, to]), to)
        };
        let (mut clock, mut to) = clock_over(length);
        if decays {
            let within = clock.within(LONGEST_LOGARITHM);
            if within < length {
                (clock, to) = clock_over(within);
            }
        }
        for _ in 0..=MAX_SHORTENED {
            if to <= 0.0 {
                return None;
            }
            let [by_first, by_last] = clock.derivatives_at_ends();
            let rate = |at: &C, by_variable: f64| {
                let LinearEquation { normal, decay, .. } = equation(relaxation, by_deflection, at);
                decay.abs() / normal * by_variable
            };
            let longest = if decays { LONGEST } else { LONGEST_SLOW };
            let first = rate(&start.at, by_first);
            if !decays && 0.5 * first > longest {
                return None;
            }
            let end = relaxation.coefficients(start.t + clock.length);
            let last = rate(&end, by_last);
            if 0.5 * (first + last) <= longest {
                return Some(Plan { clock, end, by_deflection });
            }
            if !decays {
                return None;
            }
            // Where the integral of a rate that goes straight from the first to the last is the aim.
            let under = first * first + 2.0 * (last - first) * AIM;
            let part = if under > 0.0 { 2.0 * AIM / (first + under.sqrt()) } else { AIM / first };
            (clock, to) = clock_over(clock.at(part.min(0.9))[0]);
        }
        None
    }

    /// Length, s.
    pub fn length(&self) -> f64 {
        self.clock.length
    }

    /// Solves the equation from the start of the panel, where an error of the unknown of `allowed` is allowed.
    pub fn solve<'a, B, const N: usize>(
        self,
        relaxation: &Relaxation<'a, B>,
        start: &Place<N, C>,
        allowed: f64,
    ) -> Panel<N, C>
    where
        Relaxation<'a, B>: Relaxing<N, Coefficients = C>,
    {
        let Plan { clock, end, by_deflection } = self;
        let equation = |at: &C| equation(relaxation, by_deflection, at);
        let nodes = clock.at_nodes();
        let coefficients: [C; STAGES] = array::from_fn(|i| relaxation.coefficients(nodes[i][0]));
        let at: [LinearEquation<N>; STAGES] = array::from_fn(|i| equation(&coefficients[i]));
        let rates = each(|i| at[i].decay / at[i].normal * nodes[i][1]);
        let logarithms = gauss::plus_product(0.0, &INTEGRATION, &rates);
        let growth = each(|i| libm::exp(logarithms[i]));
        let passed = gauss::sum(&WEIGHTS, &rates);
        let decay = libm::exp(-passed);
        let ends = [&start.at, &end].map(equation);
        let follows = decay * FOLLOWING < 1.0 && ends.iter().all(|end| end.decay > 0.0);
        let steady = if follows { ends.map(|end| end.drive.map(|drive| drive / end.decay)) } else { [[0.0; N]; 2] };
        let line = Line { steady };
        let y = if by_deflection { start.z } else { start.u };
        let off: [f64; N] = array::from_fn(|k| y[k] - steady[0][k]);
        let drives: [[f64; STAGES]; N] = array::from_fn(|k| {
            let slope = steady[1][k] - steady[0][k];
            each(|i| {
                let drive = (at[i].drive[k] - at[i].decay * line.at(k, NODES[i])) / at[i].normal * nodes[i][1];
                (drive - slope) * growth[i]
            })
        });
        let parts: [[f64; STAGES]; N] = array::from_fn(|k| gauss::plus_product(off[k], &INTEGRATION, &drives[k]));
        let left: [f64; N] = array::from_fn(|k| (off[k] + gauss::sum(&WEIGHTS, &drives[k])) * decay);
        let last: [f64; N] = array::from_fn(|k| steady[1][k] + left[k]);
        let stages: [[f64; N]; STAGES] =
            array::from_fn(|i| array::from_fn(|k| line.at(k, NODES[i]) + parts[k][i] / growth[i]));
        // Errors of both quadratures at the end. Those of the polynomials at the nodes, over the growth of e^Λ up to there, count in the integrals of
        // the step.
        let part = clock.length / relaxation.duration;
        let of_rates = gauss::both_errors(&rates);
        let of_drives: [[f64; 2]; N] = array::from_fn(|k| gauss::both_errors(&drives[k]));
        let [quadrature, interpolation] = [0, 1].map(|kind| length(of_drives.map(|errors| errors[kind])));
        let at_end = of_rates[0] * (length(off) * decay).max(length(left)) + quadrature * decay;
        let at_nodes = of_rates[1] * length(off) + interpolation / (1.0 + passed.abs());
        // Along a line v is 0 at the ends that are breakpoints, not next to it.
        let [of_start, of_end] =
            if N > 1 { bends(&clock, ends.map(|end| end.decay / end.normal), &rates) } else { [0.0; 2] };
        let at_bends = of_start * length(y) * decay + of_end * length(last);
        let (unit, end_unit) = (relaxation.unit(&start.at), relaxation.unit(&end));
        let scale = if by_deflection { unit.max(end_unit) } else { 1.0 };
        let error = (at_end + at_bends + part * at_nodes) / (scale * allowed);
        let deflection = |at: &C, y: [f64; N]| if by_deflection { y } else { relaxation.deflection(at, y) };
        let end = Place {
            t: clock.from + clock.length,
            z: deflection(&end, last),
            u: if by_deflection { relaxation.unknown(&end, last) } else { last },
            at: end,
            transient: start.transient * if by_deflection { decay } else { decay * end_unit / unit },
        };
        let deflections = array::from_fn(|i| deflection(&coefficients[i], stages[i]));
        Panel { clock, by_deflection, line, off, rates, drives, coefficients, nodes, deflections, end, error }
    }
}

/// Errors of the integral of the rates where they bend between the first or the last node and the end of a panel, at which they have these values, 1/s: the
/// speed of a velocity that passes 0 at a small distance, next to a breakpoint.
fn bends(clock: &Clock, at_ends: [f64; 2], rates: &[f64; STAGES]) -> [f64; 2] {
    let by_variable = clock.derivatives_at_ends();
    array::from_fn(|i| NODES[0] * (at_ends[i] * by_variable[i] - gauss::sum(&AT_ENDS[i], rates)).abs())
}

/// Whether the transient has decayed at a place, where a share of F_s is allowed as error.
pub fn has_decayed<'a, B, const N: usize>(
    relaxation: &Relaxation<'a, B>,
    place: &Place<N, CoefficientsOf<'a, B, N>>,
    share: f64,
) -> bool
where
    Relaxation<'a, B>: Relaxing<N>,
{
    place.transient <= DECAYED * share * relaxation.unit(&place.at)
}

/// The straight line between the steady values at both ends of a panel; 0 where it does not follow them.
struct Line<const N: usize> {
    steady: [[f64; N]; 2],
}

impl<const N: usize> Line<N> {
    fn at(&self, k: usize, x: f64) -> f64 {
        self.steady[0][k] + (self.steady[1][k] - self.steady[0][k]) * x
    }
}

/// A solved panel.
pub struct Panel<const N: usize, C> {
    clock: Clock,
    by_deflection: bool,
    line: Line<N>,
    /// Distance of y from the line at the start.
    off: [f64; N],
    /// Derivatives of Λ at the nodes.
    rates: [f64; STAGES],
    /// ((drive − decay ȳ)/F_N − dȳ/dt) e^Λ at the nodes, with derivatives by the variable.
    drives: [[f64; STAGES]; N],
    /// Coefficients at the nodes.
    coefficients: [C; STAGES],
    /// Times of the nodes (s), and their derivatives by the variable.
    pub nodes: [[f64; 2]; STAGES],
    /// Deflections at the nodes, m.
    pub deflections: [[f64; N]; STAGES],
    /// End of the panel.
    pub end: Place<N, C>,
    /// The estimated error over that allowed.
    pub error: f64,
}

impl<const N: usize, C: Copy> Panel<N, C> {
    /// Friction power (W) and friction force (N) at the nodes.
    pub fn integrands<'a, B>(&self, relaxation: &Relaxation<'a, B>) -> [[f64; 2]; STAGES]
    where
        Relaxation<'a, B>: Relaxing<N, Coefficients = C>,
    {
        array::from_fn(|i| relaxation.integrands(&self.coefficients[i], self.deflections[i]))
    }

    /// Deflection (m) at the time `t` (s).
    pub fn deflection<'a, B>(&self, relaxation: &Relaxation<'a, B>, t: f64) -> [f64; N]
    where
        Relaxation<'a, B>: Relaxing<N, Coefficients = C>,
    {
        let x = self.clock.place(t - self.clock.from);
        let weights = gauss::integrals_to(x);
        let decay = libm::exp(-gauss::sum(&weights, &self.rates));
        let left = |k: usize| (self.off[k] + gauss::sum(&weights, &self.drives[k])) * decay;
        let y = array::from_fn(|k| self.line.at(k, x) + left(k));
        if self.by_deflection { y } else { relaxation.deflection(&relaxation.coefficients(t), y) }
    }

    /// Length (s) up to just beyond the first place at which the elastic force passes its limit between two nodes, from the deflection `z` (m)
    /// at the start; `None` where there is none, or next to an end.
    pub fn length_to_limit<'a, B>(&self, relaxation: &Relaxation<'a, B>, z: [f64; N]) -> Option<f64>
    where
        Relaxation<'a, B>: Relaxing<N, Coefficients = C>,
    {
        let bristle = relaxation.equation_of_bristle();
        let beyond = |normal: f64, z: [f64; N]| bristle.sigma_0 * length(z) / (bristle.curve.mu_s * normal) - 1.0;
        let normal_at = |t: f64| relaxation.segment.normal_force_and_velocity_at(t)[0];
        let [start, end] = [beyond(normal_at(self.clock.from), z), beyond(normal_at(self.end.t), self.end.z)];
        let normal_of = |at: &C| relaxation.equation_of_deflection(at).normal;
        let nodes = each(|i| beyond(normal_of(&self.coefficients[i]), self.deflections[i]));
        let least = nodes.into_iter().fold(smaller(start, end), |least, node| smaller(node, least));
        let most = nodes.into_iter().fold(larger(start, end), |most, node| larger(node, most));
        if !(least < -ROUNDING_OF_LIMIT && most > ROUNDING_OF_LIMIT) {
            return None;
        }
        let mut near = [0.0, start];
        for far in array::from_fn::<_, STAGES, _>(|i| [NODES[i], nodes[i]]).into_iter().chain([[1.0, end]]) {
            // Where μ = μ_s the steady deflection is at the limit.
            if far[1].abs() <= ROUNDING_OF_LIMIT {
                continue;
            }
            if near[1].abs() > ROUNDING_OF_LIMIT && (far[1] > 0.0) != (near[1] > 0.0) {
                let width = far[0] - near[0];
                let at = |share: f64| {
                    let t = self.clock.from + self.clock.at(near[0] + share * width)[0];
                    beyond(normal_at(t), self.deflection(relaxation, t))
                };
                let precision = LIMIT_PRECISION / width;
                let place = near[0] + width * change_of_sign(at, 1.0, [near[1], far[1]], precision);
                // The step before ended at its limit, or just before.
                if place > 2.0 * LIMIT_PRECISION {
                    return (place < 1.0 - 2.0 * LIMIT_PRECISION).then(|| self.clock.at(place)[0]);
                }
            }
            near = far;
        }
        None
    }

    /// Length (s) with which a panel with too large an error is repeated.
    pub fn shorter(&self) -> f64 {
        let shorter = self.clock.at(self.factor().clamp(0.1, 0.8))[0];
        shorter.min((1.0 - f64::EPSILON) * self.clock.length)
    }

    /// Length (s) of half of the panel.
    pub fn half(&self) -> f64 {
        self.clock.at(0.5)[0]
    }

    /// Length (s) of the next panel.
    pub fn next(&self) -> f64 {
        self.clock.next(self.factor().min(8.0))
    }

    /// Factor of the variable at which the error is that allowed.
    fn factor(&self) -> f64 {
        if self.error.is_nan() { NO_NUMBER } else { SAFETY * rough_root::<ORDER>(1.0 / self.error.max(MIN_ERROR)) }
    }
}

#[cfg(test)]
mod tests;
