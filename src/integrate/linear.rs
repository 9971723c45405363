//! Solution of small, dense, unsymmetric systems of linear equations.

#![allow(clippy::needless_range_loop)] // two indices into one matrix read better than iterators

use core::ops::{Add, Div, Mul, Sub};

/// Number of unknowns up to which rows are exchanged at places that the compiler knows, with more
/// exchanges than are needed: the system then stays in the processor's registers.
const LARGEST_IN_REGISTERS: usize = 3;

/// Entry of a matrix, real or complex.
pub trait Entry: Copy + Sub<Output = Self> + Mul<Output = Self> {
    /// Measure of magnitude by which the pivot is chosen.
    fn size(self) -> f64;

    /// 1 over this number.
    fn reciprocal(self) -> Self;
}

impl Entry for f64 {
    fn size(self) -> f64 {
        self.abs()
    }

    fn reciprocal(self) -> Self {
        1.0 / self
    }
}

/// Complex number with the operations of the elimination.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Sub for Complex {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Complex {
            re: self.re - o.re,
            im: self.im - o.im,
        }
    }
}

impl Mul for Complex {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Complex {
            re: self.re * o.re - self.im * o.im,
            im: self.re * o.im + self.im * o.re,
        }
    }
}

impl Add for Complex {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Complex {
            re: self.re + o.re,
            im: self.im + o.im,
        }
    }
}

impl Mul<f64> for Complex {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Complex {
            re: self.re * factor,
            im: self.im * factor,
        }
    }
}

impl Div for Complex {
    type Output = Self;
    #[allow(clippy::suspicious_arithmetic_impl)] // a product with the reciprocal
    fn div(self, o: Self) -> Self {
        self * o.reciprocal()
    }
}

impl Entry for Complex {
    fn size(self) -> f64 {
        self.re.abs() + self.im.abs()
    }

    fn reciprocal(self) -> Self {
        let d = 1.0 / (self.re * self.re + self.im * self.im);
        Complex {
            re: self.re * d,
            im: -self.im * d,
        }
    }
}

/// An LU factorisation with row pivoting.
#[derive(Clone, Copy)]
pub struct Lu<S, const N: usize> {
    /// Both factors; on the diagonal the reciprocals of the pivots, because a division takes
    /// several times as long as a product.
    rows: [[S; N]; N],
    /// Whether the rows k and i > k were exchanged.
    exchanged: [[bool; N]; N],
}

impl<S: Entry, const N: usize> Lu<S, N> {
    /// Factorises `rows`. A singular matrix gives solutions that are not finite; the caller must
    /// check for them.
    pub fn new(mut rows: [[S; N]; N]) -> Self {
        let mut exchanged = [[false; N]; N];
        for k in 0..N {
            if N > LARGEST_IN_REGISTERS {
                let larger = |best: usize, i: usize| {
                    if rows[i][k].size() > rows[best][k].size() {
                        i
                    } else {
                        best
                    }
                };
                let best = (k + 1..N).fold(k, larger);
                rows.swap(k, best);
                exchanged[k][best] = true;
            } else {
                for i in k + 1..N {
                    exchanged[k][i] = rows[i][k].size() > rows[k][k].size();
                    if exchanged[k][i] {
                        rows.swap(k, i);
                    }
                }
            }
            rows[k][k] = rows[k][k].reciprocal();
            for i in k + 1..N {
                let factor = rows[i][k] * rows[k][k];
                rows[i][k] = factor;
                for j in k + 1..N {
                    rows[i][j] = rows[i][j] - factor * rows[k][j];
                }
            }
        }
        Lu { rows, exchanged }
    }

    /// The solution x of A x = `b`.
    pub fn solve(&self, mut b: [S; N]) -> [S; N] {
        for k in 0..N {
            for i in k + 1..N {
                if self.exchanged[k][i] {
                    b.swap(k, i);
                }
            }
        }
        for k in 0..N {
            for i in k + 1..N {
                b[i] = b[i] - self.rows[i][k] * b[k];
            }
        }
        for k in (0..N).rev() {
            for j in k + 1..N {
                b[k] = b[k] - self.rows[k][j] * b[j];
            }
            b[k] = b[k] * self.rows[k][k];
        }
        b
    }
}

/// Solves A x = b with as many unknowns as `b` has elements, by elimination with row pivoting: `a`
/// holds A row by row and is overwritten, `b` becomes x. A singular matrix gives solutions that are
/// not finite; the caller must check for them.
pub fn solve_dense(a: &mut [f64], b: &mut [f64]) {
    let n = b.len();
    for k in 0..n {
        let best = (k..n).fold(k, |best, i| {
            if a[i * n + k].abs() > a[best * n + k].abs() {
                i
            } else {
                best
            }
        });
        if best != k {
            (0..n).for_each(|j| a.swap(k * n + j, best * n + j));
            b.swap(k, best);
        }
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            for j in k + 1..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            b[k] -= a[k * n + j] * b[j];
        }
        b[k] /= a[k * n + k];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agree<const N: usize>(a: [[f64; N]; N], b: [f64; N]) {
        let (mut rows, mut x) = (a.concat(), b.to_vec());
        let expected = Lu::new(a).solve(b);
        solve_dense(&mut rows, &mut x);
        for (x, expected) in x.iter().zip(expected) {
            assert!((x - expected).abs() < 1e-14, "{x} for {expected}");
        }
    }

    #[test]
    fn both_eliminations_agree_on_few_unknowns_and_on_more() {
        agree([[0.0, 2.0], [-3.0, 1.0]], [1.0, -2.0]);
        agree(
            [[0.0, 2.0, 1.0], [1.0, -1.0, 0.0], [3.0, 0.0, 4.0]],
            [1.0, -2.0, 0.5],
        );
        let a = [
            [0.0, 2.0, 1.0, 0.0],
            [1.0, -1.0, 0.0, 5.0],
            [3.0, 0.0, 4.0, -1.0],
            [-4.0, 1.0, 1.0, 2.0],
        ];
        agree(a, [1.0, -2.0, 0.5, 3.0]);
    }

    #[test]
    fn a_zero_pivot_is_exchanged() {
        let a = [[0.0, 2.0, 1.0], [1.0, -1.0, 0.0], [3.0, 0.0, 4.0]];
        let x = [1.0, -2.0, 0.5];
        let b = core::array::from_fn(|i| (0..3).map(|j| a[i][j] * x[j]).sum());
        let solved = Lu::new(a).solve(b);
        for i in 0..3 {
            assert!((solved[i] - x[i]).abs() < 1e-15, "{solved:?}");
        }
    }

    #[test]
    fn a_complex_solution_satisfies_its_equations() {
        let c = |re, im| Complex { re, im };
        let a = [[c(1.0, 2.0), c(0.0, -1.0)], [c(3.0, 0.0), c(1.0, 1.0)]];
        let b = [c(1.0, 0.0), c(0.0, 1.0)];
        let x = Lu::new(a).solve(b);
        for i in 0..2 {
            let rest = b[i] - a[i][0] * x[0] - a[i][1] * x[1];
            assert!(rest.size() < 1e-15, "{rest:?}");
        }
    }

    #[test]
    fn largest_pivot_is_taken() {
        // Without an exchange the rounding of 1e20 + 1 makes x = 0.
        let a = [[1e-20, 1.0], [1.0, 1.0]];
        let x = Lu::new(a).solve([1.0, 2.0]);
        let (mut rows, mut y) = (a.concat(), vec![1.0, 2.0]);
        solve_dense(&mut rows, &mut y);
        assert!(x == [1.0, 1.0] && y == x, "{x:?} {y:?}");
        let sizes = [(3.0, -4.0), (-0.5, 0.25)].map(|(re, im)| Complex { re, im }.size());
        assert_eq!(sizes, [7.0, 0.75]);
    }
}
