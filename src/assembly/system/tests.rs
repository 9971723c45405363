mod break_away;
mod several;

use super::*;
use crate::assembly::{Assembly, Table};
use crate::catalogue::{
    Card, CardBlock, CardSystem, Contacts, ELEMENTS, Model, Motion, Setting, Variant, find,
};
use crate::coupling::{COUPLING, Coupling, M_EFF};
use crate::element::{E_LOSS, F_OFFSET, RADIUS, STICKING};
use crate::integrate::polynomial::taylor;
use crate::laws::stribeck::Stribeck;
use crate::variable::Role;

const G: f64 = 9.81;

fn card(law: &str, [mass, stiffness, damping]: [f64; 3]) -> Card {
    Card {
        block: Some(CardBlock {
            mass,
            stiffness,
            damping,
        }),
        ..Card::of_law(law, "A block")
    }
}

fn variant(law: &str, block: [f64; 3]) -> Variant {
    Variant::new(find(law).unwrap(), card(law, block)).unwrap()
}

/// Instance with these inputs, at the end of its initialisation.
fn start(variant: &Variant, inputs: &[(&str, f64)]) -> Assembly {
    let mut assembly = variant.instantiate();
    set(variant, &mut assembly, inputs);
    assembly.initialize().unwrap();
    assembly
}

fn set(variant: &Variant, assembly: &mut Assembly, inputs: &[(&str, f64)]) {
    inputs
        .iter()
        .for_each(|(name, value)| assembly.set(variant.find(name).unwrap(), *value));
}

fn run(assembly: &mut Assembly, h: f64, end: f64) -> [f64; 4] {
    for _ in 0..(end / h + 0.5) as u32 {
        assembly.advance(h).unwrap();
    }
    [X, V, F_R.reference, E_LOSS.reference].map(|reference| assembly.value(reference))
}

#[test]
fn motion_on_a_belt_is_independent_of_the_communication_step() {
    for model in &ELEMENTS {
        let law = model.metadata.name;
        let Ok(variant) = Variant::new(model, card(law, [1.0, 900.0, 2.0])) else {
            continue;
        };
        let [fine, coarse] = [1e-3, 1e-1].map(|h| {
            run(
                &mut start(&variant, &[("F_N", G), ("v_surface", 0.1)]),
                h,
                1.0,
            )
        });
        // The amplitude is 7 mm.
        assert!(
            (fine[0] - coarse[0]).abs() < 1e-6,
            "{law}: {fine:?}, {coarse:?}"
        );
        assert!(
            (fine[3] - coarse[3]).abs() < 1e-5,
            "{law}: {fine:?}, {coarse:?}"
        );
    }
}

#[test]
fn offset_of_the_force_is_an_applied_force_the_other_way() {
    for model in &ELEMENTS {
        let law = model.metadata.name;
        let with = |offset: f64| {
            let mut card = card(law, [1.0, 900.0, 2.0]);
            card.parameters.insert(
                F_OFFSET.reference,
                Setting {
                    start: Some(offset),
                    ..Setting::default()
                },
            );
            Variant::new(model, card)
        };
        let (Ok(plain), Ok(shifted)) = (with(0.0), with(-3.0)) else {
            continue;
        };
        let inputs = |force: f64| [("F_N", G), ("F", force), ("v_surface", 0.1)];
        let [expected, found] = [
            run(&mut start(&plain, &inputs(5.0)), 1e-2, 1.0),
            run(&mut start(&shifted, &inputs(2.0)), 1e-2, 1.0),
        ];
        for (i, offset) in [0.0, 0.0, -3.0, 0.0].into_iter().enumerate() {
            let error = found[i] - expected[i] - offset;
            assert!(error.abs() < 1e-9, "{law}, {i}: {found:?}, {expected:?}");
        }
    }
}

#[test]
fn observed_body_under_an_offset_moves_as_one_under_an_applied_force() {
    // The master's body of 1 kg: H = 1 ms, under F_R of the last step.
    let run = |offset: f64, force: f64| {
        let mut card = Card::of_law("FrDyn2", "");
        for (reference, value) in [
            (F_OFFSET.reference, offset),
            (M_EFF.reference, 1.0),
            (COUPLING.reference, 1.0),
        ] {
            card.parameters.insert(
                reference,
                Setting {
                    start: Some(value),
                    ..Setting::default()
                },
            );
        }
        let mut contact = Variant::new(find("FrDyn2").unwrap(), card)
            .unwrap()
            .instantiate();
        let (mut v, h, of_contact) = (0.02, 1e-3, |reference| {
            *find("FrDyn2").unwrap().variable(reference).unwrap()
        });
        contact.set(&of_contact(0), G);
        contact.set(&of_contact(1), v);
        contact.initialize().unwrap();
        for i in 0..400 {
            contact.set(&of_contact(1), v);
            contact.advance(h).unwrap();
            let applied = force + if i > 200 { 1.0 } else { 0.0 };
            v += (applied - contact.value(F_R.reference)) * h;
        }
        (
            v,
            contact.value(F_R.reference),
            contact.value(E_LOSS.reference),
        )
    };
    let (expected, found) = (run(0.0, 3.0), run(-3.0, 0.0));
    assert!(
        (found.0 - expected.0).abs() < 1e-9 && (found.1 + 3.0 - expected.1).abs() < 1e-6,
        "{found:?}, {expected:?}"
    );
    assert!(
        (found.2 - expected.2).abs() < 1e-9,
        "{found:?}, {expected:?}"
    );
}

#[test]
fn push_below_static_friction_leaves_the_block_at_rest() {
    for law in [
        "FrDyn2",
        "FrDyn2Linear",
        "ModelicaFriction",
        "Stribeck",
        "PoppStelter",
        "SimpackStickSlip",
        "AdamsStickSlip",
    ] {
        let variant = variant(law, [1.0, 0.0, 0.0]);
        for h in [1e-3, 1e-2, 1e-1] {
            for share in [0.7, 0.85, 0.95] {
                let force = share * 0.6 * G;
                let [x, v, friction, _] =
                    run(&mut start(&variant, &[("F_N", G), ("F", force)]), h, 1.0);
                assert!(
                    x < 1e-5 && v.abs() < 1e-9 && (friction - force).abs() < 1e-6,
                    "{law}, {share}, {h}: {x}, {v}"
                );
            }
            let [x, ..] = run(
                &mut start(&variant, &[("F_N", G), ("F", 1.05 * 0.6 * G)]),
                h,
                1.0,
            );
            assert!(x > 1.0, "{law}, {h}: {x}");
        }
    }
}

#[test]
fn free_block_on_a_spring_has_its_closed_form_and_passes_the_mean_force_to_the_base() {
    let (variant, h) = (variant("FrDyn2", [2.0, 800.0, 0.0]), 0.01);
    let at_start = [("x", 0.01), ("x_base", 0.002), ("v_base", 0.3)];
    let mut assembly = start(&variant, &at_start);
    let mut in_parallel = start(&variant, &[&at_start[..], &[("coupling", 2.0)]].concat());
    let (omega, mut before) = (20.0, 800.0 * 8e-3);
    // Relative to the base: 8 mm at −0.3 m/s.
    let relative = |t: f64| 8e-3 * libm::cos(omega * t) - 0.3 / omega * libm::sin(omega * t);
    let integral =
        |t: f64| (8e-3 * libm::sin(omega * t) + 0.3 / omega * libm::cos(omega * t)) / omega;
    for step in 0..50 {
        let t = h * f64::from(step);
        for assembly in [&mut assembly, &mut in_parallel] {
            set(&variant, assembly, &[("x_base", 0.002 + 0.3 * t)]);
            assembly.advance(h).unwrap();
        }
        let end = t + h;
        assert!(
            (assembly.value(X) - relative(end) - 0.002 - 0.3 * end).abs() < 1e-8,
            "{step}"
        );
        let mean = 800.0 * (integral(end) - integral(t)) / h;
        assert!(
            (assembly.value(F_BASE) - mean).abs() < 1e-5,
            "{step}: {}, {mean}",
            assembly.value(F_BASE)
        );
        let next = 2.0 * mean - before;
        assert!(
            (in_parallel.value(F_BASE) - next).abs() < 3e-5,
            "{step}: {}, {next}",
            in_parallel.value(F_BASE)
        );
        before = mean;
    }
}

#[test]
fn rotational_block_is_one_on_a_line_with_its_lever() {
    let radius = 0.2;
    let mut turning = card(
        "FrDyn2",
        [
            radius * radius,
            900.0 * radius * radius,
            2.0 * radius * radius,
        ],
    );
    turning.motion = Motion::Rotational;
    turning.parameters.insert(
        RADIUS.reference,
        Setting {
            start: Some(radius),
            ..Setting::default()
        },
    );
    let turning = Variant::new(find("FrDyn2").unwrap(), turning).unwrap();
    let sliding = variant("FrDyn2", [1.0, 900.0, 2.0]);
    let [angle, ..] = run(
        &mut start(
            &turning,
            &[("F_N", G), ("omega_surface", 0.5), ("M", 0.1 * radius)],
        ),
        0.01,
        0.5,
    );
    let [x, ..] = run(
        &mut start(
            &sliding,
            &[("F_N", G), ("v_surface", 0.5 * radius), ("F", 0.1)],
        ),
        0.01,
        0.5,
    );
    assert!((radius * angle - x).abs() < 1e-8, "{angle}, {x}");
}

#[test]
fn derivatives_along_seeds_are_differences_and_knowns_are_complete() {
    for law in ["FrDyn2", "LuGre", "Coulomb"] {
        let variant = variant(law, [2.0, 300.0, 5.0]);
        let inputs = [
            ("F_N", 10.0),
            ("F", 2.0),
            ("x", 1e-3),
            ("v", 0.02),
            ("x_base", 2e-3),
            ("v_surface", -0.01),
        ];
        let mut assembly = start(&variant, &inputs);
        let is_unknown =
            |variable: &&Variable| matches!(variable.role, Role::Output | Role::Derivative { .. });
        let is_known = |variable: &&Variable| matches!(variable.role, Role::Input | Role::State);
        let unknowns: Vec<_> = variant.variables().filter(is_unknown).copied().collect();
        for known in variant.variables().filter(is_known) {
            let (at, step) = (
                assembly.value(known.reference),
                1e-7 * known.nominal.unwrap_or(1.0),
            );
            let mut seed = Table::ZERO;
            *seed.entry(known) = 1.0;
            let change = assembly.directional_derivative(&seed);
            let mut beside = |value: f64| -> Vec<f64> {
                assembly.set(known, value);
                assembly.evaluate_between_events().unwrap();
                unknowns
                    .iter()
                    .map(|unknown| assembly.value(unknown.reference))
                    .collect()
            };
            let (below, above) = (beside(at - step), beside(at + step));
            beside(at);
            for (i, unknown) in unknowns.iter().enumerate() {
                let (found, difference) = (
                    change.get(unknown.reference),
                    (above[i] - below[i]) / (2.0 * step),
                );
                let name = (law, unknown.name, known.name);
                assert!(
                    (found - difference).abs() <= 1e-3 * difference.abs().max(1.0),
                    "{name:?}: {found}, {difference}"
                );
                let is_listed = variant
                    .knowns_of(unknown)
                    .continuous
                    .contains(&known.reference);
                assert!(is_listed || found == 0.0 && difference == 0.0, "{name:?}");
            }
        }
    }
}

#[test]
fn saved_state_repeats_a_step_bit_for_bit_and_reset_starts_again() {
    let variant = variant("LuGre", [1.0, 900.0, 2.0]);
    let inputs = [("F_N", G), ("v_surface", 0.1)];
    let mut assembly = start(&variant, &inputs);
    let first = run(&mut assembly, 1e-3, 0.1);
    let saved = assembly.save();
    let second = run(&mut assembly, 1e-3, 0.1);
    assembly.restore(&saved);
    assert_eq!(run(&mut assembly, 1e-3, 0.1), second);
    assembly.restore(&saved);
    assert_eq!(assembly.save(), saved);
    variant.reset(&mut assembly);
    set(&variant, &mut assembly, &inputs);
    assembly.initialize().unwrap();
    assert_eq!(run(&mut assembly, 1e-3, 0.1), first);
}

#[test]
fn derivative_of_the_force_is_taken_and_other_orders_are_refused() {
    let variant = variant("FrDyn2", [2.0, 0.0, 0.0]);
    let mut assembly = start(&variant, &[]);
    let force = *variant.find("F").unwrap();
    for order in [0, 9] {
        assert!(
            assembly
                .set_input_derivative(&force, order, 1.0)
                .unwrap_err()
                .sentence
                .contains("of F was given")
        );
    }
    // Without friction: F = 12 t, x = t³.
    assembly.set_input_derivative(&force, 1, 12.0).unwrap();
    assembly.advance(0.5).unwrap();
    assert!(
        (assembly.value(X) - 0.125).abs() < 1e-9,
        "{}",
        assembly.value(X)
    );
    // For one step only.
    let v = assembly.value(V);
    assembly.advance(0.5).unwrap();
    assert!((assembly.value(V) - v).abs() < 1e-12);
}

#[test]
fn impossible_blocks_are_refused_with_a_sentence() {
    let refusal = |law: &str, card: Card| {
        Variant::new(find(law).unwrap(), card)
            .err()
            .unwrap()
            .sentence
    };
    assert!(refusal("FrDyn2", card("FrDyn2", [0.0; 3])).starts_with("mass = 0.0 kg was given"));
    assert!(
        refusal("FrDyn2", card("FrDyn2", [1.0, -1.0, 0.0]))
            .starts_with("stiffness = -1.0 N/m was given")
    );
    assert!(refusal("Armstrong", card("Armstrong", [1.0; 3])).contains("past velocities"));
    assert!(
        refusal("NonReversible", card("NonReversible", [1.0; 3]))
            .contains("the acceleration as an input")
    );
    // A law of another crate that jumps at rest, without a form for a body inside.
    static JUMPS: Model = Model::of::<Stribeck, 0>();
    let fault = Variant::new(&JUMPS, card("Stribeck", [1.0; 3])).err();
    assert!(fault.unwrap().sentence.contains("has no stick"));
    // In the plane they would chatter for a second of processor time in each step.
    for law in ["Stribeck", "PoppStelter"] {
        let foot = Card {
            motion: Motion::Planar,
            system: Some(CardSystem::default()),
            block: None,
            ..card(law, [1.0; 3])
        };
        assert!(refusal(law, foot).contains("in the plane take another law"));
    }
    let several = Card {
        contacts: Some(Contacts {
            count: 2,
            ..Contacts::default()
        }),
        ..card("FrDyn2", [1.0; 3])
    };
    assert!(refusal("FrDyn2", several).contains("on one contact"));
    let planar = Card {
        motion: Motion::Planar,
        ..card("FrDyn2", [1.0; 3])
    };
    assert!(refusal("FrDyn2", planar).contains("the motion is planar"));
    let mut with_mass = card("FrDyn2", [1.0; 3]);
    with_mass.parameters.insert(
        M_EFF.reference,
        Setting {
            start: Some(1.0),
            ..Setting::default()
        },
    );
    assert!(refusal("FrDyn2", with_mass).contains("no parameter"));
}

#[test]
fn card_with_a_block_survives_its_bytes() {
    let card = card("FrDyn2", [1.5, 900.0, 2.0]);
    assert_eq!(Card::from_bytes(&card.to_bytes()), Some(card));
}

/// A block in stick is a rigid end of the spring: the base of the master swings on it, and a force
/// that is late gives it energy.
#[test]
fn extrapolated_force_on_the_base_keeps_a_parallel_coupling_stable() {
    let (k, base_mass, damping) = (1e4, 1.0, 0.05);
    let d = 2.0 * damping * libm::sqrt(k * base_mass);
    let variant = variant("FrDyn2", [1e3, k, d]);
    let largest = |coupling: f64| {
        // k H²/M₁ is 0.15, below the limit 0.2 with the extrapolation and above 0.01 without.
        let h = libm::sqrt(0.15 * base_mass / k);
        let mut assembly = start(
            &variant,
            &[("F_N", 1e5), ("coupling", coupling), ("x_base", 1e-3)],
        );
        let ([mut x, mut v], mut largest) = ([1e-3, 0.0], 0.0_f64);
        for step in 0..2000 {
            let force = assembly.value(F_BASE);
            set(&variant, &mut assembly, &[("x_base", x), ("v_base", v)]);
            assembly.advance(h).unwrap();
            x += h * (v + 0.5 * h * force / base_mass);
            v += h * force / base_mass;
            largest = if step > 1900 {
                largest.max(x.abs())
            } else {
                0.0
            };
        }
        largest
    };
    assert!(
        largest(2.0) < 1e-4 && !(largest(1.0) < 1e-2),
        "{}, {}",
        largest(2.0),
        largest(1.0)
    );
}

#[test]
fn block_at_rest_under_a_load_sticks_with_every_bristle() {
    for law in [
        "FrDyn2",
        "FrDyn2Linear",
        "LuGre",
        "SimpackStickSlip",
        "AdamsStickSlip",
    ] {
        let variant = variant(law, [1.0, 0.0, 0.0]);
        for load in [0.3, 0.7] {
            // LuGre creeps while its bristle settles, and rests then.
            let mut assembly = start(&variant, &[("F_N", G), ("F", load * 0.6 * G)]);
            run(&mut assembly, 1e-2, 2.0);
            let v = assembly.value(V);
            assert!(
                v.abs() <= 1e-12 && assembly.value(STICKING.reference) == 1.0,
                "{law} under {load} F_s: {v:e} m/s"
            );
            // It slides where the load exceeds the static friction.
            set(&variant, &mut assembly, &[("F", 1.5 * 0.6 * G)]);
            run(&mut assembly, 1e-2, 1.0);
            assert!(
                assembly.value(V) > 1.0 && assembly.value(STICKING.reference) == 0.0,
                "{law}"
            );
        }
    }
}

/// Motion and force after a step of `h` (s) in this many parts, in each of which the inputs have
/// their derivatives up to an order.
fn in_parts(
    variant: &Variant,
    inputs: &[(&str, [f64; 4])],
    h: f64,
    parts: u32,
    order: usize,
) -> [f64; 4] {
    let at_start: Vec<_> = inputs
        .iter()
        .map(|(name, input)| (*name, input[0]))
        .collect();
    let mut assembly = start(variant, &at_start);
    for i in 0..parts {
        let t = h * f64::from(i) / f64::from(parts);
        for (name, input) in inputs {
            let variable = variant.find(name).unwrap();
            let mut present = *input;
            for (k, order) in present.iter_mut().enumerate() {
                let mut rest = [0.0; 4];
                rest[..4 - k].copy_from_slice(&input[k..]);
                *order = taylor(&rest, t);
            }
            // A part of first order ends where the polynomial does.
            let slope =
                (taylor(input, t + h / f64::from(parts)) - present[0]) * f64::from(parts) / h;
            let [_, (_, [x, rates @ ..]), (_, [v, a, b, c]), ..] = inputs else {
                panic!("five inputs")
            };
            // Without derivatives of its own the base follows its velocity.
            let follows = *name == "x_base" && *rates == [0.0; 3];
            assembly.set(
                variable,
                if follows {
                    taylor(&[*x, *v, *a, *b, *c], t)
                } else {
                    present[0]
                },
            );
            for (k, derivative) in (1..=order).zip(&present[1..]) {
                let derivative = if order == 1 { slope } else { *derivative };
                assembly
                    .set_input_derivative(variable, k, derivative)
                    .unwrap();
            }
        }
        assembly.advance(h / f64::from(parts)).unwrap();
    }
    [X, V, F_R.reference, F_BASE].map(|reference| assembly.value(reference))
}

#[test]
fn derivatives_of_every_input_and_order_act_on_a_block_of_every_law() {
    let h = 0.02;
    for model in &ELEMENTS {
        let law = model.metadata.name;
        let Ok(variant) = Variant::new(model, card(law, [2.0, 900.0, 4.0])) else {
            continue;
        };
        let at_start = [
            ("F", 7.0),
            ("x_base", 1e-3),
            ("v_base", 0.02),
            ("v_surface", -0.05),
            ("F_N", 10.0),
        ];
        let mut acting = 0;
        for (moved, change) in [
            ("F", 3.0),
            ("x_base", 2e-3),
            ("v_base", 0.1),
            ("v_surface", 0.02),
            ("F_N", 4.0),
        ] {
            for order in 1..=3 {
                let factorial = [1.0, 2.0, 6.0][order - 1];
                let inputs = at_start.map(|(name, value)| {
                    let mut input = [value, 0.0, 0.0, 0.0];
                    if name == moved {
                        input[order] = change * factorial / libm::pow(h, order as f64);
                    }
                    (name, input)
                });
                // The mean force on the base of the last part is no mean over the step.
                let [whole, held] = [3, 0].map(|order| in_parts(&variant, &inputs, h, 1, order));
                let fine = in_parts(&variant, &inputs, h, 512, 1);
                let case = format!("{law}, {moved}, order {order}");
                // The force of a bristle of first order follows the slope of F_N, which the last
                // part has 512 times too coarse.
                for (i, scale) in [(0, 1e-4), (1, 0.05), (2, 20.0)] {
                    let error = (whole[i] - fine[i]).abs();
                    assert!(error < 2e-5 * scale, "{case}: {whole:?} for {fine:?}");
                }
                // In full sliding nothing but the loss depends on the counterface.
                acting +=
                    u32::from((0..3).any(|i| (fine[i] - held[i]).abs() > [1e-6, 1e-4, 1e-2][i]));
            }
        }
        assert!(acting >= 12, "{law}: {acting} of 15 derivatives act");
    }
}

#[test]
fn acceleration_of_a_block_that_moves_on_with_its_counterface_is_that_of_the_counterface() {
    for law in [
        "FrDyn2",
        "LuGre",
        "Coulomb",
        "ModelicaFriction",
        "Stribeck",
        "SimpackStickSlip",
    ] {
        let variant = variant(law, [1.0, 0.0, 0.0]);
        let mut assembly = start(&variant, &[("F_N", G)]);
        let surface = *variant.find("v_surface").unwrap();
        // 0.5 m/s², far below mu_s g.
        for i in 0..50 {
            assembly.set(&surface, 0.5e-3 * f64::from(i));
            assembly.set_input_derivative(&surface, 1, 0.5).unwrap();
            assembly.advance(1e-3).unwrap();
        }
        let rate = assembly.value(V + 1);
        assert!((rate - 0.5).abs() < 5e-3, "{law}: {rate} m/s²");
        assert!(
            (assembly.value(V) - 0.025).abs() < 2e-5,
            "{law}: {} m/s",
            assembly.value(V)
        );
    }
}
