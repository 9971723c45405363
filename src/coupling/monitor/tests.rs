//! Reasons to doubt a coupling, from steps whose measures are known.

use super::*;
use crate::laws::tests::random;

/// Steps of one length, s.
const ONE_LENGTH: StepLengths = StepLengths { last: 1e-3, before: 1e-3, horizon: 1e-3 };
/// F_s, N.
const F_S: f64 = 10.0;

/// Monitor from E_loss = 3 J, with F_s and a step energy of 0.01 J, so that the work refers to 1 J more.
fn monitor() -> CouplingMonitor {
    let mut monitor = CouplingMonitor::new(3.0);
    monitor.begin(F_S, 1e4);
    monitor
}

fn step(load_change: f64, inertia: f64) -> MonitoredStep {
    MonitoredStep { work: 0.0, load_change, inertia, force: None, lengths: ONE_LENGTH }
}

#[test]
fn error_of_the_work_is_relative_to_the_work_of_the_law_and_a_hundred_step_energies() {
    let mut monitor = monitor();
    monitor.add(MonitoredStep { work: 5.0, ..step(0.0, 0.0) }, SERIAL);
    assert!((monitor.work_error(7.0) - 0.2).abs() < 1e-15, "{}", monitor.work_error(7.0));
    assert!((monitor.work_error(9.0) + 1.0 / 7.0).abs() < 1e-15, "{}", monitor.work_error(9.0));
    assert_eq!((work_error(1.0, -3.0, 0.0), work_error(0.0, 0.0, 0.0)), (1.0 / 3.0, 0.0));
    // The largest F_s²H²/m so far counts, and no infinite F_s.
    monitor.begin(0.5 * F_S, 1e4);
    monitor.begin(f64::INFINITY, 1e4);
    assert!((monitor.work_error(7.0) - 0.2).abs() < 1e-15);
}

#[test]
fn work_is_doubtful_after_fifteen_steps_with_more_than_one_per_cent_of_error() {
    let doubts = |error: f64, share: f64| -> Vec<Option<Doubt>> {
        let mut monitor = monitor();
        let each = |i: u32| {
            monitor.add(MonitoredStep { work: 1.0 + error, ..step(0.0, 0.0) }, SERIAL);
            let loss = 3.0 + f64::from(i);
            monitor.compare(loss, share);
            monitor.doubt(loss, SERIAL)
        };
        (1..=40).map(each).collect()
    };
    let found = doubts(0.05, 1.0);
    assert!(found[..15].iter().all(Option::is_none), "{found:?}");
    let Some(Doubt::Work(error)) = found[15] else { panic!("{found:?}") };
    assert!((error - 0.05 * 16.0 / 17.0).abs() < 1e-12, "{error}");
    // Steps of a quarter of the longest recent one count as a quarter.
    assert!(doubts(0.05, 0.25).iter().all(Option::is_none));
    assert!(doubts(0.008, 1.0).iter().all(Option::is_none) && doubts(-0.05, 1.0)[15].is_some());
}

#[test]
fn elastic_body_shows_its_stiffness_after_twenty_steps() {
    let doubt_by = |elasticity: f64, steps: u32, bounds: MonitorBounds| {
        let (mut monitor, mut load_change, mut before) = (monitor(), 0.0, 0.0);
        for i in 0..steps {
            load_change -= elasticity * before;
            // A displacement whose load is independent of the stiffness.
            before = 2.5 / elasticity * libm::sin(0.5 * f64::from(i));
            monitor.add(step(load_change, before), bounds);
        }
        monitor.doubt(3.0, bounds)
    };
    let doubt = |elasticity: f64, steps: u32| doubt_by(elasticity, steps, SERIAL);
    let Some(Doubt::Elastic(found)) = doubt(0.5, 21) else { panic!("{:?}", doubt(0.5, 21)) };
    assert!((found - 0.5).abs() < 1e-12, "{found}");
    assert_eq!((doubt(0.5, 20), doubt(0.1, 40)), (None, None));
    // Above 4 the loop itself oscillates.
    assert!(!matches!(doubt(4.5, 40), Some(Doubt::Elastic(_))));
    // A known support, and the acceleration more so, make a stiffness less doubtful.
    let is_elastic = |elasticity: f64| {
        [SERIAL, ON_SUPPORT, SERIAL_WITH_ACCELERATION]
            .map(|bounds| matches!(doubt_by(elasticity, 40, bounds), Some(Doubt::Elastic(_))))
    };
    assert_eq!(is_elastic(0.16), [true, false, false]);
    assert_eq!(is_elastic(0.25), [true, true, false]);
    assert_eq!(is_elastic(0.4), [true; 3]);
}

#[test]
fn second_differences_of_the_load_and_errors_of_the_force_are_doubtful_above_their_bounds() {
    let doubt = |load: f64, force: f64, steps: u32, bounds: MonitorBounds| {
        let mut monitor = monitor();
        for i in 0..steps {
            monitor.add(step(if i % 2 == 0 { load } else { -load }, 0.0), bounds);
            monitor.add_force_error(if i % 3 == 0 { force } else { -force }, ONE_LENGTH);
        }
        monitor.doubt(3.0, bounds)
    };
    let Some(Doubt::Load(load)) = doubt(1.5, 0.0, 1000, SERIAL) else { panic!("no doubt of the load") };
    assert!((load - 0.3).abs() < 1e-6, "{load}");
    assert_eq!((doubt(0.9, 0.8, 1000, SERIAL), doubt(4.0, 4.0, 60, SERIAL)), (None, None));
    assert!(matches!(doubt(0.9, 0.0, 1000, PARALLEL), Some(Doubt::Load(_))));
    let Some(Doubt::Force(force)) = doubt(0.0, 1.0, 1000, SERIAL) else { panic!("no doubt of the force") };
    assert!((force - 0.1).abs() < 1e-6, "{force}");
    let Some(Doubt::Force(force)) = doubt(0.0, 9.0, 1000, SERIAL) else { panic!("no doubt of the force") };
    assert!((force - JUMP[0]).abs() < 1e-6, "a jump counts as {force}");
}

#[test]
fn normal_force_that_alternates_is_doubtful_above_its_bound() {
    let doubt = |amplitude: f64, bounds: MonitorBounds| {
        let mut monitor = NormalMonitor::new(10.0);
        for i in 0..1000 {
            monitor.add(10.0 + if i % 2 == 0 { amplitude } else { -amplitude }, ONE_LENGTH);
        }
        monitor.doubt(bounds)
    };
    // Δ²F_N is four amplitudes.
    let Some(Doubt::Normal(found)) = doubt(0.5, SERIAL) else { panic!("no doubt") };
    assert!((found - 2.0 / 10.5).abs() < 1e-6, "{found}");
    assert!(doubt(0.3, SERIAL).is_none() && doubt(0.3, PARALLEL).is_some());
    let Some(Doubt::Normal(found)) = doubt(9.0, SERIAL) else { panic!("no doubt") };
    assert!((found - JUMP[1]).abs() < 1e-6, "a jump counts as {found}");
    // An open contact has F_N = 0.
    let mut open = NormalMonitor::new(-1.0);
    (0..100).for_each(|i| open.add(if i % 2 == 0 { -5.0 } else { 0.0 }, ONE_LENGTH));
    assert_eq!((open.size(), open.doubt(SERIAL)), (0.0, None));
}

#[test]
fn bounds_are_those_of_the_scheme() {
    let of = |coupling, has_acceleration| {
        let MonitorBounds { elasticity, load, normal } = MonitorBounds::of(coupling, has_acceleration);
        [elasticity, load, normal]
    };
    assert_ne!(of(Coupling::Serial, false), of(Coupling::Serial, true));
    assert_ne!(of(Coupling::Serial, false), of(Coupling::Parallel, false));
    assert_eq!(of(Coupling::Parallel, true), of(Coupling::Parallel, false));
}

/// Monitor after 3 s of a swing of 1 cm on a spring (N/m) in steps of up to `longest` (s), with F_s = 1 N.
fn after(stiffness: f64, longest: f64, is_random: bool) -> CouplingMonitor {
    let bounds = MonitorBounds::of(Coupling::Serial, false);
    let omega = stiffness.sqrt();
    let v = |t: f64| 0.01 * omega * libm::cos(omega * t);
    // The mean of −c x is the mean acceleration.
    let mean = |t: f64, h: f64| (v(t + h) - v(t)) / h;
    let mut random = random(3);
    let mut monitor = CouplingMonitor::new(0.0);
    monitor.begin(1.0, 1.0 / (longest * longest));
    let (mut t, mut before, mut load) = (0.0, longest, 0.0);
    while t < 3.0 {
        let last = if is_random { longest * libm::exp(-2.0 * (0.5 + 0.5 * random())) } else { longest };
        let next = mean(t, last);
        let lengths = StepLengths { last, before, horizon: longest };
        let step = MonitoredStep { work: 0.0, load_change: next - load, inertia: next, force: None, lengths };
        monitor.add(step, bounds);
        (t, before, load) = (t + last, last, next);
    }
    monitor
}

#[test]
fn stiffness_is_found_in_steps_of_any_length() {
    let bounds = MonitorBounds::of(Coupling::Serial, false);
    let (stiffness, h) = (1e4, 5e-3);
    let Some(Doubt::Elastic(steady)) = after(stiffness, h, false).doubt(0.0, bounds) else { panic!("no doubt") };
    assert!((steady / (stiffness * h * h) - 1.0).abs() < 0.05, "{steady}");
    // In shorter steps it counts for less.
    let Some(Doubt::Elastic(varied)) = after(8.0 * stiffness, h, true).doubt(0.0, bounds) else { panic!("no doubt") };
    assert!((0.2..0.6).contains(&(varied / (8.0 * stiffness * h * h))), "{varied}");
    for is_random in [false, true] {
        assert_eq!(after(1e3, 1e-3, is_random).doubt(0.0, bounds), None);
    }
}

#[test]
fn load_counts_by_the_time_of_its_steps() {
    // Tiny steps between long ones do not hide what the long ones miss.
    let bounds = MonitorBounds::of(Coupling::Parallel, false);
    let mut monitor = CouplingMonitor::new(0.0);
    monitor.begin(1.0, 1.0);
    let mut before = 1.0;
    for i in 0..2000 {
        let is_long = i % 5 == 0;
        let last = if is_long { 1.0 } else { 1e-3 };
        let load_change = if i % 10 == 0 { 1.0 } else { 0.0 };
        let lengths = StepLengths { last, before, horizon: 1.0 };
        monitor.add(MonitoredStep { work: 0.0, load_change, inertia: 0.0, force: None, lengths }, bounds);
        before = last;
    }
    assert!(matches!(monitor.doubt(0.0, bounds), Some(Doubt::Load(_))), "{monitor:?}");
}

#[test]
fn length_that_changed_before_the_means_count_fades_from_them() {
    // The last step before the sixth longest one is shorter: the next one is of the same length as it, over another distance.
    let mut monitor = monitor();
    let lengths = |last: f64, before: f64| StepLengths { last, before, horizon: 1e-3 };
    let mut add = |last: f64, before: f64| {
        monitor.add(MonitoredStep { lengths: lengths(last, before), ..step(0.0, 0.0) }, SERIAL);
        monitor.lengths
    };
    for _ in 0..5 {
        assert_eq!(add(1e-3, 1e-3), [0.0; 2]);
    }
    assert_eq!(add(0.6e-3, 1e-3), [0.0; 2]);
    let [varied, shortness] = add(0.6e-3, 0.6e-3);
    assert!(varied == 0.0 && shortness < 0.0, "{varied}, {shortness}");
    // Without a further change the length counts as it is: H² over that of the longest step, less 1.
    assert!(add(0.6e-3, 0.6e-3)[1] > shortness);
    // Steps of the longest length again: one change, and the mean returns to that of one length.
    add(1e-3, 0.6e-3);
    let mut last = add(1e-3, 1e-3);
    for _ in 0..300 {
        let now = add(1e-3, 1e-3);
        assert!(now[0] < last[0] && now[1].abs() < last[1].abs(), "{now:?} after {last:?}");
        last = now;
    }
    assert!(last[0] < 1e-3 && last[1].abs() < 1e-3, "{last:?}");
}

#[test]
fn means_begin_after_six_steps_and_keep_their_share_from_step_to_step() {
    let mut monitor = monitor();
    let kept = |steps: u32| libm::pow(MEMORY, f64::from(steps));
    for i in 1..=40 {
        // Changes of A alternate between 1 and −1 N: Δ²A is 2 N.
        monitor.add(step(if i % 2 == 0 { 1.0 } else { -1.0 }, 0.0), SERIAL);
        monitor.add_force_error(if i % 2 == 0 { 0.5 } else { -0.5 }, ONE_LENGTH);
        let counted = u32::saturating_sub(i, 6);
        let expected = [4.0, 0.25].map(|square| square * (1.0 - kept(counted)));
        for (found, expected) in [monitor.curvature, monitor.force_error].into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-13, "after {i} steps: {found}, not {expected}");
        }
    }
}

#[test]
fn recent_works_fade_over_five_hundred_steps() {
    let mut monitor = monitor();
    // From E_loss = 3 J on the law does 2 J in a step, and the applied force 2.5 J, in steps of half of the longest recent one.
    let (mut recent, kept) = (0.0, 1.0 - 0.5 / RECENT_STEPS);
    for i in 1..=300 {
        monitor.add(MonitoredStep { work: 2.5, ..step(0.0, 0.0) }, SERIAL);
        monitor.compare(3.0 + 2.0 * f64::from(i), 0.5);
        recent = recent * kept + 1.0;
        let expected = [0.5 * recent, 2.0 * recent];
        for (found, expected) in monitor.recent.into_iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < 1e-12, "after {i} steps: {found}, not {expected}");
        }
    }
    // The sum of a geometric series.
    assert!((recent - (1.0 - libm::pow(kept, 300.0)) * 2.0 * RECENT_STEPS).abs() < 1e-9, "{recent}");
}

#[test]
fn size_is_the_sum_of_the_magnitudes() {
    let mut response = ResponseMonitor::default();
    response.add(-3.0, -5.0, 1.0, true);
    assert_eq!(response.size(), 8.0);
    let monitor = CouplingMonitor {
        work: -16.0,
        step_energy: 32.0,
        curvature: 64.0,
        force_error: 128.0,
        sums: [256.0, -1e9, 512.0],
        last: [-1024.0, 1e9, 1e9],
        response,
        ..CouplingMonitor::default()
    };
    assert_eq!(monitor.size(), 2040.0);
}

#[test]
fn jump_of_the_load_counts_up_to_five_times_its_bound() {
    for bounds in [SERIAL, PARALLEL] {
        let mut monitor = monitor();
        (0..6).for_each(|_| monitor.add(step(0.0, 0.0), bounds));
        monitor.add(step(1e3, 0.0), bounds);
        let most = 5.0 * bounds.load * F_S;
        let expected = (1.0 - MEMORY) * most * most;
        assert!((monitor.curvature / expected - 1.0).abs() < 1e-12, "{}, not {expected}", monitor.curvature);
    }
}

#[test]
fn step_of_another_length_counts_by_its_distance_from_the_one_before() {
    let mut monitor = monitor();
    (0..6).for_each(|_| monitor.add(step(0.0, 0.0), SERIAL));
    // The middles of 1 and 0.5 ms are 0.75 ms apart, and of 0.5 and 0.5 ms 0.5 ms.
    let mut expected = [0.0, 0.0];
    for (last, before, changes, product) in [(0.5e-3, 1e-3, 1.0, 0.75), (0.5e-3, 0.5e-3, 0.0, 0.25)] {
        let lengths = StepLengths { last, before, horizon: 1e-3 };
        monitor.add(MonitoredStep { lengths, ..step(0.0, 0.0) }, SERIAL);
        let weight = (1.0 - MEMORY) * 0.5;
        expected[0] += weight * (changes - expected[0]);
        expected[1] += weight * (product - 1.0 - expected[1]);
        for (found, expected) in monitor.lengths.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15, "{last} s after {before} s: {found}, not {expected}");
        }
    }
}

#[test]
fn recent_error_of_the_work_is_no_doubt_where_all_of_the_work_has_less_than_a_per_cent() {
    let mut monitor = monitor();
    let mut found = Vec::new();
    for i in 1..=1150 {
        let error = if i > 1000 { 0.05 } else { 0.0 };
        monitor.add(MonitoredStep { work: 1.0 + error, ..step(0.0, 0.0) }, SERIAL);
        monitor.compare(3.0 + f64::from(i), 1.0);
        found.push(monitor.doubtful);
    }
    let [of_all, recent] = [monitor.work_error(1153.0), monitor.recent[0] / monitor.recent[1]];
    assert!(of_all < MAX_WORK_ERROR && recent > 1.2 * MAX_WORK_ERROR, "{of_all}, {recent}");
    assert!(found.iter().all(|steps| *steps == 0.0), "{found:?}");
}
