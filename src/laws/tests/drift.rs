//! Closed form of a bristle under a constant velocity and a linear normal force, against the
//! integrator.

use super::random;
use crate::catalogue::find;
use crate::element::{E_LOSS, F_N, F_R, F_R_X, F_R_Y, V, V_X, V_Y};
use crate::variable::Variable;

/// A third derivative of v that changes no bit of it, and for which there is no closed form.
const NOTHING: f64 = 1e-250;
/// Direction of the motion in the plane.
const ALONG: [f64; 2] = [0.6, 0.8];

/// Step after another one.
#[derive(Clone, Copy)]
struct Case {
    /// Velocity (m/s) and normal force (N) in the step before.
    v_before: f64,
    normal_before: f64,
    v: f64,
    /// Normal force at the start (N) and its slope (N/s).
    normal: f64,
    slope: f64,
    h: f64,
}

/// Forces and loss of one step after a step of sliding, in closed form or not.
fn end(name: &str, is_planar: bool, is_closed_form: bool, case: Case) -> [f64; 3] {
    let Case {
        v_before,
        normal_before,
        v,
        normal,
        slope,
        h,
    } = case;
    let model = find(name).expect("a law");
    let model = if is_planar {
        model.planar.expect("a form in the plane")
    } else {
        model
    };
    let mut element = model.instantiate();
    element.set_tolerance(1e-8);
    let velocities: &[(&Variable, f64)] = if is_planar {
        &[(&V_X, ALONG[0]), (&V_Y, ALONG[1])]
    } else {
        &[(&V, 1.0)]
    };
    let moves = |element: &mut dyn crate::element::AnyElement, v: f64, normal: f64| {
        element.set(&F_N, normal);
        velocities
            .iter()
            .for_each(|(input, part)| element.set(input, part * v));
    };
    moves(&mut *element, v_before, normal_before);
    element.advance(1e-3).expect("a step");
    // In the plane the motion turns by a right angle.
    let turned: Vec<_> = if is_planar {
        vec![-ALONG[1] * v, ALONG[0] * v]
    } else {
        vec![v]
    };
    moves(&mut *element, v, normal);
    velocities
        .iter()
        .zip(&turned)
        .for_each(|((input, _), v)| element.set(input, *v));
    element
        .set_input_derivative(&F_N, 1, slope)
        .expect("an input");
    if !is_closed_form {
        element
            .set_input_derivative(velocities[0].0, 3, NOTHING)
            .expect("an input");
    }
    let loss = element.values()[&E_LOSS];
    element.advance(h).expect("a step");
    let values = element.values();
    let [force, across] = if is_planar {
        [values[&F_R_X], values[&F_R_Y]]
    } else {
        [values[&F_R], 0.0]
    };
    [force, across, values[&E_LOSS] - loss]
}

#[test]
fn closed_form_under_a_linear_normal_force_agrees_with_the_integrator() {
    for (name, is_planar) in [
        ("Dahl", false),
        ("LuGre", false),
        ("Dahl", true),
        ("LuGre", true),
    ] {
        let mut random = random(41);
        let (mut worst, mut of_loss): (f64, f64) = (0.0, 0.0);
        for i in 0..300 {
            let mut decade =
                |from: f64, to: f64| libm::exp10(0.5 * (from + to) + 0.5 * (to - from) * random());
            let (normal_before, v_before, v, h) = (
                decade(-1.0, 3.0),
                decade(-6.0, 0.0),
                decade(-7.0, 0.0),
                decade(-5.0, -2.0),
            );
            // F_N rises from next to nothing, falls through 0, or changes within a decade.
            let (normal, last) = match i % 3 {
                0 => (decade(-12.0, 0.0), decade(0.0, 3.0)),
                1 => (decade(0.0, 3.0), -decade(-3.0, 2.0)),
                _ => (decade(0.0, 1.0), decade(0.0, 1.0)),
            };
            let v = if i % 2 == 0 { v } else { -v };
            let case = Case {
                v_before,
                normal_before,
                v,
                normal,
                slope: (last - normal) / h,
                h,
            };
            let [found, expected] =
                [true, false].map(|is_closed_form| end(name, is_planar, is_closed_form, case));
            let force = 0.6 * normal.max(last);
            let at_end = 0.6 * last.max(0.0);
            for k in 0..2 {
                let error = (found[k] - expected[k]).abs();
                worst = worst.max(if last > 0.0 { error / at_end } else { error });
            }
            of_loss = of_loss.max((found[2] - expected[2]).abs() / (force * v.abs() * h));
        }
        assert!(
            worst < 1e-7 && of_loss < 1e-6,
            "{name}, {is_planar}: F_R off by {worst:e}, loss by {of_loss:e}"
        );
    }
}
