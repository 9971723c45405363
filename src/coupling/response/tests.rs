//! The monitor of the response against fourth differences by binomial coefficients, and its bounds on forces of one frequency.

use super::*;
use core::ops::Range;

/// Monitor after steps with the force `force(i)`, to which the body answers with `share` of m, under a smooth load, in N with F_s = 1 N.
fn after(steps: u32, share: f64, force: impl Fn(f64) -> f64) -> ResponseMonitor {
    let mut monitor = ResponseMonitor::default();
    let load = |i: f64| 0.7 * libm::sin(0.2 * i) + (1.0 - share) * force(i);
    for i in 0..steps {
        let i = f64::from(i);
        monitor.add(load(i) - load(i - 1.0), force(i), 1.0, true);
    }
    monitor
}

#[test]
fn body_that_answers_to_the_force_with_another_mass_is_found() {
    let stick_slip = |i: f64| if libm::fmod(i, 17.0) < 9.0 { 0.6 } else { 0.2 };
    for share in [0.0, 0.2, 0.4] {
        let found = after(200, share, stick_slip).foreign();
        assert!(found.is_some_and(|found| (found - share).abs() < 0.05), "{share}: {found:?}");
    }
    for share in [0.6, 1.0, 1.5] {
        assert_eq!(after(200, share, stick_slip).foreign(), None, "{share}");
    }
    // In stick the force follows the load, and v does not move.
    assert_eq!(after(1000, 1.0, |i| 0.7 * libm::sin(0.2 * i)).foreign(), None);
}

#[test]
fn force_without_an_answer_is_found_while_it_is_small() {
    let alternating = |i: f64| 0.3 + 1e-3 * if libm::fmod(i, 2.0) < 1.0 { 1.0 } else { -1.0 };
    assert!(after(60, 0.0, alternating).is_idle());
    assert!(!after(60, 1.0, alternating).is_idle());
    assert!(!after(60, 0.0, |i| 0.7 * libm::sin(0.2 * i)).is_idle());
}

/// Monitor after steps with the force and the load of each, in N.
fn of_loads(steps: u32, static_force: f64, both: impl Fn(f64) -> [f64; 2]) -> ResponseMonitor {
    let mut monitor = ResponseMonitor::default();
    add(&mut monitor, 0..steps, static_force, both);
    monitor
}

/// Adds steps with the force and the load of each.
fn add(monitor: &mut ResponseMonitor, steps: Range<u32>, static_force: f64, both: impl Fn(f64) -> [f64; 2]) {
    for i in steps.map(f64::from) {
        let [[force, load], [_, before]] = [both(i), both(i - 1.0)];
        monitor.add(load - before, force, static_force, true);
    }
}

/// 1 and −1 in turn.
fn sign(i: f64) -> f64 {
    if libm::fmod(i + 2.0, 2.0) < 1.0 { 1.0 } else { -1.0 }
}

/// A force that alternates, to which the body answers with `share` of m.
fn alternating(amplitude: f64, share: f64) -> impl Fn(f64) -> [f64; 2] {
    move |i| [0.3 + amplitude * sign(i), (1.0 - share) * amplitude * sign(i)]
}

#[test]
fn sums_are_those_of_the_products_of_fourth_differences() {
    const STEPS: usize = 40;
    let both = |i: f64| [libm::sin(1.3 * i * i), libm::cos(0.7 * i * i) + 0.4 * libm::sin(1.3 * i * i)];
    let at = |i: usize| both(i as f64);
    let fourth = |i: usize, k: usize| {
        [1.0, -4.0, 6.0, -4.0, 1.0].iter().enumerate().map(|(back, factor)| factor * at(i - back)[k]).sum::<f64>()
    };
    let second = |i: usize| at(i)[0] - 2.0 * at(i - 1)[0] + at(i - 2)[0];
    // The first fourth difference is that of the fifth step.
    let expected = (4..STEPS).fold([0.0; 4], |sums: [f64; 4], i| {
        let [p, a, curvature] = [fourth(i, 0), fourth(i, 1), second(i)];
        let products = [p * p, a * p, a * a, curvature * curvature];
        core::array::from_fn(|k| MEMORY * sums[k] + products[k])
    });
    let monitor = of_loads(STEPS as u32, 1.0, both);
    for (found, expected) in monitor.sums.into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-11 * expected.abs(), "{found}, not {expected}");
    }
    let foreign = ResponseMonitor { lasting: [31.0, 0.0], ..monitor }.foreign().expect("another body");
    assert!((foreign - (1.0 - expected[1] / expected[0])).abs() < 1e-11, "{foreign}");
}

#[test]
fn step_of_another_length_begins_the_differences_anew() {
    let both = alternating(0.3, 0.0);
    let mut monitor = of_loads(30, 1.0, &both);
    let before = monitor.sums;
    monitor.add(0.1, 0.7, 1.0, false);
    assert_eq!((monitor.sums, monitor.steps), (before, 0.0));
    add(&mut monitor, 31..35, 1.0, &both);
    assert_eq!(monitor.sums, before);
    add(&mut monitor, 35..36, 1.0, &both);
    // 16 times the amplitude, squared.
    assert!((monitor.sums[0] - MEMORY * before[0] - 0.3 * 0.3 * 256.0).abs() < 1e-11, "{monitor:?}");
}

#[test]
fn response_counts_from_the_step_on_at_which_it_has_lasted() {
    let idle = |steps| of_loads(steps, 1.0, alternating(0.3, 0.0));
    assert!(!idle(9).is_idle() && idle(9).foreign().is_none());
    assert!(idle(10).is_idle() && idle(10).foreign().is_some_and(|share| share.abs() < 1e-12));
    let foreign = |steps| of_loads(steps, 1.0, alternating(0.3, 0.4)).foreign();
    assert_eq!(foreign(34), None);
    assert!(foreign(35).is_some_and(|share| (share - 0.4).abs() < 1e-12));
    // One step without it begins the count anew.
    let mut monitor = idle(10);
    monitor.add(50.0, 0.3, 1.0, true);
    assert!(!monitor.is_idle(), "{monitor:?}");
}

#[test]
fn share_of_the_force_in_the_load_is_bounded_from_below() {
    let after = |share| of_loads(200, 1.0, alternating(0.3, share));
    assert!(after(0.49).foreign().is_some() && after(0.51).foreign().is_none());
    assert!(after(0.19).is_idle() && !after(0.21).is_idle());
    // A load against the force is no answer of another body.
    assert!(after(2.0).foreign().is_none());
}

#[test]
fn amplitude_is_bounded_from_below_in_proportion_to_the_static_friction_force() {
    for static_force in [1.0, 2.0] {
        // Δ⁴P is 16 times the amplitude.
        let after = |size: f64, share: f64| of_loads(400, static_force, alternating(size * static_force / 16.0, share));
        assert!(after(0.105, 0.4).foreign().is_some() && after(0.095, 0.4).foreign().is_none(), "{static_force}");
        assert!(after(1.05e-3, 0.0).is_idle() && !after(0.95e-3, 0.0).is_idle(), "{static_force}");
    }
}

#[test]
fn load_that_does_not_repeat_the_force_is_another_one() {
    // The other part of the load has a period of four steps: its Δ⁴ is 4 times its amplitude, and its product with the force has no mean.
    let after = |ratio: f64| {
        let other = |i: f64| if libm::fmod(i + 4.0, 4.0) < 2.0 { 1.0 } else { -1.0 };
        of_loads(400, 1.0, move |i| [0.3 * sign(i), 0.3 * sign(i) + 0.3 * ratio * other(i)])
    };
    // Squared correlations 0.93, 0.88, 0.67 and 0.55.
    assert!(after(1.1).is_idle() && !after(1.5).is_idle());
    assert!(after(2.8).foreign().is_some() && after(3.6).foreign().is_none());
}

#[test]
fn force_that_swings_slowly_is_no_measure_of_the_response() {
    let after = |frequency: f64| of_loads(400, 1.0, move |i| [0.3 * libm::sin(frequency * i); 2]);
    // (Δ⁴P)² over (Δ²P)² is the fourth power of 2 sin(ωH/2): 2.4, 3.5, 7.0 and 9.1.
    assert!(after(1.35).foreign().is_none() && after(1.5).foreign().is_some());
    assert!(!after(1.9).is_idle() && after(2.1).is_idle());
}

#[test]
fn sums_decay_to_0_in_quiet_steps_and_begin_again_beyond_them() {
    let mut quiet = of_loads(50, 1.0, alternating(0.3, 0.0));
    let last = [quiet.force[0], 0.0];
    add(&mut quiet, 50..350, 1.0, |_| last);
    assert!(!quiet.is_quiet && quiet.sums.iter().all(|sum| *sum > 0.0), "{quiet:?}");
    add(&mut quiet, 350..700, 1.0, |_| last);
    let is_still =
        |monitor: &ResponseMonitor| monitor.is_quiet && (monitor.sums, monitor.lasting) == ([0.0; 4], [0.0; 2]);
    assert!(is_still(&quiet), "{quiet:?}");
    // Fourth differences of the force, of the load, and second ones of the force, of 0.9 and 1.1 times the bound.
    let motions: [fn(f64, f64) -> [f64; 2]; 3] = [
        |size, i| [size / 16.0 * sign(i), 0.0],
        |size, i| [0.0, size / 16.0 * sign(i)],
        |size, i| [size / 2.0 * i * i, 0.0],
    ];
    for static_force in [1.0, 2.0] {
        for (k, motion) in motions.into_iter().enumerate() {
            for (share, stays) in [(0.9, true), (1.1, false)] {
                // A monitor whose differences begin with the motion.
                let mut monitor = ResponseMonitor { is_quiet: true, ..ResponseMonitor::default() };
                add(&mut monitor, 0..12, static_force, |i| motion(share * QUIET * static_force, i));
                assert_eq!(is_still(&monitor), stays, "{static_force}, {k}, {share}: {monitor:?}");
            }
        }
    }
}

#[test]
fn saved_monitor_is_the_same() {
    let monitor = of_loads(30, 1.0, |i| [0.3 * sign(i) + 0.1 * libm::sin(i), 0.2 * sign(i) + 0.4]);
    assert!(monitor.lasting != [0.0; 2] && monitor.load[2] != 0.0 && monitor.force[3] != 0.0, "{monitor:?}");
    for monitor in [monitor, ResponseMonitor { is_quiet: true, ..monitor }] {
        let mut bytes = [0; 200];
        let mut writer = Writer::new(&mut bytes);
        monitor.write(&mut writer);
        let length = writer.length();
        assert_eq!(ResponseMonitor::read(&mut Reader::new(&bytes[..length])), Some(monitor));
    }
}

#[test]
fn sums_without_a_static_friction_force_end_before_subnormal_numbers() {
    let mut monitor = of_loads(50, 0.0, alternating(0.3, 0.0));
    let last = [monitor.force[0], 0.0];
    add(&mut monitor, 50..4000, 0.0, |_| last);
    assert!(!monitor.is_quiet && monitor.sums[0] > NEGLIGIBLE_SUM, "{monitor:?}");
    add(&mut monitor, 4000..5500, 0.0, |_| last);
    assert!(monitor.is_quiet && monitor.sums == [0.0; 4], "{monitor:?}");
}

#[test]
fn size_is_the_sum_of_the_magnitudes_that_grow() {
    let monitor = ResponseMonitor {
        load: [-16.0, 100.0, 100.0],
        force: [-32.0, 100.0, 100.0, 100.0],
        sums: [1.0, 100.0, 4.0, 100.0],
        ..ResponseMonitor::default()
    };
    assert_eq!(monitor.size(), 53.0);
}
