//! `terminalsAndIcons.xml`: the inputs and outputs of each contact and body as one connection.
//!
//! FMI 2.0.4, section 2.3, takes the file of FMI 3.0.1, section 2.4.9, as it stands.

use bristle::catalogue::{Motion, Variant};
use bristle::variable::{Role, Variable};
use serde::Serialize;

use crate::error::Result;
use crate::{description, icon};

/// Half of the side of the icon in its own coordinates.
const HALF: i32 = 100;
/// Largest half of the side of a terminal on its left edge.
const TERMINAL: i32 = 10;
/// Millimetres of a unit of the coordinates.
const SCALE: f64 = 0.1;

/// Root element `fmiTerminalsAndIcons`.
#[derive(Serialize)]
#[serde(rename = "fmiTerminalsAndIcons")]
struct TerminalsAndIcons {
    #[serde(rename = "@fmiVersion")]
    fmi_version: &'static str,
    #[serde(rename = "GraphicalRepresentation")]
    representation: GraphicalRepresentation,
    #[serde(rename = "Terminals")]
    terminals: Terminals,
}

#[derive(Serialize)]
struct GraphicalRepresentation {
    #[serde(rename = "CoordinateSystem")]
    coordinates: CoordinateSystem,
    #[serde(rename = "Icon")]
    icon: Corners,
}

#[derive(Serialize)]
struct CoordinateSystem {
    #[serde(flatten)]
    corners: Corners,
    #[serde(rename = "@suggestedScalingFactorTo_mm")]
    scale: f64,
}

/// Two opposite corners.
#[derive(Serialize)]
struct Corners {
    #[serde(rename = "@x1")]
    x1: i32,
    #[serde(rename = "@y1")]
    y1: i32,
    #[serde(rename = "@x2")]
    x2: i32,
    #[serde(rename = "@y2")]
    y2: i32,
}

#[derive(Serialize)]
struct Terminals {
    #[serde(rename = "Terminal")]
    terminals: Vec<Terminal>,
}

#[derive(Serialize)]
struct Terminal {
    #[serde(rename = "@name")]
    name: &'static str,
    #[serde(rename = "@matchingRule")]
    matching_rule: &'static str,
    #[serde(rename = "TerminalMemberVariable")]
    members: Vec<Member>,
    #[serde(rename = "TerminalGraphicalRepresentation")]
    representation: Option<TerminalRepresentation>,
}

#[derive(Serialize)]
struct Member {
    #[serde(rename = "@variableName")]
    variable: &'static str,
    #[serde(rename = "@memberName")]
    member: &'static str,
    #[serde(rename = "@variableKind")]
    kind: &'static str,
}

#[derive(Serialize)]
struct TerminalRepresentation {
    #[serde(flatten)]
    corners: Corners,
    #[serde(rename = "@iconBaseName")]
    icon: &'static str,
}

/// Files of an FMU: the terminals and their icons, of which `icon` is that of the element.
pub fn files(variant: &Variant, icon: &[u8]) -> Result<Vec<(&'static str, Vec<u8>)>> {
    let file = TerminalsAndIcons {
        fmi_version: "3.0",
        representation: GraphicalRepresentation {
            coordinates: CoordinateSystem {
                corners: square(0, 0, HALF),
                scale: SCALE,
            },
            icon: square(0, 0, HALF),
        },
        terminals: Terminals {
            terminals: terminals(variant),
        },
    };
    Ok(vec![
        (
            "terminalsAndIcons/terminalsAndIcons.xml",
            description::xml(&file)?.into_bytes(),
        ),
        ("terminalsAndIcons/icon.png", icon.to_vec()),
        ("terminalsAndIcons/terminal.png", icon::terminal()?),
    ])
}

/// Terminals in the order of their first variables, one below the other on the left edge.
fn terminals(variant: &Variant) -> Vec<Terminal> {
    let is_connected =
        |variable: &&Variable| variable.role == Role::Input || variable.is_any_output();
    let card = variant.card();
    let is_joint = card.motion == Motion::Rotational || card.reactions.is_some();
    let own = if is_joint { "joint" } else { "contact" };
    let mut terminals: Vec<Terminal> = Vec::new();
    for variable in variant.variables().filter(is_connected) {
        // Variables of several contacts and bodies are named `front.v`.
        let (name, member) = variable
            .name
            .split_once('.')
            .unwrap_or((own, variable.name));
        let member = Member {
            variable: variable.name,
            member,
            kind: "signal",
        };
        match terminals.iter_mut().find(|terminal| terminal.name == name) {
            Some(terminal) => terminal.members.push(member),
            None => terminals.push(Terminal {
                name,
                // Members of equal names connect; there may be others.
                matching_rule: "bus",
                members: vec![member],
                representation: None,
            }),
        }
    }
    let count = i32::try_from(terminals.len()).expect("an element has few terminals");
    for (terminal, place) in terminals.iter_mut().zip(0..) {
        let height = HALF - HALF * (2 * place + 1) / count;
        let half = TERMINAL.min(HALF / (2 * count));
        terminal.representation = Some(TerminalRepresentation {
            corners: square(-HALF, height, half),
            icon: "terminal",
        });
    }
    terminals
}

fn square(x: i32, y: i32, half: i32) -> Corners {
    Corners {
        x1: x - half,
        y1: y - half,
        x2: x + half,
        y2: y + half,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card;
    use bristle::catalogue::ELEMENTS;
    use std::path::Path;

    fn element(card: &str) -> Variant {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cards");
        card::read_file(&folder.join(card), &ELEMENTS).unwrap()
    }

    fn terminals_of(card: &str) -> Vec<(&'static str, String)> {
        let members = |terminal: &Terminal| {
            let names = terminal.members.iter().map(|member| member.member);
            names.collect::<Vec<_>>().join(" ")
        };
        terminals(&element(card))
            .iter()
            .map(|terminal| (terminal.name, members(terminal)))
            .collect()
    }

    #[test]
    fn inputs_and_outputs_of_a_contact_or_body_are_one_connection() {
        let of = |pairs: &[(&'static str, &str)]| {
            let owned = pairs
                .iter()
                .map(|(name, members)| (*name, (*members).to_owned()));
            owned.collect::<Vec<_>>()
        };
        let contact = "F_N v F_R E_loss sticking";
        assert_eq!(
            terminals_of("FrontPad.toml"),
            of(&[("contact", "F_N v F_R E_loss sticking mu_s mu_d")])
        );
        assert_eq!(
            terminals_of("Wheels.toml"),
            of(&[
                ("front_left", contact),
                ("front_right", contact),
                ("rear_left", contact),
                ("rear_right", contact)
            ])
        );
        assert_eq!(
            terminals_of("DrillString.toml"),
            of(&[
                (
                    "rock",
                    "F_N M_R v_slip P_loss E_loss sticking omega_surface"
                ),
                ("top", "M phi omega"),
                ("table", "phi_base omega_base M_base"),
                ("middle", "M phi omega"),
                ("bit", "M phi omega")
            ])
        );
        assert_eq!(terminals_of("PinJoint.toml")[0].0, "joint");
    }

    #[test]
    fn terminals_lie_on_the_left_edge_and_do_not_touch() {
        let terminals = terminals(&element("BlockChain.toml"));
        let heights = |terminal: &Terminal| {
            let corners = &terminal.representation.as_ref().unwrap().corners;
            [corners.y2, corners.y1]
        };
        let edges: Vec<_> = terminals.iter().flat_map(heights).collect();
        assert_eq!(edges.len(), 2 * 21);
        assert!(
            edges.is_sorted_by(|above, below| above > below),
            "{edges:?}"
        );
        assert!(edges.iter().all(|height| height.abs() <= HALF), "{edges:?}");
    }
}
