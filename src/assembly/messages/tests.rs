use super::*;
use crate::assembly::Assembly;
use crate::catalogue::{Card, Contacts, ELEMENTS, Motion, PlatePoints, Setting, Variant};
use crate::coupling::COUPLING;
use crate::domain::GRAVITY;
use crate::element::RADIUS;

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

/// Block of 1 kg, or its moment of inertia, with held values.
struct Block<'a> {
    variant: &'a Variant,
    assembly: Assembly,
    /// The master applies the force in the step that it was returned for; else in the one after.
    is_serial: bool,
    mass: f64,
    /// Further force on it, N.
    load: f64,
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
            is_serial: false,
            mass: lever * lever,
            load: 0.0,
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
            let new = self.assembly.value(force);
            let before = core::mem::replace(&mut self.held, new);
            let force = if self.is_serial { new } else { before };
            self.v += h * (self.load - force) / self.mass;
            largest = largest.max(self.v.abs());
        }
        (largest, messages)
    }
}

#[test]
fn every_step_above_the_limit_of_held_values_is_reported_for_every_law_in_every_space() {
    for (coupling, beginning) in [
        (None, "coupling is not stated"),
        (Some(1.0), "coupling is serial, and a mass is not stated"),
        (Some(2.0), "coupling is parallel, and a mass is not stated"),
    ] {
        for variant in variants(coupling) {
            let is_serial = coupling == Some(1.0);
            let reported = reports(&variant, is_serial, beginning);
            assert!(reported >= 3, "{} {coupling:?}", variant.card().law);
        }
    }
}

/// Number of the steps, of eight, at which the first message comes; asserts that it comes where the
/// block does not come to rest.
fn reports(variant: &Variant, is_serial: bool, beginning: &str) -> usize {
    let what = format!("{} {}", variant.card().law, variant.card().motion.name());
    let is_rotation = variant.card().motion == Motion::Rotational;
    let mut reported = 0;
    for h in [1e-5, 7e-5, 1.5e-4, 2.5e-4, 3.5e-4, 1e-3, 1e-2, 0.1] {
        let mut block = Block::new(variant);
        block.is_serial = is_serial;
        let start = block.v;
        let (_, first) = block.run(h, 1);
        let (_, later) = block.run(h, 4000);
        let (end, last) = block.run(h, 400);
        // Without its applied force such a law leaves a slow body alone until a load moves it.
        let is_free = variant.find("F_t").or(variant.find("M_t")).is_some();
        assert_eq!(
            !first.is_empty(),
            end > 2.0 * start || is_free,
            "{what}, {h:e} s, {beginning}: {start:e}, {end:e} m/s, {first:?}"
        );
        assert!(
            first.len() <= 1 && first.iter().all(|text| text.starts_with(beginning)),
            "{first:?}"
        );
        let others = later.iter().chain(&last);
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
    reported
}

#[test]
fn prescribed_coupling_is_silent_for_every_law_in_every_space() {
    for variant in variants(Some(3.0)) {
        let (_, messages) = Block::new(&variant).run(1e-2, 20);
        assert!(messages.is_empty(), "{}: {messages:?}", variant.card().law);
    }
}

#[test]
fn mass_beside_a_prescribed_coupling_is_reported_once() {
    for variant in variants(Some(3.0)) {
        let mass = variant.find("m_eff").or(variant.find("J_eff"));
        let Some(mass) = mass else { continue };
        let mut block = Block::new(&variant);
        block.assembly.set(mass, 1.0);
        block.assembly.apply_parameters().unwrap();
        let (_, messages) = block.run(1e-5, 20);
        let unit = if mass.name == "m_eff" { "kg" } else { "kg m2" };
        let beginning = format!(
            "{} = 1 {unit} is given, and coupling is prescribed, where it has no effect",
            mass.name
        );
        assert!(
            messages.len() == 1 && messages[0].starts_with(&beginning),
            "{}: {messages:?}",
            variant.card().law
        );
    }
}

#[test]
fn applied_force_in_a_parallel_coupling_is_reported() {
    // The force that balances it comes a step late: a push of 0.85 F_s moves the block for ever.
    for law in ["Coulomb", "ModelicaFriction"] {
        let model = ELEMENTS
            .iter()
            .find(|model| model.metadata.name == law)
            .unwrap();
        let variant = Variant::stock(model);
        for (stated, is_serial, expected) in [
            (None, true, None),
            (Some(1.0), true, None),
            (
                None,
                false,
                Some("F_R balanced F_t at v = 0, and the body moved"),
            ),
            (Some(2.0), false, Some("coupling is parallel, and a mass")),
            (
                Some(1.0),
                false,
                Some("F_R balanced F_t at v = 0, and the body moved"),
            ),
        ] {
            let mut block = Block::new(&variant);
            let coefficient = variant.find("mu_d").or(variant.find("mu_0")).unwrap();
            let push = 0.85 * coefficient.start.unwrap() * GRAVITY;
            (block.is_serial, block.load, block.v) = (is_serial, push, 0.0);
            if let Some(coupling) = stated {
                block.assembly.set(&COUPLING, coupling);
            }
            block.assembly.set(variant.find("F_t").unwrap(), push);
            let (_, messages) = block.run(1e-2, 400);
            let said = |part: &str| messages.iter().any(|text| text.contains(part));
            assert!(
                expected.map_or(messages.is_empty(), said),
                "{law} {stated:?} {is_serial}: {messages:?}"
            );
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
        let (_, messages) = block.run(1e-2, 400);
        let [unit, mass] = words;
        let named = format!(" {unit} and {mass} = 200 {unit} is given: correct that");
        assert!(
            messages.iter().any(|text| text.contains(&named)),
            "{messages:?}"
        );
    }
}
