//! Radau IIA(5): three stages, order 5, L-stable, error-controlled.
//!
//! The method that always holds, whatever the stiffness: a step is limited by the accuracy asked for and by
//! nothing else. Method and coefficients: E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*,
//! 2nd ed. 1996, Sec. IV.8. The stage equations are solved by simplified Newton iterations in the basis where
//! the inverse of the Runge–Kutta matrix is block-diagonal: one real and one complex system of size N.
//!
//! Error bound: per inner step the embedded estimate of order 3 (IV.8.20) is at most `tolerance` in every
//! component relative to `System::scale`. The step itself is of order 5, so that on smooth stretches the true
//! error is far below the estimate; where f has a kink or a square root the estimate is what holds.

use super::linear::{Complex, Lu};
use super::step_limit::{MAX_RELAXATION, StepLimit};
use super::{SolverError, System};
use crate::saved_state::{Reader, SavedState, Writer};

const SQRT_6: f64 = 2.449_489_742_783_178;

/// The nodes c of the method.
pub const NODES: [f64; 3] = [(4.0 - SQRT_6) / 10.0, (4.0 + SQRT_6) / 10.0, 1.0];

/// The weights b of the method: a quadrature of order 5 on the nodes.
pub const WEIGHTS: [f64; 3] = [(16.0 - SQRT_6) / 36.0, (16.0 + SQRT_6) / 36.0, 1.0 / 9.0];

/// The collocation polynomial of a step over s = 0 … 1: the increments at the stages times these coefficients of s, s² and s³.
pub const STAGE_POLYNOMIALS: [[f64; 3]; 3] = {
    let [c1, c2, c3] = NODES;
    [stage_polynomial(c1, c2, c3), stage_polynomial(c2, c1, c3), stage_polynomial(c3, c1, c2)]
};

/// The value at the start of a step of the parabola through the three stages.
pub const START_FROM_STAGES: [f64; 3] = {
    let [c1, c2, c3] = NODES;
    [c2 * c3 / ((c1 - c2) * (c1 - c3)), c1 * c3 / ((c2 - c1) * (c2 - c3)), c1 * c2 / ((c3 - c1) * (c3 - c2))]
};

/// s (s − a)(s − b), 1 at `c`.
const fn stage_polynomial(c: f64, a: f64, b: f64) -> [f64; 3] {
    let at_c = c * (c - a) * (c - b);
    [a * b / at_c, -(a + b) / at_c, 1.0 / at_c]
}

/// The inverse of the Runge–Kutta matrix A: the rates at the stages times the step, over the increments. Row i has the slopes at
/// c_i of the polynomials of [`STAGE_POLYNOMIALS`].
pub const INVERSE: [[f64; 3]; 3] = [inverse_row(NODES[0]), inverse_row(NODES[1]), inverse_row(NODES[2])];

const fn inverse_row(c: f64) -> [f64; 3] {
    let [a, b, d] = STAGE_POLYNOMIALS;
    [stage_slope(a, c), stage_slope(b, c), stage_slope(d, c)]
}

const fn stage_slope([first, second, third]: [f64; 3], s: f64) -> f64 {
    first + s * (2.0 * second + s * 3.0 * third)
}

/// The real eigenvalue of A⁻¹ and its complex pair ALPHA ± i BETA.
pub const GAMMA: f64 = 3.637_834_252_744_496;
const ALPHA: f64 = 2.681_082_873_627_752;
const BETA: f64 = 3.050_430_199_247_410_6;

/// The transformation A⁻¹ = T Λ T⁻¹ …
const T: [[f64; 3]; 3] = [
    [9.123_239_487_089_294e-2, -1.412_552_950_209_542e-1, -3.002_919_410_514_742_4e-2],
    [2.417_179_327_071_07e-1, 2.041_293_522_937_999_4e-1, 3.829_421_127_572_619e-1],
    [9.660_481_826_150_93e-1, 1.0, 0.0],
];
/// … and its inverse.
const T_INVERSE: [[f64; 3]; 3] = [
    [4.325_579_890_063_155, 3.391_992_518_158_098_6e-1, 5.417_705_399_358_749e-1],
    [-4.178_718_591_551_905, -3.276_828_207_610_623_6e-1, 4.766_235_545_005_504_4e-1],
    [-5.028_726_349_457_868e-1, 2.571_926_949_855_605, -5.960_392_048_282_249e-1],
];

/// The coefficients of the error estimate.
pub const ESTIMATE: [f64; 3] = [-(13.0 + 7.0 * SQRT_6) / 3.0, (-13.0 + 7.0 * SQRT_6) / 3.0, -1.0 / 3.0];

const MAX_ITERATIONS: usize = 10;
/// The error left in the stage equations, as a share of the step's tolerance.
const NEWTON_SHARE: f64 = 1e-2;
/// What is missing after a correction is taken for no less than this share of it. The first correction is as large as the
/// guess was wrong, so that the second looks small beside it whatever it is; and where a stage has crossed a kink since,
/// the iteration no longer contracts, and its last corrections may be far from where they should end.
const LEAST_MISSING: f64 = 0.1;

/// Loosest tolerance of an inner step. A step that is wrong by more than the scale of the states may lead anywhere.
const LOOSEST: f64 = 0.3;
/// Shortest step over the distance of neighbouring times in floating point.
const SHORTEST_STEP: f64 = 8.0;
/// Below this share of a component its changes are rounding and no error …
const ROUNDING: f64 = 1e-14;
/// … and below this size it counts as nothing.
const SMALLEST: f64 = 1e-250;

/// An accepted inner step, as an observer sees it.
pub struct Step<'a, const N: usize> {
    /// Factor by which the tolerance was relaxed, 1 within the limit of inner steps.
    pub relaxation: f64,
    /// Start of the step, s from the start of the interval.
    pub t: f64,
    /// Its length, s.
    pub h: f64,
    /// The states at its start.
    pub start: &'a [f64; N],
    /// The states at the three [`NODES`]; the last is the end of the step.
    pub stages: &'a [[f64; N]; 3],
}

impl<const N: usize> Step<'_, N> {
    /// The states after a part of the step, 0 … 1, on its collocation polynomial.
    pub fn at(&self, part: f64) -> [f64; N] {
        let [l1, l2, l3] = lagrange(part);
        let [z1, z2, z3] = self.stages;
        core::array::from_fn(|i| {
            let x = self.start[i];
            x + l1 * (z1[i] - x) + l2 * (z2[i] - x) + l3 * (z3[i] - x)
        })
    }
}

/// The integrator's memory from one interval to the next; part of the state of whatever it integrates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Radau {
    /// The step that would have suited the start of the last interval, s; 0 before the first. Transients start where
    /// an interval starts, so it is the first inner step, not the last, that fits the next interval.
    pub first_step: f64,
    /// Limit of inner steps in the present communication step; not part of the state, it begins anew with each.
    pub limit: StepLimit,
}

/// The first step alone: the limit begins anew with each communication step.
impl SavedState for Radau {
    #[inline]
    fn write(&self, writer: &mut Writer) {
        self.first_step.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(Radau { first_step: reader.at_least_zero()?, ..Radau::default() })
    }
}

impl Radau {
    /// Advances `x` from time 0 to `end` (s, > 0); returns the number of inner steps, rejected ones included, and the time
    /// reached.
    ///
    /// `tolerance` is the error allowed per inner step relative to `System::scale`. `observe` sees each accepted step and
    /// may end the integration after a part of it, 0 … 1. After a failure `x` is as far as the integration came.
    pub fn advance<const N: usize>(
        &mut self,
        system: &impl System<N>,
        x: &mut [f64; N],
        end: f64,
        tolerance: f64,
        mut observe: impl FnMut(Step<N>) -> Option<f64>,
    ) -> Result<(u32, f64), SolverError> {
        let mut t = 0.0;
        let mut h = if self.first_step > 0.0 { self.first_step } else { end };
        let mut increments: Option<(f64, [[f64; N]; 3])> = None;
        let mut last: Option<Accepted> = None;
        let mut rejected = false;
        // The step is as short as the rounding of t, and its error is accepted: that of a transient which no number of steps shows.
        let mut shortest = false;

        let mut count = 0;
        loop {
            count += 1;
            let rest = end - t;
            if self.limit.is_spent() {
                return Err(SolverError::TooManySteps { t, limit: self.limit.limit() });
            }
            let relaxation = self.limit.count().max(if shortest { MAX_RELAXATION } else { 1.0 });
            let tolerance = (tolerance * relaxation).min(LOOSEST.max(tolerance));
            h = h.min(relaxation * system.longest(t, x));
            // The last step ends exactly at `end`, and no sliver is left for it.
            let final_step = h >= rest * (1.0 - 1e-9);
            if final_step {
                h = rest;
            } else if h > 0.5 * rest {
                h = 0.5 * rest;
            }

            let scale = system.scale(t, x);
            let weight = core::array::from_fn(|i| 1.0 / (scale[i] * tolerance + ROUNDING * x[i].abs() + SMALLEST));
            let guess = increments.map_or([[0.0; N]; 3], |(h_last, z)| extrapolate(&z, h / h_last));
            let (factor, accepted) = match attempt(system, t, h, x, guess, &weight) {
                Attempt::Diverged => (0.25, None),
                Attempt::Done { error, .. } if error >= 1.0 => (growth_rate(error).max(0.1), None),
                Attempt::Done { error, z } => (growth_rate(error), Some((error, z))),
            };

            let Some((error, z)) = accepted else {
                rejected = true;
                increments = None;
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
            let mut factor = factor.min(8.0);
            if let Some(last) = last {
                // Gustafsson's predictive controller, Hairer & Wanner (IV.8.25).
                let trend = (h / last.h) * root4(last.error.max(1e-4) / error.max(1e-4));
                factor = factor.min(factor * trend);
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
            shortest = false;
            increments = Some((h, z));
            last = Some(Accepted { h, error });
            rejected = false;
            h *= factor;
        }
    }
}

/// What the step-size controller keeps of the last accepted step.
#[derive(Clone, Copy)]
struct Accepted {
    h: f64,
    error: f64,
}

enum Attempt<const N: usize> {
    /// The stage equations could not be solved with this step.
    Diverged,
    /// They were: the increments of the three stages over x, and the estimated error relative to the tolerance.
    Done { error: f64, z: [[f64; N]; 3] },
}

/// One step of length `h` from (t, x), with the stage increments guessed as `z`.
fn attempt<const N: usize>(
    system: &impl System<N>,
    t: f64,
    h: f64,
    x: &[f64; N],
    mut z: [[f64; N]; 3],
    weight: &[f64; N],
) -> Attempt<N> {
    let jacobian = system.jacobian(t, x);
    let real = Lu::new(shifted(&jacobian, |d, j| if d { GAMMA / h - j } else { -j }));
    let complex = Lu::new(shifted(&jacobian, |d, j| {
        if d { Complex { re: ALPHA / h - j, im: BETA / h } } else { Complex { re: -j, im: 0.0 } }
    }));

    let mut w = transform(&T_INVERSE, &z);
    let mut last_size = 0.0;
    let mut converged = false;
    for iteration in 0..MAX_ITERATIONS {
        let rates = core::array::from_fn(|s| {
            let stage = core::array::from_fn(|i| x[i] + z[s][i]);
            system.rate(t + NODES[s] * h, &stage)
        });
        let f = transform(&T_INVERSE, &rates);
        let d0 = real.solve(core::array::from_fn(|i| f[0][i] - GAMMA / h * w[0][i]));
        let d12 = complex.solve(core::array::from_fn(|i| Complex {
            re: f[1][i] - (ALPHA * w[1][i] - BETA * w[2][i]) / h,
            im: f[2][i] - (ALPHA * w[2][i] + BETA * w[1][i]) / h,
        }));
        for i in 0..N {
            w[0][i] += d0[i];
            w[1][i] += d12[i].re;
            w[2][i] += d12[i].im;
        }
        let z_new = transform(&T, &w);
        let mut size: f64 = 0.0;
        for s in 0..3 {
            size = size.max(norm(&core::array::from_fn(|i| z_new[s][i] - z[s][i]), weight));
        }
        z = z_new;
        if !size.is_finite() {
            return Attempt::Diverged;
        }
        // The last correction tells what is still missing: size·θ/(1 − θ) (IV.8.10–11).
        let theta = if iteration == 0 { 0.5 } else { size / last_size };
        let missing = size * (theta / (1.0 - theta)).max(LEAST_MISSING);
        let remainder_is_small = iteration > 0 && theta < 1.0 && missing <= NEWTON_SHARE;
        if remainder_is_small || size <= 1e-3 * NEWTON_SHARE {
            converged = true;
            break;
        }
        if iteration > 1 && theta >= 1.0 {
            return Attempt::Diverged;
        }
        last_size = size;
    }
    if !converged {
        return Attempt::Diverged;
    }

    let combined: [f64; N] =
        core::array::from_fn(|i| (ESTIMATE[0] * z[0][i] + ESTIMATE[1] * z[1][i] + ESTIMATE[2] * z[2][i]) / h);
    let rate = system.rate(t, x);
    // The second filtering that is usual at the start of an interval (IV.8.21) is left out: in a very stiff system it
    // hides errors of the slow motion as well, and a whole communication step passes as one.
    let error = norm(&real.solve(core::array::from_fn(|i| rate[i] + combined[i])), weight);
    if error.is_finite() { Attempt::Done { error, z } } else { Attempt::Diverged }
}

/// The factor by which the step may grow after an estimated error relative to the tolerance.
fn growth_rate(error: f64) -> f64 {
    0.9 / root4(error.max(1e-6))
}

fn root4(x: f64) -> f64 {
    x.sqrt().sqrt()
}

fn norm<const N: usize>(x: &[f64; N], weight: &[f64; N]) -> f64 {
    let mut largest: f64 = 0.0;
    for i in 0..N {
        let size = (x[i] * weight[i]).abs();
        // Not `max`: a NaN must come through.
        if size > largest || size.is_nan() {
            largest = size;
        }
    }
    largest
}

fn transform<const N: usize>(matrix: &[[f64; 3]; 3], v: &[[f64; N]; 3]) -> [[f64; N]; 3] {
    matrix.map(|row| core::array::from_fn(|i| row[0] * v[0][i] + row[1] * v[1][i] + row[2] * v[2][i]))
}

/// The matrix (diagonal shift) − J, entry by entry through `entry(on the diagonal, j)`.
fn shifted<S, const N: usize>(jacobian: &[[f64; N]; N], entry: impl Fn(bool, f64) -> S) -> [[S; N]; N] {
    core::array::from_fn(|i| core::array::from_fn(|j| entry(i == j, jacobian[i][j])))
}

/// The increments over the next step (`ratio` times as long) that continue the last step's collocation polynomial.
fn extrapolate<const N: usize>(z: &[[f64; N]; 3], ratio: f64) -> [[f64; N]; 3] {
    NODES.map(|c| {
        let [l1, l2, l3] = lagrange(1.0 + c * ratio);
        core::array::from_fn(|i| l1 * z[0][i] + l2 * z[1][i] + (l3 - 1.0) * z[2][i])
    })
}

/// The weights by which increments at the nodes make the increment at `s`: Lagrange's polynomial, 0 at 0.
fn lagrange(s: f64) -> [f64; 3] {
    let [c1, c2, c3] = NODES;
    [
        s * (s - c2) * (s - c3) / (c1 * (c1 - c2) * (c1 - c3)),
        s * (s - c1) * (s - c3) / (c2 * (c2 - c1) * (c2 - c3)),
        s * (s - c1) * (s - c2) / (c3 * (c3 - c1) * (c3 - c2)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x' = −1000 (x − cos t) − sin t: the solution cos t, approached at 1000 1/s.
    struct ProtheroRobinson;

    impl System<1> for ProtheroRobinson {
        fn rate(&self, t: f64, x: &[f64; 1]) -> [f64; 1] {
            [-1000.0 * (x[0] - libm::cos(t)) - libm::sin(t)]
        }
        fn jacobian(&self, _: f64, _: &[f64; 1]) -> [[f64; 1]; 1] {
            [[-1000.0]]
        }
        fn scale(&self, _: f64, _: &[f64; 1]) -> [f64; 1] {
            [1.0]
        }
    }

    /// The pendulum ẍ = −sin x.
    struct Pendulum;

    impl System<2> for Pendulum {
        fn rate(&self, _: f64, x: &[f64; 2]) -> [f64; 2] {
            [x[1], -libm::sin(x[0])]
        }
        fn jacobian(&self, _: f64, x: &[f64; 2]) -> [[f64; 2]; 2] {
            [[0.0, 1.0], [-libm::cos(x[0]), 0.0]]
        }
        fn scale(&self, _: f64, _: &[f64; 2]) -> [f64; 2] {
            [1.0; 2]
        }
    }

    #[test]
    fn coefficients_diagonalise_the_inverse_of_the_runge_kutta_matrix() {
        // A⁻¹ = T Λ T⁻¹ must map the values c_i^k/k to the rates c_i^(k−1) of the monomials t^k/k, k = 1, 2, 3.
        for k in 1..=3 {
            let power = |c: f64, n: i32| (0..n).fold(1.0, |p, _| p * c);
            let values = NODES.map(|c| [power(c, k) / f64::from(k)]);
            let w = transform(&T_INVERSE, &values);
            let scaled = [[GAMMA * w[0][0]], [ALPHA * w[1][0] - BETA * w[2][0]], [BETA * w[1][0] + ALPHA * w[2][0]]];
            let rates = transform(&T, &scaled);
            for s in 0..3 {
                let expected = power(NODES[s], k - 1);
                assert!((rates[s][0] - expected).abs() < 1e-13, "k = {k}: {} for {expected}", rates[s][0]);
            }
        }
    }

    #[test]
    fn one_step_is_of_order_five() {
        let error = |h: f64| {
            let exact = {
                let mut x = [1.0, 0.5];
                Radau::default().advance(&Pendulum, &mut x, h, 1e-15, |_| None).unwrap();
                x
            };
            let x = [1.0, 0.5];
            let Attempt::Done { z, .. } = attempt(&Pendulum, 0.0, h, &x, [[0.0; 2]; 3], &[1e15; 2]) else {
                panic!("the stage equations have a solution");
            };
            (x[0] + z[2][0] - exact[0]).abs()
        };
        // The local error is of order 6: halving the step divides it by 64.
        let ratio = error(0.4) / error(0.2);
        assert!((45.0..90.0).contains(&ratio), "{ratio}");
    }

    #[test]
    fn a_stiff_solution_is_followed_with_few_steps_at_its_tolerance() {
        let mut x = [0.0];
        let (steps, _) = Radau::default().advance(&ProtheroRobinson, &mut x, 10.0, 1e-7, |_| None).unwrap();
        assert!((x[0] - libm::cos(10.0)).abs() < 1e-7, "{}", x[0]);
        assert!(steps < 300, "{steps} steps where an explicit method needs thousands");
    }

    #[test]
    fn observed_steps_are_seamless_and_carry_the_quadrature() {
        let mut x = [1.0, 0.0];
        let (mut end, mut area) = (0.0, 0.0);
        Radau::default()
            .advance(&Pendulum, &mut x, 3.0, 1e-9, |step: Step<2>| {
                assert_eq!(step.t, end);
                end = step.t + step.h;
                area += step.h * (0..3).map(|s| WEIGHTS[s] * step.stages[s][1]).sum::<f64>();
                None
            })
            .unwrap();
        assert!((end - 3.0).abs() < 1e-15);
        // ∫ẋ dt is the change of x.
        assert!((area - (x[0] - 1.0)).abs() < 1e-8, "{area} for {}", x[0] - 1.0);
    }

    #[test]
    fn an_observer_ends_the_integration_within_a_step() {
        let mut x = [1.0, 0.0];
        let (_, t) = Radau::default()
            .advance(&Pendulum, &mut x, 3.0, 1e-9, |step: Step<2>| {
                (step.t + step.h > 1.0).then(|| (1.0 - step.t) / step.h)
            })
            .unwrap();
        let mut exact = [1.0, 0.0];
        Radau::default().advance(&Pendulum, &mut exact, 1.0, 1e-13, |_| None).unwrap();
        assert!((t - 1.0).abs() < 1e-15);
        assert!((x[0] - exact[0]).abs() < 1e-8 && (x[1] - exact[1]).abs() < 1e-8, "{x:?} for {exact:?}");
    }

    #[test]
    fn what_cannot_be_integrated_is_refused() {
        struct Explosion;
        impl System<1> for Explosion {
            fn rate(&self, _: f64, x: &[f64; 1]) -> [f64; 1] {
                [x[0] * x[0]]
            }
            fn jacobian(&self, _: f64, x: &[f64; 1]) -> [[f64; 1]; 1] {
                [[2.0 * x[0]]]
            }
            fn scale(&self, _: f64, _: &[f64; 1]) -> [f64; 1] {
                [1.0]
            }
        }
        // x = 1/(1 − t) has no value at 2.
        let mut solver = Radau::default();
        let result = solver.advance(&Explosion, &mut [1.0], 2.0, 1e-6, |_| None);
        let refused = matches!(result, Err(SolverError::StepTooSmall { t }) if (t - 1.0).abs() < 1e-3);
        assert!(refused || solver.limit.error() > 1e-3, "{result:?} {solver:?}");
    }
}
