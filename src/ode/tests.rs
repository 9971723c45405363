//! The integrator beside closed forms: a damped oscillator, a relaxation towards a moving state, a kink; and the limit of inner steps.

use super::{Limits, Linearised, State, System, Totals, advance};
use crate::integrate::SolverError;
use crate::integrate::memory::Memory;
use crate::integrate::step_limit::StepLimit;

/// m u′ = −k z − d u with a force k z + d u, and without mass u′ = rate (t − u) where it is of first order.
struct Linear<const SECOND_ORDER: bool> {
    stiffness: f64,
    damping: f64,
    closed: bool,
}

impl<const SECOND_ORDER: bool, const D: usize> System<D> for Linear<SECOND_ORDER> {
    const SECOND_ORDER: bool = SECOND_ORDER;
    const FORCE_IS_LINEAR: bool = true;

    type At = f64;

    fn is_linear(&self) -> bool {
        !SECOND_ORDER
    }

    fn at(&self, t: f64) -> f64 {
        t
    }

    fn rate(&self, t: &f64, x: &State<D>) -> [f64; D] {
        core::array::from_fn(|i| {
            if SECOND_ORDER { -self.stiffness * x.z[i] - self.damping * x.u[i] } else { self.damping * (t - x.u[i]) }
        })
    }

    fn linearised(&self, t: &f64, x: &State<D>) -> Linearised<D> {
        let diagonal =
            |entry: f64| core::array::from_fn(|i| core::array::from_fn(|j| if i == j { entry } else { 0.0 }));
        Linearised { rate: self.rate(t, x), by_z: diagonal(-self.stiffness), by_u: diagonal(-self.damping) }
    }

    fn decay_rate(&self, _: &f64) -> f64 {
        self.damping
    }

    fn scale(&self, _: &f64, _: &State<D>, _: &Linearised<D>) -> [[f64; D]; 2] {
        [[1.0; D]; 2]
    }

    fn limits(&self, _: f64, _: &f64, _: &State<D>, _: &Linearised<D>) -> Limits {
        Limits { longest: f64::INFINITY, growth_rate: 0.5 }
    }

    fn branch(&self, _: &f64, _: &State<D>) -> u16 {
        0
    }

    fn force(&self, _: &f64, x: &State<D>, _: &[f64; D]) -> ([f64; D], f64) {
        let force: [f64; D] = core::array::from_fn(|i| self.stiffness * x.z[i] + self.damping * x.u[i]);
        (force, (0..D).map(|i| force[i] * x.u[i]).sum())
    }

    fn inputs_are_curved(&self) -> bool {
        false
    }

    fn scales_of_totals(&self) -> [f64; 2] {
        [1.0; 2]
    }

    fn closed_form(&self, x: &mut State<D>, rest: f64, is_start: bool) -> Option<Totals<D>> {
        if !self.closed || is_start {
            return None;
        }
        x.u = [rest; D];
        Some(Totals { work: 1.0, impulse: [2.0; D] })
    }
}

fn oscillator(stiffness: f64, damping: f64) -> Linear<true> {
    Linear { stiffness, damping, closed: false }
}

/// Motion of an oscillator with two real rates from (z, u) = (1, 0).
fn exact(stiffness: f64, damping: f64, t: f64) -> [f64; 2] {
    let root = (0.25 * damping * damping - stiffness).sqrt();
    let [a, b] = [-0.5 * damping + root, -0.5 * damping - root];
    let [fast, slow] = [libm::exp(b * t), libm::exp(a * t)];
    [(a * fast - b * slow) / (a - b), a * b * (fast - slow) / (a - b)]
}

#[test]
fn oscillators_of_one_two_and_three_axes_follow_their_closed_form() {
    fn compare<const D: usize>(damping: f64, tolerance: f64) {
        let system = oscillator(2.0, damping);
        let mut x = State { z: [1.0; D], u: [0.0; D] };
        let done = advance(&system, &mut x, 1.5, tolerance, &mut Memory::default()).unwrap();
        let [z, u] = exact(2.0, damping, 1.5);
        for i in 0..D {
            let errors = [(x.z[i] - z).abs(), (x.u[i] - u).abs(), (done.totals.impulse[i] + u).abs()];
            assert!(errors.iter().all(|error| *error < tolerance), "{damping}, {tolerance:e}: {errors:?}");
        }
        // The work of the force is that of −u′.
        let error = (done.totals.work / D as f64 + 0.5 * u * u).abs();
        assert!(error < 10.0 * tolerance, "{damping}, {tolerance:e}: work off by {error:e}");
        assert!((done.growth - 0.75).abs() < 1e-12, "{}", done.growth);
    }
    for (damping, tolerance) in [(3.0, 1e-4), (3.0, 1e-8), (1e3, 1e-6), (1e8, 1e-6)] {
        compare::<1>(damping, tolerance);
        compare::<2>(damping, tolerance);
        compare::<3>(damping, tolerance);
    }
}

#[test]
fn linear_relaxation_towards_a_moving_state_is_solved_at_any_stiffness() {
    for rate in [1.0, 1e3, 1e9] {
        for tolerance in [1e-5, 1e-8] {
            let system = Linear::<false> { stiffness: 0.0, damping: rate, closed: false };
            let mut x = State { z: [0.0; 2], u: [1.0; 2] };
            let done = advance(&system, &mut x, 2.0, tolerance, &mut Memory::default()).unwrap();
            let left = (1.0 + 1.0 / rate) * libm::exp(-2.0 * rate);
            for u in x.u {
                let error = (u - (2.0 - 1.0 / rate + left)).abs();
                assert!(error < tolerance, "{rate:e}, {tolerance:e}: {error:e}");
            }
            assert!(done.inner_steps < 200, "{rate:e}: {} inner steps", done.inner_steps);
        }
    }
}

#[test]
fn first_step_is_kept_and_a_closed_form_ends_the_interval() {
    let mut memory = Memory::default();
    let mut x = State { z: [1.0], u: [0.0] };
    let first = advance(&oscillator(2.0, 1e3), &mut x, 1e-2, 1e-8, &mut memory).unwrap();
    assert!(memory.first_step > 0.0 && memory.first_step < 1e-2 && first.inner_steps > 2);
    let system = Linear::<true> { closed: true, ..oscillator(2.0, 1e3) };
    let mut x = State { z: [1.0], u: [0.0] };
    let done = advance(&system, &mut x, 1e-2, 1e-8, &mut memory).unwrap();
    assert!(done.inner_steps >= 2 && x.u[0] < 1e-2 && done.totals.work > 0.9, "{done:?}");
}

#[test]
fn limit_of_inner_steps_relaxes_the_tolerance_and_reports_its_error() {
    let mut memory = Memory { limit: StepLimit::new(3), ..Memory::default() };
    let mut x = State { z: [1.0], u: [0.0] };
    let done = advance(&oscillator(1e4, 10.0), &mut x, 2.0, 1e-9, &mut memory).unwrap();
    assert!(done.inner_steps <= 12 && memory.limit.error() > 0.0, "{done:?}");
    let mut spent = StepLimit::new(1);
    spent.add(2000);
    let mut memory = Memory { limit: spent, ..Memory::default() };
    let error = advance(&oscillator(1e4, 10.0), &mut x, 2.0, 1e-9, &mut memory);
    assert_eq!(error, Err(SolverError::TooManySteps { t: 0.0, limit: 1 }));
}

#[test]
fn interval_after_one_that_is_shorter_than_any_rate_is_integrated() {
    for first_step in [f64::MIN_POSITIVE, 1e-307, 1e-100, 1e-30] {
        let mut memory = Memory { first_step, ..Memory::default() };
        let mut x = State { z: [1.0], u: [0.0] };
        let done = advance(&oscillator(2.0, 3.0), &mut x, 1.5, 1e-8, &mut memory).unwrap();
        let [z, u] = exact(2.0, 3.0, 1.5);
        assert!((x.z[0] - z).abs() < 1e-8 && (x.u[0] - u).abs() < 1e-8, "{first_step:e}: {x:?}");
        assert!(done.inner_steps < 100, "{first_step:e}: {} inner steps", done.inner_steps);
    }
}
