//! The slow motion beside a transient, and transients of segments that begin later than their trajectory.

use super::*;

/// λ is constant where v is in proportion to F_N: the slow motion is v/λ − v′/λ².
#[test]
fn slow_motion_lags_behind_a_velocity_that_changes() {
    let bristle = bristle(Exponential::constant(0.3), 0.0);
    let (normal, v) = (20.0, 0.7);
    let rate = bristle.sigma_0 * v / (0.3 * normal);
    for growth in [-0.5, 0.5, 3.0] {
        let inputs = [contact(normal, v, 0.0), contact(growth * normal / H, growth * v / H, 0.0)];
        let lag = growth / (rate * H);
        let exact = v / rate * (1.0 - lag);
        let [_, [found]] = relax(&bristle, inputs, |relaxation| After(relaxation, 0.0).slow(0.0));
        // The remainder is of the third order.
        assert!((found / exact - 1.0).abs() < 0.1 * lag * lag, "{growth}: {found:e} m, not {exact:e} m");
    }
}

/// The transient of a segment between these times (s) of a trajectory, from this share of the largest deflection.
fn split_between(
    bristle: &Bristle,
    trajectory: &InputTrajectory,
    [from, end]: [f64; 2],
    share: f64,
) -> Option<Transient<1>> {
    let segment = InputSegment::between_breakpoints(trajectory, [from, end], 0.0);
    let relaxation = Relaxation {
        bristle,
        segment: &segment,
        middle: trajectory.at(0.5 * (from + end)),
        error_force: 20.0,
        max_force: 20.0,
        max_speed: 1.0,
        end: trajectory.at(end),
        slid_later: 0.0,
        duration: H,
        min_force: 0.0,
    };
    let limit = bristle.curve.mu_s * trajectory.at(from).F_N / bristle.sigma_0;
    split(&relaxation, [from, end], [share * limit], TOLERANCE)
}

#[test]
fn transient_does_not_depend_on_the_origin_of_time() {
    const FROM: f64 = 0.4 * H;
    let derivatives = [contact(8e3, 80.0, 0.0), contact(-2e6, -3e5, 0.0), contact(1e9, 4e8, 0.0)];
    let later = InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(contact(20.0, 0.7, 0.0)) };
    let at = |[value, first, second, third]: [f64; 4]| {
        let t = FROM;
        [
            value + t * (first + t / 2.0 * (second + t / 3.0 * third)),
            first + t * (second + t / 2.0 * third),
            second + t * third,
            third,
        ]
    };
    let orders = [later.start, derivatives[0], derivatives[1], derivatives[2]];
    let (normal, v) = (at(orders.map(|order| order.F_N)), at(orders.map(|order| order.v)));
    let [start, moved @ ..] = core::array::from_fn::<_, 4, _>(|k| contact(normal[k], v[k], 0.0));
    let first = InputTrajectory { derivatives: Some(&moved), ..InputTrajectory::held(start) };
    let mut judged = 0;
    for curve in [Exponential::constant(0.3), falling()] {
        let bristle = bristle(curve, 3192.75);
        for share in [-0.9, 0.4, 1.5, 3.0] {
            let found = [(&later, [FROM, H]), (&first, [0.0, H - FROM])]
                .map(|(trajectory, times)| split_between(&bristle, trajectory, times, share));
            assert_eq!(found[0].is_some(), found[1].is_some(), "{share}");
            let [Some(later), Some(first)] = found else { continue };
            judged += 1;
            let [later, first] = [later, first].map(|Transient { slow: [slow], loss, impulse }| [slow, loss, impulse]);
            for (later, first) in later.into_iter().zip(first) {
                assert!((later - first).abs() <= 1e-9 * first.abs(), "{share}: {later:e}, not {first:e}");
            }
        }
    }
    assert!(judged > 5, "{judged} transients");
}

#[test]
fn transient_has_decayed_at_the_end_of_its_segment() {
    let bristle = bristle(Exponential::constant(0.3), 0.0);
    let held = InputTrajectory::held(contact(20.0, 0.7, 0.0));
    let rate = bristle.sigma_0 * 0.7 / (0.3 * 20.0);
    for from in [0.0, 0.3 * H] {
        let has_one = |lengths: f64| split_between(&bristle, &held, [from, from + lengths / rate], 0.5).is_some();
        assert!(has_one(1.01 * SHORT_TRANSIENT) && !has_one(0.99 * SHORT_TRANSIENT), "from {from} s");
    }
}
