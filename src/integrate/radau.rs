//! Radau IIA(5): three stages, order 5, L-stable, error-controlled.
//!
//! Step lengths are limited by accuracy only, at any stiffness. Method and coefficients: E. Hairer, G. Wanner, *Solving Ordinary
//! Differential Equations II*, 2nd ed. 1996, Sec. IV.8. The stage equations are solved by simplified Newton iterations in the basis
//! where the inverse of the Runge–Kutta matrix is block-diagonal: one real and one complex system of size N.
//!
//! Error control: in each inner step the estimated error is at most `tolerance` in every component relative to `System::scale`. The embedded
//! estimate of order 3 (IV.8.20) is close to the error where f has a kink or a square root. Where f is smooth the true error, of order 5, is far
//! below it, and where the system needs the end of each step only, that is estimated by itself (`estimate`).

mod estimate;
mod newton;

pub use super::memory::Memory as Radau;

use self::estimate::{Estimate, estimate};
use self::newton::{Increments, StageEquations, transform};
use super::linear::Lu;
use super::step_limit::{EXCEEDED, MAX_RELAXATION, UNKNOWN};
use super::{SolverError, System};
use crate::ode::tableau::{GAMMA, INVERSE, NODES};

/// Bounds on the factor from one accepted step to the next, as in RADAU5. Without the lower one the predictive controller would shorten
/// the step much further after a step that divergence of the stage equations has made short.
const STEP_FACTORS: [f64; 2] = [0.2, 8.0];

/// Factor above which the trend of two steps is not followed: errors that small tell little.
const MAX_TREND_FACTOR: f64 = 9.0;
/// Smallest factor from a rejected step to the next attempt.
const MIN_FACTOR: f64 = 0.1;
/// Order by which the error of a rejected step falls with its length, 1, below which it is that of a transient at the start. Above: errors of a kink
/// count as such, and steps before it get too short.
const ORDER_OF_TRANSIENT: f64 = 1.5;
/// Smallest order by which an error is expected to fall.
const MIN_ORDER: f64 = 0.5;
/// Error over the tolerance up to which a transient is approached by the order of the method: few attempts are left.
const LARGE_ERROR: f64 = 10.0;
/// Rate of the fastest transient times the step from which on an error that falls slowly is that of a transient, and not of a kink.
const STIFF: f64 = 100.0;
/// Factor from a rejected step to the end of the interval below which the end is steep: a rate grows towards it, as in a contact that opens, and
/// errors before it say little of those at it.
const STEEP_FACTOR: f64 = 0.3;
/// Planned length over the rest of the interval, 1, from which on a step goes to a steep end. Smaller: more steps are rejected there; larger: more
/// steps before it, each half of the rest.
const PLAN_TO_STEEP_END: f64 = 2.0;
/// Least length of the step after one that [`System::longest`] has shortened, over the planned length, 1. Larger: more steps after a kink are rejected.
const PLAN_AFTER_KINK: f64 = 0.3;
/// Largest number of states with which the Jacobians at the stages are used: their elimination takes 27 N³ operations, and with three
/// states shorter steps are cheaper.
const MAX_STATES_OF_ALL_JACOBIANS: usize = 2;
/// Loosest relaxed tolerance of an inner step: with errors above the scale of the states the solution is arbitrary.
const MAX_RELAXED_TOLERANCE: f64 = 0.3;
/// Shortest step over the spacing of floating-point numbers at its time.
const SHORTEST_STEP: f64 = 8.0;
/// Relative rounding of a component, which the error scale includes: tolerances below it would reject every step.
const ROUNDING: f64 = 1e-14;
/// Lower bound on the error scale of a component: it avoids a division by 0.
const SMALLEST: f64 = 1e-250;

/// An accepted inner step, as it is passed to the callback `observe`.
pub struct Step<'a, const N: usize> {
    /// Factor by which the tolerance was relaxed, 1 within the limit of inner steps.
    pub relaxation: f64,
    /// Start of the step, s from the start of the interval.
    pub t: f64,
    /// Length of the step, s.
    pub h: f64,
    /// States at the start of the step.
    pub start: &'a [f64; N],
    /// States at the three [`NODES`]; the last is the end of the step.
    pub stages: &'a [[f64; N]; 3],
}

impl<const N: usize> Step<'_, N> {
    /// Rates of the states at the stages, by the collocation polynomial.
    #[inline]
    pub fn rates(&self) -> [[f64; N]; 3] {
        let increments = self.stages.map(|stage| core::array::from_fn(|i| stage[i] - self.start[i]));
        transform(&INVERSE, &increments).map(|slope| slope.map(|slope| slope / self.h))
    }

    /// States at the share `part` of the step, 0 … 1, on its collocation polynomial.
    pub fn at(&self, part: f64) -> [f64; N] {
        let [l1, l2, l3] = lagrange(part);
        let [z1, z2, z3] = self.stages;
        core::array::from_fn(|i| {
            let x = self.start[i];
            x + l1 * (z1[i] - x) + l2 * (z2[i] - x) + l3 * (z3[i] - x)
        })
    }
}

impl Radau {
    /// Advances `x` from time 0 to `end` (s, > 0); returns the number of inner steps, rejected ones included, and the time
    /// reached.
    ///
    /// `tolerance` is the error allowed per inner step relative to `System::scale`. `observe` is called with each accepted step and
    /// may end the integration after a share of it, 0 … 1. After an error `x` holds the states at the time reached.
    pub fn advance<const N: usize>(
        &mut self,
        system: &impl System<N>,
        x: &mut [f64; N],
        end: f64,
        tolerance: f64,
        mut observe: impl FnMut(Step<N>) -> Option<f64>,
    ) -> Result<(u32, f64), SolverError> {
        let mut t = 0.0;
        // Beyond the limit a step of any length may be accepted.
        let mut h = if self.first_step > 0.0 && self.limit.left() > 0 { self.first_step } else { end };
        let mut start = Start::new(system, t, x, None);
        let mut increments: Option<(f64, Increments<N>)> = None;
        let mut last: Option<Accepted> = None;
        let mut rejected = false;
        let mut last_rejected: Option<Rejected<N>> = None;
        let mut end_is_steep = false;
        // The step has the shortest length, and is accepted whatever its error: the transient in it cannot be resolved in time.
        let mut shortest = false;

        let mut count = 0;
        loop {
            count += 1;
            let rest = end - t;
            if self.limit.is_spent() {
                return Err(SolverError::TooManySteps { t, limit: self.limit.limit() });
            }
            let beyond_limit = self.limit.count();
            let relaxation = beyond_limit.max(if shortest { MAX_RELAXATION } else { 1.0 });
            let tolerance = (tolerance * relaxation).min(MAX_RELAXED_TOLERANCE.max(tolerance));
            let planned = h;
            h = h.min(relaxation * start.longest);
            let is_shortened = h < planned;
            // The last step ends exactly at `end`. The step before it is at most half of the rest, so that no tiny step is left.
            let final_step = h >= rest * (1.0 - 1e-9) && (!end_is_steep || planned >= PLAN_TO_STEEP_END * rest);
            if final_step {
                h = rest;
            } else if h > 0.5 * rest {
                h = 0.5 * rest;
            }

            let weight =
                core::array::from_fn(|i| 1.0 / (start.scale[i] * tolerance + ROUNDING * x[i].abs() + SMALLEST));
            let guess = match (&increments, &last_rejected) {
                (Some((h_last, z)), _) => extrapolate(z, h / h_last),
                (None, Some(longer)) => shortened(&longer.z, h / longer.h),
                (None, None) => [[0.0; N]; 3],
            };
            let equations = StageEquations::new(system, [t, h], x, &weight);
            let is_last_attempt = beyond_limit >= EXCEEDED;
            let context = Context {
                rejected: last_rejected.as_ref(),
                is_final: final_step,
                may_take_all_jacobians: !is_last_attempt,
            };
            let attempt = match attempt(&equations, &start, guess, &context) {
                Attempt::Diverged if is_last_attempt => {
                    self.limit.accept(UNKNOWN);
                    linearised(&equations)
                }
                attempt => attempt,
            };
            let (factor, accepted) = match attempt {
                Attempt::Diverged => (0.25, None),
                Attempt::Done { estimate, z } if estimate.error >= 1.0 && (shortest || relaxation < EXCEEDED) => {
                    let (step, factor) =
                        Rejected::after(last_rejected.as_ref(), h, z, &estimate, fastest(&start.jacobian));
                    last_rejected = Some(step);
                    (factor, None)
                }
                Attempt::Done { estimate, z } => (estimate.factor, Some((estimate, z))),
            };

            let Some((Estimate { error, factor: next, jacobian_at_end, .. }, z)) = accepted else {
                rejected = true;
                end_is_steep |= final_step && last.is_some() && factor < STEEP_FACTOR;
                h *= factor;
                if t + h == t || h < f64::MIN_POSITIVE {
                    if shortest {
                        return Err(SolverError::StepTooSmall { t });
                    }
                    (shortest, h) = (true, SHORTEST_STEP * (t.next_up() - t).max(f64::MIN_POSITIVE));
                }
                continue;
            };

            let stages = z.map(|z| core::array::from_fn(|i| x[i] + z[i]));
            if relaxation > 1.0 {
                self.limit.accept(error * tolerance);
            }
            let step = Step { relaxation, t, h, start: x, stages: &stages };
            if let Some(part) = observe(Step { ..step }) {
                *x = step.at(part);
                return Ok((count, t + part * h));
            }
            *x = stages[2];
            let mut factor = if relaxation > 1.0 { factor } else { factor.min(STEP_FACTORS[1]) };
            if let Some(last) = last.as_ref().filter(|_| relaxation == 1.0) {
                // Gustafsson's predictive controller, Hairer & Wanner (IV.8.25).
                let trend = (h / last.h) * (next.min(MAX_TREND_FACTOR) / last.factor.min(MAX_TREND_FACTOR));
                factor = factor.min(factor * trend).max(STEP_FACTORS[0]);
            }
            if rejected {
                factor = factor.min(1.0);
            }
            if last.is_none() {
                self.first_step = (h * factor).min(f64::MAX);
            }
            if final_step {
                return Ok((count, end));
            }
            t += h;
            start = Start::new(system, t, x, jacobian_at_end);
            shortest = false;
            increments = Some((h, z));
            last = Some(Accepted { h, factor: next });
            h *= factor;
            if is_shortened && !rejected {
                h = h.max(PLAN_AFTER_KINK * planned);
            }
            (rejected, last_rejected) = (false, None);
        }
    }
}

/// Quantities at the start of a step that do not depend on its length.
struct Start<const N: usize> {
    rate: [f64; N],
    jacobian: [[f64; N]; N],
    scale: [f64; N],
    longest: f64,
}

impl<const N: usize> Start<N> {
    /// Evaluates the system at the time `t` (s), with its `jacobian` there where it is known.
    fn new(system: &impl System<N>, t: f64, x: &[f64; N], jacobian: Option<[[f64; N]; N]>) -> Self {
        let input = system.input(t);
        Start {
            rate: system.rate(input, x),
            jacobian: jacobian.unwrap_or_else(|| system.jacobian(input, x)),
            scale: system.scale(input, x),
            longest: system.longest(t, x),
        }
    }
}

/// Length of an accepted step, s, and the factor that its error suggests.
struct Accepted {
    h: f64,
    factor: f64,
}

/// A step that was rejected for its error.
struct Rejected<const N: usize> {
    /// Its length, s.
    h: f64,
    /// Its estimated error of order 3 over the tolerance.
    error: f64,
    /// Its increments, from which those of a shorter step are guessed.
    z: Increments<N>,
    /// Rejected steps in a row up to this one whose error has fallen by less than [`ORDER_OF_TRANSIENT`].
    slow: u32,
}

impl<const N: usize> Rejected<N> {
    /// A step with this estimate that was rejected after another one, `last`, from the same start; and the factor to the length of the next
    /// attempt, with the rate of the `fastest` transient, 1/s.
    fn after(last: Option<&Self>, h: f64, z: Increments<N>, estimate: &Estimate<N>, fastest: f64) -> (Self, f64) {
        let (error, stiffness) = (estimate.of_order_3, fastest * h);
        // By which the error has fallen.
        let order = last.map_or(4.0, |last| libm::log(error / last.error) / libm::log(h / last.h));
        let slow = if order < ORDER_OF_TRANSIENT { last.map_or(0, |last| last.slow) + 1 } else { 0 };
        let factor = if last.is_some_and(|last| error > 0.9 * last.error) {
            // An error that a shorter step did not reduce is that of a transient much shorter than both.
            MIN_FACTOR.min(1.0 / stiffness)
        } else if slow >= 2 && error > LARGE_ERROR && stiffness > STIFF {
            // One that falls slowly as well, and it goes on to.
            libm::exp(-libm::log(error) / order.max(MIN_ORDER)).max(1.0 / stiffness)
        } else {
            estimate.factor.max(MIN_FACTOR)
        };
        (Rejected { h, error, z, slow }, factor)
    }
}

/// Conditions of an attempt beside the state at its start.
struct Context<'a, const N: usize> {
    /// The last longer step from the same start, which was rejected.
    rejected: Option<&'a Rejected<N>>,
    /// Whether the step ends the interval.
    is_final: bool,
    /// Whether the Jacobians at the stages may be used.
    may_take_all_jacobians: bool,
}

/// Outcome of a step.
enum Attempt<const N: usize> {
    /// The Newton iterations did not converge.
    Diverged,
    /// Increments of the three stages over x, and the estimated error.
    Done { estimate: Estimate<N>, z: Increments<N> },
}

/// Computes one step from `guess`, the first guess of the stage increments. The Jacobians at the stages, which take longer, are used where the
/// iteration with that at the start does not converge and they may be.
fn attempt<const N: usize>(
    equations: &StageEquations<impl System<N>, N>,
    start: &Start<N>,
    guess: Increments<N>,
    context: &Context<N>,
) -> Attempt<N> {
    let (h, jacobian) = (equations.h, &start.jacobian);
    let real = Lu::new(shifted(jacobian, |d, j| if d { GAMMA / h - j } else { -j }));
    let z = match equations.by_one_jacobian(guess, jacobian, &real) {
        Ok(z) => Some(z),
        Err(z) if context.may_take_all_jacobians && N <= MAX_STATES_OF_ALL_JACOBIANS => equations.by_all_jacobians(z),
        Err(_) => None,
    };
    match z.and_then(|z| Some((estimate(equations, start, &real, &z, context)?, z))) {
        Some((estimate, z)) => Attempt::Done { estimate, z },
        None => Attempt::Diverged,
    }
}

/// A step beyond the limit of inner steps whose stage equations are not solved: by the linearised equations, whatever its error, as a
/// shorter step would take further time.
#[cold]
fn linearised<const N: usize>(equations: &StageEquations<impl System<N>, N>) -> Attempt<N> {
    let z = equations.linearised();
    if z.iter().flatten().all(|z| z.is_finite()) {
        Attempt::Done { estimate: Estimate::by_order_3(0.0), z }
    } else {
        Attempt::Diverged
    }
}

/// Rate of the fastest transient by the diagonal of the Jacobian, 1/s.
fn fastest<const N: usize>(jacobian: &[[f64; N]; N]) -> f64 {
    (0..N).fold(0.0, |most, i| most.max(jacobian[i][i].abs()))
}

fn root4(x: f64) -> f64 {
    x.sqrt().sqrt()
}

/// Largest magnitude; NaN where a component is. Magnitudes are compared by their bits: these have the same order, with NaN as the largest, and
/// no branch depends on them.
fn norm<const N: usize>(x: &[f64; N], weight: &[f64; N]) -> f64 {
    let mut largest = 0;
    for i in 0..N {
        largest = (x[i] * weight[i]).abs().to_bits().max(largest);
    }
    f64::from_bits(largest)
}

/// Matrix (diagonal shift) − J, whose entries are `entry(on the diagonal, j)`.
fn shifted<S, const N: usize>(jacobian: &[[f64; N]; N], entry: impl Fn(bool, f64) -> S) -> [[S; N]; N] {
    core::array::from_fn(|i| core::array::from_fn(|j| entry(i == j, jacobian[i][j])))
}

/// Increments over the next step, `ratio` times as long, by extrapolation of the last step's collocation polynomial.
fn extrapolate<const N: usize>(z: &Increments<N>, ratio: f64) -> Increments<N> {
    NODES.map(|c| {
        let increment = increment_at(z, 1.0 + c * ratio);
        core::array::from_fn(|i| increment[i] - z[2][i])
    })
}

/// Increments over a step from the same start, `ratio` times as long.
fn shortened<const N: usize>(z: &Increments<N>, ratio: f64) -> Increments<N> {
    NODES.map(|c| increment_at(z, c * ratio))
}

/// Increment at the share `s` of a step, by its collocation polynomial.
fn increment_at<const N: usize>(z: &Increments<N>, s: f64) -> [f64; N] {
    let [l1, l2, l3] = lagrange(s);
    core::array::from_fn(|i| l1 * z[0][i] + l2 * z[1][i] + l3 * z[2][i])
}

/// Weights of the increments at the nodes in the increment at `s`: Lagrange polynomials that are 0 at 0.
fn lagrange(s: f64) -> [f64; 3] {
    let [c1, c2, c3] = NODES;
    [
        s * (s - c2) * (s - c3) / (c1 * (c1 - c2) * (c1 - c3)),
        s * (s - c1) * (s - c3) / (c2 * (c2 - c1) * (c2 - c3)),
        s * (s - c1) * (s - c2) / (c3 * (c3 - c1) * (c3 - c2)),
    ]
}

#[cfg(test)]
mod tests;
