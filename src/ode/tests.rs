//! The integrator beside closed forms, published values and independent methods.
//!
//! An inner step has a tenth of the tolerance. Where the problem does not amplify errors, the error
//! at the end is at most the sum of those of all inner steps.

mod events;
mod linear;
mod order;
mod problems;
mod stiff;

use self::problems::{Problem, resume};
use super::State;
use crate::integrate::SolverError;
use crate::integrate::memory::Memory;
use crate::integrate::step_limit::StepLimit;
use crate::scalar::Scalar;

/// Sum of the errors of all inner steps, over the tolerance.
fn of_all_steps(inner_steps: u32) -> f64 {
    0.1 * f64::from(inner_steps)
}

/// u′ = −k z − d u along each axis.
#[derive(Clone, Copy)]
struct Oscillator {
    stiffness: f64,
    damping: f64,
    closed: bool,
}

impl Oscillator {
    fn new(stiffness: f64, damping: f64) -> Self {
        Oscillator {
            stiffness,
            damping,
            closed: false,
        }
    }
}

impl<const D: usize> Problem<D> for Oscillator {
    const SECOND_ORDER: bool = true;

    fn rate<S: Scalar>(&self, _: f64, z: &[S; D], u: &[S; D]) -> [S; D] {
        core::array::from_fn(|i| z[i] * -self.stiffness + u[i] * -self.damping)
    }

    fn closed_form(&self, rest: f64, is_start: bool) -> Option<State<D>> {
        (self.closed && !is_start).then_some(State {
            z: [0.0; D],
            u: [rest; D],
        })
    }
}

/// Motion of an oscillator with two real rates, each below 0, from (z, u) = (1, 0).
fn decay([a, b]: [f64; 2], t: f64) -> [f64; 2] {
    let [slow, fast] = [a, b].map(|rate| libm::exp(rate * t));
    [
        (a * fast - b * slow) / (a - b),
        a * b * (fast - slow) / (a - b),
    ]
}

const DISPLACED: State<1> = State { z: [1.0], u: [0.0] };

#[test]
fn first_step_is_kept_and_a_closed_form_ends_the_interval() {
    let mut memory = Memory::default();
    let first = resume(
        &Oscillator::new(2.0, 1e3),
        DISPLACED,
        1e-2,
        1e-8,
        &mut memory,
    )
    .unwrap()
    .1;
    assert!(memory.first_step > 0.0 && memory.first_step < 1e-2 && first.inner_steps > 2);
    let again = resume(
        &Oscillator::new(2.0, 1e3),
        DISPLACED,
        1e-2,
        1e-8,
        &mut memory,
    )
    .unwrap()
    .1;
    assert!(
        again.inner_steps < first.inner_steps,
        "{} steps, then {}",
        first.inner_steps,
        again.inner_steps
    );
    let problem = Oscillator {
        closed: true,
        ..Oscillator::new(2.0, 1e3)
    };
    let (x, done) = resume(&problem, DISPLACED, 1e-2, 1e-8, &mut memory).unwrap();
    assert!(done.inner_steps >= 2 && x.u[0] < 1e-2, "{done:?}");
    assert!(
        done.totals.work > 0.9 && done.totals.impulse[0] > 0.9,
        "{done:?}"
    );
}

#[test]
fn limit_of_inner_steps_relaxes_the_tolerance_and_reports_its_error() {
    let problem = Oscillator::new(1e4, 10.0);
    let mut memory = Memory {
        limit: StepLimit::new(3),
        ..Memory::default()
    };
    let done = resume(&problem, DISPLACED, 2.0, 1e-9, &mut memory)
        .unwrap()
        .1;
    assert!(
        done.inner_steps <= 12 && memory.limit.error() > 0.0,
        "{done:?}"
    );
    let mut spent = StepLimit::new(1);
    spent.add(2000);
    let mut memory = Memory {
        limit: spent,
        ..Memory::default()
    };
    let error = resume(&problem, DISPLACED, 2.0, 1e-9, &mut memory);
    assert_eq!(error, Err(SolverError::TooManySteps { t: 0.0, limit: 1 }));
}

/// u′ = −10⁶ (u³ + z). Newton's iterations with the derivative at u = 1 fail at smaller u.
struct Cubic;

impl Problem<1> for Cubic {
    const SECOND_ORDER: bool = true;

    fn rate<S: Scalar>(&self, _: f64, z: &[S; 1], u: &[S; 1]) -> [S; 1] {
        [(u[0] * u[0] * u[0] + z[0]) * -1e6]
    }

    fn force(&self, t: f64) -> Option<[f64; 1]> {
        Some([t])
    }
}

#[test]
fn step_without_solution_beyond_the_limit_is_one_of_the_linearly_implicit_euler_method() {
    let mut memory = Memory {
        limit: StepLimit::new(1),
        ..Memory::default()
    };
    memory.limit.add(2);
    let (x, done) = resume(&Cubic, State { z: [0.0], u: [1.0] }, 0.5, 1e-6, &mut memory).unwrap();
    let change = (-1e6 + 0.5 * -1e6) / (1.0 / 0.5 + 3e6 + 0.5 * 1e6);
    assert!(
        (x.u[0] - 1.0 - change).abs() < 1e-14 && done.inner_steps == 1,
        "{x:?}, {done:?}"
    );
    assert!(
        memory.limit.error() > 0.0 && (done.totals.impulse[0] - 0.125).abs() < 1e-15,
        "{done:?}"
    );
}

#[test]
fn interval_after_one_that_is_shorter_than_any_rate_is_integrated() {
    for first_step in [f64::MIN_POSITIVE, 1e-307, 1e-100, 1e-30] {
        let mut memory = Memory {
            first_step,
            ..Memory::default()
        };
        let (x, done) = resume(
            &Oscillator::new(2.0, 3.0),
            DISPLACED,
            1.5,
            1e-8,
            &mut memory,
        )
        .unwrap();
        let [z, u] = decay([-1.0, -2.0], 1.5);
        assert!(
            (x.z[0] - z).abs() < 1e-8 && (x.u[0] - u).abs() < 1e-8,
            "{first_step:e}: {x:?}"
        );
        assert!(
            done.inner_steps < 100,
            "{first_step:e}: {} inner steps",
            done.inner_steps
        );
    }
}
