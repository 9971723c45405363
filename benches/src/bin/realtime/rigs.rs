//! Rigs: how an element is used, with its card and the draws that its inputs follow.

use bristle::catalogue::{Card, CardBlock, CardBody, Contacts, Motion, PlatePoints};
use bristle_reference_laws::{Derivatives, InputPolynomials};

/// Half the side of the plate, m: the lever of its angular velocity.
const LEVER: f64 = 0.1;
/// Largest force on a block over that of the draws: with its derivatives it stays below the largest
/// normal force, so that a block of 1 g stays in the domain of v.
const BLOCK_FORCE: f64 = 0.6;

/// Input of an FMU.
pub struct Input {
    /// Its name.
    pub name: &'static str,
    /// Number of the draws that it follows.
    pub draws: usize,
    /// Its part of them.
    pub of: fn(&InputPolynomials) -> Derivatives,
}

/// Use of an element.
pub struct Rig {
    /// Words after the load in the table.
    pub name: &'static str,
    /// Change of the law's card; `None` for the packaged element.
    pub card: Option<fn(&mut Card)>,
    /// Inputs, as far as the element has them.
    pub inputs: &'static [Input],
    /// Forces: name, number of the draws whose body it brakes, and factor.
    pub forces: &'static [(&'static str, usize, f64)],
    /// Number of independent draws.
    pub draws: usize,
    /// Order of the derivatives of the second column.
    pub order: usize,
    /// Whether the element has a block, whose mass is drawn.
    pub has_block: bool,
}

impl Rig {
    /// Mass of a card's body, and of its block at the start, kg.
    const MASS: f64 = 1.0;
}

const fn input(
    name: &'static str,
    draws: usize,
    of: fn(&InputPolynomials) -> Derivatives,
) -> Input {
    Input { name, draws, of }
}

/// Contact along a line.
pub static LINE: Rig = Rig {
    name: "",
    card: None,
    inputs: &[
        input("F_N", 0, |inputs| inputs.F_N),
        input("v", 0, |inputs| inputs.v),
        input("a", 0, |inputs| inputs.a),
        input("F_t", 0, |inputs| inputs.F_t),
    ],
    forces: &[("F_R", 0, 1.0)],
    draws: 1,
    order: 1,
    has_block: false,
};

/// Contact in the plane.
pub static PLANE: Rig = Rig {
    name: " plane",
    card: Some(|card| card.motion = Motion::Planar),
    inputs: &[
        input("F_N", 0, |inputs| inputs.F_N),
        input("v_x", 0, |inputs| inputs.v),
        input("v_y", 1, |inputs| inputs.v),
    ],
    forces: &[("F_R_x", 0, 1.0), ("F_R_y", 1, 1.0)],
    draws: 2,
    ..LINE
};

/// Plate on four points with equal shares of F_N.
pub static PLATE: Rig = Rig {
    name: " plate",
    card: Some(|card| {
        card.motion = Motion::Patch;
        let corner = |i: usize| [[-LEVER, LEVER][i % 2], [-LEVER, LEVER][i / 2]];
        card.plate = Some(PlatePoints {
            positions: (0..4).map(corner).collect(),
            shares: vec![0.25; 4],
        });
    }),
    inputs: &[
        input("F_N", 0, |inputs| inputs.F_N),
        input("v_x", 0, |inputs| inputs.v),
        input("v_y", 1, |inputs| inputs.v),
        input("omega", 2, |inputs| inputs.v.map(|v| v / LEVER)),
    ],
    forces: &[
        ("F_R_x", 0, 1.0),
        ("F_R_y", 1, 1.0),
        ("M_R", 2, 1.0 / LEVER),
    ],
    draws: 3,
    ..LINE
};

/// Body of the master on two contacts.
pub static BODY: Rig = Rig {
    name: " body",
    card: Some(|card| {
        card.contacts = Some(Contacts {
            count: 2,
            ..Contacts::default()
        });
        card.body = Some(CardBody {
            mass: Some(Rig::MASS),
            ..CardBody::default()
        });
    }),
    inputs: &[
        input("F_N[1]", 0, |inputs| inputs.F_N),
        input("F_N[2]", 1, |inputs| inputs.F_N),
        input("v[1]", 0, |inputs| inputs.v),
        input("v[2]", 0, |inputs| inputs.v),
    ],
    forces: &[("F_R[1]", 0, 1.0), ("F_R[2]", 0, 1.0)],
    draws: 2,
    ..LINE
};

/// Block inside the element, on a belt.
pub static BLOCK: Rig = Rig {
    name: " block",
    card: Some(|card| {
        card.block = Some(CardBlock {
            mass: Rig::MASS,
            ..CardBlock::default()
        })
    }),
    inputs: &[
        input("F_N", 0, |inputs| inputs.F_N),
        input("v_surface", 0, |inputs| inputs.v),
        input("F", 0, |inputs| inputs.F_t.map(|force| BLOCK_FORCE * force)),
    ],
    // F_R drives the belt.
    forces: &[("F_R", 0, -1.0)],
    order: 3,
    has_block: true,
    ..LINE
};
