//! Elimination of the states of all contacts from Newton's matrix, and of the coordinates from what
//! remains.

#![allow(clippy::needless_range_loop)] // indices into several matrices read better than iterators

use super::super::super::contact::LawState;
use super::super::super::linear_body::LinearBody;
use super::Branch;
use crate::law::{Jacobian, MAX_STATES};
use crate::ode::Field;

/// Factors of s − ∂r/∂x, and (s − ∂r/∂x)⁻¹ ∂r/∂v.
#[derive(Clone, Copy, Debug)]
pub struct Eliminated<F> {
    pub factors: [F; MAX_STATES * MAX_STATES],
    pub by_v: [[F; MAX_STATES]; 2],
}

/// LU factors of a matrix of n rows, in place of it, with reciprocals on the diagonal. The matrix
/// is s minus rates that a step is short against: rows are not exchanged. One that is singular
/// gives solutions that are not finite.
fn factorise<F: Field>(n: usize, m: &mut [F]) {
    for p in 0..n {
        m[p * n + p] = m[p * n + p].reciprocal();
        for i in p + 1..n {
            let factor = m[i * n + p] * m[p * n + p];
            m[i * n + p] = factor;
            for j in p + 1..n {
                m[i * n + j] = m[i * n + j] - factor * m[p * n + j];
            }
        }
    }
}

/// Solution of a system with these factors, in place of its right side.
pub fn substitute<F: Field>(factors: &[F], b: &mut [F]) {
    let n = b.len();
    for i in 0..n {
        for j in 0..i {
            b[i] = b[i] - factors[i * n + j] * b[j];
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            b[i] = b[i] - factors[i * n + j] * b[j];
        }
        b[i] = b[i] * factors[i * n + i];
    }
}

/// Factors of the body's matrix for a shift s, with the contacts' parts.
pub fn eliminate<F: Field>(
    body: &LinearBody,
    states: usize,
    branches: &mut [Branch],
    s: F,
    matrix: &mut [F],
    part: impl Fn(&mut Branch) -> (&Jacobian<MAX_STATES>, &mut Eliminated<F>),
) {
    let n = body.size;
    for (i, entry) in matrix.iter_mut().enumerate() {
        *entry = if i % (n + 1) == 0 { s } else { F::real(0.0) };
    }
    for (entry, own) in matrix.iter_mut().zip(&body.own) {
        *entry = *entry - F::real(*own);
    }
    for (i, branch) in branches
        .iter_mut()
        .enumerate()
        .filter(|(_, branch)| branch.acts())
    {
        let (
            Jacobian {
                rate_x,
                rate_v,
                force_x,
                force_v,
                ..
            },
            Eliminated { factors, by_v },
        ) = part(branch);
        let factors = &mut factors[..states * states];
        for k in 0..states {
            for l in 0..states {
                factors[k * states + l] =
                    if k == l { s } else { F::real(0.0) } - F::real(rate_x[k][l]);
            }
        }
        factorise(states, factors);
        for (other, c_row) in body.rows(i).enumerate() {
            let answer = &mut by_v[other][..states];
            answer
                .iter_mut()
                .zip(rate_v[other])
                .for_each(|(answer, rate)| *answer = F::real(rate));
            substitute(factors, answer);
            for (axis, g_row) in body.rows(i).enumerate() {
                let direct = F::real(force_v[axis][other]);
                let response =
                    (0..states).fold(direct, |sum, k| sum + answer[k] * force_x[axis][k]);
                for (j, g) in body.input(g_row).iter().enumerate() {
                    for (k, c) in body.output(c_row).iter().enumerate() {
                        matrix[j * n + k] = matrix[j * n + k] + response * (g * c);
                    }
                }
            }
        }
    }
    factorise(n, matrix);
}

/// Eliminates the states of a contact from right sides: solves for them alone, and takes their pull
/// from those of the body.
pub fn forward<F: Field>(
    body: &LinearBody,
    contact: usize,
    force_x: &[LawState; 2],
    factors: &[F],
    own: &mut [F],
    of_body: &mut [F],
) {
    substitute(&factors[..own.len() * own.len()], own);
    for (axis, g_row) in body.rows(contact).enumerate() {
        let pull = own
            .iter()
            .zip(force_x[axis])
            .fold(F::real(0.0), |sum, (own, by)| sum + *own * by);
        for (right, g) in of_body.iter_mut().zip(body.input(g_row)) {
            *right = *right - pull * *g;
        }
    }
}

/// Changes of the velocity of a contact by those of the coordinates.
pub fn velocities<F: Field>(body: &LinearBody, contact: usize, changes: &[F]) -> [F; 2] {
    let mut dv = [F::real(0.0); 2];
    for (dv, row) in dv.iter_mut().zip(body.rows(contact)) {
        *dv = changes
            .iter()
            .zip(body.output(row))
            .fold(*dv, |sum, (y, c)| sum + *y * *c);
    }
    dv
}

/// Change of a state of a contact: alone, and by the changes of the velocity.
pub fn backward<F: Field>(
    by_v: &[[F; MAX_STATES]; 2],
    state: usize,
    alone: F,
    [along, across]: [F; 2],
) -> F {
    alone + by_v[0][state] * along + by_v[1][state] * across
}
