use super::*;
use crate::assembly::Assembly;
use crate::catalogue::{Card, Contacts, ELEMENTS, Motion, PlatePoints, Setting, Variant};
use crate::coupling::COUPLING;

/// Start velocity of the body at its surface, m/s: within the linear range of every law that has
/// one.
const START: f64 = 1e-8;
const RADIUS_OF_SHAFT: f64 = 0.2;

/// Variants of all laws in all spaces, with a coupling.
fn variants(coupling: Option<f64>) -> Vec<Variant> {
    let mut found = Vec::new();
    for model in &ELEMENTS {
        for motion in [
            Motion::Translational,
            Motion::Rotational,
            Motion::Planar,
            Motion::Patch,
        ] {
            let mut card = Card {
                motion,
                ..Card::of_law(model.metadata.name, "A contact")
            };
            if motion == Motion::Rotational {
                card.parameters.insert(
                    RADIUS.reference,
                    Setting {
                        start: Some(RADIUS_OF_SHAFT),
                        ..Setting::default()
                    },
                );
            }
            let positions = vec![[0.1, 0.0], [-0.1, 0.0]];
            card.plate = (motion == Motion::Patch).then_some(PlatePoints {
                positions,
                shares: vec![0.5; 2],
            });
            if let Some(coupling) = coupling {
                card.parameters.insert(
                    COUPLING.reference,
                    Setting {
                        start: Some(coupling),
                        ..Setting::default()
                    },
                );
            }
            found.extend(Variant::new(model, card));
        }
    }
    assert_eq!(
        found
            .iter()
            .filter(|variant| variant.card().motion.is_planar())
            .count(),
        2 * 8
    );
    found
}

/// Block of 1 kg, or its moment of inertia, in a parallel coupling with held values.
struct Block<'a> {
    variant: &'a Variant,
    assembly: Assembly,
    mass: f64,
    v: f64,
    held: f64,
}

impl<'a> Block<'a> {
    fn new(variant: &'a Variant) -> Self {
        let mut assembly = variant.instantiate();
        assembly.set(variant.find("F_N").unwrap(), GRAVITY);
        assembly.initialize().unwrap();
        let lever = if variant.card().motion == Motion::Rotational {
            RADIUS_OF_SHAFT
        } else {
            1.0
        };
        Block {
            variant,
            assembly,
            mass: lever * lever,
            v: START / lever,
            held: 0.0,
        }
    }

    /// Steps of `h` (s); returns the largest velocity in them, and the messages.
    fn run(&mut self, h: f64, steps: u32) -> (f64, Vec<String>) {
        let find = |names: [&str; 3]| {
            names
                .iter()
                .find_map(|name| self.variant.find(name))
                .unwrap()
        };
        let (input, force) = (
            *find(["v_x", "v", "omega"]),
            find(["F_R_x", "F_R", "M_R"]).reference,
        );
        let (mut largest, mut messages) = (0.0_f64, Vec::new());
        for _ in 0..steps {
            self.assembly.set(&input, self.v);
            messages.extend(self.assembly.coupling_message(h).map(|(_, text)| text));
            self.assembly.advance(h).unwrap();
            self.v -=
                h * core::mem::replace(&mut self.held, self.assembly.value(force)) / self.mass;
            largest = largest.max(self.v.abs());
        }
        (largest, messages)
    }
}

#[test]
fn every_step_above_the_limit_of_held_values_is_reported_for_every_law_in_every_space() {
    for variant in variants(None) {
        let what = format!("{} {}", variant.card().law, variant.card().motion.name());
        let mut reported = 0;
        for h in [1e-5, 7e-5, 1.5e-4, 2.5e-4, 3.5e-4, 1e-3, 1e-2, 0.1] {
            let mut block = Block::new(&variant);
            let start = block.v;
            let (_, first) = block.run(h, 1);
            let (_, later) = block.run(h, 4000);
            let (end, last) = block.run(h, 400);
            // Without its applied force such a law leaves a slow body alone until a load moves it.
            let is_free = variant.find("F_t").or(variant.find("M_t")).is_some();
            assert_eq!(
                !first.is_empty(),
                end > start || is_free,
                "{what}, {h:e} s: {start:e}, {end:e} m/s, {first:?}"
            );
            assert!(
                first.len() <= 1
                    && first
                        .iter()
                        .all(|text| text.starts_with("coupling is not stated")),
                "{first:?}"
            );
            let others = later.iter().chain(&last);
            let is_rotation = variant.card().motion == Motion::Rotational;
            let oscillation = if is_rotation {
                "omega and M_R oscillate"
            } else {
                "v and F_R oscillate"
            };
            assert!(
                others.clone().all(|text| text.starts_with(oscillation)),
                "{what}, {h}: {later:?}"
            );
            // A rotation has none of the words of a line.
            let of_line = |text: &&String| {
                [" v ", "F_R", "F_t", "m_eff", " kg,"]
                    .iter()
                    .any(|word| text.contains(word))
            };
            let mistaken = first
                .iter()
                .chain(&later)
                .find(|text| is_rotation && of_line(text));
            assert_eq!(mistaken, None, "{what}");
            reported += first.len();
        }
        println!("{what}: reported at {reported} of 8 steps");
        assert!(reported >= 4, "{what}");
    }
}

#[test]
fn stated_coupling_is_silent_for_every_law_in_every_space() {
    for coupling in [1.0, 2.0, 3.0] {
        for variant in variants(Some(coupling)) {
            let (_, messages) = Block::new(&variant).run(1e-2, 20);
            assert!(messages.is_empty(), "{}: {messages:?}", variant.card().law);
        }
    }
}

#[test]
fn derivatives_of_the_velocity_that_have_no_effect_are_reported_once() {
    for coupling in [1.0, 2.0, 3.0] {
        for mass in [0.0, 1.0] {
            for variant in variants(Some(coupling)) {
                let mut block = Block::new(&variant);
                let (input, has_mass) = (
                    ["v_x", "v", "omega"],
                    variant.find("m_eff").or(variant.find("J_eff")),
                );
                let input = *input.iter().find_map(|name| variant.find(name)).unwrap();
                has_mass
                    .into_iter()
                    .for_each(|of_body| block.assembly.set(of_body, mass));
                let mut messages = Vec::new();
                for _ in 0..3 {
                    block.assembly.set_input_derivative(&input, 1, 0.1).unwrap();
                    messages.extend(block.run(1e-3, 1).1);
                }
                let is_ignored =
                    has_mass.is_some() && (coupling == 1.0 || coupling == 2.0 && mass > 0.0);
                let name = if input.name == "omega" { "omega" } else { "v" };
                let said = format!("derivatives of {name} have no effect");
                let found = messages
                    .iter()
                    .filter(|text| text.starts_with(&said))
                    .count();
                assert_eq!(
                    found,
                    usize::from(is_ignored),
                    "{} {coupling} {mass}: {messages:?}",
                    variant.card().law
                );
            }
        }
    }
}

#[test]
fn law_with_the_applied_force_is_not_reported() {
    let variant = Variant::stock(&ELEMENTS[3]);
    let mut block = Block::new(&variant);
    block.assembly.set(variant.find("F_t").unwrap(), 1.0);
    assert!(block.run(1e-2, 20).1.is_empty());
}

#[test]
fn each_of_several_contacts_is_reported() {
    let contacts = Some(Contacts {
        count: 3,
        ..Contacts::default()
    });
    let variant = Variant::new(
        &ELEMENTS[0],
        Card {
            contacts,
            ..Card::of_law("FrDyn2", "Three contacts")
        },
    )
    .unwrap();
    let mut assembly = variant.instantiate();
    for contact in 1..=3 {
        for (name, value) in [("F_N", GRAVITY), ("v", 0.1)] {
            assembly.set(variant.find(&format!("{name}[{contact}]")).unwrap(), value);
        }
    }
    assembly.initialize().unwrap();
    let reported: Vec<_> = (0..5)
        .filter_map(|_| Some(assembly.coupling_message(1e-3)?.0))
        .collect();
    assert_eq!(reported, [0, 1, 2]);
}

#[test]
fn mass_of_a_message_is_named_with_its_unit() {
    let card = |motion: Motion, mass: f64| {
        let mut card = Card {
            motion,
            ..Card::of_law("FrDyn2", "A contact")
        };
        card.parameters.insert(
            M_EFF.reference,
            Setting {
                start: Some(mass),
                ..Setting::default()
            },
        );
        if motion == Motion::Rotational {
            card.parameters.insert(
                RADIUS.reference,
                Setting {
                    start: Some(RADIUS_OF_SHAFT),
                    ..Setting::default()
                },
            );
        }
        Variant::new(&ELEMENTS[0], card).unwrap()
    };
    for (motion, expected) in [
        (
            Motion::Translational,
            "m_eff = 1 kg is given, and coupling is not: F_R is the law's own",
        ),
        (
            Motion::Rotational,
            "J_eff = 1 kg m2 is given, and coupling is not: M_R is the law's own",
        ),
    ] {
        let (_, messages) = Block::new(&card(motion, 1.0)).run(1e-2, 2);
        assert!(
            messages.len() == 1 && messages[0].starts_with(expected),
            "{messages:?}"
        );
    }
}

#[test]
fn wrong_mass_is_named_beside_the_one_that_the_motion_shows() {
    for (motion, words) in [
        (Motion::Translational, ["kg", "m_eff"]),
        (Motion::Rotational, ["kg m2", "J_eff"]),
    ] {
        let mut card = Card {
            motion,
            ..Card::of_law("FrDyn2Linear", "A contact")
        };
        if motion == Motion::Rotational {
            card.parameters.insert(
                RADIUS.reference,
                Setting {
                    start: Some(RADIUS_OF_SHAFT),
                    ..Setting::default()
                },
            );
        }
        for (parameter, value) in [(M_EFF, 200.0), (COUPLING, 2.0)] {
            card.parameters.insert(
                parameter.reference,
                Setting {
                    start: Some(value),
                    ..Setting::default()
                },
            );
        }
        let variant = Variant::new(&ELEMENTS[1], card).unwrap();
        let mut block = Block::new(&variant);
        block.v *= 1e5;
        let (_, messages) = block.run(1e-3, 400);
        let [unit, mass] = words;
        let named = format!(" {unit} and {mass} = 200 {unit} is given: correct that");
        assert!(
            messages.iter().any(|text| text.contains(&named)),
            "{messages:?}"
        );
    }
}
