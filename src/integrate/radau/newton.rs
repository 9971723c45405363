//! Solution of the stage equations Σ_j (A⁻¹)_ij z_j = h f(t + c_i h, x + z_i) of a step, for the increments z of its three stages.

use super::{fastest, norm, shifted};
use crate::integrate::System;
use crate::integrate::linear::{Complex, Lu};
use crate::ode::tableau::{ALPHA, BETA, GAMMA, INVERSE, NODES, T, T_INVERSE};
use core::array;

/// Increments of the three stages over the states at the start of a step.
pub type Increments<const N: usize> = [[f64; N]; 3];

/// Limit of Newton iterations. Convention: iterations that converge need fewer.
const MAX_ITERATIONS: usize = 10;
/// Remaining error of the stage equations over the tolerance of the step.
const NEWTON_SHARE: f64 = 1e-2;
/// Remaining error, estimated by the Jacobian at the end of the step, over the tolerance of the step.
const MAX_REMAINDER_AT_END: f64 = 0.1;
/// Limit of damped iterations.
const MAX_DAMPED_ITERATIONS: usize = 20;
/// Ratio of successive corrections of one direction from which on only half of the part is taken.
const DAMPED_ABOVE: f64 = 0.9;
/// Reduction of a correction over the part that was taken of the one before, from which on twice the part is taken. Where the equations are
/// linear it is 1.
const UNDAMPED_ABOVE: f64 = 0.5;
/// Smallest part of a correction to which halving leads. Convention: a correction that no shorter part makes smaller has no solution ahead.
const MIN_PART: f64 = 0.25;
/// Smallest part where a correction turns back: next to a root of |b|^α with α as small as that. Smaller parts would only delay a correction
/// that leads to another branch of the law, such as that of a limited deflection.
const MIN_PART_OF_ROOT: f64 = 0.1;
/// Lower bound on the estimated remainder of the iteration over its last correction. The first correction is as large as the error of
/// the guess, so that the second is always small beside it; and where a stage crosses a kink the iteration does not contract.
const MIN_NEWTON_REMAINDER: f64 = 0.1;
/// Size of a correction over the error allowed, up to which it is the last whatever those before were.
const NEGLIGIBLE_SIZE: f64 = 1e-3 * NEWTON_SHARE;

/// Size of a correction over the error allowed, for each state the largest of the stages.
#[derive(Clone, Copy)]
struct Sizes<const N: usize>([f64; N]);

impl<const N: usize> Sizes<N> {
    /// The largest size; NaN where one is.
    fn largest(&self) -> f64 {
        norm(&self.0, &[1.0; N])
    }

    /// Estimated remainder after this correction and the one before: size·θ/(1 − θ) (IV.8.10–11), for each state by itself. A state whose
    /// iteration contracts slowly would else count as solved beside one whose first correction was large.
    fn remainder_after(&self, last: &Self) -> f64 {
        let mut remainder: f64 = 0.0;
        for (&size, &last) in self.0.iter().zip(&last.0) {
            if size > NEGLIGIBLE_SIZE {
                let theta = size / last;
                let factor =
                    if theta < 1.0 { (theta / (1.0 - theta)).max(MIN_NEWTON_REMAINDER) } else { f64::INFINITY };
                remainder = remainder.max(size * factor);
            }
        }
        remainder
    }
}

/// A step whose stage equations are to be solved.
pub struct StageEquations<'a, S: System<N>, const N: usize> {
    system: &'a S,
    /// Start of the step, s.
    t: f64,
    /// Length of the step, s.
    pub h: f64,
    /// States at the start of the step.
    x: &'a [f64; N],
    /// Inputs at the stages.
    inputs: [S::Input; 3],
    /// One over the error allowed in each state.
    pub weight: &'a [f64; N],
}

impl<'a, S: System<N>, const N: usize> StageEquations<'a, S, N> {
    /// The stage equations of a step of length `h` (s) from the states `x` at the time `t` (s), with these weights.
    #[inline]
    pub fn new(system: &'a S, [t, h]: [f64; 2], x: &'a [f64; N], weight: &'a [f64; N]) -> Self {
        StageEquations { system, t, h, x, inputs: NODES.map(|node| system.input(t + node * h)), weight }
    }

    /// Increments by simplified Newton iterations from the first `guess`, all with the Jacobian at the start of the step; `real` is
    /// the factorised γ/h − J. They end where the estimated remainder of each state is [`NEWTON_SHARE`] of the tolerance. `Err` with the best guess so
    /// far where the corrections grow, would not be small after [`MAX_ITERATIONS`] of them, or are small by the Jacobian at the start alone.
    #[inline]
    pub fn by_one_jacobian(
        &self,
        guess: Increments<N>,
        jacobian: &[[f64; N]; N],
        real: &Lu<f64, N>,
    ) -> Result<Increments<N>, Increments<N>> {
        let h = self.h;
        let complex = Lu::new(shifted(jacobian, |d, j| {
            if d { Complex { re: ALPHA / h - j, im: BETA / h } } else { Complex { re: -j, im: 0.0 } }
        }));
        let mut z = guess;
        let mut w = transform(&T_INVERSE, &z);
        let mut last = Sizes([0.0; N]);
        for iteration in 0..MAX_ITERATIONS {
            let f = transform(&T_INVERSE, &self.rates(&z));
            let d0 = real.solve(array::from_fn(|i| f[0][i] - GAMMA / h * w[0][i]));
            let d12 = complex.solve(array::from_fn(|i| Complex {
                re: f[1][i] - (ALPHA * w[1][i] - BETA * w[2][i]) / h,
                im: f[2][i] - (ALPHA * w[2][i] + BETA * w[1][i]) / h,
            }));
            for i in 0..N {
                w[0][i] += d0[i];
                w[1][i] += d12[i].re;
                w[2][i] += d12[i].im;
            }
            let z_new = transform(&T, &w);
            let sizes = self.sizes(&array::from_fn(|s| array::from_fn(|i| z_new[s][i] - z[s][i])));
            z = z_new;
            let size = sizes.largest();
            if !size.is_finite() {
                return Err(guess);
            }
            if size <= NEGLIGIBLE_SIZE || iteration > 0 && sizes.remainder_after(&last) <= NEWTON_SHARE {
                return if self.suffices(&d0, jacobian, &z) { Ok(z) } else { Err(z) };
            }
            if iteration > 0 {
                let theta = size / last.largest();
                if iteration > 1 && theta >= 1.0 {
                    return Err(guess);
                }
                let after_all = (iteration + 1..MAX_ITERATIONS).fold(size, |size, _| size * theta);
                if theta < 1.0 && after_all > NEWTON_SHARE {
                    return Err(z);
                }
            }
            last = sizes;
        }
        Err(z)
    }

    /// Whether the last correction (its real component) would be of the same size with the Jacobian at the end of the step, within
    /// [`MAX_REMAINDER_AT_END`]. Where a stiff law becomes far less stiff within the step, corrections with the Jacobian at its start are small
    /// far from the solution.
    #[inline]
    fn suffices(&self, correction: &[f64; N], jacobian: &[[f64; N]; N], z: &Increments<N>) -> bool {
        // Without any stiffness at the end it would be larger by this factor.
        let most = norm(correction, self.weight) * fastest(jacobian) * self.h / GAMMA;
        if most <= MAX_REMAINDER_AT_END {
            return true;
        }
        let at_end = self.jacobian_at_end(z);
        let change = array::from_fn(|i| (0..N).map(|j| (at_end[i][j] - jacobian[i][j]) * correction[j]).sum());
        let missing = Lu::new(shifted(&at_end, |d, j| if d { GAMMA / self.h - j } else { -j })).solve(change);
        norm(&missing, self.weight) <= MAX_REMAINDER_AT_END
    }

    /// Increments by damped Newton iterations from the first guess `z`, each with the Jacobians at the stages. They converge where the
    /// Jacobian changes much within the step: with a normal force that goes to 0, or next to a root of |b|^α, from which undamped
    /// corrections move away for α < 1/2. `None` where they do not.
    #[cold]
    pub fn by_all_jacobians(&self, mut z: Increments<N>) -> Option<Increments<N>> {
        let (mut last, mut last_size, mut part) = ([[0.0; N]; 3], f64::INFINITY, 1.0_f64);
        for _ in 0..MAX_DAMPED_ITERATIONS {
            let changes = self.correction(&z);
            let size = self.sizes(&changes).largest();
            if !size.is_finite() {
                return None;
            }
            let theta = size / last_size;
            if theta <= 1.0 - UNDAMPED_ABOVE * part {
                part = (2.0 * part).min(1.0);
            } else if self.turns_back(&changes, &last) {
                // Next to a root of |b|^α this is α, and that part of a correction leads to the root.
                part = (part / (1.0 + theta)).max(MIN_PART_OF_ROOT);
            } else if theta >= DAMPED_ABOVE {
                part *= 0.5;
                if part < MIN_PART {
                    return None;
                }
            }
            for (z, change) in z.iter_mut().flatten().zip(changes.iter().flatten()) {
                *z += part * change;
            }
            let converges = part == 1.0 && last_size.is_finite();
            if converges && size * theta.max(MIN_NEWTON_REMAINDER) <= NEWTON_SHARE || size <= NEGLIGIBLE_SIZE {
                return Some(z);
            }
            (last, last_size) = (changes, size);
        }
        None
    }

    /// Whether a correction points against the one before, so that this one went too far.
    fn turns_back(&self, correction: &Increments<N>, last: &Increments<N>) -> bool {
        let product = |i: usize| {
            let square = self.weight[i] * self.weight[i];
            (0..3).map(|s| correction[s][i] * last[s][i] * square).sum::<f64>()
        };
        (0..N).map(product).sum::<f64>() < 0.0
    }

    /// Increments of the linearly implicit Euler method, which has no equations to iterate: a straight line to the end of the step.
    pub fn linearised(&self) -> Increments<N> {
        let [.., end] = self.inputs;
        let jacobian = self.system.jacobian(end, self.x);
        let change = Lu::new(shifted(&jacobian, |d, j| if d { 1.0 / self.h - j } else { -j }))
            .solve(self.system.rate(end, self.x));
        NODES.map(|node| change.map(|change| node * change))
    }

    /// Jacobian at the end of the step with these increments.
    pub fn jacobian_at_end(&self, z: &Increments<N>) -> [[f64; N]; N] {
        self.system.jacobian(self.inputs[2], &self.stage(z, 2))
    }

    /// Rates at the share `s` of the step with the states changed by `change`.
    pub fn rates_at(&self, s: f64, change: &[f64; N]) -> [f64; N] {
        self.system.rate(self.system.input(self.t + s * self.h), &array::from_fn(|i| self.x[i] + change[i]))
    }

    /// Rates at the stages.
    #[inline]
    fn rates(&self, z: &Increments<N>) -> Increments<N> {
        array::from_fn(|s| self.system.rate(self.inputs[s], &self.stage(z, s)))
    }

    #[inline]
    fn stage(&self, z: &Increments<N>, s: usize) -> [f64; N] {
        array::from_fn(|i| self.x[i] + z[s][i])
    }

    /// Sizes of a correction.
    #[inline]
    fn sizes(&self, correction: &Increments<N>) -> Sizes<N> {
        Sizes(array::from_fn(|i| norm(&correction.map(|change| change[i]), &[self.weight[i]; 3])))
    }

    /// Correction of one Newton iteration with the Jacobians at the stages, by elimination of one stage after the other.
    #[inline(never)] // its registers would cost the other iteration
    #[allow(clippy::needless_range_loop)] // two indices into one matrix read better than iterators
    fn correction(&self, z: &Increments<N>) -> Increments<N> {
        let h = self.h;
        let rates = self.rates(z);
        let slopes = transform(&INVERSE, z);
        let residual: Increments<N> = array::from_fn(|s| array::from_fn(|i| rates[s][i] - slopes[s][i] / h));
        let block = |s: usize| {
            let jacobian = self.system.jacobian(self.inputs[s], &self.stage(z, s));
            shifted(&jacobian, |d, j| if d { INVERSE[s][s] / h - j } else { -j })
        };
        let of = |s: usize, j: usize| INVERSE[s][j] / h;
        let first = Lu::new(block(0));
        let first_inverse = inverse(&first);
        let [mut second, mut third] = [block(1), block(2)];
        let (mut second_third, mut third_second) = ([[0.0; N]; N], [[0.0; N]; N]);
        for i in 0..N {
            for k in 0..N {
                let unit = if i == k { 1.0 } else { 0.0 };
                second[i][k] -= of(1, 0) * of(0, 1) * first_inverse[i][k];
                second_third[i][k] = of(1, 2) * unit - of(1, 0) * of(0, 2) * first_inverse[i][k];
                third_second[i][k] = of(2, 1) * unit - of(2, 0) * of(0, 1) * first_inverse[i][k];
                third[i][k] -= of(2, 0) * of(0, 2) * first_inverse[i][k];
            }
        }
        let of_first = first.solve(residual[0]);
        let r_second = array::from_fn(|i| residual[1][i] - of(1, 0) * of_first[i]);
        let r_third: [f64; N] = array::from_fn(|i| residual[2][i] - of(2, 0) * of_first[i]);
        let second = Lu::new(second);
        let second_inverse = inverse(&second);
        let quotient: [[f64; N]; N] = product(&third_second, &second_inverse);
        let change = product(&quotient, &second_third);
        for i in 0..N {
            for k in 0..N {
                third[i][k] -= change[i][k];
            }
        }
        let of_second = times(&quotient, &r_second);
        let d_third = Lu::new(third).solve(array::from_fn(|i| r_third[i] - of_second[i]));
        let back = times(&second_third, &d_third);
        let d_second = second.solve(array::from_fn(|i| r_second[i] - back[i]));
        let d_first = first.solve(array::from_fn(|i| residual[0][i] - of(0, 1) * d_second[i] - of(0, 2) * d_third[i]));
        [d_first, d_second, d_third]
    }
}

fn inverse<const N: usize>(lu: &Lu<f64, N>) -> [[f64; N]; N] {
    let columns: [[f64; N]; N] = array::from_fn(|k| lu.solve(array::from_fn(|i| if i == k { 1.0 } else { 0.0 })));
    array::from_fn(|i| array::from_fn(|k| columns[k][i]))
}

fn product<const N: usize>(a: &[[f64; N]; N], b: &[[f64; N]; N]) -> [[f64; N]; N] {
    array::from_fn(|i| array::from_fn(|k| (0..N).map(|j| a[i][j] * b[j][k]).sum()))
}

fn times<const N: usize>(a: &[[f64; N]; N], b: &[f64; N]) -> [f64; N] {
    array::from_fn(|i| (0..N).map(|j| a[i][j] * b[j]).sum())
}

/// The increments times a matrix of the stages.
#[inline]
pub fn transform<const N: usize>(matrix: &[[f64; 3]; 3], v: &Increments<N>) -> Increments<N> {
    matrix.map(|row| array::from_fn(|i| row[0] * v[0][i] + row[1] * v[1][i] + row[2] * v[2][i]))
}
