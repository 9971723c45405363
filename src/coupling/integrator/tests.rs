//! Errors that an inner step is allowed.

use super::*;
use crate::catalogue::find;
use crate::element::AnyElement;
use crate::integrate::runge_kutta::runge_kutta;
use crate::laws::tests::random;
use core::array;

/// Polynomial with these values at both ends of a time.
fn line([from, to]: [f64; 2], duration: f64) -> Input {
    [from, (to - from) / duration, 0.0, 0.0]
}

/// A load from its value and derivatives up to order 3.
fn load([value, first, second, third]: Input) -> Load {
    [value, first, second, third, 0.0]
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
        let body = LinearBody {
            size: 1,
            axes: 1,
            inputs: vec![1e-9],
            outputs: vec![1.0],
            own: Vec::new(),
            roots: Vec::new(),
        };
        // F_N at the start and at the end of the interval, N.
        let mean = |normal: [f64; 2]| {
            let mut integrator = Integrator::new(1, 1, 1);
            integrator.interval.normal[0] = line(normal, 1e-3);
            (integrator.interval.duration, integrator.interval.tolerance) = (1e-3, 1e-8);
            integrator.motion.x[0][0] = DEFLECTION;
            let mut first_step = 0.0;
            integrator
                .advance(
                    &body,
                    &contacts[..],
                    &mut first_step,
                    &mut StepLimit::default(),
                )
                .expect("a motion");
            integrator.totals.mean[0][0]
        };
        // A heavy body at rest: a deflection from before has its elastic force.
        assert!(mean([100.0, 100.0]) > 1.0, "{name}");
        assert_eq!(mean([0.0, 100.0]), 0.0, "{name}");
    }
}

/// A bristle whose deflection is far from the steady one is a spring: one coordinate on two of
/// them, with counterparts whose velocities are linear in time, under a linear load, has a motion
/// in sines.
#[test]
fn body_on_two_springs_has_the_motion_of_an_oscillator_under_a_ramp() {
    let model = find("Dahl").expect("a law");
    let parameter = model
        .variables()
        .find(|variable| variable.name == "sigma_0")
        .expect("a parameter");
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
    let body = LinearBody {
        size: 1,
        axes: 1,
        inputs: vec![1.0 / mass; 2],
        outputs: vec![1.0; 2],
        own: Vec::new(),
        roots: Vec::new(),
    };
    for angle in [0.05, 1.0, 7.0] {
        let duration = angle / omega;
        let (z_0, first) = (
            [0.3 * y_0 / omega, -0.1 * y_0 / omega],
            [0.2 * y_0, -0.5 * y_0],
        );
        let last = [-0.4 * y_0, 0.1 * y_0];
        let of_ends = [0.7 * omega * y_0, 0.2 * omega * y_0];
        let mut integrator = Integrator::new(2, 1, 1);
        integrator.interval.load[0] = load(line(of_ends, duration));
        for i in 0..2 {
            integrator.interval.normal[i] = line([normal; 2], duration);
            integrator.interval.offset[i] = line([first[i], last[i]], duration);
            integrator.motion.x[i][0] = z_0[i];
        }
        integrator.motion.y[0] = y_0;
        (integrator.interval.duration, integrator.interval.tolerance) = (duration, 1e-12);
        let mut first_step = 0.0;
        integrator
            .advance(
                &body,
                &contacts[..],
                &mut first_step,
                &mut StepLimit::default(),
            )
            .expect("a motion");

        let slope = [0, 1].map(|i| (last[i] - first[i]) / duration);
        let ramp = (of_ends[1] - of_ends[0]) / duration;
        // y″ + ω² y = ramp − ω²/2 Σ offsets: a line and an oscillation.
        let (line, rise) = (
            ramp / omega / omega - 0.5 * (first[0] + first[1]),
            -0.5 * (slope[0] + slope[1]),
        );
        let rate = of_ends[0] - stiffness / mass * (z_0[0] + z_0[1]);
        let (cosine, sine) = (y_0 - line, (rate - rise) / omega);
        let (c, s) = (libm::cos(angle), libm::sin(angle));
        let t = duration;
        let y = line + rise * t + cosine * c + sine * s;
        let travel = line * t + rise * t * t / 2.0 + (cosine * s + sine * (1.0 - c)) / omega;
        // Integral of the travel.
        let twice = line * t * t / 2.0
            + rise * t * t * t / 6.0
            + (cosine * (1.0 - c) + sine * (angle - s)) / (omega * omega);
        let said = format!("{angle}: {integrator:?}");
        let check = |found: f64, expected: f64, size: f64| {
            assert!(
                (found - expected).abs() < 1e-4 * size,
                "{found}, not {expected}, of {said}"
            );
        };
        check(integrator.motion.y[0], y, y_0);
        check(integrator.totals.travel[0], travel, y_0 * t);
        for i in 0..2 {
            let z = z_0[i] + travel + first[i] * t + slope[i] * t * t / 2.0;
            let area = z_0[i] * t + twice + first[i] * t * t / 2.0 + slope[i] * t * t * t / 6.0;
            check(integrator.motion.x[i][0], z, y_0 / omega);
            check(
                integrator.totals.mean[i][0],
                stiffness * area / t,
                stiffness * y_0 / omega,
            );
            check(
                integrator.totals.loss[i],
                0.5 * stiffness * (z * z - z_0[i] * z_0[i]),
                stiffness * y_0 * y_0 * t / omega,
            );
        }
        assert!(
            first_step > 0.0 && (angle < 5.0 || first_step < duration),
            "{first_step} s of {duration} s"
        );
    }
}

#[test]
fn body_under_a_ramp_alone_takes_one_inner_step_or_those_of_its_first_length() {
    /// Largest factor from one inner step of `ode` to the next.
    const LARGEST_FACTOR: f64 = 8.0;
    let mut element = find("Dahl").expect("a law").instantiate();
    element.apply_parameters().expect("parameters");
    let contacts: Vec<Box<dyn AnyElement>> = vec![element];
    let body = LinearBody {
        size: 1,
        axes: 1,
        inputs: vec![1.0],
        outputs: vec![1.0],
        own: Vec::new(),
        roots: Vec::new(),
    };
    const END: f64 = 2e-3;
    let steps = |first: f64| {
        let mut integrator = Integrator::new(1, 1, 1);
        (integrator.interval.load[0], integrator.interval.normal[0]) =
            (load(line([3.0, 5.0], END)), line([-1.0; 2], END));
        (integrator.interval.duration, integrator.interval.tolerance) = (END, 1e-6);
        let (mut first_step, mut limit) = (first, StepLimit::default());
        let count = integrator
            .advance(&body, &contacts[..], &mut first_step, &mut limit)
            .expect("a motion");
        assert!(
            (integrator.motion.y[0] - 4.0 * END).abs() < 1e-15,
            "{first} s: {:?}",
            integrator.motion
        );
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
    let model = if is_planar {
        model.planar.expect("a form in the plane")
    } else {
        model
    };
    let element = |_| {
        let mut element = model.instantiate();
        element.apply_parameters().expect("parameters");
        element
    };
    (0..contacts).map(element).collect()
}

/// A body of 2 kg that slides at 5 m/s in the plane: one contact brakes it by its F_s, the next one
/// holds it.
#[test]
fn one_step_brings_a_body_to_rest_by_one_contact_after_the_other() {
    const MASS: f64 = 2.0;
    const H: f64 = 1e-3;
    let contacts = dahl(2, true);
    let unit = vec![1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0];
    let inputs = unit.iter().map(|c| c / MASS).collect();
    let body = LinearBody {
        size: 2,
        axes: 2,
        inputs,
        outputs: unit,
        own: Vec::new(),
        roots: Vec::new(),
    };
    let mut integrator = Integrator::new(2, 2, 2);
    integrator.interval.duration = H;
    integrator.interval.normal = vec![line([100.0, 500.0], H), line([1e9, 1e8], H)];
    // A load without a mean force.
    integrator.interval.load = vec![load(line([7.0, -7.0], H)), [0.0; 5]];
    integrator.motion = Motion {
        y: vec![3.0, 4.0],
        x: vec![[1e-6; MAX_STATES]; 2],
    };
    integrator.modes = vec![[1.0; MODES]; 2];
    let start = (integrator.motion.x.clone(), integrator.modes.clone());
    integrator.note_start();
    integrator.motion = Motion {
        y: vec![1e9, -1e9],
        x: vec![[1.0; MAX_STATES]; 2],
    };
    integrator.modes = vec![[-1.0; MODES]; 2];
    integrator.totals.mean = vec![[1e9; 2]; 2];
    integrator.totals.loss = vec![1e9; 2];
    assert!(!integrator.is_bounded(&contacts[..]));
    integrator.one_step(&body, &contacts[..]);

    assert!(integrator.is_bounded(&contacts[..]));
    assert_eq!(
        (integrator.motion.x.clone(), integrator.modes.clone()),
        start
    );
    let first = contacts[0].static_force_under(500.0);
    let second = MASS * 5.0 / H - first;
    let near = |found: f64, expected: f64, size: f64| {
        assert!(
            (found - expected).abs() < 1e-12 * size,
            "{found}, not {expected}, of {integrator:?}"
        );
    };
    for (i, force) in [first, second].into_iter().enumerate() {
        for (axis, part) in [0.6, 0.8].into_iter().enumerate() {
            near(
                integrator.totals.mean[i][axis],
                part * force,
                MASS * 5.0 / H,
            );
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
    let body = LinearBody {
        size: 1,
        axes: 1,
        inputs: vec![1e3],
        outputs: vec![1.0],
        own: Vec::new(),
        roots: Vec::new(),
    };
    let moved = |limit: u32| {
        let mut integrator = Integrator::new(1, 1, 1);
        integrator.interval.normal[0] = line([10.0; 2], 1e-2);
        integrator.interval.load[0] = load(line([2e3, -5e3], 1e-2));
        (integrator.interval.duration, integrator.interval.tolerance) = (1e-2, 1e-6);
        (integrator.motion.y[0], integrator.motion.x[0][0]) = (0.3, -1e-6);
        let mut limit = StepLimit::new(limit);
        let count = integrator
            .advance(&body, &contacts[..], &mut 0.0, &mut limit)
            .expect("a motion");
        (count, limit.error(), integrator.totals.mean[0][0])
    };
    let largest = contacts[0].static_force_under(10.0);
    let (free, error, mean) = moved(100_000);
    assert!(
        free > 40 && error == 0.0 && mean.abs() < largest,
        "{free} inner steps, {error}, {mean} N"
    );
    for limit in 1..40 {
        let (count, error, mean) = moved(limit);
        assert!(
            count <= 4 * limit + 1 && mean.abs() <= largest,
            "{limit}: {count} inner steps, {error}, {mean} N"
        );
    }
}

#[test]
fn one_step_of_a_contact_that_closes_begins_without_its_deflection_from_before() {
    let contacts = dahl(1, false);
    let body = LinearBody {
        size: 1,
        axes: 1,
        inputs: vec![1e3],
        outputs: vec![1.0],
        own: Vec::new(),
        roots: Vec::new(),
    };
    let deflection = |normal: [f64; 2]| {
        let mut integrator = Integrator::new(1, 1, 1);
        integrator.interval.normal[0] = line(normal, 1e-2);
        (integrator.interval.duration, integrator.interval.tolerance) = (1e-2, 1e-6);
        (integrator.motion.y[0], integrator.motion.x[0][0]) = (0.3, 1e-6);
        integrator
            .advance(&body, &contacts[..], &mut 0.0, &mut StepLimit::default())
            .expect("a motion");
        integrator.one_step(&body, &contacts[..]);
        integrator.motion.x[0][0]
    };
    assert_eq!([[10.0, 10.0], [0.0, 10.0]].map(deflection), [1e-6, 0.0]);
}

#[test]
fn one_step_leaves_a_contact_that_does_not_move_with_the_body_without_a_force() {
    // The first contact is dragged over the ground at 3 m/s, whatever the body does.
    let body = LinearBody {
        size: 1,
        axes: 1,
        inputs: vec![0.0, 0.25],
        outputs: vec![0.0, 1.0],
        own: Vec::new(),
        roots: Vec::new(),
    };
    let contacts = dahl(2, false);
    let mut integrator = Integrator::new(2, 1, 1);
    integrator.interval.duration = 0.5;
    integrator.interval.normal = vec![line([10.0; 2], 0.5), line([2.0; 2], 0.5)];
    integrator.interval.offset = vec![line([3.0; 2], 0.5), [0.0; 4]];
    integrator.motion.y[0] = 8.0;
    integrator.note_start();
    integrator.one_step(&body, &contacts[..]);
    let force = contacts[1].static_force_under(2.0);
    assert_eq!(
        (integrator.totals.mean[0], integrator.totals.loss[0]),
        ([0.0; 2], 0.0)
    );
    assert_eq!(
        (integrator.totals.mean[1][0], integrator.motion.y[0]),
        (force, 8.0 - 0.5 * 0.25 * force)
    );
}

/// Coordinates, their integrals, states, impulses and losses of a body with contacts, as one
/// vector.
const UNKNOWNS: usize = 48;

/// Bodies of one to four coordinates on one to four contacts along a line or in the plane, with all
/// inputs cubic in time, against the method of Runge and Kutta in steps a hundredth of the fastest
/// time of the bristle.
#[test]
fn random_bodies_on_random_contacts_move_as_by_an_explicit_method() {
    const STEPS: u32 = 4000;
    let mut random = random(7);
    let mut worst = [0.0_f64; 3];
    for draw in 0..120 {
        let name = ["LuGre", "FrDyn2Linear", "FrDyn2", "Dahl"][draw % 4];
        let is_planar = draw % 3 == 0;
        let axes = if is_planar { 2 } else { 1 };
        let model = find(name).expect("a law");
        let model = if is_planar {
            model.planar.expect("a form in the plane")
        } else {
            model
        };
        let count = 1 + draw % 4;
        let size = 1 + (draw / 4) % 4;
        let contacts: Vec<Box<dyn AnyElement>> = (0..count)
            .map(|_| {
                let mut element = model.instantiate();
                element.apply_parameters().expect("parameters");
                element
            })
            .collect();
        let mut matrix = || {
            (0..count * axes * size)
                .map(|_| random())
                .collect::<Vec<f64>>()
        };
        let outputs = matrix();
        let inputs = outputs.clone();
        let body = LinearBody {
            size,
            axes,
            inputs,
            outputs,
            own: Vec::new(),
            roots: Vec::new(),
        };
        let duration = 1e-3;
        let mut integrator = Integrator::new(count, size, axes);
        let mut cubic = |base: f64, change: f64| -> Input {
            array::from_fn(|order| {
                let size = if order == 0 {
                    base
                } else {
                    change / libm::pow(duration, order as f64)
                };
                if order == 0 {
                    base * (1.0 + 0.2 * random())
                } else {
                    size * random()
                }
            })
        };
        for i in 0..count {
            integrator.interval.normal[i] = cubic(20.0, 2.0);
        }
        integrator
            .interval
            .offset
            .iter_mut()
            .for_each(|offset| *offset = cubic(3e-3, 3e-3));
        integrator
            .interval
            .load
            .iter_mut()
            .for_each(|of_coordinate| *of_coordinate = load(cubic(5.0, 10.0)));
        integrator
            .motion
            .y
            .iter_mut()
            .for_each(|y| *y = cubic(1e-2, 0.0)[0]);
        (integrator.interval.duration, integrator.interval.tolerance) = (duration, 1e-7);
        let interval = integrator.interval.clone();
        let states = contacts[0].states();
        let modes = integrator.modes.clone();
        let mut start = [0.0; UNKNOWNS];
        start[..size].copy_from_slice(&integrator.motion.y);
        let rate = |t: f64, x: [f64; UNKNOWNS]| {
            let (y, of_laws) = (&x[..size], 2 * size);
            let mut rate = [0.0; UNKNOWNS];
            for j in 0..size {
                (rate[j], rate[size + j]) = (taylor(&interval.load[j], t), y[j]);
            }
            for i in 0..count {
                let own = of_laws + i * (states + 3);
                let at = interval.contact(&body, i, t, |row| dot(body.output(row), y));
                let mut state = [0.0; MAX_STATES];
                state[..states].copy_from_slice(&x[own..own + states]);
                let here = contacts[i].force_and_rates(at, &state, &modes[i], 1e-7);
                let force = [here.F_R, here.F_R_y];
                rate[own..own + states].copy_from_slice(&here.rate[..states]);
                rate[own + states..own + states + 2].copy_from_slice(&force);
                rate[own + states + 2] = force[0] * at.v + force[1] * at.v_y;
                (0..size).for_each(|j| rate[j] -= body.effect(i, j, force));
            }
            rate
        };
        let expected = runge_kutta(rate, start, 0.0, duration, STEPS);
        let mut limit = StepLimit::default();
        integrator
            .advance(&body, &contacts[..], &mut 0.0, &mut limit)
            .expect("a motion");
        let mut most = [0.0_f64; 3];
        for (i, contact) in contacts.iter().enumerate() {
            let own = 2 * size + i * (states + 3);
            let static_force = contact.static_force_under(20.0);
            let v = [&integrator.motion.y[..], &expected[..size]].map(|y| body.velocity(i, y));
            for axis in 0..axes {
                let pushed = static_force * duration * body.mobility(i) + 1e-2;
                most[0] = most[0].max((v[0][axis] - v[1][axis]).abs() / pushed);
                let mean = expected[own + states + axis] / duration;
                most[1] =
                    most[1].max((integrator.totals.mean[i][axis] - mean).abs() / static_force);
            }
            let loss = expected[own + states + 2];
            most[2] = most[2]
                .max((integrator.totals.loss[i] - loss).abs() / (static_force * duration * 1e-2));
        }
        for j in 0..size {
            most[0] =
                most[0].max((integrator.totals.travel[j] - expected[size + j]).abs() / duration);
        }
        worst = array::from_fn(|i| worst[i].max(most[i]));
    }
    let [motion, totals @ ..] = worst;
    assert!(
        motion < 1e-7 && totals.iter().all(|total| *total < 1e-6),
        "{worst:?}"
    );
}
