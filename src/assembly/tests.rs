//! Outputs, derivatives and refusals of several contacts, of levers and of supports.

use super::*;
use crate::catalogue::{Card, Contacts as CardContacts, Motion, Setting, Variant, find};
use crate::coupling::{COUPLING, D_EFF, E_LOSS_ERROR, F_R_MEAN, K_EFF, M_EFF, M_SUPPORT};
use crate::element::{F_N, F_R, INPUTS, RADIUS, V};
use crate::variable::RANGE;

/// Assembly of a card of a law.
fn assembly(law: &str, change: impl FnOnce(&mut Card)) -> Assembly {
    let mut card = Card::of_law(law, "");
    change(&mut card);
    let mut assembly = Variant::new(find(law).unwrap(), card).unwrap().instantiate();
    assembly.apply_parameters().unwrap();
    assembly.initialize().unwrap();
    assembly
}

/// Variable of a contact, from 1.
fn of(declared: &Variable, contact: u32) -> Variable {
    Variable { reference: declared.reference + contact * RANGE, ..*declared }
}

#[test]
fn derivatives_of_several_contacts_are_those_of_one() {
    let mut one = assembly("FrDyn2", |_| {});
    let mut two = assembly("FrDyn2", |card| card.contacts = Some(CardContacts { count: 2, ..CardContacts::default() }));
    for (variable, value) in [(F_N, 9.81), (V, 2e-3)] {
        one.set(&variable, value);
        two.set(&of(&variable, 2), value);
    }
    for (variable, slope) in [(F_N, 3.0), (V, 0.1)] {
        one.set_input_derivative(&variable, 1, slope).unwrap();
        two.set_input_derivative(&of(&variable, 2), 1, slope).unwrap();
    }
    assert!(!one.parameters_are_dirty() && !two.parameters_are_dirty());
    one.advance(1e-3).unwrap();
    two.advance(1e-3).unwrap();
    let (expected, found) = (one.output_derivatives(), two.output_derivatives());
    assert_ne!(expected.get(F_R.reference), 0.0);
    assert_eq!(found.get(of(&F_R, 2).reference), expected.get(F_R.reference));
    assert_eq!(found.get(of(&F_R, 1).reference), 0.0);

    let seed = |input: &Variable| {
        let mut seed = Table::of(2);
        *seed.entry(input) = 1.0;
        seed
    };
    let mut of_one = Table::of(0);
    *of_one.entry(&V) = 1.0;
    let expected = one.directional_derivative(&of_one).get(F_R.reference);
    assert_ne!(expected, 0.0);
    assert_eq!(two.directional_derivative(&seed(&of(&V, 2))).get(of(&F_R, 2).reference), expected);
    assert_eq!(two.directional_derivative(&seed(&of(&V, 1))).get(of(&F_R, 2).reference), 0.0);
}

#[test]
fn derivatives_of_inputs_beyond_the_third_and_of_outputs_are_refused() {
    let mut one = assembly("FrDyn2", |_| {});
    for input in &INPUTS {
        for order in [0, 4] {
            let InputError(sentence) = one.set_input_derivative(input, order, 1.0).unwrap_err();
            assert!(sentence.starts_with(&format!("derivative {order} of {} was given", input.name)), "{sentence}");
        }
    }
    let InputError(sentence) = one.set_input_derivative(&F_R, 1, 1.0).unwrap_err();
    assert!(sentence.starts_with("derivative 1 of F_R was given"), "{sentence}");
}

#[test]
fn friction_radius_may_change_with_moving_inputs() {
    let lever = |radius: f64| {
        assembly("FrDyn2Linear", |card| {
            card.motion = Motion::Rotational;
            card.parameters.insert(RADIUS.reference, Setting { start: Some(radius), ..Setting::default() });
        })
    };
    let (mut changed, mut fresh) = (lever(0.1), lever(0.2));
    let move_along = |assembly: &mut Assembly| {
        assembly.set(&F_N, 10.0);
        assembly.set(&V, 0.05);
        assembly.set_input_derivative(&V, 1, 2.0).unwrap();
    };
    move_along(&mut changed);
    // The derivative that was given before holds for the new lever, too.
    changed.set(&RADIUS, 0.2);
    changed.apply_parameters().unwrap();
    move_along(&mut fresh);
    changed.advance(1e-3).unwrap();
    fresh.advance(1e-3).unwrap();
    assert_ne!(fresh.value(F_R.reference), 0.0);
    assert_eq!(changed.value(F_R.reference), fresh.value(F_R.reference));
}

#[test]
fn mean_force_on_a_support_moves_the_body_and_is_0_in_the_open() {
    let mut element = assembly("FrDyn2Linear", |card| {
        for (variable, value) in [(M_EFF, 0.1), (K_EFF, 1e5), (COUPLING, 1.0)] {
            card.parameters.insert(variable.reference, Setting { start: Some(value), ..Setting::default() });
        }
    });
    let (h, mass, stiffness) = (1e-4, 0.1, 1e5);
    let (mut x, mut v) = (0.0_f64, 0.0_f64);
    let mut run = |normal: f64, steps: u32, element: &mut Assembly| {
        let mut mean = 0.0;
        for i in 0..steps {
            element.set(&F_N, normal);
            element.set(&V, v);
            element.advance(h).unwrap();
            mean = element.on_demand_output(&F_R_MEAN).unwrap();
            assert!(element.on_demand_output(&E_LOSS_ERROR).unwrap().is_finite());
            let drive = 2e-3 * libm::sin(40.0 * h * f64::from(i));
            v += h * (stiffness * (drive - x) - element.value(F_R.reference)) / mass;
            x += h * v;
        }
        (mean, element.value(F_R.reference))
    };
    let (mean, force) = run(50.0, 300, &mut element);
    assert!(mean.abs() > 1.0 && force.abs() > 1.0, "{mean} N, {force} N");
    let bound = 2.0 * 50.0;
    assert!(mean.abs() < bound && force.abs() < bound, "{mean} N, {force} N");
    assert_eq!(run(0.0, 20, &mut element), (0.0, 0.0));
    let (mean, _) = run(50.0, 300, &mut element);
    assert!(mean.abs() > 1.0, "{mean} N");
}

#[test]
fn masses_and_forces_on_a_support_may_have_any_unit() {
    let forces = |scale: f64| {
        let mut element = assembly("LuGre", |card| {
            for (variable, value) in [(M_EFF, 0.1), (K_EFF, 1e5), (D_EFF, 10.0), (M_SUPPORT, 5.0)] {
                card.parameters
                    .insert(variable.reference, Setting { start: Some(scale * value), ..Setting::default() });
            }
            card.parameters.insert(COUPLING.reference, Setting { start: Some(1.0), ..Setting::default() });
            for variable in find("LuGre").unwrap().variables().filter(|variable| variable.name.starts_with("sigma_")) {
                let start = variable.start.map(|start| scale * start);
                card.parameters.insert(variable.reference, Setting { start, ..Setting::default() });
            }
        });
        (0..200).map(move |i| {
            element.set(&F_N, scale * 50.0);
            element.set(&V, 0.1 * libm::sin(0.1 * f64::from(i)));
            element.advance(1e-4).unwrap();
            element.value(F_R.reference) / scale
        })
    };
    for (i, (force, of_large)) in forces(1.0).zip(forces(1024.0)).enumerate() {
        assert!((force - of_large).abs() < 1e-9 * 50.0, "step {i}: {force} N, {of_large} N in large units");
    }
}
