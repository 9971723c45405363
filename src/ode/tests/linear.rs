//! Linear systems beside their Taylor series; energy; scales of the axes.

use super::problems::{Problem, error, integrate, of, resume};
use super::{Oscillator, of_all_steps};
use crate::integrate::memory::Memory;
use crate::laws::tests::random;
use crate::ode::{Linearised, Matrix, State, implicit_change};
use crate::scalar::Scalar;
use core::array;

/// u′ = K z + C u, of second order or, without K, of first.
struct Linear<const SECOND_ORDER: bool, const D: usize> {
    by_z: Matrix<D>,
    by_u: Matrix<D>,
    scale: [[f64; D]; 2],
}

impl<const SECOND_ORDER: bool, const D: usize> Problem<D> for Linear<SECOND_ORDER, D> {
    const SECOND_ORDER: bool = SECOND_ORDER;

    fn rate<S: Scalar>(&self, _: f64, z: &[S; D], u: &[S; D]) -> [S; D] {
        array::from_fn(|i| {
            (0..D).fold(S::constant(0.0), |sum, j| {
                sum + z[j] * self.by_z[i][j] + u[j] * self.by_u[i][j]
            })
        })
    }

    fn scale(&self, _: &State<D>) -> [[f64; D]; 2] {
        self.scale
    }
}

impl<const SECOND_ORDER: bool, const D: usize> Linear<SECOND_ORDER, D> {
    /// States after a duration (s) by the exponential function's Taylor series over equal parts.
    fn exact(&self, mut x: State<D>, duration: f64, parts: u32) -> State<D> {
        let h = duration / f64::from(parts);
        for _ in 0..parts {
            let mut term = x;
            for order in 1..25 {
                let factor = h / f64::from(order);
                let rate = self.rate(0.0, &term.z, &term.u);
                let z = if SECOND_ORDER { term.u } else { [0.0; D] };
                term = State {
                    z: z.map(|z| factor * z),
                    u: rate.map(|rate| factor * rate),
                };
                for i in 0..D {
                    x.z[i] += term.z[i];
                    x.u[i] += term.u[i];
                }
            }
        }
        x
    }
}

/// Random negative definite matrix: symmetric, with a diagonal that outweighs its row.
fn negative<const D: usize>(random: &mut impl FnMut() -> f64) -> Matrix<D> {
    let part: Matrix<D> = array::from_fn(|_| array::from_fn(|_| random()));
    array::from_fn(|i| {
        array::from_fn(|j| {
            if i == j {
                -(1.0 + D as f64)
            } else {
                0.5 * (part[i][j] + part[j][i])
            }
        })
    })
}

/// Random systems of both orders; a row of the first is up to a thousand times as stiff as another.
fn compare<const D: usize>(random: &mut impl FnMut() -> f64, tolerance: f64) {
    let by_u = negative::<D>(random);
    let stiff = by_u.map(|row| {
        let factor = libm::pow(10.0, 1.5 + 1.5 * random());
        row.map(|entry| factor * entry)
    });
    let first = Linear::<false, D> {
        by_z: [[0.0; D]; D],
        by_u: stiff,
        scale: [[1.0; D]; 2],
    };
    let second = Linear::<true, D> {
        by_z: negative(random),
        by_u,
        scale: [[1.0; D]; 2],
    };
    let start = State {
        z: array::from_fn(|_| random()),
        u: array::from_fn(|_| random()),
    };
    let of_first = error(
        &integrate(&first, of(start.u), 1.0, tolerance).0,
        &first.exact(of(start.u), 1.0, 8000),
    );
    let of_second = error(
        &integrate(&second, start, 3.0, tolerance).0,
        &second.exact(start, 3.0, 200),
    );
    assert!(
        of_first < tolerance && of_second < tolerance,
        "{D} axes, {tolerance:e}: {of_first:e}, {of_second:e}"
    );
}

#[test]
fn random_linear_systems_of_one_to_eight_axes_follow_their_exponential_function() {
    let mut random = random(7);
    for tolerance in [1e-4, 1e-6, 1e-8] {
        for _ in 0..5 {
            compare::<1>(&mut random, tolerance);
            compare::<2>(&mut random, tolerance);
            compare::<3>(&mut random, tolerance);
            compare::<8>(&mut random, tolerance);
        }
    }
}

/// Radau IIA damps every oscillation. Errors δ of z and u change the energy by at most √2 δ,
/// because
/// |z| + |u| is at most √2.
#[test]
fn undamped_spring_loses_no_more_energy_than_the_errors_of_its_steps() {
    for tolerance in [1e-4, 1e-6, 1e-8] {
        let (mut x, mut energy, mut memory) =
            (State { z: [1.0], u: [0.0] }, 0.5, Memory::default());
        let mut steps = 0;
        for period in 0..100 {
            let spring = Oscillator::new(1.0, 0.0);
            let (next, done) = resume(
                &spring,
                x,
                2.0 * core::f64::consts::PI,
                tolerance,
                &mut memory,
            )
            .unwrap();
            let left = 0.5 * (next.z[0] * next.z[0] + next.u[0] * next.u[0]);
            assert!(
                left < energy,
                "{tolerance:e}: {left} after {energy} in period {period}"
            );
            (x, energy, steps) = (next, left, steps + done.inner_steps);
        }
        let bound = core::f64::consts::SQRT_2 * of_all_steps(steps) * tolerance;
        assert!(
            0.5 - energy < bound,
            "{tolerance:e}: {:e} of {bound:e}",
            0.5 - energy
        );
    }
}

/// Springs with rates of 1 and 100 1/s; an axis with an infinite scale costs no step.
#[test]
fn each_axis_keeps_the_tolerance_of_its_own_scale() {
    let by_z = [[-1.0, 0.0], [0.0, -1e4]];
    let start = State {
        z: [1.0, 0.01],
        u: [0.0; 2],
    };
    let rates = [1.0, 100.0];
    for scale in [
        [1.0, 1.0],
        [1.0, 1e-6],
        [1e-6, 1.0],
        [1.0, f64::INFINITY],
        [1e-6, f64::INFINITY],
    ] {
        let problem = Linear::<true, 2> {
            by_z,
            by_u: [[0.0; 2]; 2],
            scale: [[scale[0], 0.01 * scale[1]], scale],
        };
        let (x, done) = integrate(&problem, start, 1.0, 1e-3);
        for i in 0..2 {
            let error = (x.u[i] + libm::sin(rates[i]))
                .abs()
                .max((rates[i] * x.z[i] - libm::cos(rates[i])).abs());
            let bound =
                core::f64::consts::SQRT_2 * of_all_steps(done.inner_steps) * 1e-3 * scale[i];
            assert!(error < bound, "{scale:?}: {error:e}, more than {bound:e}");
        }
        assert!(
            scale[1] < 2.0 || done.inner_steps < 100,
            "{scale:?}: {} steps",
            done.inner_steps
        );
    }
}

#[test]
fn position_and_velocity_each_keep_the_tolerance_where_the_other_does_not_count() {
    for scale in [[[1.0], [f64::INFINITY]], [[f64::INFINITY], [1.0]]] {
        let problem = Linear::<true, 1> {
            by_z: [[-1.0]],
            by_u: [[0.0]],
            scale,
        };
        let (x, done) = integrate(&problem, State { z: [1.0], u: [0.0] }, 8.0, 1e-6);
        let error = error(
            &x,
            &State {
                z: [libm::cos(8.0)],
                u: [-libm::sin(8.0)],
            },
        );
        let bound = core::f64::consts::SQRT_2 * of_all_steps(done.inner_steps) * 1e-6;
        assert!(error < bound, "{scale:?}: {error:e}, more than {bound:e}");
    }
}

/// The error allowed in a step includes a rounding of 1e-14 of the state.
#[test]
fn state_far_above_its_scale_is_as_exact_as_its_rounding() {
    let problem = Linear::<false, 1> {
        by_z: [[0.0]],
        by_u: [[-1.0]],
        scale: [[1.0]; 2],
    };
    let (x, done) = integrate(&problem, of([1e8]), 1.0, 1e-10);
    let error = (x.u[0] * 1e-8 - libm::exp(-1.0)).abs();
    assert!(
        error < 1e-14 * f64::from(done.inner_steps),
        "{error:e}, {} steps",
        done.inner_steps
    );
}

#[test]
fn implicit_change_is_a_step_of_the_implicit_euler_method() {
    let f = Linearised {
        rate: [3.0, -1.0],
        by_z: [[-50.0, 2.0], [1.0, -7.0]],
        by_u: [[-20.0, 4.0], [-3.0, -1.0]],
    };
    let u = [0.5, -2.0];
    for duration in [1e-3, 0.1, 10.0] {
        let change = implicit_change(&f, &u, duration);
        for i in 0..2 {
            let end = (0..2).fold(f.rate[i], |sum, j| {
                sum + f.by_u[i][j] * change[j] + f.by_z[i][j] * duration * (u[j] + change[j])
            });
            assert!(
                (change[i] - duration * end).abs() < 1e-12 * (1.0 + duration),
                "{duration}: {change:?}"
            );
        }
    }
}
