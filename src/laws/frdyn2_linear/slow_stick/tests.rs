//! Slow motion of stick against the equations of the law in many small steps.

use super::super::FrDyn2Linear;
use super::super::stick::Stick;
use super::*;
use crate::law::{Law, LawMetadata, MAX_INPUT_DERIVATIVE_ORDER};
use crate::variable::Values;

/// Static friction coefficient of the defaults.
const MU_S: f64 = 0.6;
/// Steps of the reference.
const STEPS: u32 = 20_000;

fn equations() -> Equations {
    let metadata: &LawMetadata = <FrDyn2Linear as Law<2>>::METADATA;
    <Equations as Law<2>>::new(&Values::of(metadata.parameters)).expect("a law accepts its defaults")
}

/// z, ż and the loss after `duration` (s), by Runge and Kutta's method; `None` where the contact does not stick throughout.
fn reference(equations: &Equations, trajectory: &InputTrajectory, x: [f64; 2], duration: f64) -> Option<[f64; 3]> {
    let h = duration / f64::from(STEPS);
    let rate = |t: f64, y: [f64; 3]| {
        let contact = trajectory.at(t);
        let at = equations.evaluate(contact, &[y[0], y[1]], &());
        (at.sticking, [at.rate[0], at.rate[1], at.F_R * contact.v])
    };
    let mut y = [x[0], x[1], 0.0];
    for step in 0..STEPS {
        let t = h * f64::from(step);
        let ahead = |by: f64, k: [f64; 3]| core::array::from_fn(|i| y[i] + by * h * k[i]);
        let (sticks, k1) = rate(t, y);
        let (_, k2) = rate(t + 0.5 * h, ahead(0.5, k1));
        let (_, k3) = rate(t + 0.5 * h, ahead(0.5, k2));
        let (_, k4) = rate(t + h, ahead(1.0, k3));
        if !sticks {
            return None;
        }
        y = core::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    Some(y)
}

#[test]
fn errors_of_slow_stick_stay_below_its_tolerance() {
    let equations = equations();
    let (mut used, mut worst) = ([0; 4], [0.0_f64; 3]);
    for (normal, time_constants) in [(10.0, 40.0), (300.0, 200.0)] {
        let lambda = Stick::new(&equations, normal).lambda;
        let duration = time_constants / lambda;
        for share in [-0.5, 0.1, 0.6] {
            for off in [0.0, 1e-9, -1e-6, 1e-5] {
                // The last velocity is a parabola that reverses twice.
                for (v, acceleration, curvature) in [
                    (0.0, 0.5, 0.25 / duration),
                    (2e-5, -0.3, -0.15 / duration),
                    (-1e-3, 20.0, 10.0 / duration),
                    (1e-3, -6e-3 / duration, 12e-3 / duration / duration),
                ] {
                    for change in [0.3, -0.4, 3.0, -0.9, 1e-6] {
                        let first = Contact { F_N: change * normal / duration, v: acceleration, ..Contact::ZERO };
                        let bend = -0.2 * change * normal / duration / duration;
                        let second = Contact { F_N: bend, v: curvature, ..Contact::ZERO };
                        let derivatives: [Contact; MAX_INPUT_DERIVATIVE_ORDER] = [first, second, Contact::ZERO];
                        let trajectory = InputTrajectory {
                            derivatives: Some(&derivatives),
                            ..InputTrajectory::held(Contact::new(normal, v))
                        };
                        let slip = acceleration / lambda + off;
                        let force = share * MU_S * normal;
                        let x = [(force - equations.base.sigma_1 * v) / equations.base.sigma_0, v - slip];
                        for (i, tolerance) in [1e-4, 1e-6, 1e-8, 1e-10].into_iter().enumerate() {
                            let mut longest = f64::INFINITY;
                            let Some(found) =
                                slow_stick(&equations, &trajectory, duration, &x, &mut longest, tolerance)
                            else {
                                continue;
                            };
                            let said =
                                format!("{normal} N, {share}, {off}, {v}, {acceleration}, {change}, {tolerance:e}");
                            let [z, z_dot, loss] = reference(&equations, &trajectory, x, found.length)
                                .unwrap_or_else(|| panic!("{said}: it does not stick"));
                            let end = trajectory.at(found.length);
                            let at = |x: &[f64; 2]| equations.evaluate(end, x, &()).F_R;
                            let least = normal.min(end.F_N);
                            let speed = v.abs().max(end.v.abs());
                            let errors = [
                                (at(&found.x) - at(&[z, z_dot])).abs() / (MU_S * end.F_N),
                                equations.base.sigma_0 * (found.x[0] - z).abs() / (MU_S * least),
                                (found.loss - loss).abs() / (MU_S * normal.max(end.F_N) * speed * found.length),
                            ]
                            .map(|error| error / tolerance);
                            worst = core::array::from_fn(|i| worst[i].max(errors[i]));
                            let rounding = 1e-12 / tolerance;
                            assert!(errors.into_iter().all(|error| error <= 1.0 + rounding), "{said}: {errors:?}");
                            used[i] += 1;
                        }
                    }
                }
            }
        }
    }
    println!("worst {worst:.2?} of the tolerance, used {used:?}");
    assert!(used.iter().all(|used| *used > 20), "{used:?}");
}

#[test]
fn function_that_turns_between_the_nodes_needs_clearance() {
    let inside = NODES.map(|node| 0.9 * node);
    assert!(stays_within([0.0, 0.9], &inside));
    assert!(!stays_within([0.0, 1.01], &inside.map(|value| value / 0.9 * 1.01)), "it ends beyond 1");
    // A parabola up to 1 in the middle: the nodes next to it lie below.
    let turning = |top: f64| stays_within([0.0; 2], &NODES.map(|node| top * 4.0 * node * (1.0 - node)));
    assert!(turning(0.9) && !turning(1.0) && !turning(-1.0));
}

#[test]
fn start_has_the_rate_of_lambda_and_the_way_of_its_transient() {
    let equations = equations();
    let (normal, slope, v, acceleration) = (40.0, -3e4, 0.02, 5.0);
    let derivatives: [Contact; MAX_INPUT_DERIVATIVE_ORDER] =
        [Contact { F_N: slope, v: acceleration, ..Contact::ZERO }, Contact::ZERO, Contact::ZERO];
    let trajectory =
        InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(Contact::new(normal, v)) };
    let slip = 1e-6;
    let x = [(0.3 * MU_S * normal - equations.base.sigma_1 * v) / equations.base.sigma_0, v - slip];
    let start = Start::new(&equations, &trajectory, &x).expect("stick");
    // λ is linear in F_N.
    let lambda = |t: f64| Stick::new(&equations, normal + slope * t).lambda;
    let rate = (lambda(1e-4) - lambda(0.0)) / 1e-4;
    let bending = rate.abs() / lambda(0.0) / lambda(0.0);
    assert!((start.slope / rate - 1.0).abs() < 1e-9 && (start.bending() / bending - 1.0).abs() < 1e-9);
    // ∫δ dt = δ/λ under a constant λ, up to its relative change; σ_0 of it over F_s.
    let wrong = equations.base.sigma_0 * 2e-6 / lambda(0.0) * bending / (MU_S * normal);
    for off in [2e-6, -2e-6] {
        assert!((start.settled_error(off) / wrong - 1.0).abs() < 1e-9, "{}, not {wrong}", start.settled_error(off));
    }
    assert_eq!((start.rate, start.deflection, start.contact), (acceleration, x[0], trajectory.start));
    assert!((start.slip - slip).abs() < 1e-15 && (start.sticking_force / (0.3 * MU_S * normal) - 1.0).abs() < 1e-12);
    // Beyond F_s it does not stick.
    assert!(Start::new(&equations, &trajectory, &[1.1 * MU_S * normal / equations.base.sigma_0, v]).is_none());
}

#[test]
fn slow_motion_that_leaves_stick_is_refused_wherever_it_leaves() {
    const LENGTH: f64 = 64.0;
    let equations = equations();
    let (v_s, sigma_1) = (equations.base.v_s, equations.base.sigma_1);
    // Under so large a force the motion of a part changes F_0/F_s by less than a thousandth.
    let normal = 1e5 * sigma_1 * v_s / MU_S;
    let lambda = Stick::new(&equations, normal).lambda;
    let duration = LENGTH / lambda;
    // dv/dt over v_s λ is a + b s + c s², s = t/T: largest at the start, in the middle, and at the end.
    // A motion that turns between two nodes needs clearance.
    for (shape, accepted) in [([0.5, -0.5, 0.0], 0.995), ([0.0, 2.0, -2.0], 0.9), ([0.0, 0.5, 0.0], 0.995)] {
        let (mut whole, mut refused) = (0, 0);
        // e at the start over v_s: that of the slow motion and a transient.
        let cases = (0..1000).map(|i| ([1.0, -1.0][i % 2], [0.0, 0.6][i / 2 % 2], 0.001 * i as f64));
        for (sign, first, r) in cases {
            let [a, b, c] = shape.map(|value| sign * value * v_s * lambda);
            let rate = |v: f64| Contact { v, ..Contact::ZERO };
            let derivatives = [rate(a), rate(b / duration), rate(2.0 * c / (duration * duration))];
            let start = Contact::new(normal, 0.0);
            let trajectory = InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(start) };
            let x = [sign * r * MU_S * normal / equations.base.sigma_0, -sign * first * v_s];
            let mut longest = f64::INFINITY;
            let found = slow_stick(&equations, &trajectory, duration, &x, &mut longest, 1e-6);
            // The motion e of e′ = v′ − λ e without a transient, over v_s.
            let slip = |s: f64| {
                let [a, b, c] = shape;
                a + s * (b + s * c) - (b + 2.0 * s * c - 2.0 * c / LENGTH) / LENGTH
            };
            let largest = |part: f64| (0..=100).map(|i| r + slip(0.01 * part * f64::from(i))).fold(r, f64::max);
            let part = found.map_or(1.0, |found| found.length / duration);
            assert!(found.is_none() || largest(part) < 1.001, "{shape:?}, {r}: up to {}", largest(part));
            assert!(
                r + first > 0.999 || largest(1.0) > accepted || part == 1.0 && found.is_some(),
                "{shape:?}, {r}: {found:?}"
            );
            whole += u32::from(found.is_some() && part == 1.0);
            refused += u32::from(found.is_none() || part < 1.0);
        }
        assert!(whole > 150 && refused > 150, "{shape:?}: {whole} and {refused}");
    }
}

#[test]
fn slow_motion_ends_before_the_contact_opens() {
    let equations = equations();
    let normal = 300.0;
    let duration = 400.0 / Stick::new(&equations, normal).lambda;
    let derivatives: [Contact; MAX_INPUT_DERIVATIVE_ORDER] =
        [Contact { F_N: -1.2 * normal / duration, ..Contact::ZERO }, Contact::ZERO, Contact::ZERO];
    let trajectory =
        InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(Contact::new(normal, 0.0)) };
    let mut longest = f64::INFINITY;
    let found = slow_stick(&equations, &trajectory, duration, &[0.0; 2], &mut longest, 1e-6).expect("a part");
    assert!(found.length > 0.1 * duration && found.length < duration / 1.2, "{} of {duration} s", found.length);
    // Without a motion the bristle stays at 0.
    assert!(found.x == [0.0; 2] && found.loss == 0.0, "{found:?}");
}

#[test]
fn slow_motion_is_followed_over_a_part_where_the_normal_force_falls_to_a_fiftieth() {
    let equations = equations();
    let (normal, last) = (300.0, 6.0);
    let duration = 40.0 / Stick::new(&equations, last).lambda;
    let acceleration = 0.02;
    let derivatives: [Contact; MAX_INPUT_DERIVATIVE_ORDER] =
        [Contact { F_N: (last - normal) / duration, v: acceleration, ..Contact::ZERO }, Contact::ZERO, Contact::ZERO];
    let trajectory =
        InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(Contact::new(normal, 0.0)) };
    let x = [0.0, -acceleration / Stick::new(&equations, normal).lambda];
    let mut longest = f64::INFINITY;
    let found = slow_stick(&equations, &trajectory, duration, &x, &mut longest, 1e-6).expect("a part");
    assert!(found.length < duration, "λ falls too fast in the whole step");
    let [z, z_dot, loss] = reference(&equations, &trajectory, x, found.length).expect("stick");
    let static_force = MU_S * trajectory.at(found.length).F_N;
    assert!((found.x[0] - z).abs() * equations.base.sigma_0 < 1e-6 * static_force, "{found:?} for {z}");
    assert!((found.x[1] - z_dot).abs() < 1e-6 * equations.base.v_s, "{found:?} for {z_dot}");
    let largest = MU_S * normal * acceleration * found.length * found.length;
    assert!((found.loss - loss).abs() < 1e-6 * largest, "{found:?} for {loss}");
}
