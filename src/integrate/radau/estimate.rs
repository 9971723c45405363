//! Estimated error of a step, by two estimates.
//!
//! That of order 3 (IV.8.20) is the difference to an embedded formula: where f is smooth, far above the error of the step. Where it would limit
//! the length of the step, the error at the end is estimated by the defect of the collocation polynomial u, d = h f(u) − u' over the share s of
//! the step. The error e of u has the equation e' = h J e + d. As d is 0 at the nodes, d = M g with M = (s − c_1)(s − c_2)(s − 1), and M is
//! orthogonal to 1 and s: only the parts in s² of g and of the solution of the homogeneous equation contribute to e at the end.

use super::newton::{Increments, StageEquations};
use super::{Context, Rejected, Start, fastest, norm, root4};
use crate::integrate::System;
use crate::integrate::linear::Lu;
use crate::ode::tableau::{ESTIMATE, GAMMA, NODES, stage_coefficients, stage_slope};
use core::array;

/// Shares of the step at which the defect is sampled beside its start. With these and [`SAFETY`] a kink of f, wherever it is in the step, has an
/// error of at most the estimated one and 7 % of the largest.
const SAMPLES: [f64; 2] = [0.4, 0.86];
/// Factor on the estimate by the defect.
const SAFETY: f64 = 2.0;
/// Largest part of g in s² over g itself with which f counts as smooth. A kink has 1 to 6 but in a few places, where its error is small.
const MAX_CURVATURE: f64 = 0.5;
/// Magnitude of ∫ M s² ds.
const MOMENT: f64 = 1.0 / 600.0;
/// Bounds on the estimate of order 3, over the tolerance, between which the other is calculated. Below, it would change the length of the next
/// step by less than a half; above, it rarely is below the tolerance.
const USEFUL: [f64; 2] = [0.05, 1e3];
/// Rate of the fastest transient times the step, up to which the other estimate is calculated: in a stiffer step both are about as large.
const MAX_STIFFNESS: f64 = 8.0;

/// Share of the length at which the error would be that of the tolerance.
const SAFETY_OF_LENGTH: f64 = 0.9;
/// Lower bound on the root of an error: the fourth of 1e-6.
const SMALLEST_ROOT: f64 = 0.031_622_776_601_683_79;

/// Estimated error of a step over the tolerance.
pub struct Estimate<const N: usize> {
    /// Estimated error.
    pub error: f64,
    /// The estimate of order 3, which is not below it.
    pub of_order_3: f64,
    /// Factor to the length of a step that would have 0.9⁴ of the tolerance by its estimate.
    pub factor: f64,
    /// Jacobian at the end of the step, where it was calculated.
    pub jacobian_at_end: Option<[[f64; N]; N]>,
}

impl<const N: usize> Estimate<N> {
    /// By an estimate of order 3.
    pub fn by_order_3(error: f64) -> Self {
        Estimate { error, of_order_3: error, factor: step_factor(root4(error)), jacobian_at_end: None }
    }
}

/// Estimates the error of a step with these increments; `real` is the factorised γ/h − J. The length of the next step is of no interest where the
/// step is the final one. `None` where the error is no number.
pub fn estimate<S: System<N>, const N: usize>(
    equations: &StageEquations<S, N>,
    start: &Start<N>,
    real: &Lu<f64, N>,
    z: &Increments<N>,
    context: &Context<N>,
) -> Option<Estimate<N>> {
    let of_order_3 = of_order_3(equations, start, real, z, context.rejected);
    if !of_order_3.is_finite() {
        return None;
    }
    let by_order_3 = Estimate::by_order_3(of_order_3);
    let least = if context.is_final { 1.0 } else { USEFUL[0] };
    if S::INTERIOR_COUNTS
        || of_order_3 < least
        || of_order_3 > USEFUL[1]
        || fastest(&start.jacobian) * equations.h > MAX_STIFFNESS
    {
        return Some(by_order_3);
    }
    Some(match at_end(equations, start, real, z) {
        Some((error, jacobian_at_end)) if error < of_order_3 => {
            // It falls with the sixth power of the length.
            let factor = step_factor(libm::cbrt(error.sqrt()));
            Estimate { error, of_order_3, factor, jacobian_at_end: Some(jacobian_at_end) }
        }
        Some((_, jacobian_at_end)) => Estimate { jacobian_at_end: Some(jacobian_at_end), ..by_order_3 },
        None => by_order_3,
    })
}

/// Estimated error of order 3 (IV.8.20), filtered a second time (IV.8.21) in some repeated steps.
fn of_order_3<const N: usize>(
    equations: &StageEquations<impl System<N>, N>,
    start: &Start<N>,
    real: &Lu<f64, N>,
    z: &Increments<N>,
    rejected: Option<&Rejected<N>>,
) -> f64 {
    let StageEquations { h, weight, .. } = *equations;
    let combined: [f64; N] =
        array::from_fn(|i| (ESTIMATE[0] * z[0][i] + ESTIMATE[1] * z[1][i] + ESTIMATE[2] * z[2][i]) / h);
    let estimate_from = |rate: &[f64; N]| real.solve(array::from_fn(|i| rate[i] + combined[i]));
    let estimate = estimate_from(&start.rate);
    let error = norm(&estimate, weight);
    // An error that falls less than the square of the length is mostly the distance of the start from a fast transient's end, which the step
    // removes. Filtered a second time the estimate leaves it out. RADAU5 does so in every first and repeated step; in a very stiff
    // system it suppresses errors of the slow motion as well, and a whole communication step would be accepted as one inner step.
    if error >= 1.0 && rejected.is_some_and(|last| error > last.error * (h / last.h) * (h / last.h)) {
        error.min(norm(&estimate_from(&equations.rates_at(0.0, &estimate)), weight))
    } else {
        error
    }
}

/// Error at the end of the step by the defect of its collocation polynomial, with the Jacobian there: the part of g in s², and what the homogeneous
/// equation makes of g and its part in s, with J and its change over the step. h J is filtered, so that the estimate stays bounded in a stiff
/// step. `None` where f does not count as smooth.
fn at_end<const N: usize>(
    equations: &StageEquations<impl System<N>, N>,
    start: &Start<N>,
    real: &Lu<f64, N>,
    z: &Increments<N>,
) -> Option<(f64, [[f64; N]; N])> {
    let StageEquations { h, weight, .. } = *equations;
    // u − x = s (c_0 + s (c_1 + s c_2)).
    let c: [[f64; 3]; N] = array::from_fn(|i| stage_coefficients(z.map(|z| z[i])));
    let quotient = |s: f64, rates: &[f64; N]| -> [f64; N] {
        let m = NODES.iter().fold(1.0, |m, node| m * (s - node));
        array::from_fn(|i| (h * rates[i] - stage_slope(c[i], s)) / m)
    };
    let [near, far] = SAMPLES;
    let g0 = quotient(0.0, &start.rate);
    let [g_near, g_far] = SAMPLES.map(|s| {
        let change = c.map(|[c0, c1, c2]| s * (c0 + s * (c1 + s * c2)));
        quotient(s, &equations.rates_at(s, &change))
    });
    let to_near: [f64; N] = array::from_fn(|i| (g_near[i] - g0[i]) / near);
    let second: [f64; N] = array::from_fn(|i| ((g_far[i] - g_near[i]) / (far - near) - to_near[i]) / far);
    let first: [f64; N] = array::from_fn(|i| to_near[i] - near * second[i]);

    let largest = [&g0, &g_near, &g_far].map(|g| norm(g, weight)).into_iter().fold(0.0, f64::max);
    if !(norm(&second, weight) <= MAX_CURVATURE * largest) {
        return None;
    }

    // h J (1 − h J/γ)⁻¹ v.
    let by_jacobian = |v: [f64; N]| -> [f64; N] {
        let solved = real.solve(v);
        array::from_fn(|i| GAMMA * (GAMMA / h * solved[i] - v[i]))
    };
    let squared = by_jacobian(g0.map(|g| 0.5 * g));
    let of_first = by_jacobian(array::from_fn(|i| first[i] - squared[i]));
    let error: [f64; N] = array::from_fn(|i| second[i] - of_first[i]);
    let jacobian_at_end = equations.jacobian_at_end(z);
    let by_change = |v: &[f64; N]| {
        let product: [f64; N] =
            array::from_fn(|i| (0..N).map(|j| 0.5 * h * (jacobian_at_end[i][j] - start.jacobian[i][j]) * v[j]).sum());
        norm(&product, weight)
    };
    let sum = norm(&error, weight) + by_change(&g0) + by_change(&first);
    Some((SAFETY * MOMENT * sum, jacobian_at_end))
}

/// Factor of the step length, where `root` is that of the length over the length that would have an error of the tolerance.
fn step_factor(root: f64) -> f64 {
    SAFETY_OF_LENGTH / root.max(SMALLEST_ROOT)
}
