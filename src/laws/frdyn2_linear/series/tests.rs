//! Single steps by series in all zones, under velocities and normal forces that move, against the general integrator.

use super::*;
use crate::integrate::radau::Radau;
use crate::law::bisect;
use crate::laws::frdyn2_linear::FrDyn2Linear;
use crate::laws::tests::random;
use crate::variable::Values;

/// Tolerance of a step: F_s/σ_0 of z and v_s of ż.
const TOLERANCE: f64 = 1e-7;

fn equations() -> Equations {
    FrDyn2Linear::new(&Values::of(FrDyn2Linear::METADATA.parameters)).unwrap().with_general_integrator()
}

/// Whether |F_0| is beyond F_s, and the number of speeds of the characteristic that |w| exceeds.
fn zone(equations: &Equations, contact: Contact, x: &[f64; 2]) -> (bool, usize) {
    let base = &equations.base;
    let static_force = base.mu_s * contact.F_N;
    let force = base.sigma_0 * x[0] + base.sigma_1 * contact.v;
    let w = contact.v - x[1] + base.v_s * (force / static_force).clamp(-1.0, 1.0);
    (force.abs() > static_force, [base.v_s, base.v_d].into_iter().filter(|speed| w.abs() > *speed).count())
}

#[test]
fn step_has_the_motion_of_its_zone_and_ends_where_it_leaves_the_zone() {
    let equations = equations();
    let base = &equations.base;
    let mut random = random(11);
    let mut between = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + random());
    // Steps in each zone, and those that end at a border.
    let (mut steps, mut ended) = ([0; 6], 0);
    for n in 0..1800 {
        let duration = libm::exp10(between(-6.0, -3.5));
        let normal = libm::exp10(between(-1.0, 1.5));
        // Half of the cases move up to three times as far as the parabola, half beyond v_d.
        let size = base.v_s * if n % 2 == 0 { 3.0 } else { 15.0 };
        let start = Contact::new(normal, size * between(-1.0, 1.0));
        let moves = |k: i32, v: f64, normal: f64| {
            let power = libm::pow(duration, f64::from(k));
            Contact::new(normal / power, v / power)
        };
        // F_N falls to a half of its start at most.
        let derivatives = [1, 2, 3].map(|k| {
            let normal = if n % 3 == 0 { 0.0 } else { normal * between(-0.25, 0.5) };
            moves(k, base.v_s * between(-1.0, 1.0), normal)
        });
        let trajectory = InputTrajectory { start, derivatives: (n % 5 != 0).then_some(&derivatives), delay: None };
        let x = [base.mu_s * normal / base.sigma_0 * between(-1.3, 1.3), size * between(-1.0, 1.0)];
        let whole = Whole { duration, impulse: base.mu_s * normal * duration };
        let Some(step) = series_step(&equations, &trajectory, duration, &x, TOLERANCE, &whole) else { continue };
        assert!(step.length > 0.0 && step.length <= duration);
        let from = zone(&equations, start, &x);
        steps[3 * usize::from(from.0) + from.1] += 1;
        let mut expected = x;
        let mut solver = Radau::default();
        let tight =
            equations.advance(&trajectory, &mut expected, &mut (), step.length, 1e-10, &mut solver).expect("a step");
        let end = trajectory.at(step.length);
        let said = format!("{n}: {trajectory:?} from {x:?} for {:e} of {duration:e} s, {from:?}", step.length);
        let [deflection, _] = equations.scale(end, &expected);
        let errors = [(step.x[0] - expected[0]) / deflection, (step.x[1] - expected[1]) / base.v_s];
        assert!(errors.iter().all(|error| error.abs() < 3.0 * TOLERANCE), "{errors:?}: {said}");
        let speed = start.v.abs()
            + derivatives.iter().zip(1..).fold(0.0, |sum, (d, k)| sum + d.v.abs() * libm::pow(duration, f64::from(k)));
        let loss = (step.loss - tight.loss).abs() / (base.mu_s * normal * speed * duration);
        assert!(loss < 3.0 * TOLERANCE, "{loss:e} of the loss: {said}");
        // It is in another zone just behind a border where it ended, or was limited by its tolerance.
        if step.length < duration {
            let mut behind = expected;
            let rest = trajectory.after(step.length);
            let more = (1e-3 * step.length).min(duration - step.length);
            let rest = rest.trajectory();
            equations.advance(&rest, &mut behind, &mut (), more, 1e-10, &mut solver).expect("a step");
            ended += u32::from(zone(&equations, rest.at(more), &behind) != from);
        }
    }
    assert!(steps.iter().all(|count| *count > 10) && ended > 200, "{steps:?}, {ended} ended at a border");
}

#[test]
fn quantity_stays_above_0_up_to_the_root_of_its_bounding_parabola() {
    for value in [0.0, 1e-9, 0.3, 7.0] {
        for rate in [-5.0, -1e-6, 0.0, 1e-6, 5.0] {
            for bend in [1e-3, 1.0, 1e4] {
                let t = stays_above([value, rate], bend);
                let at = |t: f64| value + t * (rate - 0.5 * bend * t);
                let scale = value + t * (rate.abs() + bend * t);
                assert!(t >= 0.0 && at(t).abs() <= 1e-12 * scale, "{value}, {rate}, {bend}: {} at {t}", at(t));
                assert!(at(1.001 * t + 1e-9) < 0.0, "{value}, {rate}, {bend}: {t} is not the last root");
            }
        }
    }
    // Without a bend: a straight line. Without a bound: no time.
    assert_eq!([stays_above([1.0, -2.0], 0.0), stays_above([1.0, 2.0], 0.0)], [0.5, f64::INFINITY]);
    assert_eq!(stays_above([1.0, 2.0], f64::INFINITY), 0.0);
}

#[test]
fn series_has_no_zero_within_the_time_for_which_it_stays_above_0() {
    let mut random = random(5);
    let mut between = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + random());
    let mut zeros = 0;
    for _ in 0..2000 {
        let series: Series = core::array::from_fn(|n| between(-1.0, 1.0) / (1.0 + n as f64));
        let length = between(0.1, 1.2);
        let begin = between(0.0, 0.5) * length;
        let [here, rate] = motion(&series, begin);
        // The rate is that of the polynomial.
        let step = 1e-6 * length;
        let quotient = (value(&series, begin + step) - value(&series, begin - step)) / (2.0 * step);
        assert!((rate - quotient).abs() < 1e-6 * (1.0 + rate.abs()), "{rate} for {quotient}");
        let side = 1_f64.copysign(here);
        let until = stays_above([side * here, side * rate], bend(&series, length)).min(length - begin);
        let is_above = |part: f64| side * value(&series, begin + part * until) >= 0.0;
        assert!((0..200).all(|i| is_above(f64::from(i) / 200.0)), "{series:?} from {begin} for {until} of {length}");
        zeros +=
            u32::from((0..200).any(|i| side * value(&series, begin + f64::from(i) / 200.0 * (length - begin)) < 0.0));
    }
    assert!(zeros > 150, "{zeros} series have a zero further on");
}

#[test]
fn lower_bound_of_a_rising_polynomial_is_its_start_and_that_of_any_other_is_below_it() {
    assert_eq!(at_least(&[0.3, 2.0, 0.0, 5.0], 10.0), 0.3);
    assert_eq!(at_least(&[0.3, -2.0, 0.5, -1.0], 2.0), 0.3 - 4.0 - 8.0);
    let mut random = random(6);
    for _ in 0..2000 {
        let c: [f64; INPUT_TERMS] = core::array::from_fn(|_| random());
        let length = 1.0 + random();
        let bound = at_least(&c, length);
        for i in 0..=100 {
            let here = value(&c, length * f64::from(i) / 100.0);
            assert!(bound <= here + 1e-12, "{c:?} within {length}: {bound} above {here}");
        }
    }
}

#[test]
fn step_from_the_border_at_v_s_is_in_the_zone_that_the_motion_leads_into() {
    let equations = equations();
    let base = &equations.base;
    let mut random = random(23);
    let mut between = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + random());
    let mut falling = [0; 2];
    for n in 0..400 {
        // F_s far above and far below 1 N.
        let normal = libm::exp10(between(-3.0, 3.0));
        let static_force = base.mu_s * normal;
        let side = if n % 2 == 0 { 1.0 } else { -1.0 };
        let ratio = between(-0.9, 0.9);
        let (slip, rate) = (base.v_s * (1.0 - ratio), base.v_s * between(-3.0, 3.0));
        let v = slip + rate;
        let z = (ratio * static_force - base.sigma_1 * v) / base.sigma_0;
        let x = [side * z, side * rate];
        let contact = Contact::new(normal, side * v);
        // The rates of the slip and of F_0/F_s, apart from dv/dt.
        let slip_rate = -side * Law::evaluate(&equations, contact, &x, &()).rate[1];
        let of_force = base.v_s * base.sigma_0 * rate / static_force;
        let by_v = 1.0 + base.v_s * base.sigma_1 / static_force;
        let w_rate = (slip_rate.abs() + of_force.abs()) * between(-1.0, 1.0);
        let acceleration = (w_rate - slip_rate - of_force) / by_v;
        let moves = [Contact::new(0.0, side * acceleration), Contact::new(0.0, 0.0), Contact::new(0.0, 0.0)];
        let trajectory = InputTrajectory { start: contact, derivatives: Some(&moves), delay: None };
        let duration = 1e-7;
        let whole = Whole { duration, impulse: static_force * duration };
        let step = series_step(&equations, &trajectory, duration, &x, TOLERANCE, &whole).expect("a step");
        assert_eq!(
            step.falls,
            w_rate > 0.0,
            "{n}: {w_rate} of {slip_rate}, {of_force} and {acceleration} at {normal} N"
        );
        falling[usize::from(step.falls)] += 1;
    }
    assert!(falling.iter().all(|count| *count > 100), "{falling:?}");
}

/// A value that rises from 0, falls to -0.38 and rises to 0 over a step, after the share `s` of it.
fn dip(s: f64) -> f64 {
    s * (1.0 + s * (4.0 * s - 5.0))
}

/// Place of the lowest value of a [`dip`].
fn lowest() -> f64 {
    (5.0 + 13.0_f64.sqrt()) / 12.0
}

/// Length of a step in which `start` changes by `change` times a [`dip`], as a share of its duration, which is so short that z and ż are
/// constant: F_0 is `ratio` F_s at the start, and the slip `slip` v_s, both in the direction `side`.
fn length_under_a_dip(start: Contact, change: Contact, ratio: f64, slip: f64, side: f64) -> f64 {
    const DURATION: f64 = 1e-9;
    let equations = equations();
    let base = &equations.base;
    let force = side * ratio * base.mu_s * start.F_N;
    let x = [(force - base.sigma_1 * start.v) / base.sigma_0, start.v - side * slip * base.v_s];
    let mut power = 1.0;
    let derivatives = [1.0, -10.0, 24.0].map(|factor| {
        power *= DURATION;
        Contact::new(factor * change.F_N / power, factor * change.v / power)
    });
    let trajectory = InputTrajectory { start, derivatives: Some(&derivatives), delay: None };
    let whole = Whole { duration: DURATION, impulse: base.mu_s * start.F_N * DURATION };
    series_step(&equations, &trajectory, DURATION, &x, TOLERANCE, &whole).expect("a step").length / DURATION
}

#[test]
fn step_under_a_normal_force_that_dips_ends_where_the_slip_leaves_the_zone_for_a_time() {
    let mut steps = [0; 2];
    for ratio in [0.2, 0.3, 0.4, 0.5] {
        for largest in [0.7, 0.9, 0.99, 1.01, 1.05, 1.2] {
            for side in [1.0, -1.0] {
                // w over v_s at the lowest F_N.
                let slip = largest - ratio / (1.0 + dip(lowest()));
                let w = |s: f64| slip + ratio / (1.0 + dip(s));
                if w(1.0) > 0.99 {
                    continue;
                }
                let end = bisect(0.0, lowest(), |s| w(s) < 1.0).unwrap_or(1.0);
                let start = Contact::new(10.0, side * 5e-4);
                let found = length_under_a_dip(start, Contact::new(start.F_N, 0.0), ratio, slip, side);
                assert!((found - end).abs() < 1e-3, "{ratio}, {largest}, {side}: {found} for {end} of the step");
                steps[usize::from(end < 1.0)] += 1;
            }
        }
    }
    assert!(steps.iter().all(|count| *count > 10), "{steps:?}");
}

#[test]
fn step_ends_where_the_static_friction_and_the_force_pass_each_other_for_a_time() {
    let base = equations().base;
    let mut steps = [0; 2];
    // A dip of F_s to 0.62 of its start, or of F_0 by 0.11 F_s; or a rise by as much.
    let (heavy, light) = (Contact::new(10.0, 5e-4), Contact::new(1.0, 5e-4));
    let of_normal_force = [(1.0, 0.5), (1.0, 0.6), (1.0, 0.65), (1.0, 0.9), (-1.0, 1.1), (-1.0, 1.3), (-1.0, 1.5)];
    let of_force = [(1.0, 1.05), (1.0, 1.1), (1.0, 1.2), (-1.0, 0.95), (-1.0, 0.9), (-1.0, 0.8)];
    let moved = 0.3 * base.mu_s * light.F_N / base.sigma_1;
    let cases = of_normal_force
        .map(|(size, ratio)| (heavy, Contact::new(size * heavy.F_N, 0.0), [size, 0.0], ratio))
        .into_iter()
        .chain(of_force.map(|(size, ratio)| (light, Contact::new(0.0, size * moved), [0.0, 0.3 * size], ratio)));
    for (start, change, [of_limit, of_force], ratio) in cases {
        for (slip, side) in [-0.9, -0.6].into_iter().flat_map(|slip| [(slip, 1.0), (slip, -1.0)]) {
            let change = Contact { v: side * change.v, ..change };
            let is_below = |s: f64| ratio + of_force * dip(s) < 1.0 + of_limit * dip(s);
            let end = bisect(0.0, lowest(), is_below).unwrap_or(1.0);
            let found = length_under_a_dip(Contact { v: side * start.v, ..start }, change, ratio, slip, side);
            assert!((found - end).abs() < 1e-3, "{change:?}, {ratio}, {slip}, {side}: {found} for {end} of the step");
            steps[usize::from(end < 1.0)] += 1;
        }
    }
    assert!(steps.iter().all(|count| *count > 10), "{steps:?}");
}
