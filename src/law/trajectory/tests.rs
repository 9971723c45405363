//! Tests of trajectories, their breakpoints and the bisection.

use super::*;

fn breakpoints(v: [f64; 4], duration: f64) -> Vec<f64> {
    let [start, derivatives @ ..] = v.map(|v| Contact::new(0.0, v));
    InputTrajectory {
        start: Contact { F_N: 1.0, ..start },
        derivatives: Some(&derivatives),
        delay: None,
    }
    .breakpoints(duration)
    .collect()
}

#[test]
fn breakpoints_are_the_zeros_and_extrema_of_the_inputs() {
    // (t − 1)(t − 2)(t − 3) = −6 + 11t − 6t² + t³, which turns at 2 ∓ 1/√3.
    let cubic = [-6.0, 11.0, -12.0, 6.0];
    let turn = 1.0 / 3_f64.sqrt();
    let expected = [1.0, 2.0 - turn, 2.0, 2.0 + turn, 3.0, 10.0];
    let found = breakpoints(cubic, 10.0);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (breakpoint, expected) in found.iter().zip(expected) {
        assert!((breakpoint - expected).abs() < 1e-12, "{found:?}");
    }
    assert_eq!(breakpoints(cubic, 1.2).len(), 2);
    assert_eq!(breakpoints([1.0, 0.0, 0.0, 0.0], 2.0), [2.0]);
    assert_eq!(
        InputTrajectory::held(Contact::new(1.0, 1.0))
            .breakpoints(2.0)
            .collect::<Vec<_>>(),
        [2.0]
    );
    let ramp = breakpoints([-1.0, 2.0, 0.0, 0.0], 2.0);
    assert!((ramp[0] - 0.5).abs() < 1e-14 && ramp.len() == 2, "{ramp:?}");
}

#[test]
fn bisection_ends_beyond_the_change() {
    let found = bisect(0.0, 3.0, |t| t * t < 2.0).unwrap();
    assert!(found * found >= 2.0 && found < 2_f64.sqrt() + 1e-14);
    assert_eq!(bisect(0.0, 1.0, |t| t < 2.0), None);
    // There is no number between these two.
    let least = f64::from_bits(1);
    assert_eq!(bisect(0.0, least, |t| t == 0.0), Some(least));
}

#[test]
fn every_zero_of_the_delayed_velocity_is_found() {
    let (delay, h, mut start) = (3.630_898_915_163_188_7e-4, 1.934_858_913_568_423e-5, 0.0);
    let mut history = crate::law::History::default();
    for i in 0..12 {
        history.add(start, if i % 2 == 0 { 0.5 } else { -0.3 }, delay);
        start += h;
    }
    let delay = Some(Delay {
        delay,
        history: &history,
        start,
    });
    let trajectory = InputTrajectory {
        delay,
        ..InputTrajectory::held(Contact::ZERO)
    };
    let mut t = 0.0;
    while t < 3.6e-4 {
        let next = trajectory.delayed_velocity_smooth_until(t, trajectory.breakpoints(1.0));
        let [early, late] = [0.01, 0.99].map(|part| trajectory.at(t + part * (next - t)).v_past);
        assert!(
            early * late > 0.0,
            "v_past changes its sign between {t} s and {next} s"
        );
        t = next;
    }
}

#[test]
fn a_zero_of_the_delayed_velocity_is_found_once() {
    let mut history = crate::law::History::default();
    for i in 0..60 {
        let time = 1e-4 * f64::from(i);
        history.add(time, libm::sin(7.3 * f64::from(i)), 5e-3);
    }
    let delay = Some(Delay {
        delay: 5e-3,
        history: &history,
        start: 5.9e-3,
    });
    let trajectory = InputTrajectory {
        delay,
        ..InputTrajectory::held(Contact::ZERO)
    };
    for i in 0..2000 {
        let (mut t, mut segments) = (1e-6 * f64::from(i), 0);
        while t < 5e-3 {
            (t, segments) = (
                trajectory.delayed_velocity_smooth_until(t, trajectory.breakpoints(1.0)),
                segments + 1,
            );
        }
        assert!(segments < 110, "{segments} segments from {i} \u{b5}s");
    }
}

#[test]
fn subnormal_derivatives_do_not_limit_a_step() {
    let along = |v: [f64; 3]| v.map(|v| Contact { v, ..Contact::ZERO });
    for max_dv in [1e-5, 2.6e-5, 1e-3, 1.0] {
        for v in [
            [-9.8e-311, -2e-311, 9.9e-311],
            [-2e-311, 9.8e-311, 2e-311],
            [5e-324, 0.0, 5e-324],
            [2e-311, 5e-324, 0.0],
        ] {
            let derivatives = along(v);
            let trajectory = InputTrajectory {
                derivatives: Some(&derivatives),
                ..InputTrajectory::held(Contact::ZERO)
            };
            let within = trajectory.time_within(max_dv, 0.0);
            assert!(within > 1e99, "{within} s for {max_dv} m/s with {v:?}");
        }
    }
}
