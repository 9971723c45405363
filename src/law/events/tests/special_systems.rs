//! A system without states, and one whose rate grows without bound where the contact opens.

use super::*;

/// A force of 1 in the direction, which turns for good where F_t reaches 1.
struct Switch {
    by_polynomials: bool,
}

impl Law<0> for Switch {
    const METADATA: &'static LawMetadata = &WITH_MODES;

    type DiscreteState = Direction;

    fn new(_: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
        Ok(Switch {
            by_polynomials: true,
        })
    }

    fn evaluate<S: Scalar>(
        &self,
        _: Contact<S>,
        _: &[S; 0],
        direction: &Direction,
    ) -> Evaluation<0, S> {
        Evaluation::of_force(S::constant(direction.sign()))
    }

    fn numerics(&self, _: Contact, _: &[f64; 0], _: f64) -> Numerics<0> {
        Numerics {
            error_force: 1.0,
            ..Numerics::of([])
        }
    }
}

impl Events<Switch, 0> for Direction {
    fn polynomials(&self, law: &Switch, path: &Path<0>) -> Option<[Polynomial; MAX_EVENTS]> {
        let one = Polynomial::constant(1.0);
        let left = if *self == Direction::Up {
            one - path.F_t
        } else {
            one
        };
        law.by_polynomials.then_some([left, one, one, one])
    }

    fn indicators(&self, _: &Switch, contact: Contact, _: &[f64; 0]) -> [f64; MAX_EVENTS] {
        [
            if *self == Direction::Up {
                1.0 - contact.F_t
            } else {
                1.0
            },
            1.0,
            1.0,
            1.0,
        ]
    }

    fn handle_event(&mut self, _: &Switch, contact: Contact, _: &mut [f64; 0]) -> bool {
        let is_due = *self == Direction::Up && contact.F_t >= 1.0;
        if is_due {
            *self = Direction::Down;
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
            let mut memory = Memory::default();
            let done = switch.advance(
                trajectory,
                &mut [],
                &mut direction,
                DURATION,
                1e-9,
                &mut memory,
            );
            (done.expect("a step"), direction)
        };
        // The limit is reached after 0.3 s.
        let derivatives = first(Contact {
            F_t: 2.0,
            ..Contact::ZERO
        });
        let moving = InputTrajectory {
            derivatives: Some(&derivatives),
            ..InputTrajectory::held(contact(0.4))
        };
        let (done, direction) = advance(&moving);
        assert_eq!(direction, Direction::Down);
        assert!(
            (done.impulse - 0.2).abs() < 1e-12 && (done.loss - 0.2 * SPEED).abs() < 1e-12,
            "{done:?}"
        );
        for (limit, expected) in [(0.9, Direction::Up), (1.1, Direction::Down)] {
            let (done, direction) = advance(&InputTrajectory::held(contact(limit)));
            let impulse = expected.sign() * DURATION;
            let exact = StepResult {
                loss: impulse * SPEED,
                impulse,
                inner_steps: 1,
                force_error: 0.0,
            };
            assert_eq!((done, direction), (exact, expected));
        }
    }
}

/// dx/dt = −2 G x/F_N, where G is [`NORMAL`]. The force is x while the contact is closed.
struct Fading;

impl Law<1> for Fading {
    const METADATA: &'static LawMetadata = &LawMetadata::EMPTY;

    type DiscreteState = ();

    fn new(_: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
        Ok(Fading)
    }

    fn evaluate<S: Scalar>(&self, contact: Contact<S>, &[x]: &[S; 1], (): &()) -> Evaluation<1, S> {
        if contact.is_open() {
            return Evaluation::zero();
        }
        Evaluation {
            rate: [x * contact.F_N.reciprocal() * (-2.0 * NORMAL)],
            ..Evaluation::of_force(x)
        }
    }

    fn numerics(&self, _: Contact, _: &[f64; 1], _: f64) -> Numerics<1> {
        Numerics {
            error_force: 1.0,
            ..Numerics::of([1.0])
        }
    }
}

/// F_N = G (1 − t): x falls from 1 as (1 − t)².
#[test]
fn rate_that_grows_without_bound_is_followed_to_the_opening() {
    let derivatives = first(Contact {
        F_N: -NORMAL,
        ..Contact::ZERO
    });
    let trajectory = InputTrajectory {
        derivatives: Some(&derivatives),
        ..InputTrajectory::held(contact(0.0))
    };
    for tolerance in [1e-4, 1e-7] {
        for (duration, end, area) in [(0.5, 0.25, 7.0 / 24.0), (1.5, 0.0, 1.0 / 3.0)] {
            let mut x = [1.0];
            let mut memory = Memory::default();
            let done = Fading.advance(
                &trajectory,
                &mut x,
                &mut (),
                duration,
                tolerance,
                &mut memory,
            );
            let done = done.expect("a step");
            let errors = [x[0] - end, done.impulse - area, done.loss / SPEED - area];
            assert!(
                errors.into_iter().all(|error| error.abs() < tolerance),
                "{duration} s: {errors:?}"
            );
        }
    }
}
