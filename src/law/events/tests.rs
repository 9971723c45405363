//! The driver against a relay in closed form: a state that grows up to a limit, falls to the
//! opposite one, and grows again.

use super::*;
use crate::characteristic::Measured;
use crate::integrate::step_limit::StepLimit;
use crate::law::{
    DiscreteState, Evaluation, LawMetadata, MAX_INPUT_DERIVATIVE_ORDER, Numerics, Rate,
};
use crate::scalar::Scalar;
use crate::variable::{InputError, Values, Variable};

mod special_systems;

/// Normal force, N.
const NORMAL: f64 = 8.0;
/// Velocity, m/s.
const SPEED: f64 = 0.7;

/// Direction of a relay.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Direction {
    #[default]
    Up,
    Down,
}

impl Direction {
    fn sign(self) -> f64 {
        if self == Direction::Up { 1.0 } else { -1.0 }
    }
}

impl DiscreteState for Direction {
    fn read(_: &Values) -> Self {
        Direction::Up
    }

    fn write(self, _: &mut Values) {}
}

/// dx/dt = λ (±g − x), or ±g where `exact`, up to the limit ±F_t. The force is x while the contact
/// is closed.
struct Relay {
    /// λ, 1/s.
    lambda: f64,
    /// g, or the rate of x, 1/s.
    goal: f64,
    exact: bool,
    /// Whether events are changes of the sign of polynomials, or of indicators.
    by_polynomials: bool,
    limits: StepLimits,
}

impl Relay {
    fn new(exact: bool, by_polynomials: bool) -> Self {
        Relay {
            lambda: 3.0,
            goal: 2.5,
            exact,
            by_polynomials,
            limits: StepLimits::FREE,
        }
    }

    /// x after a time (s) without an event, and its integral.
    fn free(&self, x: f64, direction: Direction, time: f64) -> [f64; 2] {
        let goal = direction.sign() * self.goal;
        if self.exact {
            return [x + goal * time, time * (x + 0.5 * goal * time)];
        }
        let decay = libm::exp(-self.lambda * time);
        [
            goal + (x - goal) * decay,
            goal * time + (x - goal) * (1.0 - decay) / self.lambda,
        ]
    }

    /// Time (s) up to the limit, which is `limit` now and grows at a rate (1/s).
    fn until(&self, x: f64, direction: Direction, limit: f64, rate: f64) -> f64 {
        let beyond =
            |time: f64| direction.sign() * self.free(x, direction, time)[0] >= limit + rate * time;
        bisect(0.0, 3.0, beyond).unwrap_or(f64::INFINITY)
    }

    /// x after `duration` (s), its integral, the direction, and the number of events.
    fn expected(&self, mut x: f64, limit: [f64; 2], duration: f64) -> (f64, f64, Direction, u32) {
        let (mut t, mut area, mut direction, mut events) = (0.0, 0.0, Direction::Up, 0);
        loop {
            let time = self.until(x, direction, limit[0] + limit[1] * t, limit[1]);
            let ends = t + time >= duration;
            let [end, part] = self.free(x, direction, if ends { duration - t } else { time });
            (x, area) = (end, area + part);
            if ends {
                return (x, area, direction, events);
            }
            (t, events) = (t + time, events + 1);
            direction = if direction == Direction::Up {
                Direction::Down
            } else {
                Direction::Up
            };
        }
    }
}

/// Description of a law with modes.
static WITH_MODES: LawMetadata = LawMetadata {
    modes: &[Variable::mode(28, "direction", "1 up, -1 down")],
    ..LawMetadata::EMPTY
};

impl Law<1> for Relay {
    const METADATA: &'static LawMetadata = &WITH_MODES;

    type DiscreteState = Direction;

    fn new(_: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
        Ok(Relay::new(true, true))
    }

    fn evaluate<S: Scalar>(
        &self,
        contact: Contact<S>,
        &[x]: &[S; 1],
        direction: &Direction,
    ) -> Evaluation<1, S> {
        let force = if contact.is_open() {
            S::constant(0.0)
        } else {
            x
        };
        let rate = (x + -direction.sign() * self.goal) * -self.lambda;
        Evaluation {
            rate: [rate],
            ..Evaluation::of_force(force)
        }
    }

    fn numerics(&self, contact: Contact, _: &[f64; 1], _: f64) -> Numerics<1> {
        Numerics {
            limits: self.limits,
            error_force: 1.0,
            ..Numerics::of([contact.F_N / NORMAL])
        }
    }
}

impl Events<Relay, 1> for Direction {
    fn exact_rates(&self, law: &Relay, _: Contact) -> Option<[Rate; 1]> {
        law.exact.then(|| [Rate::Constant(self.sign() * law.goal)])
    }

    fn polynomials(&self, law: &Relay, path: &Path<1>) -> Option<[Polynomial; MAX_EVENTS]> {
        let left = path.F_t + path.x[0] * -self.sign();
        law.by_polynomials.then(|| {
            [
                Polynomial::constant(1.0),
                left,
                Polynomial::constant(1.0),
                Polynomial::constant(1.0),
            ]
        })
    }

    fn indicators(&self, _: &Relay, contact: Contact, &[x]: &[f64; 1]) -> [f64; MAX_EVENTS] {
        [1.0, contact.F_t - self.sign() * x, 1.0, 1.0]
    }

    fn handle_event(&mut self, _: &Relay, contact: Contact, &mut [x]: &mut [f64; 1]) -> bool {
        let is_due = self.sign() * x >= contact.F_t;
        if is_due {
            *self = if *self == Direction::Up {
                Direction::Down
            } else {
                Direction::Up
            };
        }
        is_due
    }
}

/// All relays: by an integrator and in closed form, with polynomials and with indicators.
fn relays() -> [Relay; 4] {
    [(false, true), (false, false), (true, true), (true, false)]
        .map(|(exact, by)| Relay::new(exact, by))
}

/// A closed contact in sliding with this limit.
fn contact(limit: f64) -> Contact {
    Contact {
        F_t: limit,
        ..Contact::new(NORMAL, SPEED)
    }
}

/// First derivatives of the inputs alone.
fn first(derivative: Contact) -> [Contact; MAX_INPUT_DERIVATIVE_ORDER] {
    [derivative, Contact::ZERO, Contact::ZERO]
}

#[test]
fn relay_changes_its_direction_at_its_limits() {
    for relay in relays() {
        for x in [-0.9, 0.0, 0.9] {
            for duration in [0.05, 0.45, 1.0, 3.7] {
                for tolerance in [1e-5, 1e-9] {
                    let (end, area, direction, events) = relay.expected(x, [1.0, 0.0], duration);
                    let said = format!(
                        "{}, {}, {x}, {duration} s",
                        relay.exact, relay.by_polynomials
                    );
                    let (mut found, mut state) = ([x], Direction::Up);
                    let trajectory = InputTrajectory::held(contact(1.0));
                    let mut memory = Memory::default();
                    let done = relay
                        .advance(
                            &trajectory,
                            &mut found,
                            &mut state,
                            duration,
                            tolerance,
                            &mut memory,
                        )
                        .expect("a step");
                    let allowed =
                        f64::from(events + 1) * if relay.exact { 1e-12 } else { tolerance };
                    assert!(
                        (found[0] - end).abs() < allowed,
                        "{said}: {}, not {end}",
                        found[0]
                    );
                    assert_eq!(state, direction, "{said}");
                    let allowed = duration * (allowed + 10.0 * tolerance);
                    assert!(
                        (done.impulse - area).abs() < allowed,
                        "{said}: {done:?}, not {area}"
                    );
                    assert!(
                        (done.loss - SPEED * area).abs() < SPEED * allowed,
                        "{said}: {done:?}, not {area}"
                    );
                    assert!(
                        if relay.exact {
                            done.inner_steps == events + 1
                        } else {
                            done.inner_steps > events
                        },
                        "{said}"
                    );
                    assert_eq!(
                        (done.force_error, memory.limit.error()),
                        (0.0, 0.0),
                        "{said}"
                    );
                }
            }
        }
    }
}

#[test]
fn event_under_a_limit_that_moves_is_where_the_state_meets_it() {
    for relay in relays() {
        for rate in [0.2, -0.2] {
            let derivatives = first(Contact {
                F_t: rate,
                ..Contact::ZERO
            });
            let trajectory = InputTrajectory {
                derivatives: Some(&derivatives),
                ..InputTrajectory::held(contact(1.0))
            };
            let (end, area, direction, events) = relay.expected(0.3, [1.0, rate], 3.0);
            let (mut x, mut state) = ([0.3], Direction::Up);
            let done = relay
                .advance(
                    &trajectory,
                    &mut x,
                    &mut state,
                    3.0,
                    1e-9,
                    &mut Memory::default(),
                )
                .expect("a step");
            let said = format!(
                "{}, {}, {rate}: {x:?}, {state:?}, {done:?}",
                relay.exact, relay.by_polynomials
            );
            let allowed = if relay.exact { 1e-12 } else { 1e-8 };
            assert!(
                events > 1 && (x[0] - end).abs() < allowed && state == direction,
                "{said}, not {end}"
            );
            assert!(
                (done.impulse - area).abs() < 1e-7 && (done.loss - SPEED * area).abs() < 1e-7,
                "{said}, not {area}"
            );
        }
    }
}

#[test]
fn events_of_an_open_contact_wait_until_it_closes() {
    for relay in relays() {
        // F_N passes through 0 at 0.5 s.
        let start = Contact {
            F_N: -NORMAL,
            ..contact(1.0)
        };
        let derivatives = first(Contact {
            F_N: 2.0 * NORMAL,
            ..Contact::ZERO
        });
        let trajectory = InputTrajectory {
            derivatives: Some(&derivatives),
            ..InputTrajectory::held(start)
        };
        let (mut x, mut state) = ([0.2], Direction::Up);
        let done = relay
            .advance(
                &trajectory,
                &mut x,
                &mut state,
                0.75,
                1e-8,
                &mut Memory::default(),
            )
            .expect("a step");
        let [closes, _] = relay.free(0.2, Direction::Up, 0.5);
        assert!(closes > 1.2, "it passes its limit");
        let [end, area] = relay.free(closes, Direction::Down, 0.25);
        let said = format!(
            "{}, {}: {x:?}, {state:?}, {done:?}",
            relay.exact, relay.by_polynomials
        );
        assert!(
            end > -1.0 && (x[0] - end).abs() < 2e-8 && state == Direction::Down,
            "{said}, not {end}"
        );
        assert!(
            (done.impulse - area).abs() < 1e-7 && (done.loss - SPEED * area).abs() < 1e-7,
            "{said}, not {area}"
        );
    }
}

#[test]
fn beyond_its_limit_of_inner_steps_a_system_keeps_its_mode_to_the_end() {
    // Each part between two events is one inner step: the sixth is beyond one and a half times the
    // limit.
    let relay = Relay::new(true, true);
    let (limit, duration) = (4, 100.0);
    let first_event = relay.until(0.0, Direction::Up, 1.0, 0.0);
    let between = relay.until(-1.0, Direction::Up, 1.0, 0.0);
    let left = duration - first_event - 4.0 * between;
    let (mut x, mut state) = ([0.0], Direction::Up);
    let mut memory = Memory {
        limit: StepLimit::new(limit),
        ..Memory::default()
    };
    let trajectory = InputTrajectory::held(contact(1.0));
    let done = relay
        .advance(&trajectory, &mut x, &mut state, duration, 1e-6, &mut memory)
        .expect("a step");
    // The fifth event is at the upper limit.
    assert!((x[0] - (1.0 - relay.goal * left)).abs() < 1e-9, "{x:?}");
    assert_eq!((done.inner_steps, memory.limit.error()), (6, UNKNOWN));
    // The integrator ends as well, and reports an error.
    let relay = Relay::new(false, true);
    let mut memory = Memory {
        limit: StepLimit::new(limit),
        ..Memory::default()
    };
    let (mut x, mut state) = ([0.0], Direction::Up);
    let done = relay
        .advance(&trajectory, &mut x, &mut state, duration, 1e-6, &mut memory)
        .expect("a step");
    assert!(
        done.inner_steps <= 3 * limit && memory.limit.error() > 0.0,
        "{done:?}, {}",
        memory.limit.error()
    );
    assert!(
        (x[0].abs() - relay.goal).abs() < 1e-2,
        "without events it tends to its goal: {x:?}"
    );
}

#[test]
fn state_that_is_no_number_is_an_error() {
    for by_polynomials in [true, false] {
        let relay = Relay {
            goal: f64::INFINITY,
            ..Relay::new(true, by_polynomials)
        };
        let trajectory = InputTrajectory::held(contact(1.0));
        let done = relay.advance(
            &trajectory,
            &mut [0.0],
            &mut Direction::Up,
            1.0,
            1e-6,
            &mut Memory::default(),
        );
        assert_eq!(done, Err(SolverError::NotFinite));
    }
}

#[test]
fn event_iteration_ends_without_a_mode_that_holds() {
    let relay = Relay::new(true, true);
    let mut state = Direction::Up;
    assert!(
        !event_iteration(&relay, contact(1.0), &mut [0.5], &mut state) && state == Direction::Up
    );
    assert!(
        event_iteration(&relay, contact(1.0), &mut [1.0], &mut state) && state == Direction::Down
    );
    // A limit below 0 ends either direction.
    assert!(event_iteration(
        &relay,
        contact(-1.0),
        &mut [0.0],
        &mut state
    ));
}

#[test]
fn event_lands_on_the_first_instant_at_which_its_share_of_the_step_is_reached() {
    for from in [0.0, 1e-9, 0.3, 7.0, 1e3] {
        for h in [1e-12, 1e-6, 0.1, 3.0] {
            for part in [1e-18, 1e-9, 0.1, 1.0 / 3.0, 0.5, 0.9, 1.0] {
                let Landing {
                    part: share,
                    reached,
                } = landing(from, h, part);
                let said = format!("{from}, {h}, {part}: {share}, {reached}");
                assert!(
                    reached > from && reached <= from + h && share <= 1.0,
                    "{said}"
                );
                assert_eq!(share, ((reached - from) / h).min(1.0), "{said}");
                assert!(share >= part || reached == from + h, "{said}");
                let earlier = reached.next_down().next_down();
                assert!(
                    earlier <= from || (earlier - from) / h < part,
                    "{said}: it could be earlier"
                );
            }
        }
    }
}

#[test]
fn change_of_sign_without_a_change_of_mode_is_skipped() {
    let constant = Polynomial::constant(1.0);
    // Zeros at 1/4 and 3/4.
    let polynomials = [
        constant,
        Polynomial([3.0 / 16.0, -1.0, 1.0, 0.0, 0.0, 0.0]),
        constant,
        constant,
    ];
    let first_from =
        |changes: &dyn Fn(f64) -> bool| first_that_changes(&polynomials, 0.25, changes);
    assert_eq!(first_from(&|_| true), Some(0.25));
    assert_eq!(first_from(&|_| false), None);
    // A mode that changes at the second zero only, where no other place is tested.
    let second = first_from(&|part| (part - 0.75).abs() < 1e-6).expect("a second change");
    assert!((second - 0.75).abs() < 2e-6, "{second}");
}

#[test]
fn mode_that_changes_later_than_the_sign_is_located() {
    let constant = Polynomial::constant(1.0);
    // One zero, at 1e-3.
    let polynomials = [
        constant,
        constant,
        Polynomial([1.0, -1e3, 0.0, 0.0, 0.0, 0.0]),
        constant,
    ];
    for later in [1e-3 + 0.5 * FLOOR, 1e-3 + 1e-8, 0.0017, 0.3, 0.5, 1.0] {
        let found =
            first_that_changes(&polynomials, 1e-3, |part| part >= later).expect("a change of mode");
        assert!(found >= later && found - later < 1e-14, "{later}: {found}");
    }
    // The sign changes next to the end of the step.
    assert_eq!(
        first_that_changes(&polynomials, 1.0 - 0.5 * FLOOR, |part| part >= 1.0),
        Some(1.0)
    );
}

#[test]
fn error_scale_of_a_segment_is_the_smaller_one_of_its_ends_and_not_0_where_the_contact_opens() {
    let relay = Relay::new(false, true);
    let largest = Largest {
        force: 10.0,
        speed: 2.0,
    };
    for (ends, expected) in [
        ([10.0, 4.0], 4.0),
        ([4.0, 10.0], 4.0),
        ([10.0, 0.0], 0.01),
        ([-10.0, -1.0], 0.01),
    ] {
        let [from, to] = [0.5, 1.5];
        let slope = (ends[1] - ends[0]) / (to - from);
        let derivatives = first(Contact {
            F_N: slope,
            v: 2.0,
            ..Contact::ZERO
        });
        let start = Contact {
            F_N: ends[0] - slope * from,
            ..contact(1.0)
        };
        let trajectory = InputTrajectory {
            derivatives: Some(&derivatives),
            ..InputTrajectory::held(start)
        };
        let segment = InputSegment::between_breakpoints(&trajectory, from, to, 0.0);
        let mode = Mode::new(&relay, &segment, &Direction::Down, &[0.25], largest);
        let [scale] = mode.scale;
        assert!(
            (scale - expected / NORMAL).abs() < 1e-12,
            "{ends:?}: {scale}"
        );
        let state = State {
            z: [0.0],
            u: mode.scaled(&[0.25]),
        };
        let f = mode.linearised(&mode.at(0.4), &state);
        assert!(
            (mode.unscaled(&f.rate)[0] - 3.0 * (-2.5 - 0.25)).abs() < 1e-12
                && (f.by_u[0][0] + 3.0).abs() < 1e-6,
            "{f:?}"
        );
    }
}

#[test]
fn inner_step_is_limited_by_the_change_of_v_and_by_the_growth_of_errors() {
    // v = t³: within 0.1 m/s of 0 at 0.46 s, and for a shorter time later on.
    let derivatives = [Contact::ZERO, Contact::ZERO, Contact::new(0.0, 6.0)];
    let trajectory = InputTrajectory {
        derivatives: Some(&derivatives),
        ..InputTrajectory::held(Contact::new(NORMAL, 0.0))
    };
    let segment = InputSegment::between_breakpoints(&trajectory, 1.0, 3.0, 0.0);
    let largest = Largest {
        force: NORMAL,
        speed: 1.0,
    };
    for (growth_rate, is_limited) in [(0.0, false), (1.0, false), (1e4, true)] {
        let relay = Relay {
            limits: StepLimits {
                max_dv: 0.1,
                growth_rate,
                ..StepLimits::FREE
            },
            ..Relay::new(false, true)
        };
        let mode = Mode::new(&relay, &segment, &Direction::Up, &[0.0], largest);
        for t in [0.0, 0.5, 1.5] {
            let (at, x) = (mode.at(t), State { z: [0.0], u: [0.0] });
            let longest = mode.limits(t, &at, &x, &mode.linearised(&at, &x)).longest;
            if is_limited {
                assert_eq!(longest, 1e-4);
                continue;
            }
            // v changes by 0.1 m/s at the most, and by a third of that at the least.
            let change = libm::pow(1.0 + t + longest, 3.0) - libm::pow(1.0 + t, 3.0);
            assert!(
                change <= 0.1 * (1.0 + 1e-12) && change > 0.03,
                "{t} s: {longest} s, {change} m/s"
            );
        }
    }
}
