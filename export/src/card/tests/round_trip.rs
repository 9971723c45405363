//! Cards with random names, texts, values and choices come back from what is written of them.

use super::super::{read, write};
use bristle::catalogue::{Card, ELEMENTS, Level, Motion, Setting, Variant};
use bristle::element::{F_N, F_OFFSET, K_M, LossRow, RADIUS, ReactionJoint, Reactions};
use bristle::variable::Role;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Cards; the values may contradict each other.
fn cards() -> impl Strategy<Value = (usize, Card)> {
    let choices = prop::collection::vec((0.5..2.0_f64, 0..12_u8, any::<bool>()), 80);
    let model = 0..ELEMENTS.len();
    let directions = (
        prop::collection::vec((any::<bool>(), 0.8..1.2_f64), 4),
        any::<bool>(),
    );
    let texts = ("[A-Za-z_][A-Za-z0-9_]{0,30}", "\\PC{0,60}");
    (model, texts, choices, directions, 0..12_u8).prop_map(
        |(model, (name, description), choices, (factors, has_offset), joint)| {
            let mut card = Card::of_law(ELEMENTS[model].metadata.name, &description);
            card.name = name;
            // A joint that states its friction, or a contact that states its normal force.
            card.level = (joint < 4 || joint == 5).then_some(Level {
                has_load: joint % 2 == 0,
                has_gear: joint == 5,
                ..Level::DEFAULT
            });
            if joint == 5 && has_offset {
                let row = |speed| LossRow {
                    speed,
                    efficiency: [0.9, 0.8],
                    bearings: [0.1 + speed, 0.2],
                };
                card.losses = vec![row(0.0), row(2.0)];
            } else if joint == 5 {
                card.parameters.insert(
                    K_M.reference,
                    Setting {
                        start: Some(0.3),
                        ..Setting::default()
                    },
                );
            }
            if joint == 6 || joint == 7 {
                let kind = ReactionJoint::ALL[joint as usize - 6];
                let [first, second, third, fourth] = [0, 1, 2, 3].map(|i| factors[i].0);
                card.motion = Motion::of_joint(kind);
                card.reactions = Some(Reactions {
                    joint: kind,
                    // The overlap needs bending.
                    parts: [first || !second, second, third, fourth, third && joint == 7],
                });
                let setting = Setting {
                    start: Some(0.03),
                    ..Setting::default()
                };
                if joint == 6 {
                    card.parameters.insert(RADIUS.reference, setting);
                }
            }
            if joint < 2 || joint == 5 {
                card.motion = Motion::Rotational;
            }
            if joint == 4 {
                card.parameters.insert(
                    F_N.reference,
                    Setting {
                        start: Some(30.0),
                        ..Setting::default()
                    },
                );
            }
            for (variable, (factor, choice, is_bounded)) in ELEMENTS[model].variables().zip(choices)
            {
                let is_output = matches!(variable.role, Role::Output | Role::BooleanOutput);
                if is_output && choice < 4 {
                    card.outputs.insert(variable.reference);
                }
                let Some(start) = variable
                    .start
                    .filter(|_| variable.is_parameter() && variable.is_real())
                else {
                    continue;
                };
                let start = start * factor;
                if choice < 4 {
                    let max = is_bounded.then_some(2.0 * start.abs() + 1.0);
                    card.parameters.insert(
                        variable.reference,
                        Setting {
                            start: Some(start),
                            min: None,
                            max,
                        },
                    );
                }
                match choice {
                    3 | 4 => _ = card.inputs.insert(variable.reference),
                    5 => _ = card.fixed.insert(variable.reference),
                    _ => {}
                }
            }
            for ([forward, backward], (variable, factor)) in
                ELEMENTS[model].metadata.directed.iter().zip(factors)
            {
                let Some(start) = ELEMENTS[model]
                    .variable(forward.reference)
                    .and_then(|variable| variable.start)
                else {
                    continue;
                };
                for (variable, start) in [(forward, start), (backward, factor * start)]
                    .into_iter()
                    .filter(|_| variable)
                {
                    card.parameters.insert(
                        variable.reference,
                        Setting {
                            start: Some(start),
                            ..Setting::default()
                        },
                    );
                }
            }
            if has_offset {
                card.parameters.insert(
                    F_OFFSET.reference,
                    Setting {
                        start: Some(-3.0),
                        ..Setting::default()
                    },
                );
            }
            (model, card)
        },
    )
}

#[test]
fn random_cards_come_back() {
    let config = Config {
        cases: 400,
        failure_persistence: None,
        max_global_rejects: 20_000,
        ..Config::default()
    };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let property = |(model, card): (usize, Card)| {
        let variant = Variant::new(&ELEMENTS[model], card);
        prop_assume!(variant.is_ok());
        let variant = variant.expect("as assumed");
        let text = write(&variant);
        let again = read(&text, &ELEMENTS);
        prop_assert!(again.is_ok(), "{text}");
        let again = again.expect("as asserted");
        prop_assert_eq!(
            (again.card(), again.guid()),
            (variant.card(), variant.guid())
        );
        Ok(())
    };
    runner
        .run(&cards(), property)
        .unwrap_or_else(|failure| panic!("{failure}"));
}
