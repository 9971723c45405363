//! `bristle new`: a card of a law, to fill in.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use bristle::catalogue::{
    Card, CardBase, CardBlock, CardCoordinate, CardSlip, CardSpring, CardSystem, Contacts, Level,
    Model, Motion, Setting, Term, Variant,
};
use bristle::element::{PARTS, RADIUS, ReactionJoint, Reactions};
use bristle::law::NOMINAL_FORCE;
use bristle::variable::InputError;
use bristle_export::card;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::{cards, console, measured, output};

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command
        .arg(
            Arg::new("law")
                .value_name("LAW")
                .required_unless_present("from")
                .value_parser(cards::law)
                .help("The friction law; `bristle list` shows them"),
        )
        .arg(
            Arg::new("from")
                .long("from")
                .value_name("CONTACT")
                .conflicts_with_all([
                    "law", "name", "block", "system", "torque", "friction-force", "normal-force",
                ])
                .help("Write the card of a measured contact; `bristle list --measured` shows them"),
        )
        .arg(Arg::new("name").long("name").value_name("NAME").help("Name of the element; the \
            law's unless given"))
        .arg(
            Arg::new("block").long("block").action(ArgAction::SetTrue).help(
                "Put a body inside the element: the card gets the section `block`, with a mass of \
                 1 kg to change",
            ),
        )
        .arg(
            Arg::new("system").long("system").action(ArgAction::SetTrue).conflicts_with("block").help(
                "Put bodies inside the element: the card gets the section `system`, with two \
                 coordinates, a spring and a base to change",
            ),
        )
        .arg(
            Arg::new("torque").long("torque").action(ArgAction::SetTrue).help(
                "State the friction as torques in N.m, about an axis, without a normal force",
            ),
        )
        .arg(
            Arg::new("friction-force")
                .long("friction-force")
                .action(ArgAction::SetTrue)
                .conflicts_with("torque")
                .help("State the friction as forces in N, along a line, without a normal force"),
        )
        .arg(
            Arg::new("reactions")
                .long("reactions")
                .value_name("revolute|prismatic")
                .value_parser(joint)
                .conflicts_with_all(["torque", "friction-force"])
                .help("Take the normal force from the reactions of a joint"),
        )
        .arg(
            Arg::new("normal-force").long("normal-force").value_name("N").value_parser(value_parser!(f64)).help(
                "The usual normal force of the contact in newtons, to which its bristle is \
                 scaled; 10 unless given",
            ).conflicts_with_all(["torque", "friction-force"]),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("The file of the card; the standard output unless given"),
        )
        .arg(output::force())
}

/// Radius of a pin to fill in, m.
const PIN_RADIUS: f64 = 0.01;

fn joint(text: &str) -> Result<ReactionJoint, String> {
    let mut joints = ReactionJoint::ALL.into_iter();
    joints
        .find(|joint| joint.name() == text)
        .ok_or_else(|| format!("`{text}` is no joint; give `revolute` or `prismatic`"))
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    if let Some(name) = given.get_one::<String>("from") {
        return write(given, measured::find(name)?.text.to_owned());
    }
    let Some(model) = given.get_one::<&'static Model>("law") else {
        return Ok(());
    };
    let mut element = Card::of_law(model.metadata.name, model.metadata.title);
    element.normal_force = given
        .get_one("normal-force")
        .copied()
        .unwrap_or(NOMINAL_FORCE);
    if given.get_flag("torque") {
        element.motion = Motion::Rotational;
    }
    if given.get_flag("torque") || given.get_flag("friction-force") {
        element.level = Some(Level::DEFAULT);
    }
    if let Some(joint) = given.get_one::<ReactionJoint>("reactions") {
        element.motion = Motion::of_joint(*joint);
        element.reactions = Some(Reactions {
            joint: *joint,
            parts: [true; PARTS],
        });
    }
    if element.motion == Motion::Rotational && element.level.is_none() {
        let start = Some(PIN_RADIUS);
        let setting = Setting {
            start,
            ..Setting::default()
        };
        element.parameters.insert(RADIUS.reference, setting);
    }
    element.block = given.get_flag("block").then(|| CardBlock {
        mass: 1.0,
        ..CardBlock::default()
    });
    if given.get_flag("system") {
        (element.contacts, element.system) = (Some(contact()), Some(system()));
    }
    if let Some(name) = given.get_one::<String>("name") {
        element.name.clone_from(name);
    }
    let text = card::write(
        &Variant::new(model, element)
            .map_err(|InputError { sentence, .. }| anyhow!("{sentence}"))?,
    );
    write(given, text)
}

/// Writes a card to its file, or to the standard output.
fn write(given: &ArgMatches, text: String) -> Result<()> {
    let Some(path) = given.get_one::<PathBuf>("out") else {
        console::text(&text);
        return Ok(());
    };
    output::write(path, text, given)
}

/// The contact of a system to fill in.
fn contact() -> Contacts {
    Contacts {
        count: 1,
        names: vec!["pad".to_owned()],
        ..Contacts::default()
    }
}

/// A system to fill in: a motor that draws a carriage on its pad by a spring.
fn system() -> CardSystem {
    let coordinate = |name: &str| CardCoordinate {
        name: name.to_owned(),
        mass: 1.0,
        ..CardCoordinate::default()
    };
    let term = |of, factor| Term { of, factor };
    CardSystem {
        coordinates: vec![coordinate("motor"), coordinate("carriage")],
        bases: vec![CardBase {
            name: "ground".to_owned(),
            is_angle: false,
        }],
        springs: vec![CardSpring {
            name: "belt".to_owned(),
            along: vec![term(0, 1.0), term(1, -1.0)],
            stiffness: 1e4,
            damping: 10.0,
            gap: None,
        }],
        contacts: vec![CardSlip {
            along: vec![vec![term(1, 1.0), term(2, -1.0)]],
        }],
    }
}
