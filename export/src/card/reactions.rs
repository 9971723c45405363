//! Reactions of a joint: the motions `revolute` and `prismatic` with the key `reactions`.

use std::fmt::Arguments;

use bristle::catalogue::{Card, Motion};
use bristle::element::{PARTS, Part, ReactionJoint, Reactions};
use toml::de::DeTable;

use super::fault::Faults;
use super::keys;

/// Part that a card has only where it names it: its input is no reaction.
const NOT_UNLESS_NAMED: &str = "overlap";

/// Names of the motions of a card, those of joints with reactions behind the others.
pub fn motions() -> Vec<&'static str> {
    let joints = ReactionJoint::ALL.map(ReactionJoint::name);
    Motion::ALL
        .map(Motion::name)
        .into_iter()
        .chain(joints)
        .collect()
}

/// Joint with this name of a motion.
pub fn joint_of(name: &str) -> Option<ReactionJoint> {
    ReactionJoint::ALL
        .into_iter()
        .find(|joint| joint.name() == name)
}

/// Reads the parts of the reactions into the card, whose motion is that of the joint.
pub fn read(faults: &mut Faults, table: &DeTable, joint: Option<ReactionJoint>, card: &mut Card) {
    let entry = keys::get(table, "reactions");
    let Some(joint) = joint else {
        if let Some((place, _)) = entry {
            let sentence = format!(
                "found reactions, but the motion is {}; set motion = \"revolute\" or \"prismatic\", \
                 or leave them out",
                card.motion.name()
            );
            faults.add(place, "reactions", sentence);
        }
        return;
    };
    let parts = joint.parts();
    let given = entry.map(|entry| keys::texts(faults, "reactions", entry));
    let names: Vec<_> = parts.iter().map(|part| part.name).collect();
    for (place, name) in given.iter().flatten() {
        if !names.contains(name) {
            let sentence = format!(
                "found \"{name}\", expected {} of a {} joint{}",
                keys::one_of(&names),
                joint.name(),
                keys::question(name, &names)
            );
            faults.add(place.clone(), "reactions", sentence);
        }
    }
    let is_there = |part: &Part| match &given {
        Some(given) => given.iter().any(|(_, name)| *name == part.name),
        None => part.name != NOT_UNLESS_NAMED,
    };
    let mut reactions = Reactions {
        joint,
        parts: [false; PARTS],
    };
    for (is_given, part) in reactions.parts.iter_mut().zip(parts) {
        *is_given = is_there(part);
    }
    card.reactions = Some(reactions);
}

/// Writes the parts of the reactions, where the card has them.
pub fn write(line: &mut impl FnMut(Arguments), card: &Card) {
    if let Some(reactions) = &card.reactions {
        let names: Vec<_> = reactions.given().map(|part| part.name).collect();
        let all: Vec<_> = reactions
            .joint
            .parts()
            .iter()
            .map(|part| part.name)
            .collect();
        line(format_args!(
            "reactions = {names:?}  # parts of the normal force, of {}",
            all.join(", ")
        ));
    }
}
