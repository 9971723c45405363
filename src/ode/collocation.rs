//! One step of Radau IIA(5): its stage equations and their solution.
//!
//! The increments W of u at the three stages solve A⁻¹ W/h = f(t + c h, z + Z, u + W), where Z = h
//! (c u + A W) in a system of second order. In the basis in which A⁻¹ is block-diagonal Newton's
//! matrix is s − ∂f/∂u − (∂f/∂z)/s, with s = γ/h and with the complex s = (α + iβ)/h.

#![allow(clippy::needless_range_loop)] // two indices into one matrix read better than iterators

use super::tableau::{
    A, ALPHA, BETA, GAMMA, INVERSE, NODES, STAGE_POLYNOMIALS, T, T_INVERSE, stage_coefficients,
};
use super::{Collocation, Linearised, Matrix, State, System};
use crate::integrate::extrema::larger;
use crate::integrate::linear::{Complex, Entry, Lu};
use crate::switches::{Method, is_on};
use core::array;
use core::ops::{Add, Div, Mul};

/// Increments of u at the stages.
pub type Stages<const D: usize> = [[f64; D]; 3];

/// Limit of Newton's iterations. Convention: iterations that converge need fewer.
const MAX_ITERATIONS: u32 = 8;
/// Remaining error of the stage equations over the error allowed, 1. Larger: the error is visible
/// in that of the step; smaller: more iterations.
const NEWTON_SHARE: f64 = 0.03;
/// Factor on the contraction of the step before, of which the first iteration of a step is judged,
/// 1.
const CONTRACTION_SAFETY: f64 = 3.0;
/// Lower bound on the contraction of the first iteration, 1: one that is measured once may be small
/// by chance.
const MIN_CONTRACTION: f64 = 0.01;
/// Lower bound on the remainder of a later iteration over its last change, 1.
const MIN_REMAINDER: f64 = 1e-3;
/// Change of the stages, over the error allowed, beyond which the iteration has diverged.
const DIVERGED: f64 = 1e12;

/// Halvings of a step in which a crossing is located: to some roundings of its length.
const HALVINGS: u32 = 48;

/// Outcome of an iteration so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Another iteration is needed.
    Open,
    /// The remaining error is a small share of the error allowed.
    Converged,
    /// The iteration diverges, or is too slow.
    Diverged,
}

/// Judge of simplified Newton iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Convergence {
    /// Error left by an iteration over its change: of the step before, until it is measured.
    pub contraction: f64,
    last: f64,
    iteration: u32,
}

impl Convergence {
    /// Judge at the start of a step; the contraction is 0 where it is not known.
    #[inline(always)]
    pub fn new(contraction: f64) -> Self {
        Convergence {
            contraction,
            last: 0.0,
            iteration: 0,
        }
    }

    /// Judges an iteration by its change, over the error allowed.
    #[inline(always)]
    pub fn judge(&mut self, size: f64) -> Verdict {
        if self.iteration > 0 {
            self.contraction = size / self.last;
        }
        if !(size < DIVERGED) || self.iteration > 1 && self.contraction >= 1.0 {
            return Verdict::Diverged;
        }
        let remainder = match (self.iteration, self.contraction > 0.0) {
            (0, true) => (CONTRACTION_SAFETY * self.contraction).max(MIN_CONTRACTION),
            (0, false) => 1.0,
            _ => (self.contraction / (1.0 - self.contraction).max(1e-3)).max(MIN_REMAINDER),
        };
        if size * remainder <= NEWTON_SHARE {
            return Verdict::Converged;
        }
        self.last = size;
        self.iteration += 1;
        if self.iteration == MAX_ITERATIONS {
            Verdict::Diverged
        } else {
            Verdict::Open
        }
    }
}

/// Arithmetic of Newton's matrix, real and complex.
pub trait Field: Entry + Add<Output = Self> + Mul<f64, Output = Self> + Div<Output = Self> {
    /// A real number.
    fn real(x: f64) -> Self;
}

impl Field for f64 {
    #[inline(always)]
    fn real(x: f64) -> f64 {
        x
    }
}

impl Field for Complex {
    #[inline(always)]
    fn real(x: f64) -> Complex {
        Complex { re: x, im: 0.0 }
    }
}

/// Inverse of s − ∂f/∂u − (∂f/∂z)/s; by cofactors of one or two axes.
#[inline(always)]
pub fn inverse<F: Field, const D: usize>(
    s: F,
    f: &Linearised<D>,
    second_order: bool,
) -> [[F; D]; D] {
    let [zero, one] = [0.0, 1.0].map(F::real);
    let over_s = if second_order { one / s } else { zero };
    let m: [[F; D]; D] = array::from_fn(|i| {
        array::from_fn(|j| {
            let entry = if i == j { s } else { zero } - F::real(f.by_u[i][j]);
            if second_order {
                entry - over_s * f.by_z[i][j]
            } else {
                entry
            }
        })
    });
    match D {
        1 => [[one / m[0][0]; D]; D],
        2 => {
            let factor = one / (m[0][0] * m[1][1] - m[0][1] * m[1][0]);
            array::from_fn(|i| {
                array::from_fn(|j| {
                    if i == j {
                        m[1 - i][1 - i] * factor
                    } else {
                        m[i][j] * factor * -1.0
                    }
                })
            })
        }
        _ => {
            let lu = Lu::new(m);
            let columns: [[F; D]; D] =
                array::from_fn(|j| lu.solve(array::from_fn(|i| if i == j { one } else { zero })));
            array::from_fn(|i| array::from_fn(|j| columns[j][i]))
        }
    }
}

/// Matrix times vector.
#[inline(always)]
pub fn times<F: Field, const D: usize>(matrix: &[[F; D]; D], x: &[F; D]) -> [F; D] {
    array::from_fn(|i| (1..D).fold(matrix[i][0] * x[0], |sum, j| sum + matrix[i][j] * x[j]))
}

/// Real matrix times real vector.
#[inline(always)]
pub fn product<const D: usize>(matrix: &Matrix<D>, x: &[f64; D]) -> [f64; D] {
    times(matrix, x)
}

/// The stages times a matrix.
#[inline(always)]
pub fn transform<const D: usize>(matrix: &[[f64; 3]; 3], w: &Stages<D>) -> Stages<D> {
    matrix.map(|row| combine(&row, w))
}

/// Sum of the stages with these weights.
#[inline(always)]
pub fn combine<const D: usize>(weights: &[f64; 3], w: &Stages<D>) -> [f64; D] {
    array::from_fn(|i| weights[0] * w[0][i] + weights[1] * w[1][i] + weights[2] * w[2][i])
}

/// Start of a step.
pub struct Start<S: System<D>, const D: usize> {
    /// Time, s from the start of the interval.
    pub t: f64,
    /// Inputs.
    pub at: S::At,
    /// States.
    pub x: State<D>,
    /// Rate with its derivatives.
    pub f: Linearised<D>,
    /// 1 over the errors of z and u allowed in the step, of each axis.
    pub weights: State<D>,
    /// Error allowed over the scale, 1.
    pub allowed: f64,
}

/// A step whose stage equations are solved.
pub struct Step<S: System<D>, const D: usize> {
    /// Length, s.
    pub h: f64,
    /// Inputs at the stages.
    pub at: [S::At; 3],
    /// Increments of u.
    pub w: Stages<D>,
    /// States at the stages.
    pub states: [State<D>; 3],
    /// Contraction of the iteration.
    pub contraction: f64,
    /// Inverse of γ/h − ∂f/∂u − (∂f/∂z) h/γ.
    pub real: Matrix<D>,
}

/// Solution of the stage equations.
struct Solution<const D: usize> {
    /// Increments of u.
    w: Stages<D>,
    /// Contraction of the iteration.
    contraction: f64,
}

/// Inverses of Newton's matrix in the real and in the complex part of the basis.
struct Inverses<const D: usize> {
    real: Matrix<D>,
    complex: [[Complex; D]; D],
}

impl<S: System<D>, const D: usize> Start<S, D> {
    /// States at the share `part` of a step of length `h` from increments of z and u there.
    #[inline(always)]
    fn plus(&self, z: &[f64; D], u: &[f64; D]) -> State<D> {
        State {
            z: array::from_fn(|i| self.x.z[i] + z[i]),
            u: array::from_fn(|i| self.x.u[i] + u[i]),
        }
    }

    /// States at the three stages.
    #[inline(always)]
    fn stages(&self, h: f64, w: &Stages<D>) -> [State<D>; 3] {
        let z: Stages<D> = if S::SECOND_ORDER {
            let of_u = transform(&A, w);
            array::from_fn(|s| array::from_fn(|i| h * (NODES[s] * self.x.u[i] + of_u[s][i])))
        } else {
            [[0.0; D]; 3]
        };
        array::from_fn(|s| self.plus(&z[s], &w[s]))
    }

    /// Solves the stage equations of a step of length `h` from a first guess of the increments, if
    /// there is one; `None` where the iteration diverges.
    #[inline(always)]
    pub fn solve(
        &self,
        system: &S,
        h: f64,
        guess: Option<Stages<D>>,
        contraction: f64,
    ) -> Option<Step<S, D>> {
        let per_h = 1.0 / h;
        let at = NODES.map(|c| system.at(self.t + c * h));
        let real = inverse(GAMMA * per_h, &self.f, S::SECOND_ORDER);
        if system.is_linear() && is_on(Method::DirectSolution) {
            let w = self.solve_linear(system, per_h, &at);
            return Some(Step {
                h,
                at,
                w,
                states: self.stages(h, &w),
                contraction: 0.0,
                real,
            });
        }
        let complex = inverse(
            Complex {
                re: ALPHA * per_h,
                im: BETA * per_h,
            },
            &self.f,
            S::SECOND_ORDER,
        );
        let guess = guess.unwrap_or_else(|| {
            at.each_ref()
                .map(|later| system.predict(&self.at, &self.x, later))
        });
        let inverses = Inverses { real, complex };
        let Solution { w, contraction } =
            self.iterate(system, h, &at, guess, contraction, &inverses)?;
        Some(Step {
            h,
            at,
            w,
            states: self.stages(h, &w),
            contraction,
            real,
        })
    }

    /// Simplified Newton iterations in the basis in which the inverse of the Runge–Kutta matrix is
    /// block-diagonal.
    #[inline(always)]
    fn iterate(
        &self,
        system: &S,
        h: f64,
        at: &[S::At; 3],
        mut w: Stages<D>,
        contraction: f64,
        inverses: &Inverses<D>,
    ) -> Option<Solution<D>> {
        let State {
            z: weight_z,
            u: weight_u,
        } = self.weights;
        let weight: [f64; D] = array::from_fn(|i| {
            if S::SECOND_ORDER {
                larger(h * weight_z[i], weight_u[i])
            } else {
                weight_u[i]
            }
        });
        let shift = Complex {
            re: ALPHA / h,
            im: BETA / h,
        };
        let mut v = transform(&T_INVERSE, &w);
        let mut convergence = Convergence::new(contraction);
        loop {
            let states = self.stages(h, &w);
            let rates: Stages<D> = array::from_fn(|s| system.rate(&at[s], &states[s]));
            let g = transform(&T_INVERSE, &rates);
            let first = product(
                &inverses.real,
                &array::from_fn(|i| g[0][i] - GAMMA / h * v[0][i]),
            );
            let second = times(
                &inverses.complex,
                &array::from_fn(|i| {
                    Complex {
                        re: g[1][i],
                        im: g[2][i],
                    } - shift
                        * Complex {
                            re: v[1][i],
                            im: v[2][i],
                        }
                }),
            );
            for i in 0..D {
                v[0][i] += first[i];
                v[1][i] += second[i].re;
                v[2][i] += second[i].im;
            }
            let next = transform(&T, &v);
            let change: Stages<D> = array::from_fn(|s| array::from_fn(|i| next[s][i] - w[s][i]));
            w = next;
            let size = change.iter().fold(0.0, |most: f64, change| {
                larger(weighted(&weight, change), most)
            });
            match convergence.judge(size) {
                Verdict::Open => {}
                Verdict::Converged => {
                    return Some(Solution {
                        w,
                        contraction: convergence.contraction,
                    });
                }
                Verdict::Diverged => return None,
            }
        }
    }

    /// Solution of a linear system's stage equations, (A⁻¹/h + k) W = f: one system of three
    /// unknowns for all axes.
    #[inline(always)]
    fn solve_linear(&self, system: &S, per_h: f64, at: &[S::At; 3]) -> Stages<D> {
        let mut m = INVERSE.map(|row| row.map(|entry| entry * per_h));
        let mut b: Stages<D> = array::from_fn(|s| system.rate(&at[s], &self.x));
        for s in 0..3 {
            m[s][s] += system.decay_rate(&at[s]);
        }
        for p in 0..3 {
            for q in p + 1..3 {
                let factor = m[q][p] / m[p][p];
                for j in p + 1..3 {
                    m[q][j] -= factor * m[p][j];
                }
                for i in 0..D {
                    b[q][i] -= factor * b[p][i];
                }
            }
        }
        for p in (0..3).rev() {
            for i in 0..D {
                for j in p + 1..3 {
                    b[p][i] -= m[p][j] * b[j][i];
                }
                b[p][i] /= m[p][p];
            }
        }
        b
    }

    /// Whether f is known to be smooth over a step from here: all stages are on the branch of the
    /// start.
    #[inline(always)]
    pub fn is_on_one_branch(&self, system: &S, step: &Step<S, D>) -> bool {
        !S::IS_HYBRID && {
            let branch = system.branch(&self.at, &self.x);
            (0..3).all(|s| system.branch(&step.at[s], &step.states[s]) == branch)
        }
    }

    /// Share of a step from here at which the system comes to another branch; `None` where both
    /// ends are on one, or within `margin` of their border relative to u.
    #[inline(always)]
    pub fn crossing(&self, system: &S, step: &Step<S, D>, margin: f64) -> Option<f64> {
        let branch = system.branch(&self.at, &self.x);
        if system.branch(&step.at[2], &step.states[2]) == branch {
            return None;
        }
        self.located_crossing(system, step, margin)
    }

    #[cold]
    fn located_crossing(&self, system: &S, step: &Step<S, D>, margin: f64) -> Option<f64> {
        let is_at_border = |at: &S::At, x: &State<D>| {
            let [inner, outer] = [1.0 - margin, 1.0 + margin].map(|factor| State {
                u: x.u.map(|u| factor * u),
                ..*x
            });
            system.branch(at, &inner) != system.branch(at, &outer)
        };
        if is_at_border(&self.at, &self.x) || is_at_border(&step.at[2], &step.states[2]) {
            return None;
        }
        let (branch, polynomial) = (system.branch(&self.at, &self.x), self.polynomial(step));
        let (mut near, mut far) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (near + far);
            let u = polynomial
                .u
                .map(|[a, b, c, d]| a + middle * (b + middle * (c + middle * d)));
            let is_on_branch = system
                .branch(&system.at(self.t + middle * step.h), &State { u, ..self.x })
                == branch;
            if is_on_branch {
                near = middle
            } else {
                far = middle
            }
        }
        Some(far)
    }

    /// Collocation polynomial of u over a step from here.
    pub fn polynomial(&self, step: &Step<S, D>) -> Collocation<D> {
        let of = |i: usize| {
            let [first, second, third] = stage_coefficients(step.w.map(|w| w[i]));
            [self.x.u[i], first, second, third]
        };
        Collocation {
            t: self.t,
            h: step.h,
            z: self.x.z,
            u: array::from_fn(of),
        }
    }

    /// The first part of a step from here, up to a share of it, on its collocation polynomial.
    pub fn cut(&self, system: &S, step: &Step<S, D>, part: f64) -> Step<S, D> {
        let h = part * step.h;
        let of = |c: f64| {
            let s = c * part;
            combine(
                &STAGE_POLYNOMIALS.map(|[a, b, c]| s * (a + s * (b + s * c))),
                &step.w,
            )
        };
        let w = NODES.map(of);
        let at = NODES.map(|c| system.at(self.t + c * h));
        Step {
            h,
            at,
            w,
            states: self.stages(h, &w),
            contraction: step.contraction,
            real: step.real,
        }
    }

    /// Step of the linearly implicit Euler method: it has a result wherever the rate and its
    /// derivatives are finite.
    #[cold]
    pub fn euler(&self, system: &S, h: f64) -> Step<S, D> {
        let pulled = product(&self.f.by_z, &self.x.u);
        let right =
            array::from_fn(|i| self.f.rate[i] + if S::SECOND_ORDER { h * pulled[i] } else { 0.0 });
        let change = product(&inverse(1.0 / h, &self.f, S::SECOND_ORDER), &right);
        let real = inverse(GAMMA / h, &self.f, S::SECOND_ORDER);
        let w = NODES.map(|c| change.map(|change| c * change));
        let at = NODES.map(|c| system.at(self.t + c * h));
        Step {
            h,
            at,
            w,
            states: self.stages(h, &w),
            contraction: 0.0,
            real,
        }
    }
}

/// Largest magnitude of the components of a vector, each times its weight.
#[inline(always)]
pub fn weighted<const D: usize>(weights: &[f64; D], x: &[f64; D]) -> f64 {
    (1..D).fold(weights[0] * x[0].abs(), |most, i| {
        larger(weights[i] * x[i].abs(), most)
    })
}
