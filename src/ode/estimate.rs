//! Estimated error of a step.
//!
//! The difference to an embedded formula, of order 3 (IV.8.20), is close to the error where f has a
//! kink or a root. Where f is smooth it is far above the error, which is of order 5; there the
//! defect of the collocation polynomial, d = h f − u′ = M g over the share s of the step with M =
//! (s − c₁)(s − c₂)(s − 1), tells more: M is orthogonal to 1 and s, so that a nearly constant g
//! hardly changes the end. The change ρ of g from the start to the middle, over its largest value,
//! bounds what is left by ρ²/75 of it.

use super::collocation::{Stages, Start, Step, combine, inverse, product, weighted};
use super::tableau::{
    A, ESTIMATE, GAMMA, NODES, STAGE_POLYNOMIALS, START_FROM_STAGES, stage_slope,
};
use super::{Linearised, Matrix, State, System};
use crate::integrate::extrema::larger;
use crate::switches::{Method, is_on};
use core::array;

/// Estimate of order 3, over the error allowed, above which the defect is calculated; a smaller one
/// is accepted without it.
const LEAST_USEFUL: f64 = 0.03;
/// Estimate of order 3, over the error allowed, below which the defect is calculated.
const LARGEST_USEFUL: f64 = 1e4;
/// Largest change of g over its size with which f counts as smooth. Measured at 0.8: errors of
/// steps over kinks exceed the tolerance.
const SMOOTH: f64 = 0.7;
/// Size of g over the error allowed up to which its change along an axis does not count.
const NEGLIGIBLE: f64 = 0.1;
/// Error over the squared relative change of g and its size.
const BY_CHANGE: f64 = 1.0 / 75.0;
/// Magnitude of ∫ M s² ds: the error of z over h g, per part of g in s.
const MOMENT: f64 = 1.0 / 600.0;
/// Error of an integral over the interval, over that of a state: the mean of a force may be off by
/// ten tolerances, and a state in a step by a tenth of one.
const OF_INTEGRAL: f64 = 30.0;
/// Lower bound on the estimate by the defect over that of order 3: g may be alike at two places by
/// chance.
const FLOOR: f64 = 0.01;
/// `FLOOR` of a linear system, whose f is smooth. Smaller: one force in 3000 random steps is off by
/// two tolerances; larger: up to a third more inner steps at 1e-10.
const FLOOR_OF_LINEAR: f64 = 3e-3;
/// Shares of a step at which the defect shows kinks that the estimate of order 3 does not show:
/// those of a root at 0.26, 0.59 and 0.82 of the step, and those of a slope at 0.43.
pub const PLACES: [f64; 2] = [0.4, 0.85];
/// Error of the integral over a step with such a kink, over its length and the defect at one of
/// these places: 0.3 to 1.4 for the larger one.
pub const BY_DEFECT: f64 = 0.5;
/// Lower bound on an error, over the error allowed: it bounds the growth of steps.
const SMALLEST: f64 = 1e-5;

/// Weights of the stages in the difference of z: ESTIMATE A.
const OF_Z: [f64; 3] = {
    let mut row = [0.0; 3];
    let mut j = 0;
    while j < 3 {
        row[j] = ESTIMATE[0] * A[0][j] + ESTIMATE[1] * A[1][j] + ESTIMATE[2] * A[2][j];
        j += 1;
    }
    row
};
/// ESTIMATE c.
const OF_U_AT_START: f64 = ESTIMATE[0] * NODES[0] + ESTIMATE[1] * NODES[1] + ESTIMATE[2] * NODES[2];

/// Estimated error of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Error over the error allowed; NaN where it is none.
    pub error: f64,
    /// Length of the step over that with which the error would be the one allowed.
    pub excess: f64,
}

/// A rejected step: its length and error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rejected {
    /// Length, s.
    pub h: f64,
    /// Error over the error allowed.
    pub error: f64,
}

impl Rejected {
    /// Whether the next attempt, with this length (s) and error, shows the end of a fast transient:
    /// an error that falls by less than the square of the length is mostly the distance of the
    /// start from there, which the step removes. Filtered a second time (IV.8.21) the estimate
    /// leaves it out. RADAU5 does so in first steps as well, where it hides errors.
    #[inline(always)]
    pub fn leaves_transient(&self, error: f64, h: f64) -> bool {
        is_on(Method::SecondFilter)
            && error > 1.0
            && error > self.error * (h / self.h) * (h / self.h)
    }
}

impl Estimate {
    /// Error of order 3, of a step whose length it falls with to the fourth power.
    #[inline(always)]
    pub fn of_order_3(error: f64) -> Self {
        Estimate {
            error,
            excess: sixteenth_roots(error, 4),
        }
    }

    /// Error of order 3 where it is estimated again without a transient, which takes part in the
    /// integral by `layer`: its error over the one allowed times the share of the interval.
    #[inline(always)]
    pub fn filtered(error: f64, again: f64, layer: f64) -> f64 {
        if again < error {
            error.min(again.max(layer / OF_INTEGRAL))
        } else {
            error
        }
    }
}

/// 1 over the errors of z and u allowed in a state, of each axis.
#[inline(always)]
pub fn weights<S: System<D>, const D: usize>(
    system: &S,
    at: &S::At,
    x: &State<D>,
    f: &Linearised<D>,
    allowed: f64,
) -> State<D> {
    let scale = system.scale(at, x, f);
    let rounding = system.rounding(at);
    let of = |scale: &[f64; D], x: &[f64; D]| {
        array::from_fn(|i| 1.0 / (scale[i] * allowed + rounding * x[i].abs()))
    };
    State {
        z: of(&scale.z, &x.z),
        u: of(&scale.u, &x.u),
    }
}

/// Weights of an error of u at the end of a step of a linear system, where its scale varies.
#[inline(always)]
fn weights_at_end<S: System<D>, const D: usize>(
    system: &S,
    start: &Start<S, D>,
    step: &Step<S, D>,
) -> Option<[f64; D]> {
    if !system.scale_varies() {
        return None;
    }
    let (at, x) = (&step.at[2], &step.states[2]);
    Some(weights(system, at, x, &start.f, start.allowed).u)
}

/// Error at the end of a step of a linear system over g, where g and the decay y over the step are
/// constant: ∫ exp(−y (1 − s)) M ds, within a third of it, with its limits y²/1200 and 0.3/y².
fn filtered_moment(y: f64) -> f64 {
    let square = y * y;
    square / (1200.0 + square * (450.0 + square / 0.3))
}

/// Decay of an error over a step with the rate at its start, over that with the rate at its end.
#[inline(always)]
fn decay_ratio<S: System<D>, const D: usize>(
    system: &S,
    start: &Start<S, D>,
    step: &Step<S, D>,
) -> f64 {
    let [start, end] = [&start.at, &step.at[2]].map(|at| GAMMA / step.h + system.decay_rate(at));
    start / end
}

/// Difference of z and u to the embedded formula, where f at the start is `rate`, with derivatives
/// by z and the matrix of the real part.
#[inline(always)]
fn difference<S: System<D>, const D: usize>(
    start: &Start<S, D>,
    step: &Step<S, D>,
    rate: &[f64; D],
    by_z: &Matrix<D>,
    real: &Matrix<D>,
) -> State<D> {
    let (h, w) = (step.h, &step.w);
    let of_u = combine(&ESTIMATE, w);
    let right: [f64; D] = array::from_fn(|i| rate[i] + of_u[i] / h);
    if !S::SECOND_ORDER {
        return State {
            z: [0.0; D],
            u: product(real, &right),
        };
    }
    let sum = combine(&OF_Z, w);
    let of_z: [f64; D] = array::from_fn(|i| (1.0 + OF_U_AT_START) * start.x.u[i] + sum[i]);
    let pulled = product(by_z, &of_z);
    let u = product(real, &array::from_fn(|i| right[i] + h / GAMMA * pulled[i]));
    State {
        z: array::from_fn(|i| h / GAMMA * (of_z[i] + u[i])),
        u,
    }
}

/// Error of order 3 of a step.
struct OfOrder3<const D: usize> {
    /// Error over the error allowed.
    error: f64,
    /// Errors of z and u.
    difference: State<D>,
}

/// Error of order 3, where f at the start is `rate`.
#[inline(always)]
fn of_order_3<S: System<D>, const D: usize>(
    system: &S,
    start: &Start<S, D>,
    step: &Step<S, D>,
    rate: &[f64; D],
    at_end: Option<&[f64; D]>,
) -> OfOrder3<D> {
    let State { z, mut u } = difference(start, step, rate, &start.f.by_z, &step.real);
    let mut of_end = 0.0;
    if system.is_linear() {
        let ratio = decay_ratio(system, start, step);
        // At the end the error has decayed with the rate there.
        of_end = at_end.map_or(0.0, |weights| ratio * weighted(weights, &u));
        // The error decays with the slower one of the rates at both ends: a bristle in a contact
        // that closes is quick at its start alone.
        u = u.map(|u| u * larger(ratio, 1.0));
    }
    let error = larger(weighted(&start.weights.u, &u), of_end);
    let of_z = if S::SECOND_ORDER {
        weighted(&start.weights.z, &z)
    } else {
        0.0
    };
    OfOrder3 {
        error: if error <= of_z { of_z } else { error },
        difference: State { z, u },
    }
}

/// Derivative of the collocation polynomial by the share `s` of the step.
#[inline(always)]
fn slope_at<const D: usize>(w: &Stages<D>, s: f64) -> [f64; D] {
    combine(&STAGE_POLYNOMIALS.map(|stage| stage_slope(stage, s)), w)
}

/// Defect of the collocation polynomial over M at the share `s` of the step, where f is `rate`.
#[inline(always)]
fn quotient<const D: usize>(w: &Stages<D>, h: f64, s: f64, rate: &[f64; D]) -> [f64; D] {
    let m = (s - NODES[0]) * (s - NODES[1]) * (s - NODES[2]);
    let slope = slope_at(w, s);
    array::from_fn(|i| (h * rate[i] - slope[i]) / m)
}

/// f on the collocation polynomial at the share `s` of a step.
#[inline(always)]
fn rate_at<S: System<D>, const D: usize>(
    system: &S,
    start: &Start<S, D>,
    step: &Step<S, D>,
    s: f64,
) -> [f64; D] {
    let (h, w) = (step.h, &step.w);
    let u = combine(
        &STAGE_POLYNOMIALS.map(|[a, b, c]| s * (a + s * (b + s * c))),
        w,
    );
    let area = combine(
        &STAGE_POLYNOMIALS.map(|[a, b, c]| s * s * (a / 2.0 + s * (b / 3.0 + s * c / 4.0))),
        w,
    );
    let mut x = start.x;
    for i in 0..D {
        x.u[i] += u[i];
        if S::SECOND_ORDER {
            x.z[i] += h * (s * start.x.u[i] + area[i]);
        }
    }
    system.rate(&system.at(start.t + s * h), &x)
}

/// Error of a step that ends on another branch: that of order 3 by the derivatives there, because
/// those at the start may be of a border that the step left at once, and that of a kink by the
/// defect at [`PLACES`].
#[cold]
fn across_branches<S: System<D>, const D: usize>(
    system: &S,
    start: &Start<S, D>,
    step: &Step<S, D>,
) -> f64 {
    let f = system.linearised(&step.at[2], &step.states[2]);
    let real = inverse(GAMMA / step.h, &f, S::SECOND_ORDER);
    let State { z, u } = difference(start, step, &start.f.rate, &f.by_z, &real);
    let mut error = larger(
        weighted(&start.weights.u, &u),
        weighted(&start.weights.z, &z),
    );
    if !system.judges_kinks() {
        return error;
    }
    for place in PLACES {
        let (rate, slope) = (
            rate_at(system, start, step, place),
            slope_at(&step.w, place),
        );
        let defect = array::from_fn(|i| rate[i] - slope[i] / step.h);
        // The distance from the slow motion, in z for all of the step; in u it decays.
        let distance = product(&real, &defect).map(|distance| GAMMA * BY_DEFECT * distance);
        let kink = product(&real, &distance).map(|kink| GAMMA / step.h * kink);
        error = larger(weighted(&start.weights.u, &kink), error);
        error = larger(step.h * weighted(&start.weights.z, &distance), error);
    }
    error
}

/// Estimates the error of a step in an interval of this length (s); `rejected` is the attempt
/// before from the same start.
#[inline(always)]
pub fn estimate<S: System<D>, const D: usize>(
    system: &S,
    start: &Start<S, D>,
    step: &Step<S, D>,
    interval: f64,
    rejected: Option<Rejected>,
) -> Estimate {
    let at_end = weights_at_end(system, start, step);
    let OfOrder3 {
        mut error,
        difference: State { z, u },
    } = of_order_3(system, start, step, &start.f.rate, at_end.as_ref());
    if rejected.is_some_and(|last| last.leaves_transient(error, step.h)) {
        let mut x = start.x;
        for i in 0..D {
            (x.z[i], x.u[i]) = (x.z[i] + z[i], x.u[i] + u[i]);
        }
        let rate = system.rate(&start.at, &x);
        let again = of_order_3(system, start, step, &rate, at_end.as_ref()).error;
        // The integral of the deflection has the transient, over all of the step.
        let layer = if S::SECOND_ORDER {
            weighted(&start.weights.z, &z)
        } else {
            weighted(&start.weights.u, &u)
        };
        error = Estimate::filtered(error, again, layer * step.h / interval);
    }
    if S::SECOND_ORDER
        && error <= 1.0
        && system.branch(&start.at, &start.x) != system.branch(&step.at[2], &step.states[2])
    {
        error = larger(across_branches(system, start, step), error);
    }
    // Next to a kink g may be alike at two places by chance. A linear f has none.
    if is_on(Method::Defect)
        && error > LEAST_USEFUL
        && error < LARGEST_USEFUL
        && (system.is_linear() || start.is_on_one_branch(system, step))
    {
        let first = quotient(&step.w, step.h, 0.0, &start.f.rate);
        let middle = quotient(&step.w, step.h, 0.5, &rate_at(system, start, step, 0.5));
        let filtered = if at_end.is_some() {
            filtered_moment(step.h * system.decay_rate(&step.at[2]))
        } else {
            0.0
        };
        let (mut smooth, mut is_smooth): (f64, _) = (0.0, true);
        for i in 0..D {
            let size = larger(middle[i].abs(), first[i].abs());
            let change = (middle[i] - first[i]).abs();
            // An axis whose defect is far below the error allowed says nothing about f.
            is_smooth &= change < SMOOTH * size || start.weights.u[i] * size < NEGLIGIBLE;
            if size > 0.0 {
                let by_change = BY_CHANGE * change * change / size;
                smooth = smooth.max(start.weights.u[i] * by_change);
                if let Some(at_end) = &at_end {
                    let part = by_change * decay_ratio(system, start, step) + size * filtered;
                    smooth = smooth.max(at_end[i] * part);
                }
            }
            if S::SECOND_ORDER {
                // z is off by the parts of g in s and, by ∂f/∂u, of g itself.
                let stiffness = step.h * start.f.by_u[i][i].abs();
                let part = change + 0.5 * stiffness / (1.0 + stiffness / GAMMA) * size;
                smooth = smooth.max(start.weights.z[i] * MOMENT * step.h * part);
            }
        }
        if is_smooth && smooth < error {
            let floor = if system.is_linear() {
                FLOOR_OF_LINEAR
            } else {
                FLOOR
            };
            let error = smooth.max(floor * error);
            return Estimate {
                error,
                excess: sixteenth_roots(error, 3),
            };
        }
    }
    Estimate::of_order_3(error)
}

/// error^(n/16) for n = 3 or 4, by square roots: it is the length over that of the error allowed,
/// for errors that fall with the fifth or the fourth power of the length. A cubic root would be a
/// fifth of the cost of a step.
#[inline(always)]
fn sixteenth_roots(error: f64, n: u32) -> f64 {
    let fourth = if error > SMALLEST { error } else { SMALLEST }
        .sqrt()
        .sqrt();
    if n == 4 {
        fourth
    } else {
        (fourth * fourth.sqrt()).sqrt()
    }
}

/// Error of the quadrature on the stages of a step of length `h`, by the distance of the integrand
/// at the start from the parabola through the stages: a tenth of it for a kink in the middle of the
/// step; where the integrand is smooth, its square over the integrand, because it is of third
/// order.
pub fn quadrature_error(start: f64, stages: [f64; 3], h: f64, is_smooth: bool) -> f64 {
    const OF_KINK: f64 = 0.1;
    let [a, b, c] = START_FROM_STAGES;
    let distance = (start - (a * stages[0] + b * stages[1] + c * stages[2])).abs();
    let most = stages
        .iter()
        .fold(start.abs(), |most, stage| stage.abs().max(most));
    h * distance
        * if is_smooth && most > 0.0 {
            distance / most
        } else {
            OF_KINK
        }
}
