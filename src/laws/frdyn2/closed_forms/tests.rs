//! The closed forms against their differential equation and the general integrator.

use super::super::test_cases::{G, equations, law, scatter};
use super::*;
use crate::integrate::radau::Radau;
use crate::law::{self, Law};

#[test]
fn the_bristle_of_an_open_contact_is_a_critically_damped_oscillator() {
    let (z, z_dot, t) = (1e-6, -4e-3, 3e-4);
    for normal_force in [0.0, -1.0, -1e300] {
        let held = InputTrajectory::held(Contact::new(normal_force, 0.5));
        assert_eq!(law().evaluate(held.start, &[z, z_dot], &()).F_R, 0.0);

        let mut closed = [z, z_dot];
        law().advance(&held, &mut closed, &mut (), t, 1e-9, &mut Radau::default()).unwrap();
        let mut integrated = [z, z_dot];
        law::advance(&equations(), &held, &mut integrated, &mut (), t, 1e-9, &mut Radau::default()).unwrap();
        assert!((closed[0] - integrated[0]).abs() < 1e-6 * 1e-9, "{closed:?} {integrated:?}");
        assert!((closed[1] - integrated[1]).abs() < 4e-3 * 1e-8, "{closed:?} {integrated:?}");
    }
}

#[test]
fn the_bristle_of_full_sliding_is_a_critically_damped_oscillator() {
    // From rest at v = 1 m/s the slip stays above v_d: F_R = F_d, and z rises as a critically damped step response.
    let trajectory = InputTrajectory::held(Contact::new(G, 1.0));
    let (omega, deflection) = (2.0 * 5e6 / 3192.75, 0.3 * G / 5e6);
    for t in [1e-5, 1e-4, 1e-3] {
        let mut x = [0.0, 0.0];
        law::advance(&equations(), &trajectory, &mut x, &mut (), t, 1e-8, &mut Radau::default()).unwrap();
        let mut closed = [0.0, 0.0];
        let advance = law().advance(&trajectory, &mut closed, &mut (), t, 1e-8, &mut Radau::default()).unwrap();
        assert_eq!(
            (closed, advance.loss),
            (damped_motion(&equations(), trajectory.start, 0.0, &[0.0; 2]).unwrap().0.at(t), 0.3 * G * t)
        );
        assert!((x[0] - closed[0]).abs() < 1e-8 * deflection && (x[1] - closed[1]).abs() < 1e-8 * 1e-3);
        let expected = deflection * (1.0 - (1.0 + omega * t) * libm::exp(-omega * t));
        assert!((x[0] - expected).abs() < 1e-8 * deflection, "t = {t}: {} for {expected}", x[0]);
    }
}

#[test]
fn the_closed_form_of_sliding_agrees_with_the_general_integrator_wherever_it_is_used() {
    // The general integrator must reach the same end from every state in which the closed form applies.
    let mut used = 0;
    for (contact, x) in scatter() {
        let Some((motion, _)) = damped_motion(&equations(), contact, 0.0, &x) else { continue };
        used += 1;
        let trajectory = InputTrajectory::held(contact);
        for t in [3e-5, 3e-4, 3e-3] {
            let (mut integrated, closed) = (x, motion.at(t));
            law::advance(&equations(), &trajectory, &mut integrated, &mut (), t, 1e-8, &mut Radau::default()).unwrap();
            let scale = law().scale(contact, &x);
            for i in 0..2 {
                let error = (closed[i] - integrated[i]).abs() / scale[i];
                assert!(error < 1e-7, "{contact:?} {x:?} after {t}: {error}");
            }
        }
    }
    assert!(used > 100, "the scatter reaches full sliding");
}

#[test]
fn sliding_under_a_moving_velocity_has_the_same_closed_form() {
    // v = 0.05 + 3t − 400t²: full sliding throughout, and the loss is F_d times the sliding distance.
    let (start, first, second) = (Contact::new(G, 0.05), 3.0, -800.0);
    let slope = |v: f64| Contact::new(0.0, v);
    let trajectory =
        InputTrajectory { start, derivatives: Some(&[slope(first), slope(second), Contact::ZERO]), delay: None };
    let t = 4e-3;
    let (mut closed, mut integrated) = ([1e-6, 1e-3], [1e-6, 1e-3]);
    let by_form = law().advance(&trajectory, &mut closed, &mut (), t, 1e-9, &mut Radau::default()).unwrap();
    let by_steps =
        law::advance(&equations(), &trajectory, &mut integrated, &mut (), t, 1e-9, &mut Radau::default()).unwrap();
    assert_eq!(by_form.inner_steps, 1);
    assert!((closed[0] - integrated[0]).abs() < 1e-14 && (closed[1] - integrated[1]).abs() < 1e-10);
    let way = 0.05 * t + 1.5 * t * t - 400.0 / 3.0 * t * t * t;
    assert!((by_form.loss - 0.3 * G * way).abs() < 1e-15 && (by_steps.loss - by_form.loss).abs() < 1e-12);

    // Where the velocity may fall out of full sliding within the step, the form is not used.
    let braking =
        InputTrajectory { start, derivatives: Some(&[slope(-20.0), Contact::ZERO, Contact::ZERO]), delay: None };
    let mut x = [1e-6, 0.0];
    assert!(law().advance(&braking, &mut x, &mut (), t, 1e-6, &mut Radau::default()).unwrap().inner_steps > 1);
}

#[test]
fn in_steady_stick_the_deflection_is_the_displacement() {
    // ż = v is an exact solution for constant v.
    let v = 1e-5;
    let mut x = [0.0, v];
    let trajectory = InputTrajectory::held(Contact::new(G, v));
    law().advance(&trajectory, &mut x, &mut (), 0.1, 1e-9, &mut Radau::default()).unwrap();
    assert!((x[0] - 1e-6).abs() < 1e-18 && (x[1] - v).abs() < 1e-14, "{x:?}");
}

#[test]
fn a_damped_motion_satisfies_its_equation_and_its_bounds() {
    let omega = 3132.0;
    for x in [[1e-6, 0.0], [-1e-6, 2e-3], [0.0, -5e-3], [3e-6, 8e-3], [5e-7, 0.0]] {
        let motion = DampedMotion::new(&x, 5e-7, omega);
        let start = motion.at(0.0);
        assert!((start[0] - x[0]).abs() < 1e-20 && (start[1] - x[1]).abs() < 1e-17, "{start:?}");
        let bounds = motion.bounds();
        for i in 0..200 {
            let t = 1e-5 * f64::from(i);
            let [z, z_dot] = motion.at(t);
            assert!(bounds.z[0] <= z && z <= bounds.z[1], "{x:?} at {t}");
            assert!(bounds.z_dot[0] <= z_dot && z_dot <= bounds.z_dot[1], "{x:?} at {t}");
            // z̈ + 2ω ż + ω² (z − rest) = 0, with differences for the derivatives.
            let dt = 1e-8;
            let [[z_before, _], [z_after, after]] = [motion.at(t), motion.at(t + dt)];
            assert!(((z_after - z_before) / dt - 0.5 * (z_dot + after)).abs() < 1e-6);
            let acceleration = (after - z_dot) / dt;
            let balance = acceleration + 2.0 * omega * z_dot + omega * omega * (z - 5e-7);
            assert!(balance.abs() < 1e-3 * omega * omega * 3e-6, "{x:?} at {t}: {balance}");
        }
    }
}

#[test]
fn a_damped_motion_ends_at_rest_exactly() {
    assert_eq!(DampedMotion::new(&[1.0, 1e300], 2e-6, 1e3).at(1e6), [2e-6, 0.0]);
}

#[test]
fn steady_sliding_has_the_sliding_force_from_full_sliding_on() {
    let equations = equations();
    for side in [1.0, -1.0] {
        let (force, contact) = (side * 0.3 * G, |v: f64| Contact::new(G, side * v));
        let steady = [force * equations.compliance, 0.0];
        let at = |contact: Contact, dv: f64, x: [f64; 2]| steady_sliding(&equations, contact, dv, &x);
        assert_eq!(at(contact(1.0), 0.1, steady), Some(force));
        // A deviation of v that may end full sliding, a bristle that moves, an open contact.
        assert_eq!(at(contact(1.0), 1.0, steady), None);
        assert_eq!(at(contact(1.0), 0.1, [steady[0], side * 1e-9]), None);
        assert_eq!(at(Contact::new(-1.0, side), 0.1, [0.0; 2]), None);
        assert_eq!(at(contact(0.5 * equations.fully_sliding), 0.0, steady), None);
    }
}
