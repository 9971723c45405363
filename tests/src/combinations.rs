//! Cards of every law with every motion and every section, as far as they are possible.

use crate::cards::{
    by_direction, card, measured, model, patch, planar, rotational, several, with_reactions,
    with_system,
};
use bristle::catalogue::{Card, CardBlock, CardBody, ELEMENTS, Level, Motion, Setting, Variant};
use bristle::coupling::{COUPLING, M_EFF};
use bristle::element::ReactionJoint;

/// Part of a card that changes its variables, or how its contacts advance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Section {
    /// One contact, or a plate.
    Plain,
    /// Two contacts, each with a `mu_s` of its own where there is one.
    Contacts,
    /// A body that all contacts act on.
    Body,
    /// A body inside.
    Block,
    /// Two coordinates inside with a third one geared to them, a base, springs and two contacts.
    System,
    /// An effective mass other than 1 kg, in a parallel coupling.
    Mass,
    /// The acceleration as an input.
    Acceleration,
    /// Values by direction.
    Direction,
    /// A measured curve.
    Characteristic,
    /// Reactions of a joint.
    Reactions,
}

const SECTIONS: [Section; 10] = [
    Section::Plain,
    Section::Contacts,
    Section::Body,
    Section::Block,
    Section::System,
    Section::Mass,
    Section::Acceleration,
    Section::Direction,
    Section::Characteristic,
    Section::Reactions,
];

const POSITIONS: [[f64; 2]; 2] = [[0.1, 0.05], [-0.1, 0.05]];

/// A motion, and for a joint that states its friction whether it has a load.
type Kind = (Motion, Option<bool>);

/// All motions, and joints.
const KINDS: [Kind; 6] = [
    (Motion::Translational, None),
    (Motion::Rotational, None),
    (Motion::Planar, None),
    (Motion::Patch, None),
    (Motion::Translational, Some(true)),
    (Motion::Rotational, Some(false)),
];

/// Name of a combination.
fn name_of(law: &str, (motion, has_load): Kind, section: Section) -> String {
    let joint = if has_load.is_some() { " joint" } else { "" };
    format!("{law} {motion:?}{joint} {section:?}")
}

/// Card of a law with this motion and section; possible or not.
fn of(law: &str, (motion, has_load): Kind, section: Section) -> Card {
    let mut card = match (motion, section) {
        (Motion::Patch, _) => patch(law, &POSITIONS, &[]),
        (_, Section::Contacts | Section::Body | Section::System) => {
            let has_static = model(law)
                .variables()
                .any(|variable| variable.name == "mu_s");
            several(law, 2, if has_static { &["mu_s"] } else { &[] })
        }
        (_, Section::Direction) => by_direction(law),
        (_, Section::Characteristic) => measured(law),
        _ => card(law, &[]),
    };
    let geometry = match motion {
        Motion::Rotational if has_load.is_none() => rotational(law, 0.04),
        Motion::Planar => planar(law),
        _ => Card::of_law(law, ""),
    };
    card.motion = motion;
    card.level = has_load.map(|has_load| Level {
        has_load,
        ..Level::DEFAULT
    });
    card.parameters.extend(geometry.parameters);
    let mut start = |reference: u32, value: f64| {
        card.parameters.insert(
            reference,
            Setting {
                start: Some(value),
                ..Setting::default()
            },
        );
    };
    match section {
        Section::Mass => {
            start(M_EFF.reference, 2.0);
            start(COUPLING.reference, 2.0);
        }
        Section::Acceleration | Section::Body => start(COUPLING.reference, 1.0),
        _ => {}
    }
    card.acceleration = section == Section::Acceleration;
    if section == Section::Acceleration && motion != Motion::Patch {
        start_mass(&mut card);
    }
    if section == Section::Body || section == Section::Acceleration && motion == Motion::Patch {
        let turns = motion == Motion::Planar;
        card.body = Some(CardBody {
            mass: (motion != Motion::Rotational).then_some(2.0),
            inertia: (motion != Motion::Translational).then_some(0.02),
            positions: if turns {
                POSITIONS.to_vec()
            } else {
                Vec::new()
            },
            ..CardBody::default()
        });
    }
    card.block = (section == Section::Block).then_some(CardBlock {
        mass: 2.0,
        stiffness: 900.0,
        damping: 2.0,
    });
    if section == Section::Reactions {
        let joint = if motion == Motion::Rotational {
            ReactionJoint::Revolute
        } else {
            ReactionJoint::Prismatic
        };
        card.reactions = with_reactions(law, joint).reactions;
    }
    if section == Section::System {
        with_system(&mut card);
    }
    card
}

fn start_mass(card: &mut Card) {
    card.parameters.insert(
        M_EFF.reference,
        Setting {
            start: Some(2.0),
            ..Setting::default()
        },
    );
}

/// Elements of every law with every motion and section that they can have, with every output, and a
/// name for messages.
pub fn combinations() -> impl Iterator<Item = (String, Variant)> {
    let laws = ELEMENTS.iter().map(|model| model.metadata.name);
    laws.flat_map(|law| KINDS.map(|kind| (law, kind)))
        .flat_map(|(law, kind)| SECTIONS.map(|section| (law, kind, section)))
        .filter_map(|(law, kind, section)| {
            let mut card = of(law, kind, section);
            card.show_all(kind.0.model(model(law))?);
            Some((
                name_of(law, kind, section),
                Variant::new(model(law), card).ok()?,
            ))
        })
}

/// Whether a combination is refused: for tests that count what is left out.
pub fn refusals() -> Vec<String> {
    let possible: Vec<_> = combinations().map(|(name, _)| name).collect();
    let laws = ELEMENTS.iter().map(|model| model.metadata.name);
    let all = laws.flat_map(|law| {
        KINDS
            .into_iter()
            .flat_map(move |kind| SECTIONS.map(|section| name_of(law, kind, section)))
    });
    all.filter(|name| !possible.contains(name)).collect()
}
