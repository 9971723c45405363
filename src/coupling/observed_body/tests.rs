//! Steps of two bristles on one body, against an independent solution of body and bristles as one
//! system.

use super::*;
use crate::catalogue::find;
use crate::coupling::Coupling;
use crate::coupling::gains::{Gains, TOLERANCE_RATIO};
use crate::element::{AnyElement, E_LOSS, F_N, F_R, V};
use crate::integrate::SolverError;
use crate::integrate::runge_kutta::runge_kutta;
use crate::integrate::step_limit::StepLimit;

/// Length of the steps, s.
const H: f64 = 4e-3;
/// Mass of the body, kg.
const MASS: f64 = 2.0;
/// Coefficient of friction of both bristles, without a falling branch.
const MU: f64 = 1.0;
/// Stiffness of each bristle, N/m, and its deflection at the start, m.
const BRISTLES: [[f64; 2]; 2] = [[2e5, 5e-4], [1e5, 2e-4]];
/// F_N of each contact at the start, N, and its rate, N/s.
const NORMAL: [[f64; 2]; 2] = [[400.0, 1.5e4], [300.0, -1e4]];
/// Velocity of each contact at the start, m/s: that of the body, and that of the counterparts,
/// which stays.
const BODY: f64 = 0.12;
const OFFSET: [f64; 2] = [-0.02, 0.02];

fn normal(contact: usize, t: f64) -> f64 {
    let [start, rate] = NORMAL[contact];
    start + rate * t
}

/// Friction force at the start, N.
fn at_start(contact: usize) -> f64 {
    let [stiffness, deflection] = BRISTLES[contact];
    stiffness * deflection
}

/// Elements with bristles of LuGre without damping.
fn contacts() -> Vec<Box<dyn AnyElement>> {
    let model = find("LuGre").expect("a law");
    let element = |[stiffness, deflection]: [f64; 2]| {
        let mut element = model.instantiate();
        let values = [
            ("mu_s", MU),
            ("mu_d", MU),
            ("sigma_0", stiffness),
            ("sigma_1", 0.0),
            ("sigma_2", 0.0),
            ("z", deflection),
        ];
        for (name, value) in values {
            let mut variables = model.variables();
            let variable = variables.find(|variable| variable.name == name);
            element.set(variable.expect("a variable"), value);
        }
        element.apply_parameters().expect("parameters");
        element
    };
    let mut contacts: Vec<_> = BRISTLES.into_iter().map(element).collect();
    set(&mut contacts, 0.0, BODY);
    contacts
        .iter_mut()
        .for_each(|contact| contact.initialize().expect("a start"));
    contacts
}

/// Sets the inputs of a step from `t` (s) on, with the velocity of the body (m/s).
fn set(contacts: &mut [Box<dyn AnyElement>], t: f64, body: f64) {
    for (i, contact) in contacts.iter_mut().enumerate() {
        contact.set(&F_N, normal(i, t));
        contact.set(&V, body + OFFSET[i]);
        contact
            .set_input_derivative(&F_N, 1, NORMAL[i][1])
            .expect("an input");
    }
}

/// Velocity of the body (m/s), its displacement (m), the deflections (m), and the impulses of the
/// forces (N·s).
type Motion = [f64; 6];

const START: Motion = [BODY, 0.0, BRISTLES[0][1], BRISTLES[1][1], 0.0, 0.0];

/// Motion after a step from `from` at the time `t` (s) on, under a load in balance with the forces
/// of the start, by the classical Runge–Kutta method.
fn moved(from: Motion, t: f64) -> Motion {
    const STEPS: u32 = 400;
    let load: f64 = (0..2).map(at_start).sum();
    let rate = |t: f64, y: Motion| {
        let [v, _, z, w, ..] = y;
        let forces = [BRISTLES[0][0] * z, BRISTLES[1][0] * w];
        let slides = |i: usize, z: f64| {
            let v = v + OFFSET[i];
            v - BRISTLES[i][0] * v.abs() * z / (MU * normal(i, t))
        };
        [
            (load - forces[0] - forces[1]) / MASS,
            v,
            slides(0, z),
            slides(1, w),
            forces[0],
            forces[1],
        ]
    };
    runge_kutta(rate, from, t, t + H, STEPS)
}

/// Mean forces of a step between these motions, N.
fn means(from: Motion, to: Motion) -> [f64; 2] {
    [4, 5].map(|i| (to[i] - from[i]) / H)
}

/// Part of each contact in a force on the body: in proportion to the largest static friction forces
/// of the step from `t` (s) on.
fn parts(t: f64) -> [f64; 2] {
    let largest = [0, 1].map(|i| normal(i, t).max(normal(i, t + H)));
    largest.map(|force| force / (largest[0] + largest[1]))
}

fn outputs(contacts: &[Box<dyn AnyElement>]) -> [[f64; 2]; 2] {
    [0, 1].map(|i| [&F_R, &E_LOSS].map(|output| contacts[i].values()[output]))
}

fn assert_close(found: f64, expected: f64, scale: f64, said: &str) {
    assert!(
        (found - expected).abs() < 1e-6 * scale,
        "{said}: {found}, not {expected}"
    );
}

/// Advances the contacts on their body by one step.
fn step(
    body: &mut ObservedBody,
    observer: &mut BodyObserver,
    contacts: &mut [Box<dyn AnyElement>],
    coupling: Coupling,
) {
    body.step(observer, contacts, coupling, H, 1e-10, StepLimit::default())
        .expect("a step");
}

fn body() -> ObservedBody {
    ObservedBody::new(Mobility::of_mass(MASS, 2).expect("a mass"))
}

#[test]
fn forces_in_series_are_the_means_of_body_and_bristles_as_one_system() {
    let (mut body, mut contacts) = (body(), contacts());
    let mut observer = body.observer();
    let [first, second] = [moved(START, 0.0), moved(moved(START, 0.0), H)];
    step(&mut body, &mut observer, &mut contacts, Coupling::Serial);
    let mut works = [0.0; 2];
    for (i, [force, loss]) in outputs(&contacts).into_iter().enumerate() {
        let mean = means(START, first)[i];
        assert_close(force, mean, mean, &format!("first step, contact {i}"));
        assert_close(observer.mean(i)[0], mean, mean, "mean");
        works[i] = mean * (0.5 * (BODY + first[0]) + OFFSET[i]) * H;
        assert_close(
            loss,
            works[i],
            works[i],
            &format!("loss of the first step, contact {i}"),
        );
    }
    // The body has moved under the mean force, and so has the observer. Its displacement differs
    // from the mean of the velocities.
    set(&mut contacts, H, first[0]);
    step(&mut body, &mut observer, &mut contacts, Coupling::Serial);
    let lag = 0.5 * H * (BODY + first[0]) - first[1];
    let correction = MASS * Gains::of(Coupling::Serial).kappa * lag / (H * H);
    assert!(correction.abs() > 1e-3, "{correction} N");
    for (i, [force, loss]) in outputs(&contacts).into_iter().enumerate() {
        let expected = means(first, second)[i] + correction * parts(H)[i];
        assert_close(
            force,
            expected,
            expected,
            &format!("second step, contact {i}"),
        );
        let work = works[i] + force * (0.5 * (first[0] + second[0]) + OFFSET[i]) * H;
        assert_close(
            loss,
            work,
            work,
            &format!("loss of the second step, contact {i}"),
        );
    }
}

#[test]
fn forces_in_parallel_are_those_of_the_step_after_and_return_the_body_to_the_observer() {
    let (mut body, mut contacts) = (body(), contacts());
    let mut observer = body.observer();
    let [first, second] = [moved(START, 0.0), moved(moved(START, 0.0), H)];
    step(&mut body, &mut observer, &mut contacts, Coupling::Parallel);
    // Under the forces of the start, which balance the load, the body keeps its velocity in the
    // first step.
    let Gains { theta, kappa, .. } = Gains::of(Coupling::Parallel);
    let (difference, lag) = (BODY - first[0], BODY * H - first[1]);
    let correction = MASS * (theta * difference + kappa * lag / H) / H;
    assert!(correction.abs() > 1.0, "{correction} N");
    for (i, [force, loss]) in outputs(&contacts).into_iter().enumerate() {
        let expected = means(first, second)[i] + correction * parts(0.0)[i];
        assert_close(force, expected, expected, &format!("contact {i}"));
        assert_close(
            observer.mean(i)[0],
            means(START, first)[i],
            expected,
            "mean",
        );
        let work = at_start(i) * (BODY + OFFSET[i]) * H;
        assert_close(loss, work, work, &format!("loss, contact {i}"));
    }
}

#[test]
fn open_contact_leaves_the_body_to_the_other_one() {
    for coupling in [Coupling::Serial, Coupling::Parallel] {
        let (mut body, mut contacts) = (body(), contacts());
        let mut observer = body.observer();
        contacts[0].set(&F_N, -1.0);
        contacts[0].initialize().expect("a start");
        contacts[0]
            .set_input_derivative(&F_N, 1, 0.0)
            .expect("an input");
        step(&mut body, &mut observer, &mut contacts, coupling);
        let [[open, of_open], [closed, _]] = outputs(&contacts);
        assert_eq!((open, of_open), (0.0, 0.0), "{coupling:?}");
        assert!(closed > at_start(1), "{coupling:?}: {closed} N");
    }
}

#[test]
fn work_of_an_observer_that_ended_has_no_error() {
    let (mut body, mut contacts) = (body(), contacts());
    let mut observer = body.observer();
    for step_number in 0..3 {
        set(&mut contacts, H * f64::from(step_number), BODY);
        step(&mut body, &mut observer, &mut contacts, Coupling::Serial);
    }
    // The body does not move as the observer predicts.
    assert!(observer.work_error_of_all() != 0.0 && observer.work_error(0) != 0.0);
    observer.end();
    assert_eq!(
        [observer.work_error_of_all(), observer.work_error(0)],
        [0.0; 2]
    );
}

/// Forces (N) and losses (J) of a step, and its inner steps.
type Step = ([[f64; 2]; 2], u32);

/// Three steps in a system of units, whose units of time, length and mass are these over s, m
/// and kg.
fn in_units(coupling: Coupling, tolerance: f64, [time, length, mass]: [f64; 3]) -> Vec<Step> {
    let (speed, force) = (length / time, mass * length / (time * time));
    let model = find("LuGre").expect("a law");
    let variable = |name: &str| {
        model
            .variables()
            .find(|variable| variable.name == name)
            .expect("a variable")
    };
    // Elements that were not stepped before: a change of the stiffness would change the deflection.
    let mut contacts: Vec<_> = BRISTLES.iter().map(|_| model.instantiate()).collect();
    let set = |contacts: &mut [Box<dyn AnyElement>], step: u32| {
        for (i, contact) in contacts.iter_mut().enumerate() {
            contact.set(&F_N, normal(i, H * f64::from(step)) / force);
            contact.set(&V, (BODY + OFFSET[i] + 0.01 * f64::from(step)) / speed);
            contact
                .set_input_derivative(&F_N, 1, NORMAL[i][1] / force * time)
                .expect("an input");
        }
    };
    for (contact, [stiffness, deflection]) in contacts.iter_mut().zip(BRISTLES) {
        let values = [
            ("mu_s", 1.25 * MU),
            ("mu_d", MU),
            ("v_Stribeck", 0.125 / speed),
            ("sigma_0", stiffness / force * length),
            ("sigma_1", 50.0 / force * speed),
            ("sigma_2", 0.0),
            ("z", deflection / length),
        ];
        values
            .iter()
            .for_each(|(name, value)| contact.set(variable(name), *value));
        contact.apply_parameters().expect("parameters");
    }
    set(&mut contacts, 0);
    contacts
        .iter_mut()
        .for_each(|contact| contact.initialize().expect("a start"));
    let mut body = ObservedBody::new(Mobility::of_mass(MASS / mass, 2).expect("a mass"));
    let mut observer = body.observer();
    (0..3)
        .map(|step| {
            set(&mut contacts, step);
            let limit = StepLimit::default();
            let report = body
                .step(
                    &mut observer,
                    &mut contacts,
                    coupling,
                    H / time,
                    tolerance,
                    limit,
                )
                .expect("a step");
            (
                outputs(&contacts).map(|[f, e]| [f * force, e * force * length]),
                report.inner_steps,
            )
        })
        .collect()
}

#[test]
fn steps_in_other_units_have_the_same_bits_and_inner_steps() {
    for coupling in [Coupling::Serial, Coupling::Parallel] {
        for tolerance in [1e-8, 1e-6] {
            let expected = in_units(coupling, tolerance, [1.0; 3]);
            assert!(
                expected.iter().all(|(_, steps)| (2..400).contains(steps)),
                "{expected:?}"
            );
            // Powers of four, whose roots are exact.
            for units in [
                [0.0625, 1.0, 1.0],
                [1.0, 1024.0, 1.0],
                [1.0, 1.0, 4096.0],
                [64.0, 0.0625, 0.015_625],
            ] {
                assert_eq!(
                    in_units(coupling, tolerance, units),
                    expected,
                    "{coupling:?}, \
                    {tolerance:e}, {units:?}"
                );
            }
        }
    }
}

#[test]
fn error_of_the_forces_falls_with_the_tolerance() {
    let exact = in_units(Coupling::Serial, 1e-10, [1.0; 3]);
    let [coarse, fine] =
        [1e-6, 1e-9].map(|tolerance| in_units(Coupling::Serial, tolerance, [1.0; 3]));
    let error = |found: &[Step]| {
        let of_step = |(found, exact): (&Step, &Step)| {
            (0..2)
                .map(|i| (found.0[i][0] - exact.0[i][0]).abs())
                .fold(0.0, f64::max)
        };
        found.iter().zip(&exact).map(of_step).fold(0.0, f64::max)
    };
    // The tolerance of body and bristles is that of the element times that of the coupling, over
    // F_s.
    let static_force = MU * 400.0;
    for (tolerance, found) in [(1e-6, &coarse), (1e-9, &fine)] {
        let error = error(found) / static_force;
        assert!(
            error < TOLERANCE_RATIO * tolerance,
            "{tolerance:e}: F_R off by {error:e} of F_s"
        );
    }
    // The method has order 5 and its estimate order 3.
    for ((_, few), (_, many)) in coarse.iter().zip(&fine) {
        assert!(
            (2 * few..=6 * few).contains(many),
            "{few} and {many} inner steps"
        );
    }
}

#[test]
fn limit_of_inner_steps_bounds_the_work_of_a_step_in_which_modes_change() {
    let model = find("SimpackStickSlip").expect("a law");
    let step = |limit: u32| {
        let mut contacts = vec![model.instantiate(), model.instantiate()];
        for contact in &mut contacts {
            contact.apply_parameters().expect("parameters");
        }
        set(&mut contacts, 0.0, BODY);
        for contact in &mut contacts {
            contact.initialize().expect("a start");
        }
        let (mut body, limit) = (body(), StepLimit::new(limit));
        let mut observer = body.observer();
        body.step(
            &mut observer,
            &mut contacts,
            Coupling::Serial,
            H,
            1e-8,
            limit,
        )
    };
    let free = step(100_000).expect("a step");
    assert!(
        free.inner_steps > 10 && free.force_error == 0.0,
        "{} inner steps",
        free.inner_steps
    );
    let mut relaxed = 0;
    for limit in 2..=free.inner_steps {
        match step(limit) {
            Ok(report) => {
                let inner_steps = report.inner_steps;
                assert!(inner_steps <= 4 * limit, "{inner_steps} of {limit}");
                relaxed += u32::from(report.force_error > 0.0);
            }
            Err(error) => assert!(
                matches!(error, SolverError::TooManySteps { .. }),
                "{error} of {limit}"
            ),
        }
    }
    assert!(relaxed > 0, "no step has an error");
}
