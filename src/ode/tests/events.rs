//! Events, kinks and jumps of the rate, and totals of curved inputs.

use super::of_all_steps;
use super::problems::{Problem, integrate, of, resume};
use crate::integrate::SolverError;
use crate::integrate::memory::Memory;
use crate::integrate::step_limit::{StepLimit, UNKNOWN};
use crate::ode::Collocation;
use crate::scalar::Scalar;

/// Ball above the ground with linear drag: height (m) and velocity (m/s).
struct Ball;

const GRAVITY: f64 = 9.81;
const DRAG: f64 = 0.4;

impl Problem<2> for Ball {
    const IS_HYBRID: bool = true;

    fn rate<S: Scalar>(&self, _: f64, _: &[S; 2], u: &[S; 2]) -> [S; 2] {
        [u[1], u[1] * -DRAG + -GRAVITY]
    }

    /// Its impulse is half the square of the time.
    fn force(&self, t: f64) -> Option<[f64; 2]> {
        Some([t, 0.0])
    }

    fn event(&self, step: &Collocation<2>) -> Option<f64> {
        let [a, b, c, d] = step.u[0];
        let is_below = |s: f64| a + s * (b + s * (c + s * d)) < 0.0;
        let sample = (1..=64)
            .map(|i| f64::from(i) / 64.0)
            .find(|s| is_below(*s))?;
        Some(first(sample - 1.0 / 64.0, sample, is_below))
    }
}

/// Place in an interval from which on a condition holds, by bisection.
fn first(mut before: f64, mut after: f64, condition: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (before + after);
        *(if condition(middle) {
            &mut after
        } else {
            &mut before
        }) = middle;
    }
    after
}

/// Height and velocity after a time in the air (s), in closed form.
fn flight([height, velocity]: [f64; 2], t: f64) -> [f64; 2] {
    let [limit, left] = [GRAVITY / DRAG, libm::expm1(-DRAG * t)];
    [
        height - limit * t - (velocity + limit) / DRAG * left,
        velocity + (velocity + limit) * left,
    ]
}

/// An error of the height is one of the instant over the speed of impact, here above 1 m/s.
#[test]
fn ball_bounces_at_the_instants_and_with_the_velocities_of_its_closed_form() {
    for tolerance in [1e-4, 1e-6, 1e-8] {
        let (mut found, mut exact, mut late, mut memory) =
            ([1.0, 0.0], [1.0, 0.0], 0.0, Memory::default());
        for bounce in 0..6 {
            let (x, done) = resume(&Ball, of(found), 10.0, tolerance, &mut memory).unwrap();
            let duration = first(1e-3, 10.0, |t| flight(exact, t)[0] < 0.0);
            let impact = flight(exact, duration)[1];
            let impulse = done.totals.impulse[0] - 0.5 * done.duration * done.duration;
            assert!(
                impulse.abs() < 1e-12,
                "{tolerance:e}, {bounce}: impulse off by {impulse:e}"
            );
            assert!(
                (done.growth - 0.5 * done.duration).abs() < 1e-12,
                "{tolerance:e}, {bounce}: {done:?}"
            );
            late += done.duration - duration;
            assert!(
                x.u[0].abs() < 1e-12,
                "{tolerance:e}, {bounce}: {:e} m above the ground",
                x.u[0]
            );
            assert!(
                late.abs().max((x.u[1] - impact).abs()) < tolerance,
                "{tolerance:e}, {bounce}: {late:e} s late"
            );
            (found, exact) = ([0.0, -0.8 * x.u[1]], [0.0, -0.8 * impact]);
        }
    }
}

#[test]
fn events_are_left_out_beyond_the_limit_of_inner_steps() {
    let mut memory = Memory {
        limit: StepLimit::new(1),
        ..Memory::default()
    };
    memory.limit.add(2);
    let (x, done) = resume(&Ball, of([1.0, 0.0]), 1.0, 1e-6, &mut memory).unwrap();
    assert!(
        done.duration == 1.0 && x.u[0] < 0.0 && memory.limit.error() == UNKNOWN,
        "{done:?}, {x:?}"
    );
}

/// Decay down to u = 1, and a constant rate below.
struct Border {
    below: f64,
}

impl Problem<1> for Border {
    fn rate<S: Scalar>(&self, _: f64, _: &[S; 1], u: &[S; 1]) -> [S; 1] {
        [if u[0].value() > 1.0 {
            -u[0]
        } else {
            S::constant(-self.below)
        }]
    }

    fn branch(&self, u: f64) -> u16 {
        u16::from(u <= 1.0)
    }
}

#[test]
fn kinks_and_jumps_of_the_rate_are_within_the_tolerance() {
    for below in [1.0, 0.9, 3.0, 0.1] {
        for tolerance in [1e-4, 1e-6, 1e-8] {
            let (x, done) = integrate(&Border { below }, of([2.0]), 1.0, tolerance);
            let u = 1.0 - below * (1.0 - core::f64::consts::LN_2);
            let errors = [
                x.u[0] - u,
                done.totals.impulse[0] - (u - 2.0),
                done.totals.work - (0.5 * u * u - 2.0),
            ];
            assert!(
                errors.iter().all(|error| error.abs() < tolerance),
                "{below}, {tolerance:e}: {errors:?}"
            );
            assert!(
                done.inner_steps < 100,
                "{below}, {tolerance:e}: {} steps",
                done.inner_steps
            );
        }
    }
}

#[test]
fn rate_that_ceases_to_be_a_number_ends_the_integration_there() {
    let end = resume(
        &Border { below: f64::NAN },
        of([2.0]),
        1.0,
        1e-6,
        &mut Memory::default(),
    );
    let Err(SolverError::StepTooSmall { t }) = end else {
        panic!("{end:?}")
    };
    assert!((t - core::f64::consts::LN_2).abs() < 1e-6, "{t}");
}

/// A tenth of the rate where u is in a band.
struct Band;

const BAND: [f64; 2] = [0.5, 0.6];

impl Problem<1> for Band {
    fn rate<S: Scalar>(&self, _: f64, _: &[S; 1], u: &[S; 1]) -> [S; 1] {
        [S::constant(if (BAND[0]..BAND[1]).contains(&u[0].value()) {
            0.1
        } else {
            1.0
        })]
    }

    fn passes_over(&self, from: f64, to: f64) -> bool {
        from < BAND[0] && to >= BAND[1]
    }
}

/// An error of u on entering the band is ten times as large behind it.
#[test]
fn band_that_no_stage_has_seen_is_not_passed_over() {
    for tolerance in [1e-4, 1e-6, 1e-8] {
        let (x, done) = integrate(&Band, of([0.0]), 2.0, tolerance);
        let bound = 10.0 * of_all_steps(done.inner_steps) * tolerance;
        assert!(
            (x.u[0] - 1.1).abs() < bound,
            "{tolerance:e}: {x:?}, {} steps",
            done.inner_steps
        );
    }
}

/// Constant speed under a force F sin ωt.
struct Push {
    amplitude: f64,
    frequency: f64,
}

impl Problem<1> for Push {
    fn rate<S: Scalar>(&self, _: f64, _: &[S; 1], _: &[S; 1]) -> [S; 1] {
        [S::constant(0.0)]
    }

    fn force(&self, t: f64) -> Option<[f64; 1]> {
        Some([self.amplitude * libm::sin(self.frequency * t)])
    }
}

/// The error of work may be ten tolerances, and its scale is a tenth here.
#[test]
fn work_of_a_curved_input_is_within_its_tolerance() {
    let cases = [
        (1.0, 0.3, 2.0),
        (1.0, 1.0, 1e2),
        (1.0, 30.0, 2.0),
        (1e-2, 1.0, 2.0),
        (1e-2, 30.0, 2.0),
    ];
    for (amplitude, frequency, duration) in cases {
        for tolerance in [1e-3, 1e-4, 1e-6, 1e-8] {
            let done = integrate(
                &Push {
                    amplitude,
                    frequency,
                },
                of([1.0]),
                duration,
                tolerance,
            )
            .1;
            let error =
                done.totals.work - amplitude * (1.0 - libm::cos(duration * frequency)) / frequency;
            assert!(
                error.abs() < tolerance,
                "{amplitude}, {frequency}, {tolerance:e}: {error:e}"
            );
        }
    }
}
