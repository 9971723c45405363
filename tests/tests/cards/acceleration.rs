//! The acceleration as an input of the observer: `acceleration = true` of a card.

use super::bodies::{PARALLEL, SERIAL};
use bristle::catalogue::{Setting, Variant};
use bristle::coupling::{COUPLING, M_EFF};
use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::fmi2::CO_SIMULATION;
use bristle_importer::fmu::Fmu;
use bristle_importer::lifecycle::instance_in;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::PAPER;
use bristle_rigs::test_bench::G;
use bristle_tests::cards::{card, exporter, load, model};

fn element(coupling: f64, has_acceleration: bool) -> Fmu {
    let mut card = card("FrDyn2", &[]);
    card.acceleration = has_acceleration;
    for (parameter, value) in [(&M_EFF, 1.0), (&COUPLING, coupling)] {
        card.parameters.insert(
            parameter.reference,
            Setting {
                start: Some(value),
                ..Setting::default()
            },
        );
    }
    load(
        &exporter(),
        &Variant::new(model("FrDyn2"), card).expect("a card"),
    )
}

/// Load on a body of 1 kg, N.
fn pushed(t: f64) -> f64 {
    1.3 * 0.6 * G * libm::sin(12.57 * t)
}

/// Displacement (m) of the body at `end` (s), solved monolithically.
fn reference(end: f64) -> f64 {
    let (mut y, step) = ([0.0; 4], 4e-6);
    let rate = |t: f64, y: &[f64; 4]| {
        let (force, [z, z_dot]) = PAPER.law(Contact::new(G, y[1]), [y[2], y[3]]);
        [y[1], pushed(t) - force, z, z_dot]
    };
    for i in 0..(end / step).round() as u32 {
        let t = step * f64::from(i);
        let moved = |k: &[f64; 4], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
        let k1 = rate(t, &y);
        let k2 = rate(t + 0.5 * step, &moved(&k1, 0.5 * step));
        let k3 = rate(t + 0.5 * step, &moved(&k2, 0.5 * step));
        let k4 = rate(t + step, &moved(&k3, step));
        y = std::array::from_fn(|i| y[i] + step / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    y[0]
}

/// Displacement of the coupled body at `end` (s), m.
fn coupled(coupling: f64, has_acceleration: bool, h: f64, end: f64) -> f64 {
    let fmu = element(coupling, has_acceleration);
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let (mut x, mut v, mut held, mut used) = (0.0, 0.0, 0.0, 0.0);
    for step in 0..(end / h).round() as u32 {
        let t = h * f64::from(step);
        instance.set("F_N", G);
        instance.set("v", v);
        if has_acceleration {
            // The left limit: with the force of the last step.
            instance.set("a", pushed(t) - used);
        }
        let status = instance.do_step(t, h);
        instance.ok(status);
        let new = instance.get("F_R");
        used = if coupling == PARALLEL {
            std::mem::replace(&mut held, new)
        } else {
            new
        };
        // Simpson's rule, exact enough for the sine.
        let [first, middle, last] = [0.0, 0.5, 1.0].map(|part| pushed(t + part * h) - used);
        x += h * v + h * h / 6.0 * (first + 2.0 * middle);
        v += h / 6.0 * (first + 4.0 * middle + last);
    }
    x
}

#[test]
fn acceleration_makes_a_parallel_coupling_more_accurate() {
    let end = 0.8;
    let expected = reference(end);
    for (coupling, h) in [
        (SERIAL, 1e-3),
        (PARALLEL, 1e-3),
        (SERIAL, 5e-3),
        (PARALLEL, 5e-3),
    ] {
        let [without, with] = [false, true]
            .map(|has_acceleration| (coupled(coupling, has_acceleration, h, end) - expected).abs());
        println!("{coupling}, {h:e} s: {without:.1e} m, with the acceleration {with:.1e} m");
        assert!(
            with < 2e-3 && (coupling == SERIAL || with < 0.7 * without),
            "{coupling}, {h}: {without}, {with}"
        );
    }
}

#[test]
fn stock_elements_have_no_such_input_and_derivatives_of_it_are_accepted() {
    let stock = Fmu::packaged("FrDyn2");
    let has = |fmu: &Fmu| {
        fmu.description
            .variables
            .iter()
            .any(|variable| variable.name == "a")
    };
    assert!(!has(&stock));
    let fmu = element(SERIAL, true);
    assert!(has(&fmu));
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let reference = fmu.description.reference("a");
    let status = instance.set_real_input_derivatives(&[reference], &[1], &[5.0]);
    instance.ok(status);
    let status = instance.do_step(0.0, 1e-3);
    instance.ok(status);
}
