//! Elements of cards: exported with the library of the packaged FMUs, and loaded.

use bristle::catalogue::{
    Card, CardBase, CardBlock, CardCoordinate, CardSlip, CardSpring, CardSystem, Contacts,
    ELEMENTS, Level, MeasuredCurve, Model, Motion, PlatePoints, Setting, Term, Variant, find,
};
use bristle::element::{
    F_N, F_OFFSET, K_E, K_M, LossRow, PARTS, RADIUS, ReactionJoint, Reactions, V,
};
use bristle::variable::{Scale, Units};
use bristle_export::{Exporter, platform};
use bristle_importer::fmu::Fmu;

/// Library of the packaged FMUs, which can be made any element.
pub fn library() -> Vec<u8> {
    std::fs::read(Fmu::packaged("FrDyn2").library()).expect("the library is there")
}

/// Exporter for this machine.
pub fn exporter() -> Exporter {
    let mut exporter = Exporter::new();
    exporter
        .add_library(platform::host().expect("a platform of Bristle"), &library())
        .expect("a library for cards");
    exporter
}

/// Packaged and loaded FMU of an element.
pub fn load(exporter: &Exporter, variant: &Variant) -> Fmu {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(format!("{}.fmu", variant.name()));
    std::fs::write(
        &path,
        exporter
            .export(variant)
            .expect("the element can be exported"),
    )
    .expect("a file");
    Fmu::load(&path)
}

/// Model of this law.
pub fn model(law: &str) -> &'static Model {
    find(law).expect("a law")
}

/// Reference of a variable.
pub fn reference(model: &Model, name: &str) -> u32 {
    model
        .variables()
        .find(|variable| variable.name == name)
        .expect("a variable")
        .reference
}

/// Card of a law with another name and these start values.
pub fn card(law: &str, starts: &[(&str, f64)]) -> Card {
    let mut card = Card::of_law(law, "An element of a card");
    card.name = "Own".to_owned();
    for (name, start) in starts {
        card.parameters.insert(
            reference(model(law), name),
            Setting {
                start: Some(*start),
                ..Setting::default()
            },
        );
    }
    card
}

/// Card of a revolute joint with this radius, m.
pub fn rotational(law: &str, radius: f64) -> Card {
    let mut card = card(law, &[]);
    card.motion = Motion::Rotational;
    card.parameters.insert(
        RADIUS.reference,
        Setting {
            start: Some(radius),
            ..Setting::default()
        },
    );
    card
}

/// Card of a joint that states its friction, along a line or about an axis.
pub fn joint(law: &str, motion: Motion, has_load: bool) -> Card {
    let mut card = card(law, &[]);
    (card.motion, card.level) = (
        motion,
        Some(Level {
            has_load,
            ..Level::DEFAULT
        }),
    );
    card
}

/// Card of a joint with a gear.
pub fn geared(mut card: Card) -> Card {
    card.level = card.level.map(|level| Level {
        has_gear: true,
        ..level
    });
    for (parameter, value) in [(&K_M, 0.2), (&K_E, 0.5)] {
        card.parameters.insert(
            parameter.reference,
            Setting {
                start: Some(value),
                ..Setting::default()
            },
        );
    }
    card
}

/// Card of a joint with losses of a gear over its speed.
pub fn with_losses(mut card: Card) -> Card {
    card.level = card.level.map(|level| Level {
        has_gear: true,
        ..level
    });
    let row = |speed, efficiency, bearings| LossRow {
        speed,
        efficiency,
        bearings,
    };
    card.losses = vec![
        row(0.0, [0.85, 0.8], [0.3, 0.4]),
        row(5.0, [0.7, 0.6], [0.5, 0.6]),
    ];
    card
}

/// Card of a joint with all reactions, about an axis at this radius (m), or along a line.
pub fn with_reactions(law: &str, joint: ReactionJoint) -> Card {
    let mut card = match joint {
        ReactionJoint::Revolute => rotational(law, 0.04),
        ReactionJoint::Prismatic => card(law, &[]),
    };
    card.reactions = Some(Reactions {
        joint,
        parts: [true; PARTS],
    });
    card
}

/// Card with the units of a tool: millimetres, degrees and kilonewtons, and a velocity in a unit
/// of its own.
pub fn in_units(mut card: Card) -> Card {
    let (unit, factor) = if card.motion == Motion::Rotational {
        ("rpm", core::f64::consts::TAU / 60.0)
    } else {
        ("m/min", 1.0 / 60.0)
    };
    card.units = Units {
        length: Some(Scale::new("mm", 1e-3)),
        angle: Some(Scale::new("deg", core::f64::consts::TAU / 360.0)),
        force: Some(Scale::new("kN", 1e3)),
        own: [(V.reference, Scale::new(unit, factor))].into(),
    };
    card
}

/// Card of a contact in the plane.
pub fn planar(law: &str) -> Card {
    let mut card = card(law, &[]);
    card.motion = Motion::Planar;
    card
}

/// Card of a plate on points at these positions, m, with these shares of its normal force, if any.
pub fn patch(law: &str, positions: &[[f64; 2]], shares: &[f64]) -> Card {
    let mut card = card(law, &[]);
    card.motion = Motion::Patch;
    card.plate = Some(PlatePoints {
        positions: positions.to_vec(),
        shares: shares.to_vec(),
    });
    card
}

/// Card of several contacts, each with its own value of the parameters `each`.
pub fn several(law: &str, count: u32, each: &[&str]) -> Card {
    let mut card = card(law, &[]);
    let each = each
        .iter()
        .map(|name| reference(model(law), name))
        .collect();
    card.contacts = Some(Contacts {
        count,
        names: Vec::new(),
        each,
    });
    card
}

/// Card with all parameters by direction, those for v < 0 at 0.9 of the value, and an offset of the
/// force.
pub fn by_direction(law: &str) -> Card {
    let mut card = card(law, &[]);
    let mut set = |reference: u32, start: f64| {
        card.parameters.insert(
            reference,
            Setting {
                start: Some(start),
                ..Setting::default()
            },
        );
    };
    for [forward, backward] in model(law).metadata.directed {
        let own = model(law)
            .variable(forward.reference)
            .and_then(|variable| variable.start)
            .unwrap_or(0.0);
        set(forward.reference, own);
        set(backward.reference, 0.9 * own);
    }
    set(F_OFFSET.reference, 0.5);
    card
}

/// Card of a contact with a measured curve.
pub fn measured(law: &str) -> Card {
    let mut card = card(law, &[]);
    let points = vec![[1e-3, 0.6], [5e-3, 0.5], [2e-2, 0.35], [0.1, 0.3]];
    card.characteristic = Some(MeasuredCurve {
        points,
        ..MeasuredCurve::default()
    });
    card
}

/// Element of a card with every output.
///
/// # Panics
/// If the card is refused.
pub fn complete(mut card: Card) -> Variant {
    let law = model(&card.law);
    card.show_all(card.motion.model(law).expect("a form for the motion"));
    Variant::new(law, card).expect("a card")
}

/// FMU of a law's own name and defaults with every output.
pub fn stock(law: &str) -> Fmu {
    load(&exporter(), &complete(Card::of_law(law, "")))
}

/// Elements of every motion that a law can have, with every output and their FMUs, each named after
/// its law and motion.
pub fn real_contacts() -> impl Iterator<Item = (String, Fmu)> {
    let corners = [[0.1, 0.05], [-0.1, 0.05], [-0.1, -0.05]];
    let in_the_plane = ELEMENTS
        .iter()
        .filter(|model| model.planar.is_some())
        .map(|model| planar(model.metadata.name));
    let mut cards: Vec<_> = in_the_plane.collect();
    cards.extend(["FrDyn2Linear", "Armstrong", "AdamsStickSlip"].map(|law| rotational(law, 0.04)));
    cards.extend([
        joint("FrDyn2", Motion::Rotational, false),
        joint("LuGre", Motion::Rotational, true),
        joint("Coulomb", Motion::Translational, true),
        geared(joint("FrDyn2Linear", Motion::Rotational, false)),
        with_losses(joint("LuGre", Motion::Rotational, false)),
        with_reactions("FrDyn2", ReactionJoint::Revolute),
        with_reactions("Coulomb", ReactionJoint::Prismatic),
        card("Dahl", &[(F_N.name, 25.0)]),
        patch("FrDyn2Linear", &corners, &[]),
        patch("LuGre", &corners, &[0.5, 0.25, 0.25]),
    ]);
    cards.extend([
        several("LuGre", 3, &["mu_s"]),
        several("SimpackStickSlip", 2, &[]),
    ]);
    cards.extend(
        [
            "StaticRegularized",
            "FrDyn2Linear",
            "LuGre",
            "ModelicaFriction",
        ]
        .map(measured),
    );
    cards.extend(
        [
            "FrDyn2",
            "FrDyn2Linear",
            "StaticRegularized",
            "Coulomb",
            "Dahl",
            "LuGre",
        ]
        .map(by_direction),
    );
    let exporter = exporter();
    cards.into_iter().map(move |card| {
        let contacts = card.contact_count();
        let name = format!("{} {:?} of {contacts}", card.law, card.motion);
        (name, load(&exporter, &complete(card)))
    })
}

/// Gives a card of two contacts two coordinates inside, of which the second is an angle where the
/// contacts are rotational, with a third one geared to both, springs between them and to a base.
pub fn with_system(card: &mut Card) {
    let is_angle = card.motion == Motion::Rotational;
    let term = |of, factor| Term { of, factor };
    let coordinate = |name: &str, mass, gear: &[Term]| CardCoordinate {
        name: name.to_owned(),
        is_angle,
        mass,
        load: 0.0,
        gear: gear.to_vec(),
        is_input: false,
    };
    let spring = |name: &str, along: &[Term], stiffness| CardSpring {
        name: name.to_owned(),
        along: along.to_vec(),
        stiffness,
        damping: 2.0,
        gap: (name == "anchor").then_some(1e-4),
    };
    card.contacts = Some(Contacts {
        names: vec!["left".to_owned(), "right".to_owned()],
        ..card.contacts.clone().unwrap_or_default()
    });
    card.system = Some(CardSystem {
        coordinates: vec![
            coordinate("motor", 2.0, &[]),
            coordinate("load", 0.5, &[term(0, 2.0), term(2, -0.5)]),
            coordinate("table", 3.0, &[]),
        ],
        bases: vec![CardBase {
            name: "wall".to_owned(),
            is_angle,
        }],
        springs: vec![
            spring("belt", &[term(0, 1.0), term(2, -1.0)], 900.0),
            spring("anchor", &[term(2, 1.0), term(3, -1.0)], 400.0),
        ],
        contacts: [
            vec![term(0, 1.0), term(3, -0.5)],
            vec![term(1, 1.0), term(2, 0.25)],
        ]
        .map(|row| CardSlip { along: vec![row] })
        .to_vec(),
    });
}

/// Gives a card with two contacts in the plane a body that turns on them, on a spring to a base.
pub fn with_foot(card: &mut Card) {
    let term = |of, factor| Term { of, factor };
    let coordinate = |name: &str, mass, is_angle| CardCoordinate {
        name: name.to_owned(),
        is_angle,
        mass,
        ..CardCoordinate::default()
    };
    card.motion = Motion::Planar;
    card.contacts = Some(Contacts {
        names: vec!["heel".to_owned(), "toe".to_owned()],
        ..card.contacts.clone().unwrap_or_default()
    });
    let slip = |[x, y]: [f64; 2]| CardSlip {
        along: vec![
            vec![term(0, 1.0), term(2, -y), term(3, -0.5)],
            vec![term(1, 1.0), term(2, x)],
        ],
    };
    card.system = Some(CardSystem {
        coordinates: vec![
            coordinate("x", 2.0, false),
            coordinate("y", 2.0, false),
            CardCoordinate {
                is_input: true,
                ..coordinate("turn", 0.02, true)
            },
        ],
        bases: vec![CardBase {
            name: "wall".to_owned(),
            is_angle: false,
        }],
        springs: vec![CardSpring {
            name: "anchor".to_owned(),
            along: vec![term(0, 1.0), term(2, 0.05), term(3, -1.0)],
            stiffness: 900.0,
            damping: 2.0,
            gap: None,
        }],
        contacts: vec![slip([-0.1, 0.03]), slip([0.12, -0.02])],
    });
}

/// Blocks on a spring with a damper, along a line and about an axis, and systems, with every output
/// and their FMUs.
pub fn blocks() -> impl Iterator<Item = (String, Fmu)> {
    let exporter = exporter();
    let systems = ["FrDyn2", "Coulomb", "StaticRegularized", "Stribeck"].map(|law| {
        let mut card = several(law, 2, &[]);
        with_system(&mut card);
        (format!("system on {law}"), load(&exporter, &complete(card)))
    });
    let feet = ["FrDyn2", "BrownMcPhee"].map(|law| {
        let mut card = several(law, 2, &[]);
        with_foot(&mut card);
        (format!("foot on {law}"), load(&exporter, &complete(card)))
    });
    [
        card("FrDyn2", &[]),
        card("Coulomb", &[]),
        rotational("LuGre", 0.04),
        joint("FrDyn2Linear", Motion::Rotational, false),
    ]
    .into_iter()
    .map(move |mut card| {
        card.block = Some(CardBlock {
            mass: 2.0,
            stiffness: 900.0,
            damping: 2.0,
        });
        (
            format!("block on {} {:?}", card.law, card.motion),
            load(&exporter, &complete(card)),
        )
    })
    .chain(systems)
    .chain(feet)
}

/// All elements with every output: those of the catalogue, and those of [`real_contacts`].
pub fn all_elements() -> impl Iterator<Item = (String, Fmu)> {
    let stock = ELEMENTS
        .iter()
        .map(|model| (model.metadata.name.to_owned(), stock(model.metadata.name)));
    stock.chain(real_contacts())
}
