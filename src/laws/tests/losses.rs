//! Loss and mean force of steps that random tests found wrong.

use crate::catalogue::find;
use crate::coupling::F_R_MEAN;
use crate::element::{E_LOSS, F_N, V};

/// A contact that just closes: σ_1 v is 10¹⁷ F_s in a stick of 10⁻²⁰ of the step, whose end was located to 10⁻¹⁶ of the step.
#[test]
fn short_stick_at_the_start_of_a_step_has_its_loss_and_impulse() {
    let model = find("SimpackStickSlip").expect("a law");
    for normal in [2.024e-15, 1e-12, 1e-9] {
        let mut element = model.instantiate();
        element.set(&F_N, normal);
        element.set(&V, 0.1);
        element.advance(1e-3).expect("a step");
        let before = element.values()[&E_LOSS];
        let (v, h) = (-0.125, 0.0858);
        element.set(&V, v);
        element.advance(h).expect("a step");
        let (sigma_0, sigma_1, static_force, sliding) = (5e6, 3192.75, 0.6 * normal, 0.3 * normal);
        let stick = static_force / (sigma_0 * -v);
        let impulse = stick * (0.5 * static_force - sigma_1 * v) + sliding * (h - stick);
        let (loss, mean) =
            (element.values()[&E_LOSS] - before, element.on_demand_output(&F_R_MEAN).expect("an output"));
        let error = (loss + v * impulse).abs() / (static_force * v.abs() * h);
        assert!(error < 1e-9, "loss at {normal:e} N off by {error:e}");
        let error = (mean + impulse / h).abs() / static_force;
        assert!(error < 1e-9, "mean force at {normal:e} N off by {error:e}");
    }
}

/// A stick of 10⁻⁸ of the step where v passes through 0, within a contact that just closes. Its end was at a number before the release, and
/// the release 4e-10 of the step later, 2 % of the stick.
#[test]
fn short_stick_within_a_step_has_its_impulse() {
    let model = find("SimpackStickSlip").expect("a law");
    let (normal, v, slope, h) =
        (2.06e-15, 0.029_238_192_492_217_964, -16.981_345_659_751_756, 0.004_690_014_463_744_607);
    let mut element = model.instantiate();
    let parameter =
        |name: &str| model.metadata.parameters.iter().find(|parameter| parameter.name == name).expect("one");
    let (sigma_0, sigma_1) = (24_433.684_350_484_95, 2_572.561_149_446_210_5);
    element.set(parameter("sigma_0"), sigma_0);
    element.set(parameter("sigma_1"), sigma_1);
    element.apply_parameters().expect("parameters");
    element.set(&F_N, normal);
    element.set(&V, v);
    element.advance(1e-3).expect("a step");
    element.set_input_derivative(&V, 1, slope).expect("an input");
    element.advance(h).expect("a step");
    let (static_force, sliding) = (0.6 * normal, 0.3 * normal);
    let (rest, stick) = (v / -slope, (2.0 * static_force / (sigma_0 * -slope)).sqrt());
    let damped = static_force * (sigma_1 / sigma_0 + stick / 3.0);
    let impulse = sliding * (rest - (h - rest - stick)) - damped;
    let mean = element.on_demand_output(&F_R_MEAN).expect("an output");
    // The clock resolves 3e-9 of the stick, in which the damper has 56 F_s H.
    let error = (mean - impulse / h) / static_force;
    assert!(error.abs() < 1e-6, "mean force off by {error:e} F_s");
}
