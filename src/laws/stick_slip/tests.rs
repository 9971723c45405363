//! Limits of the state machine: its events, indicators and polynomials have each limit at the same
//! place, to the margins of events.

use super::*;
use crate::characteristic::Signed;

/// Limits of 6 N and 4.5 N under 10 N.
const LIMITS: Limits = Limits {
    break_away: Signed::even(0.6),
    at_rest: Signed::even(0.45),
    moving: 1e-3,
};

impl Machine for Limits {
    fn limits(&self) -> Limits {
        *self
    }
}

const NORMAL_FORCE: f64 = 10.0;

fn contact(v: f64, applied: f64) -> Contact {
    Contact {
        F_t: applied,
        ..Contact::new(NORMAL_FORCE, v)
    }
}

fn is_due(state: State, contact: Contact, limits: Limits) -> bool {
    state.clone().handle_event(&limits, contact, &mut [])
}

/// Whether a polynomial of held inputs is negative.
fn is_beyond(state: State, contact: Contact, limits: Limits) -> bool {
    let held = Polynomial::constant;
    let path = Path {
        F_N: held(contact.F_N),
        v: held(contact.v),
        a: held(0.0),
        F_t: held(contact.F_t),
        x: [],
    };
    state
        .polynomials(&limits, &path)
        .is_some_and(|all| all.iter().any(|polynomial| polynomial.at(0.0) < 0.0))
}

/// States with a contact at a limit, where no event is due, and one beyond it by twice the margins
/// of events.
fn limits_of_states(side: f64, limits: Limits) -> [(State, [Contact; 2]); 6] {
    let moving = limits.moving;
    let stuck = State::default();
    let starting = State {
        start: Motion::of(side),
        ..stuck
    };
    let sliding = State {
        mode: Motion::of(side),
        ..stuck
    };
    let at = |v: f64, applied: f64| contact(side * v, side * applied);
    let [break_away, at_rest] =
        [limits.break_away, limits.at_rest].map(|limit| limit.forward * NORMAL_FORCE);
    let of_start = at(0.0, at_rest).F_t;
    [
        (stuck, [at(moving, 0.0), at(moving + 2.0 * REST, 0.0)]),
        (
            stuck,
            [
                at(0.0, break_away),
                at(0.0, break_away * (1.0 + 2.0 * BEYOND)),
            ],
        ),
        (starting, [at(2.0 * REST, 5.0), at(4.0 * REST, 5.0)]),
        (starting, [at(-moving, 5.0), at(-moving - 2.0 * REST, 5.0)]),
        (
            starting,
            [
                contact(0.0, of_start * (1.0 + 0.5 * BEYOND)),
                contact(0.0, of_start * (1.0 - 2.0 * BEYOND)),
            ],
        ),
        (sliding, [at(2.0 * REST, 0.0), at(-REST, 0.0)]),
    ]
}

#[test]
fn indicators_and_polynomials_are_negative_only_where_an_event_is_due() {
    for (side, moving) in [1e-3, moving(0.0), MOVING_BODY]
        .into_iter()
        .flat_map(|moving| [(1.0, moving), (-1.0, moving)])
    {
        let limits = Limits { moving, ..LIMITS };
        for (state, [at, beyond]) in limits_of_states(side, limits) {
            if limits.drives(state.start, beyond.F_t, beyond.F_N) && side * beyond.v < 0.0 {
                continue;
            }
            let is_negative = |contact: Contact| {
                state
                    .indicators(&limits, contact, &[])
                    .iter()
                    .any(|value| *value < 0.0)
            };
            let found = [at, beyond].map(|contact| {
                [
                    is_due(state, contact, limits),
                    is_negative(contact),
                    is_beyond(state, contact, limits),
                ]
            });
            assert_eq!(
                found,
                [[false; 3], [true; 3]],
                "{state:?}, moving {moving} m/s: {at:?}, {beyond:?}"
            );
        }
    }
}

#[test]
fn contact_that_the_applied_force_drives_on_does_not_come_to_rest_in_one_system_with_its_body() {
    for side in [1.0, -1.0] {
        let [starting, sliding] = [true, false].map(|starts| State {
            mode: Motion::of(if starts { 0.0 } else { side }),
            start: Motion::of(if starts { side } else { 0.0 }),
            ..State::default()
        });
        let of_body = Limits {
            moving: MOVING_BODY,
            ..LIMITS
        };
        let at_rest = LIMITS.at_rest.forward * NORMAL_FORCE;
        // A velocity against the force is an error of the integration.
        let driven = contact(-1e-9 * side, 1.001 * side * at_rest);
        let braked = contact(-1e-9 * side, 0.999 * side * at_rest);
        for state in [starting, sliding] {
            assert!(!is_due(state, driven, of_body), "{state:?}");
            assert!(is_due(state, braked, of_body), "{state:?}");
        }
        assert!(is_due(sliding, driven, LIMITS));
    }
}

#[test]
fn indicators_are_the_distances_to_the_limits_over_the_nominal_inputs() {
    let indicators = |state: State, v: f64, applied: f64| {
        let [_, motion, force, free] = state.indicators(&LIMITS, contact(v, applied), &[]);
        assert_eq!(free, 1.0);
        [motion * NOMINAL_VELOCITY, force * NOMINAL_FORCE]
    };
    let is = |found: [f64; 2], expected: [f64; 2]| {
        let error = found
            .iter()
            .zip(expected)
            .map(|(found, expected)| (found - expected).abs())
            .fold(0.0, f64::max);
        assert!(error < 1e-8, "{found:?} for {expected:?}");
    };
    for (side, motion) in [(1.0, Motion::Forward), (-1.0, Motion::Backward)] {
        is(
            indicators(State::default(), side * 4e-4, side * 2.0),
            [6e-4, 4.0],
        );
        let starting = State {
            start: motion,
            ..State::default()
        };
        is(
            indicators(starting, side * -4e-4, side * 5.0),
            [3.0 * REST + 4e-4, 0.5],
        );
        is(indicators(starting, side * -9e-4, side * 5.0), [1e-4, 0.5]);
        is(
            indicators(
                State {
                    mode: motion,
                    ..State::default()
                },
                side * 0.02,
                0.0,
            ),
            [0.02, 1.0],
        );
    }
    let open = State {
        open: true,
        ..State::default()
    };
    let [_, of_open @ ..] = open.indicators(&LIMITS, contact(0.5, 50.0), &[]);
    assert_eq!(
        of_open,
        open.indicators(&LIMITS, contact(0.0, 0.0), &[])[1..]
    );
    assert!(of_open.iter().all(|value| *value > 0.0), "{of_open:?}");
}

#[test]
fn states_change_as_in_the_library() {
    let next = |mut state: State, v: f64, applied: f64| {
        state.handle_event(&LIMITS, contact(v, applied), &mut []);
        state
    };
    let stuck = State::default();
    for (side, motion, other) in [
        (1.0, Motion::Forward, Motion::Backward),
        (-1.0, Motion::Backward, Motion::Forward),
    ] {
        let (starting, sliding) = (
            State {
                start: motion,
                ..stuck
            },
            State {
                mode: motion,
                ..stuck
            },
        );
        assert_eq!(next(stuck, side * 2e-3, 0.0), sliding);
        assert_eq!(next(stuck, 0.0, side * 7.0), starting);
        assert_eq!(next(starting, side * 1e-11, side * 5.0), sliding);
        assert_eq!(
            next(starting, -side * 2e-3, side * 5.0),
            State {
                mode: other,
                ..stuck
            }
        );
        assert_eq!(next(starting, 0.0, side * 4.0), stuck);
        // A reversal passes through stick.
        assert_eq!(next(sliding, -side * 0.1, side * 5.0), stuck);
        assert_eq!(next(sliding, side * 0.1, 0.0), sliding);
    }
    let mut opened = State {
        mode: Motion::Forward,
        ..stuck
    };
    assert!(opened.handle_event(&LIMITS, Contact::new(-1.0, 0.1), &mut []));
    assert_eq!(
        opened,
        State {
            open: true,
            ..stuck
        }
    );
    assert!(!opened.handle_event(&LIMITS, Contact::new(-1.0, 0.2), &mut []));
}
