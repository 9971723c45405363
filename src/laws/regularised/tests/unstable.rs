//! Bristles above the normal force up to which they are stable, beside an explicit integrator.

use super::crossings::{Outcome, Step, alone, end_states, law};
use super::*;
use crate::domain::LIGHT_FORCE;

/// Step of a bristle at up to a thousand times its stable normal force, at a held velocity near its
/// falling branch or one that passes it.
fn random_step(random: &mut impl FnMut() -> f64) -> Step {
    let mut between = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + random());
    let mut magnitude = |low: f64, high: f64| libm::exp10(between(low, high));
    let [sigma_0, sigma_1] = [5e6 * magnitude(-1.0, 1.0), 3192.75 * magnitude(-1.0, 1.0)];
    let [mu_s, v_s] = [magnitude(-1.0, 0.0), magnitude(-4.0, -2.0)];
    let v_d = v_s * (1.0 + magnitude(-1.0, 1.0));
    let over = magnitude(0.0, 3.0);
    let duration = magnitude(-1.0, 4.0);
    let tolerance = magnitude(-8.0, -4.0);
    let mu_d = mu_s * between(0.2, 0.9);
    let force = over * sigma_1 * (v_d - v_s) / (1.5 * (mu_s - mu_d));
    let rate = (sigma_1 + 2.0 * mu_s * force / v_s) * 4.0 * sigma_0 / (sigma_1 * sigma_1);
    let duration = duration / rate;
    let v = between(-0.2, 1.2) * v_d;
    let moves = between(0.0, 1.0) < 0.5;
    let slope = if moves {
        between(-1.0, 1.0) * v_d / duration
    } else {
        0.0
    };
    let z = between(-1.0, 1.0) * mu_s * force / sigma_0;
    Step {
        parameters: [sigma_0, sigma_1, mu_s, v_s, mu_d, v_d],
        x: [z, v * between(0.0, 1.0)],
        normal: [force, 0.0],
        v: [v, slope],
        duration,
        tolerance,
        ..Step::default()
    }
}

/// Largest part of an error that the reference may change by with the rounding of its start.
const AGREEMENT: f64 = 0.3;

#[test]
fn forces_of_unstable_bristles_are_within_the_tolerance_or_announced() {
    let mut random = random(53);
    for n in 0..4500 {
        let step = random_step(&mut random);
        let Outcome { x, force_error, .. } = alone(&step);
        if force_error > 0.0 {
            continue;
        }
        let law = law(step.parameters);
        let normal = step.normal[0];
        let end = Contact::new(normal, step.v[0] + step.v[1] * step.duration);
        let force = |x: [f64; 2]| law.evaluate(end, &x, &NoModes).F_R;
        let allowed = step.parameters[2] * normal.max(LIGHT_FORCE) * step.tolerance;
        let expected = force(end_states(&step));
        let error = (force(x) - expected).abs();
        if error > allowed {
            let mut shaken = step.clone();
            shaken.x[0] *= 1.0 + 4.0 * f64::EPSILON;
            let spread = (force(end_states(&shaken)) - expected).abs();
            assert!(
                spread > AGREEMENT * error,
                "{n}: off by {:e} tolerances in {step:?}",
                error / allowed
            );
        }
    }
}
