//! Errors that an inner step is allowed.

use super::*;
use crate::catalogue::find;
use crate::element::AnyElement;

#[test]
fn allowed_error_is_the_tolerance_of_the_scale_and_the_rounding_of_the_value() {
    assert_eq!(allowed(2.0, 0.0, 1e-6), 2e-6);
    let rounding = allowed(2.0, -1e6, 1e-6) - 2e-6;
    assert!((rounding - 1e-8).abs() < 1e-20, "{rounding:e}");
    assert!(allowed(0.0, 0.0, 1e-6) > 0.0);
}

#[test]
fn contact_is_open_where_no_end_has_a_normal_force() {
    assert!(is_open([-1.0, 0.0]) && is_open([0.0, 0.0]));
    assert!(!is_open([-1.0, 1.0]) && !is_open([1.0, -1.0]));
}

#[test]
fn event_is_guessed_on_the_line_between_its_indicators_from_either_side_and_bisected_every_third_time() {
    let mut integrator = Integrator::new(1, 1, 1);
    integrator.indicators = [vec![[1.0, 1.0, 5.0, 1.0]], vec![[1.0, -3.0, 4.0, 1.0]]];
    let guesses = [0, 1, 2].map(|made| integrator.guess([0.0, 4.0], 1e-3, made));
    assert!((guesses[0] - (1.0 - 4e-4)).abs() < 1e-12 && (guesses[1] - (1.0 + 4e-4)).abs() < 1e-12, "{guesses:?}");
    assert_eq!(guesses[2], 2.0);
    // Without a change of sign the bracket is halved, and a guess at an end stays within.
    integrator.indicators[1][0][1] = 0.5;
    assert_eq!(integrator.guess([0.0, 4.0], 1e-3, 0), 2.0);
    integrator.indicators[1][0][1] = -1e12;
    assert_eq!(integrator.guess([0.0, 4.0], 1e-3, 0), 1e-4);
}

#[test]
fn contact_that_closes_begins_as_an_open_one() {
    const DEFLECTION: f64 = 1e-6;
    for name in ["Dahl", "LuGre"] {
        let model = find(name).expect("a law");
        let mut element = model.instantiate();
        element.apply_parameters().expect("parameters");
        element.initialize().expect("a start");
        let contacts: Vec<Box<dyn AnyElement>> = vec![element];
        let body = LinearBody { size: 1, axes: 1, inputs: vec![1e-9], outputs: vec![1.0] };
        // F_N at the start and at the end of the interval, N.
        let mean = |normal: [f64; 2]| {
            let mut integrator = Integrator::new(1, 1, 1);
            integrator.interval.normal[0] = normal;
            (integrator.interval.duration, integrator.interval.tolerance) = (1e-3, 1e-8);
            integrator.motion.x[0][0] = DEFLECTION;
            let mut first_step = 0.0;
            integrator.advance(&body, &contacts[..], &mut first_step, &mut StepLimit::default()).expect("a motion");
            integrator.totals.mean[0][0]
        };
        // A heavy body at rest: a deflection from before has its elastic force.
        assert!(mean([100.0, 100.0]) > 1.0, "{name}");
        assert_eq!(mean([0.0, 100.0]), 0.0, "{name}");
    }
}

/// A bristle whose deflection is far from the steady one is a spring: one coordinate on two of them, with counterparts whose velocities are
/// linear in time, under a linear load, has a motion in sines.
#[test]
fn body_on_two_springs_has_the_motion_of_an_oscillator_under_a_ramp() {
    let model = find("Dahl").expect("a law");
    let parameter = model.variables().find(|variable| variable.name == "sigma_0").expect("a parameter");
    let contact = || {
        let mut element = model.instantiate();
        element.apply_parameters().expect("parameters");
        element.initialize().expect("a start");
        element
    };
    let contacts: Vec<Box<dyn AnyElement>> = vec![contact(), contact()];
    let stiffness = contacts[0].values()[parameter];
    let mass = 2.0;
    let omega = (2.0 * stiffness / mass).sqrt();
    let y_0 = 1e-3;
    // The deflections are a ten-millionth of those in sliding.
    let normal = 1e7 * stiffness * y_0 / omega;
    let body = LinearBody { size: 1, axes: 1, inputs: vec![1.0 / mass; 2], outputs: vec![1.0; 2] };
    for angle in [0.05, 1.0, 7.0] {
        let duration = angle / omega;
        let (z_0, first) = ([0.3 * y_0 / omega, -0.1 * y_0 / omega], [0.2 * y_0, -0.5 * y_0]);
        let last = [-0.4 * y_0, 0.1 * y_0];
        let load = [0.7 * omega * y_0, 0.2 * omega * y_0];
        let mut integrator = Integrator::new(2, 1, 1);
        integrator.interval.load[0] = load;
        for i in 0..2 {
            integrator.interval.normal[i] = [normal; 2];
            integrator.interval.offset[i] = [first[i], last[i]];
            integrator.motion.x[i][0] = z_0[i];
        }
        integrator.motion.y[0] = y_0;
        (integrator.interval.duration, integrator.interval.tolerance) = (duration, 1e-12);
        let mut first_step = 0.0;
        integrator.advance(&body, &contacts[..], &mut first_step, &mut StepLimit::default()).expect("a motion");

        let slope = [0, 1].map(|i| (last[i] - first[i]) / duration);
        let ramp = (load[1] - load[0]) / duration;
        // y″ + ω² y = ramp − ω²/2 Σ offsets: a line and an oscillation.
        let (line, rise) = (ramp / omega / omega - 0.5 * (first[0] + first[1]), -0.5 * (slope[0] + slope[1]));
        let rate = load[0] - stiffness / mass * (z_0[0] + z_0[1]);
        let (cosine, sine) = (y_0 - line, (rate - rise) / omega);
        let (c, s) = (libm::cos(angle), libm::sin(angle));
        let t = duration;
        let y = line + rise * t + cosine * c + sine * s;
        let travel = line * t + rise * t * t / 2.0 + (cosine * s + sine * (1.0 - c)) / omega;
        // Integral of the travel.
        let twice =
            line * t * t / 2.0 + rise * t * t * t / 6.0 + (cosine * (1.0 - c) + sine * (angle - s)) / (omega * omega);
        let said = format!("{angle}: {integrator:?}");
        let check = |found: f64, expected: f64, size: f64| {
            assert!((found - expected).abs() < 1e-4 * size, "{found}, not {expected}, of {said}");
        };
        check(integrator.motion.y[0], y, y_0);
        check(integrator.totals.travel[0], travel, y_0 * t);
        for i in 0..2 {
            let z = z_0[i] + travel + first[i] * t + slope[i] * t * t / 2.0;
            let area = z_0[i] * t + twice + first[i] * t * t / 2.0 + slope[i] * t * t * t / 6.0;
            check(integrator.motion.x[i][0], z, y_0 / omega);
            check(integrator.totals.mean[i][0], stiffness * area / t, stiffness * y_0 / omega);
            check(
                integrator.totals.loss[i],
                0.5 * stiffness * (z * z - z_0[i] * z_0[i]),
                stiffness * y_0 * y_0 * t / omega,
            );
        }
        assert!(first_step > 0.0 && (angle < 5.0 || first_step < duration), "{first_step} s of {duration} s");
    }
}

#[test]
fn body_under_a_ramp_alone_takes_one_inner_step_or_those_of_its_first_length() {
    /// Largest factor from one inner step of `ode` to the next.
    const LARGEST_FACTOR: f64 = 8.0;
    let mut element = find("Dahl").expect("a law").instantiate();
    element.apply_parameters().expect("parameters");
    let contacts: Vec<Box<dyn AnyElement>> = vec![element];
    let body = LinearBody { size: 1, axes: 1, inputs: vec![1.0], outputs: vec![1.0] };
    const END: f64 = 2e-3;
    let steps = |first: f64| {
        let mut integrator = Integrator::new(1, 1, 1);
        (integrator.interval.load[0], integrator.interval.normal[0]) = ([3.0, 5.0], [-1.0; 2]);
        (integrator.interval.duration, integrator.interval.tolerance) = (END, 1e-6);
        let (mut first_step, mut limit) = (first, StepLimit::default());
        let count = integrator.advance(&body, &contacts[..], &mut first_step, &mut limit).expect("a motion");
        assert!((integrator.motion.y[0] - 4.0 * END).abs() < 1e-15, "{first} s: {:?}", integrator.motion);
        // The method is exact for parabolas: the next first step is longer by the largest factor.
        (count, first_step / LARGEST_FACTOR)
    };
    assert_eq!(steps(0.0), (1, END));
    assert_eq!(steps(3.0 * END), (1, END));
    // More than half of an interval, and less than all of it, is taken in two halves.
    assert_eq!(steps(0.7 * END), (2, 0.5 * END));
    assert_eq!(steps(0.5 * END), (2, 0.5 * END));
    let (count, first) = steps(1e-3 * END);
    assert!(
        (3..=8).contains(&count) && (first / (1e-3 * END) - 1.0).abs() < 1e-12,
        "{count} inner steps from {first} s"
    );
}

/// Elements of Dahl with their parameters in force, along a line or in the plane.
fn dahl(contacts: usize, is_planar: bool) -> Vec<Box<dyn AnyElement>> {
    let model = find("Dahl").expect("a law");
    let model = if is_planar { model.planar.expect("a form in the plane") } else { model };
    let element = |_| {
        let mut element = model.instantiate();
        element.apply_parameters().expect("parameters");
        element
    };
    (0..contacts).map(element).collect()
}

/// A body of 2 kg that slides at 5 m/s in the plane: one contact brakes it by its F_s, the next one holds it.
#[test]
fn one_step_brings_a_body_to_rest_by_one_contact_after_the_other() {
    const MASS: f64 = 2.0;
    const H: f64 = 1e-3;
    let contacts = dahl(2, true);
    let unit = vec![1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0];
    let inputs = unit.iter().map(|c| c / MASS).collect();
    let body = LinearBody { size: 2, axes: 2, inputs, outputs: unit };
    let mut integrator = Integrator::new(2, 2, 2);
    integrator.interval.duration = H;
    integrator.interval.normal = vec![[100.0, 500.0], [1e9, 1e8]];
    // A load without a mean force.
    integrator.interval.load = vec![[7.0, -7.0], [0.0; 2]];
    integrator.motion = Motion { y: vec![3.0, 4.0], x: vec![[1e-6; MAX_STATES]; 2] };
    integrator.modes = vec![[1.0; MODES]; 2];
    let start = (integrator.motion.x.clone(), integrator.modes.clone());
    integrator.note_start();
    integrator.motion = Motion { y: vec![1e9, -1e9], x: vec![[1.0; MAX_STATES]; 2] };
    integrator.modes = vec![[-1.0; MODES]; 2];
    integrator.totals.mean = vec![[1e9; 2]; 2];
    integrator.totals.loss = vec![1e9; 2];
    assert!(!integrator.is_bounded(&contacts[..]));
    integrator.one_step(AlongAxes::<2>(&body), &contacts[..]);

    assert!(integrator.is_bounded(&contacts[..]));
    assert_eq!((integrator.motion.x.clone(), integrator.modes.clone()), start);
    let first = contacts[0].static_force_under(500.0);
    let second = MASS * 5.0 / H - first;
    let near = |found: f64, expected: f64, size: f64| {
        assert!((found - expected).abs() < 1e-12 * size, "{found}, not {expected}, of {integrator:?}");
    };
    for (i, force) in [first, second].into_iter().enumerate() {
        for (axis, part) in [0.6, 0.8].into_iter().enumerate() {
            near(integrator.totals.mean[i][axis], part * force, MASS * 5.0 / H);
        }
        // The mean speed is 2.5 m/s.
        near(integrator.totals.loss[i], 2.5 * H * force, MASS * 12.5);
    }
    for (axis, v) in [3.0, 4.0].into_iter().enumerate() {
        near(integrator.motion.y[axis], 0.0, 5.0);
        near(integrator.totals.travel[axis], 0.5 * v * H, 5.0 * H);
    }
}

#[test]
fn motion_that_a_limit_leaves_unresolved_is_one_step() {
    // A light body on a bristle that springs back: far more than five inner steps.
    let contacts = dahl(1, false);
    let body = LinearBody { size: 1, axes: 1, inputs: vec![1e3], outputs: vec![1.0] };
    let moved = |limit: u32| {
        let mut integrator = Integrator::new(1, 1, 1);
        integrator.interval.normal[0] = [10.0; 2];
        integrator.interval.load[0] = [2e3, -5e3];
        (integrator.interval.duration, integrator.interval.tolerance) = (1e-2, 1e-6);
        (integrator.motion.y[0], integrator.motion.x[0][0]) = (0.3, -1e-6);
        let mut limit = StepLimit::new(limit);
        let count = integrator.advance(&body, &contacts[..], &mut 0.0, &mut limit).expect("a motion");
        (count, limit.error(), integrator.totals.mean[0][0])
    };
    let largest = contacts[0].static_force_under(10.0);
    let (free, error, mean) = moved(100_000);
    assert!(free > 40 && error == 0.0 && mean.abs() < largest, "{free} inner steps, {error}, {mean} N");
    for limit in 1..40 {
        let (count, error, mean) = moved(limit);
        assert!(count <= 4 * limit + 1 && mean.abs() <= largest, "{limit}: {count} inner steps, {error}, {mean} N");
    }
}

#[test]
fn one_step_of_a_contact_that_closes_begins_without_its_deflection_from_before() {
    let contacts = dahl(1, false);
    let body = LinearBody { size: 1, axes: 1, inputs: vec![1e3], outputs: vec![1.0] };
    let deflection = |normal: [f64; 2]| {
        let mut integrator = Integrator::new(1, 1, 1);
        integrator.interval.normal[0] = normal;
        (integrator.interval.duration, integrator.interval.tolerance) = (1e-2, 1e-6);
        (integrator.motion.y[0], integrator.motion.x[0][0]) = (0.3, 1e-6);
        integrator.advance(&body, &contacts[..], &mut 0.0, &mut StepLimit::default()).expect("a motion");
        integrator.one_step(AlongAxes::<1>(&body), &contacts[..]);
        integrator.motion.x[0][0]
    };
    assert_eq!([[10.0, 10.0], [0.0, 10.0]].map(deflection), [1e-6, 0.0]);
}

#[test]
fn one_step_leaves_a_contact_that_does_not_move_with_the_body_without_a_force() {
    // The first contact is dragged over the ground at 3 m/s, whatever the body does.
    let body = LinearBody { size: 1, axes: 1, inputs: vec![0.0, 0.25], outputs: vec![0.0, 1.0] };
    let contacts = dahl(2, false);
    let mut integrator = Integrator::new(2, 1, 1);
    integrator.interval.duration = 0.5;
    integrator.interval.normal = vec![[10.0; 2], [2.0; 2]];
    integrator.interval.offset = vec![[3.0; 2], [0.0; 2]];
    integrator.motion.y[0] = 8.0;
    integrator.note_start();
    integrator.one_step(AlongAxes::<1>(&body), &contacts[..]);
    let force = contacts[1].static_force_under(2.0);
    assert_eq!((integrator.totals.mean[0], integrator.totals.loss[0]), ([0.0; 2], 0.0));
    assert_eq!((integrator.totals.mean[1][0], integrator.motion.y[0]), (force, 8.0 - 0.5 * 0.25 * force));
}
