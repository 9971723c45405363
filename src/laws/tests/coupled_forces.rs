//! Forces of bodies under inputs that are no body's: bounded by F_s, however little time there is
//! for a step.

use super::random;
use crate::assembly::Assembly;
use crate::catalogue::{ELEMENTS, Model, find};
use crate::coupling::{COUPLING, F_R_MEAN, M_EFF, Mobility};
use crate::element::{F_N, F_R, INNER_STEPS_MAX, V};
use crate::variable::{RANGE, Variable};

/// Length of a step, s.
const H: f64 = 1e-3;
/// Steps of a walk.
const STEPS: usize = 600;
/// Limits of inner steps: none that is met, and few.
const LIMITS: [f64; 3] = [100_000.0, 20.0, 5.0];
/// Largest force over F_s under the largest F_N of a step.
const BOUND: f64 = 2.0;
/// Force that moves no body, N: where F_s is smaller, v and with it the mean force err relative to
/// v.
const SLACK: f64 = 1e-4;

/// Largest F_R over F_s in a walk of jumps, ramps and light contacts, and the number of steps that
/// met the limit.
fn walk(model: &Model, values: &[(&Variable, f64)], is_held: bool) -> (f64, usize) {
    let mut element = Assembly::of_one(model.instantiate());
    for (variable, value) in values {
        element.set(variable, *value);
    }
    // The damping of a deflection adds a force that these laws do not bound.
    let is_unbounded = matches!(model.metadata.name, "LuGre" | "SimpackStickSlip");
    for damping in model
        .variables()
        .filter(|variable| is_unbounded && variable.name == "sigma_1")
    {
        element.set(damping, 0.0);
    }
    element.apply_parameters().expect("parameters");
    let mut random = random(7);
    let (mut worst, mut met, mut v, mut normal) = (0.0_f64, 0, 0.0, 10.0);
    for _ in 0..STEPS {
        if random() > 0.6 {
            v = if random() > 0.0 {
                2.0 * random()
            } else {
                libm::exp10(5.0 * random() - 5.0)
            };
        }
        if random() > 0.4 {
            let kind = random();
            normal = match kind {
                _ if kind > 0.0 => 60.0 * random().abs(),
                _ if kind > -0.6 => libm::exp10(6.0 * random() - 9.0),
                _ => 0.0,
            };
        }
        let (slope, rise) = (
            100.0 * random(),
            if random() > 0.0 {
                60.0 * random() / H
            } else {
                0.0
            },
        );
        element.set(&F_N, normal);
        element.set(&V, v);
        if !is_held {
            element
                .set_input_derivative(&F_N, 1, rise)
                .expect("an input");
            element
                .set_input_derivative(&V, 1, slope)
                .expect("an input");
        }
        met += usize::from(element.advance(H).expect("a step").limit_met);
        // F_N that is held may double by its extrapolation; a parallel master applies the force of
        // the next step but one.
        let largest = if is_held || rise == 0.0 {
            2.0 * normal
        } else {
            normal.max(normal + 2.0 * rise * H)
        };
        worst = worst.max((element.value(F_R.reference).abs() - SLACK) / (0.6 * largest));
        v += slope * H;
    }
    (worst, met)
}

/// Elements with a body observer.
fn coupled() -> impl Iterator<Item = &'static Model> {
    ELEMENTS.iter().filter(|model| {
        model
            .variables()
            .any(|variable| variable.name == M_EFF.name)
    })
}

#[test]
fn force_on_a_body_is_at_most_twice_the_static_friction_force_within_any_limit_of_inner_steps() {
    let mut faults = Vec::new();
    for model in coupled() {
        let name = model.metadata.name;
        for (limit, coupling) in LIMITS
            .into_iter()
            .flat_map(|limit| [(limit, 1.0), (limit, 2.0)])
        {
            for is_held in [true, false] {
                let values = [
                    (&M_EFF, 1.0),
                    (&COUPLING, coupling),
                    (&INNER_STEPS_MAX, limit),
                ];
                let (worst, met) = walk(model, &values, is_held);
                assert!(
                    limit > 5.0 || met > 0,
                    "{name}: no step met the limit {limit}"
                );
                if worst > BOUND * (1.0 + 1e-6) {
                    faults.push(format!(
                        "{name}, coupling {coupling}, limit {limit}, held {is_held}: {worst:.3} F_s"
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Rate of F_N of a contact that is pressed, N/s.
const RATE: f64 = 7500.0;

/// Forces of steps in which a sliding body opens its contact, closes it at `closing` (N), and is
/// pressed.
fn closing(model: &Model, coupling: f64, closing: f64) -> Vec<f64> {
    let mut element = Assembly::of_one(model.instantiate());
    element.set(&M_EFF, 1.0);
    element.set(&COUPLING, coupling);
    element.apply_parameters().expect("parameters");
    let steps = [
        (38.0, 0.0, -1.68),
        (38.0, 0.0, -1.72),
        (closing, RATE, -1.76),
        (RATE * H, RATE, -1.80),
    ];
    let mut force = |(normal, rise, v): (f64, f64, f64)| {
        element.set(&F_N, normal);
        element.set(&V, v);
        element
            .set_input_derivative(&F_N, 1, rise)
            .expect("an input");
        element
            .set_input_derivative(&V, 1, -38.0)
            .expect("an input");
        element.advance(H).expect("a step");
        element.value(F_R.reference)
    };
    steps.map(&mut force).to_vec()
}

#[test]
fn contact_that_just_closes_under_a_body_has_the_force_of_one_that_is_closed_a_little_more() {
    for model in coupled() {
        for coupling in [1.0, 2.0] {
            let [least, little] = [1.17e-15, 1e-10].map(|normal| closing(model, coupling, normal));
            for (a, b) in least.iter().zip(&little) {
                let said = format!(
                    "{}, coupling {coupling}: {least:?}, {little:?}",
                    model.metadata.name
                );
                // Ten times the tolerance of body and law as one system, of F_s under the F_N that
                // is pressed to.
                assert!((a - b).abs() < 1e-2 * 0.6 * RATE * H, "{said}");
            }
        }
    }
}

#[test]
fn derivatives_of_the_normal_force_act_on_a_body() {
    let (normal, mu) = (10.0, 0.3);
    let element = || find("FrDyn2").expect("a law").instantiate();
    // F_N doubles within the step. Full sliding: the mean force is mu_d times the mean of F_N,
    // whose orders have the shares 1/2, 1/3, 1/4.
    for (order, share, count) in [1, 2]
        .into_iter()
        .flat_map(|count| [(1, 2.0, count), (2, 3.0, count), (3, 4.0, count)])
    {
        let mut element = if count == 1 {
            Assembly::of_one(element())
        } else {
            Assembly::of_body(
                vec![element(), element()],
                Mobility::of_mass(2.0, 2).expect("a mass"),
            )
        };
        for (variable, value) in [(&M_EFF, 1.0), (&COUPLING, 1.0), (&F_N, normal), (&V, 1.0)] {
            element.set(variable, value);
        }
        element.apply_parameters().expect("parameters");
        element.initialize().expect("a start");
        // The bristle slides.
        for _ in 0..5 {
            element.advance(H).expect("a step");
        }
        let factorial = f64::from((1..=order).product::<u32>());
        let change = factorial * normal / libm::pow(H, f64::from(order));
        for contact in 0..count {
            let input = Variable {
                reference: F_N.reference + contact * RANGE,
                ..F_N
            };
            element
                .set_input_derivative(&input, order as usize, change)
                .expect("an input");
        }
        element.advance(H).expect("a step");
        let (mean, expected) = (
            element.on_demand_output(&F_R_MEAN),
            mu * normal * (1.0 + 1.0 / share),
        );
        let mean = mean.expect("an output");
        assert!(
            (mean / expected - 1.0).abs() < 1e-3,
            "order {order}, {count} contacts: {mean} N for {expected} N"
        );
    }
}
