//! Order of convergence on smooth nonlinear problems with a closed form.

use super::problems::{Problem, error, integrate, of, resume};
use crate::integrate::memory::Memory;
use crate::integrate::step_limit::StepLimit;
use crate::ode::State;
use crate::scalar::Scalar;

/// Normal form of Hopf's bifurcation: the squared radius follows the logistic equation.
struct Hopf;

impl Problem<2> for Hopf {
    fn rate<S: Scalar>(&self, _: f64, _: &[S; 2], u: &[S; 2]) -> [S; 2] {
        let left = -(u[0] * u[0] + u[1] * u[1]) + 1.0;
        [u[0] * left - u[1], u[1] * left + u[0]]
    }
}

impl Hopf {
    fn at(t: f64) -> State<2> {
        let radius = 1.0 / (1.0 + 3.0 * libm::exp(-2.0 * t)).sqrt();
        of([radius * libm::cos(t), radius * libm::sin(t)])
    }
}

/// Lemniscate sine sl, z″ = −2 z³, of period 2ϖ with the lemniscate constant ϖ.
struct Lemniscate;

/// ϖ: π over the arithmetic-geometric mean of 1 and √2 (Gauss).
const LEMNISCATE: f64 = 2.622_057_554_292_119_8;

/// (sl, sl′) at 0 and at 2ϖ.
const ZERO: State<1> = State { z: [0.0], u: [1.0] };

impl Problem<1> for Lemniscate {
    const SECOND_ORDER: bool = true;

    fn rate<S: Scalar>(&self, _: f64, z: &[S; 1], _: &[S; 1]) -> [S; 1] {
        [z[0] * z[0] * z[0] * -2.0]
    }
}

/// u′ = a(t) − k(t) u with the solution 1/(1 + t²), solved without iterations.
struct Relaxation {
    longest: f64,
    /// Part of k that decays within 0.05 s, 1/s.
    quick: f64,
}

impl Relaxation {
    fn k(&self, t: f64) -> f64 {
        2.0 + t + self.quick * libm::exp(-20.0 * t)
    }
}

impl Problem<1> for Relaxation {
    fn rate<S: Scalar>(&self, t: f64, _: &[S; 1], u: &[S; 1]) -> [S; 1] {
        let solution = 1.0 / (1.0 + t * t);
        [(u[0] + -solution) * -self.k(t) + -2.0 * t * solution * solution]
    }

    fn decay_rate(&self, t: f64) -> Option<f64> {
        Some(self.k(t))
    }

    fn longest(&self) -> f64 {
        self.longest
    }
}

/// Error after steps of equal length, one an interval: beyond the limit of inner steps each is
/// accepted as it is.
fn error_of_steps<const D: usize>(
    problem: &impl Problem<D>,
    [from, to]: [State<D>; 2],
    end: f64,
    count: u32,
) -> f64 {
    let step = |x, _| {
        let mut memory = Memory {
            limit: StepLimit::new(1),
            ..Memory::default()
        };
        memory.limit.add(2);
        let (x, done) = resume(problem, x, end / f64::from(count), 1e-11, &mut memory).unwrap();
        assert_eq!(done.inner_steps, 1);
        x
    };
    error(&(0..count).fold(from, step), &to)
}

#[test]
fn half_the_step_has_a_thirty_second_of_the_error() {
    let hopf = |count| error_of_steps(&Hopf, [Hopf::at(0.0), Hopf::at(3.0)], 3.0, count);
    let lemniscate = |count| error_of_steps(&Lemniscate, [ZERO, ZERO], 2.0 * LEMNISCATE, count);
    let relaxation = |count| {
        let problem = Relaxation {
            longest: 3.0 / f64::from(count),
            quick: 0.0,
        };
        error(&integrate(&problem, of([1.0]), 3.0, 1.0).0, &of([0.1]))
    };
    for count in [32, 64] {
        let ratios = [
            hopf(count) / hopf(2 * count),
            lemniscate(count) / lemniscate(2 * count),
        ];
        let direct = relaxation(count) / relaxation(2 * count);
        assert!(
            ratios.iter().all(|ratio| (31.0..33.0).contains(ratio)),
            "{count} steps: {ratios:?}"
        );
        // The terms of higher order are larger here.
        assert!((30.0..33.0).contains(&direct), "{count} steps: {direct}");
    }
}

/// Errors over the tolerance and inner steps at tolerances of 1e-3 to 1e-11.
fn over_tolerances<const D: usize>(problem: &impl Problem<D>, [from, to]: [State<D>; 2], end: f64) {
    let steps = [-3.0, -4.0, -5.0, -6.0, -7.0, -8.0, -9.0, -10.0, -11.0].map(|exponent| {
        let tolerance = libm::pow(10.0, exponent);
        let (x, done) = integrate(problem, from, end, tolerance);
        let error = error(&x, &to) / tolerance;
        assert!(
            (1e-3..1.0).contains(&error),
            "{tolerance:e}: {error} tolerances, {} steps",
            done.inner_steps
        );
        f64::from(done.inner_steps)
    });
    // The estimate falls at least with the fourth power of the step.
    for i in 3..steps.len() {
        assert!(
            steps[i] < libm::pow(10.0, 0.25 * 3.0) * steps[i - 3],
            "{steps:?}"
        );
    }
}

/// A step has a tenth of the tolerance, so that the error of a smooth motion is below it. An error
/// far below it would waste steps.
#[test]
fn error_follows_the_tolerance() {
    over_tolerances(&Hopf, [Hopf::at(0.0), Hopf::at(3.0)], 3.0);
    over_tolerances(&Lemniscate, [ZERO, ZERO], 2.0 * LEMNISCATE);
    over_tolerances(
        &Relaxation {
            longest: f64::INFINITY,
            quick: 0.0,
        },
        [of([1.0]), of([0.1])],
        3.0,
    );
}

/// The error of a step decays with the rate at its end, not with the quick one at its start.
#[test]
fn linear_system_that_is_quick_at_its_start_alone_keeps_the_tolerance() {
    for quick in [1e2, 1e4, 1e6] {
        for tolerance in [1e-2, 1e-3, 1e-4, 1e-6] {
            let (x, done) = integrate(
                &Relaxation {
                    longest: f64::INFINITY,
                    quick,
                },
                of([1.0]),
                0.5,
                tolerance,
            );
            let error = error(&x, &of([0.8]));
            assert!(
                error < tolerance,
                "{quick:e}, {tolerance:e}: {error:e}, {} steps",
                done.inner_steps
            );
        }
    }
}
