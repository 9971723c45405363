//! Properties of all laws: division of a step, work, rotation.

use super::check;
use crate::catalogue::ELEMENTS;
use crate::coupling::F_R_MEAN;
use crate::element::{AnyElement, E_LOSS, F_N, F_R, F_R_X, F_R_Y, V, V_X, V_Y};
use crate::law::Contact;
use proptest::prelude::*;

/// Held contacts with the duration of each, s: normal force (N), velocities over decades (m/s),
/// acceleration, applied force (N).
fn motions() -> impl Strategy<Value = Vec<(Contact, f64)>> {
    let speed =
        || (-1.0..1.0_f64, -5.0..0.0_f64).prop_map(|(part, decade)| part * libm::exp10(decade));
    let one = (
        0.5..20.0_f64,
        speed(),
        speed(),
        -10.0..10.0_f64,
        -10.0..10.0_f64,
        -4.0..-2.0_f64,
    );
    let contact = one.prop_map(|(normal, v, v_y, a, applied, decade)| {
        (
            Contact {
                F_N: normal,
                v,
                a,
                F_t: applied,
                v_y,
                ..Contact::ZERO
            },
            libm::exp10(decade),
        )
    });
    prop::collection::vec(contact, 1..12)
}

#[test]
fn step_agrees_with_its_two_halves() {
    check(150, motions(), |motions| {
        for model in &ELEMENTS {
            let [mut whole, mut halves] = [model.instantiate(), model.instantiate()];
            for (contact, h) in &motions {
                for (element, parts) in [(&mut whole, 1), (&mut halves, 2)] {
                    element.set_contact(*contact);
                    for _ in 0..parts {
                        element.advance(h / f64::from(parts)).expect("a step");
                    }
                }
                let [force, expected] = [&whole, &halves].map(|element| element.values()[&F_R]);
                let bound = whole.static_force().max(force.abs());
                prop_assert!(
                    (force - expected).abs() <= 1e-4 * bound,
                    "{}: {} and {}",
                    model.metadata.name,
                    force,
                    expected
                );
            }
        }
        Ok(())
    });
}

#[test]
fn loss_is_the_work_of_the_mean_force_under_a_held_velocity() {
    check(150, motions(), |motions| {
        for model in ELEMENTS
            .iter()
            .filter(|model| model.variable(F_R_MEAN.reference).is_some())
        {
            let mut element = model.instantiate();
            for (contact, h) in &motions {
                element.set_contact(*contact);
                let before = element.values()[&E_LOSS];
                element.advance(*h).expect("a step");
                let loss = element.values()[&E_LOSS] - before;
                let work = element.on_demand_output(&F_R_MEAN).expect("a mean") * contact.v * h;
                // Loss and mean have ten times the tolerance of the force each; the total of E_loss
                // rounds.
                let size =
                    2e-4 * element.static_force() * contact.v.abs() * h + 1e-15 * before.abs();
                prop_assert!(
                    (loss - work).abs() <= size,
                    "{}: {} J, work {} J",
                    model.metadata.name,
                    loss,
                    work
                );
            }
        }
        Ok(())
    });
}

#[test]
fn rotated_motion_gives_the_rotated_force() {
    check(
        60,
        (motions(), 0.0..core::f64::consts::TAU),
        |(motions, angle)| {
            let (cos, sin) = (libm::cos(angle), libm::sin(angle));
            let rotated = |x: f64, y: f64| [cos * x - sin * y, sin * x + cos * y];
            let step = |element: &mut dyn AnyElement, [x, y]: [f64; 2], normal: f64, h: f64| {
                for (input, value) in [(&F_N, normal), (&V_X, x), (&V_Y, y)] {
                    element.set(input, value);
                }
                element.advance(h).expect("a step");
                [element.values()[&F_R_X], element.values()[&F_R_Y]]
            };
            for (law, model) in ELEMENTS.iter().filter_map(|law| Some((law, law.planar?))) {
                let [mut one, mut other] = [model.instantiate(), model.instantiate()];
                for element in [&mut one, &mut other] {
                    element.set_tolerance(1e-10);
                }
                for (contact, h) in &motions {
                    let [x, y] = step(&mut *one, [contact.v, contact.v_y], contact.F_N, *h);
                    let expected = rotated(x, y);
                    let found = step(
                        &mut *other,
                        rotated(contact.v, contact.v_y),
                        contact.F_N,
                        *h,
                    );
                    let error = libm::hypot(found[0] - expected[0], found[1] - expected[1]);
                    let size = one.static_force().max(libm::hypot(x, y));
                    prop_assert!(
                        error <= 1e-7 * size,
                        "{}: {:?} for {:?}",
                        law.metadata.name,
                        found,
                        expected
                    );
                }
            }
            Ok(())
        },
    );
}

#[test]
fn loss_of_two_steps_is_the_loss_of_one() {
    check(100, motions(), |motions| {
        for model in &ELEMENTS {
            let [mut whole, mut halves] = [model.instantiate(), model.instantiate()];
            let mut size = 0.0;
            for (contact, h) in &motions {
                for (element, parts) in [(&mut whole, 1), (&mut halves, 2)] {
                    element.set_contact(*contact);
                    for _ in 0..parts {
                        element.advance(h / f64::from(parts)).expect("a step");
                    }
                }
                size += whole.static_force().max(whole.values()[&F_R].abs())
                    * whole.values()[&V].abs()
                    * h;
            }
            let [one, two] = [&whole, &halves].map(|element| element.values()[&E_LOSS]);
            prop_assert!(
                (one - two).abs() <= 1e-3 * size,
                "{}: {} J and {} J",
                model.metadata.name,
                one,
                two
            );
        }
        Ok(())
    });
}
