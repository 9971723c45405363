//! A system without states, and one whose rate grows without bound where the contact opens.

use super::*;

/// A force of 1 in the direction, which turns for good where F_t reaches 1.
struct Switch {
    by_polynomials: bool,
}

impl HybridSystem<0> for Switch {
    type Discrete = Direction;

    const HAS_MODES: bool = true;

    fn rate(&self, _: Contact, _: &[f64; 0], _: &Direction) -> [f64; 0] {
        []
    }

    fn jacobian(&self, _: Contact, _: &[f64; 0], _: &Direction) -> [[f64; 0]; 0] {
        []
    }

    fn error_scale(&self, _: Contact, _: &[f64; 0]) -> [f64; 0] {
        []
    }

    fn step_limits(&self, _: Contact, _: &[f64; 0]) -> StepLimits {
        StepLimits::FREE
    }

    fn integrands(&self, contact: Contact, _: &[f64; 0], direction: &Direction) -> [f64; 2] {
        [direction.sign() * contact.v, direction.sign()]
    }

    fn integrand_scales(&self, [_, speed]: [f64; 2], _: f64) -> [f64; 2] {
        [speed, 1.0]
    }

    fn integrand_rounding(&self, [_, speed]: [f64; 2], _: f64) -> [f64; 2] {
        [1e-15 * speed, 1e-15]
    }

    fn exact_rates(&self, _: Contact, _: &Direction) -> Option<[Rate; 0]> {
        Some([])
    }

    fn event_polynomials(&self, path: &Path<0>, direction: &Direction) -> Option<[Polynomial; MAX_EVENTS]> {
        let one = Polynomial::constant(1.0);
        let left = if *direction == Direction::Up { one - path.F_t } else { one };
        self.by_polynomials.then_some([left, one, one, one])
    }

    fn event_indicators(&self, contact: Contact, _: &[f64; 0], direction: &Direction) -> [f64; MAX_EVENTS] {
        [if *direction == Direction::Up { 1.0 - contact.F_t } else { 1.0 }, 1.0, 1.0, 1.0]
    }

    fn handle_event(&self, contact: Contact, _: &mut [f64; 0], direction: &mut Direction) -> bool {
        let is_due = *direction == Direction::Up && contact.F_t >= 1.0;
        if is_due {
            *direction = Direction::Down;
        }
        is_due
    }
}

#[test]
fn system_without_states_changes_its_mode_at_its_event() {
    const DURATION: f64 = 0.4;
    for by_polynomials in [true, false] {
        let switch = Switch { by_polynomials };
        let advance = |trajectory: &InputTrajectory| {
            let mut direction = Direction::Up;
            let mut solver = Radau::default();
            let done = advance(&switch, trajectory, &mut [], &mut direction, DURATION, 1e-9, &mut solver);
            (done.expect("a step"), direction)
        };
        // The limit is reached after 0.3 s.
        let derivatives = first(Contact { F_t: 2.0, ..Contact::ZERO });
        let moving = InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(contact(0.4)) };
        let (done, direction) = advance(&moving);
        assert_eq!(direction, Direction::Down);
        assert!((done.impulse - 0.2).abs() < 1e-12 && (done.loss - 0.2 * SPEED).abs() < 1e-12, "{done:?}");
        for (limit, expected) in [(0.9, Direction::Up), (1.1, Direction::Down)] {
            let (done, direction) = advance(&InputTrajectory::held(contact(limit)));
            let impulse = expected.sign() * DURATION;
            let exact = StepResult { loss: impulse * SPEED, impulse, inner_steps: 1, force_error: 0.0 };
            assert_eq!((done, direction), (exact, expected));
        }
    }
}

/// dx/dt = −2 G x/F_N, where G is [`NORMAL`]. The integrands are x v and x while the contact is closed.
struct Fading;

impl HybridSystem<1> for Fading {
    type Discrete = ();

    const HAS_MODES: bool = false;

    fn rate(&self, contact: Contact, &[x]: &[f64; 1], (): &()) -> [f64; 1] {
        [if contact.is_open() { 0.0 } else { -2.0 * NORMAL * x / contact.F_N }]
    }

    fn jacobian(&self, contact: Contact, _: &[f64; 1], (): &()) -> [[f64; 1]; 1] {
        [[if contact.is_open() { 0.0 } else { -2.0 * NORMAL / contact.F_N }]]
    }

    fn error_scale(&self, _: Contact, _: &[f64; 1]) -> [f64; 1] {
        [1.0]
    }

    fn step_limits(&self, _: Contact, _: &[f64; 1]) -> StepLimits {
        StepLimits::FREE
    }

    fn integrands(&self, contact: Contact, &[x]: &[f64; 1], (): &()) -> [f64; 2] {
        let x = if contact.is_open() { 0.0 } else { x };
        [x * contact.v, x]
    }

    fn integrand_scales(&self, [_, speed]: [f64; 2], _: f64) -> [f64; 2] {
        [speed, 1.0]
    }

    fn integrand_rounding(&self, [_, speed]: [f64; 2], _: f64) -> [f64; 2] {
        [1e-15 * speed, 1e-15]
    }

    fn exact_rates(&self, _: Contact, (): &()) -> Option<[Rate; 1]> {
        None
    }

    fn event_polynomials(&self, _: &Path<1>, (): &()) -> Option<[Polynomial; MAX_EVENTS]> {
        None
    }

    fn event_indicators(&self, _: Contact, _: &[f64; 1], (): &()) -> [f64; MAX_EVENTS] {
        [1.0; MAX_EVENTS]
    }

    fn handle_event(&self, _: Contact, _: &mut [f64; 1], (): &mut ()) -> bool {
        false
    }
}

/// F_N = G (1 − t): x falls from 1 as (1 − t)².
#[test]
fn rate_that_grows_without_bound_is_followed_to_the_opening() {
    let derivatives = first(Contact { F_N: -NORMAL, ..Contact::ZERO });
    let trajectory = InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(contact(0.0)) };
    for tolerance in [1e-4, 1e-7] {
        for (duration, end, area) in [(0.5, 0.25, 7.0 / 24.0), (1.5, 0.0, 1.0 / 3.0)] {
            let mut x = [1.0];
            let mut solver = Radau::default();
            let done = advance(&Fading, &trajectory, &mut x, &mut (), duration, tolerance, &mut solver);
            let done = done.expect("a step");
            let errors = [x[0] - end, done.impulse - area, done.loss / SPEED - area];
            assert!(errors.into_iter().all(|error| error.abs() < tolerance), "{duration} s: {errors:?}");
        }
    }
}
