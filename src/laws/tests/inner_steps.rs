//! Inner steps of fixed walks: an upper bound for each law, so that a method that still converges
//! but needs more steps is noticed.
//!
//! The numbers are equal on every platform. Where a method becomes better, they are made anew: the
//! test prints those of a law that exceeds its bound or stays far below it.

use super::random;
use crate::assembly::Assembly;
use crate::catalogue::{ELEMENTS, Model, find};
use crate::coupling::{COUPLING, M_EFF};
use crate::element::{F_N, INNER_STEPS_MAX, V};
use crate::law::{A, F_T};
use crate::variable::Variable;

/// Steps of a walk.
const STEPS: usize = 300;
/// Walks: held inputs, inputs with derivatives, the body observer with held inputs.
const WALKS: [&str; 3] = ["held", "moving", "m_eff"];
/// Walk with derivatives in which contacts of little normal force close and open.
const CLOSING: &str = "closing";

/// Value of `inner_steps_max`, and a bound on the inner steps of a communication step over it.
const LIMIT: f64 = 10.0;
const MOST_OF_LIMIT: f64 = 4.0;

/// Inner steps of each walk; 0 where the law has no body observer.
const COUNTS: [(&str, [u32; 3]); 16] = [
    ("FrDyn2", [4946, 10438, 5991]),
    ("FrDyn2Linear", [4414, 10009, 6012]),
    ("StaticRegularized", [300, 431, 0]),
    ("Coulomb", [300, 671, 0]),
    ("Stribeck", [300, 434, 0]),
    ("BrownMcPhee", [300, 431, 0]),
    ("PoppStelter", [300, 434, 0]),
    ("NonReversible", [300, 489, 0]),
    ("Armstrong", [364, 579, 0]),
    ("Dahl", [300, 5132, 11362]),
    ("LuGre", [300, 5760, 11075]),
    ("Stefanski2003", [300, 489, 0]),
    ("Stefanski2006", [300, 489, 0]),
    ("ModelicaFriction", [300, 655, 0]),
    ("SimpackStickSlip", [371, 589, 3737]),
    ("AdamsStickSlip", [376, 580, 7027]),
];

/// Inner steps of a walk and the most in one of its steps, with this value of `inner_steps_max`; 0
/// where the law does not have it.
fn count(model: &Model, walk: &str, limit: Option<f64>) -> [u32; 2] {
    let has = |variable: &Variable| {
        model
            .variable(variable.reference)
            .is_some_and(|own| own.name == variable.name)
    };
    let mut element = Assembly::of_one(model.instantiate());
    if walk == "m_eff" {
        if !has(&M_EFF) {
            return [0; 2];
        }
        element.set(&M_EFF, 0.5);
        element.set(&COUPLING, 1.0);
    }
    if let Some(limit) = limit {
        if !has(&INNER_STEPS_MAX) {
            return [0; 2];
        }
        element.set(&INNER_STEPS_MAX, limit);
    }
    element.apply_parameters().expect("a mass and a limit");
    let mut random = random(29);
    let (mut total, mut most) = (0, 0);
    for _ in 0..STEPS {
        let speed = libm::exp10(2.0 * random() - 3.0);
        let (normal, h) = (10.0 * (random() + 1.1), libm::exp10(random() - 3.0));
        // A rate of F_N that closes the contact and opens it again within the step.
        let normal = if walk == CLOSING {
            1e-3 * (normal - 11.0)
        } else {
            normal
        };
        let inputs = [
            (&F_N, normal, if walk == CLOSING { 0.1 } else { 4.0 }),
            (&V, speed, 3.0 * speed),
            (&A, 3.0, 3.0),
            (&F_T, 4.0, 8.0),
        ];
        for (input, size, change) in inputs {
            let value = if input.name == F_N.name {
                size
            } else {
                size * random()
            };
            let slope = change * random() / h;
            if has(input) {
                element.set(input, value);
                if walk == "moving" || walk == CLOSING {
                    element
                        .set_input_derivative(input, 1, slope)
                        .expect("an input");
                    element
                        .set_input_derivative(input, 2, -slope / h)
                        .expect("an input");
                }
            }
        }
        let report = element
            .advance(h)
            .unwrap_or_else(|error| panic!("{}: {error}", model.metadata.name));
        total += report.inner_steps;
        most = most.max(report.inner_steps);
    }
    [total, most]
}

#[test]
fn fixed_walks_take_no_more_inner_steps_than_before() {
    let mut faults = Vec::new();
    for (model, (name, counts)) in ELEMENTS.iter().zip(COUNTS) {
        assert_eq!(model.metadata.name, name, "the order of the catalogue");
        let now = WALKS.map(|walk| count(model, walk, None)[0]);
        let is_close =
            |(now, before): (u32, u32)| now <= before + before / 50 && now + now / 10 >= before;
        if !now.into_iter().zip(counts).all(is_close) {
            faults.push(format!("    (\"{name}\", {now:?}),"));
        }
    }
    assert!(
        faults.is_empty(),
        "inner steps of {WALKS:?}:\n{}",
        faults.join("\n")
    );
}

#[test]
fn limit_of_inner_steps_bounds_the_work_of_every_step() {
    for model in &ELEMENTS {
        for walk in WALKS.into_iter().chain([CLOSING]) {
            let [free, most_free] = count(model, walk, None);
            let [total, most] = count(model, walk, Some(LIMIT));
            let name = model.metadata.name;
            assert!(
                f64::from(most) <= MOST_OF_LIMIT * LIMIT,
                "{name}, {walk}: {most} inner steps, {most_free} without limit"
            );
            assert!(
                total <= free + free / 10,
                "{name}, {walk}: {total} inner steps, {free} without limit"
            );
        }
    }
}

#[test]
fn normal_force_that_falls_to_next_to_nothing_takes_few_inner_steps() {
    let mut random = random(5);
    for law in ["LuGre", "Dahl", "FrDyn2", "FrDyn2Linear"] {
        let model = find(law).expect("a law");
        let deflection = model
            .variables()
            .find(|variable| variable.name == "z")
            .expect("a deflection");
        for _ in 0..3000 {
            let mut element = model.instantiate();
            element.apply_parameters().expect("defaults");
            element.initialize().expect("a start");
            let normal = 1000.0 * random().abs();
            let end = normal * [1e-3, 1e-4, 1e-6, -1e-6][(4.0 * random().abs()) as usize % 4];
            let v = 0.1 * random() * libm::exp10(-3.0 * random().abs());
            let (slope, z) = (20.0 * random(), 2e-5 * random());
            element.set(&F_N, normal);
            element.set(&V, v);
            element.set(deflection, z);
            element
                .set_input_derivative(&F_N, 1, (end - normal) / 1e-3)
                .expect("an input");
            element
                .set_input_derivative(&V, 1, slope)
                .expect("an input");
            let steps = element.advance(1e-3).expect("a step").inner_steps;
            assert!(
                steps < 1000,
                "{law}: {steps} inner steps, F_N {normal:?} to {end:?} N, v {v:?}, {slope:?}, z \
                 {z:?}"
            );
        }
    }
}
