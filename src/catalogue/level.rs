//! Level of friction that a card states as a force or a torque of its own: the force joint and the
//! torque joint, of contacts whose normal force nobody knows.
//!
//! The law sees F_N = 1 N at a radius of 1 m, so that a coefficient of friction is the torque in
//! N·m, or the force in N, to the last bit: what differs are names, units, bounds and defaults.

use super::{Card, Model, Motion};
use crate::coupling::DF_R_DF_N;
use crate::element::{F_N, F_OFFSET, Gear, Losses, RADIUS, Source, TAU_M, V_SLIP};
use crate::law::{F_T, NOMINAL_FORCE};
use crate::saved_state::{Reader, SavedState, Writer};
use crate::variable::{Role, Unit, Variable, kept};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Forces or torques of friction that a card states in place of a normal force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Whether they are multiplied by an input, `load`.
    pub has_load: bool,
    /// Whether the joint has a gear, by whose torques they are multiplied.
    pub has_gear: bool,
    /// Force or torque at rest over its default, by which the defaults of the other forces are
    /// scaled.
    pub size: f64,
}

impl Level {
    /// Level of the defaults.
    pub const DEFAULT: Level = Level {
        has_load: false,
        has_gear: false,
        size: 1.0,
    };
}

impl SavedState for Level {
    fn write(&self, writer: &mut Writer) {
        self.has_load.write(writer);
        self.has_gear.write(writer);
        self.size.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(Level {
            has_load: SavedState::read(reader)?,
            has_gear: SavedState::read(reader)?,
            size: SavedState::read(reader)?,
        })
    }
}

/// Parameter of a law that is the level of a joint: the first of these.
const LEVEL_PARAMETERS: [&str; 3] = ["mu_s", "mu_0", "mu_d"];

/// Parameter of a law that is the level of a joint; none where no coefficient has such a name.
pub fn level_parameter(model: &Model) -> Option<&'static Variable> {
    first_of(model, LEVEL_PARAMETERS)
}

/// First of these variables that a law has.
fn first_of(model: &Model, names: [&str; 3]) -> Option<&'static Variable> {
    names
        .iter()
        .find_map(|name| model.variables().find(|variable| variable.name == *name))
}

/// Parameters of a law that are the torque of sliding of a joint with a gear: the first of these.
const SLIDING_PARAMETERS: [&str; 3] = ["mu_d", "mu_0", "mu_s"];

/// Source of the normal force of a card's contacts with a law, where it is no input.
pub(super) fn source(model: &Model, card: &Card) -> Option<Source> {
    if let Some(reactions) = card.reactions {
        return Some(Source::Reactions(reactions));
    }
    card.level.filter(|level| level.has_gear)?;
    let sliding = first_of(model, SLIDING_PARAMETERS)?;
    if card.losses.is_empty() {
        return Some(Source::Gear(Gear { sliding }));
    }
    let deflection = model.metadata.states.first().map(|(state, _)| state);
    let applied = model.metadata.has_input(&F_T).then_some(&F_T);
    Some(Source::Losses(Losses {
        sliding,
        direction_at_rest: deflection.or(applied).unwrap_or(&TAU_M),
        rows: card.losses.as_slice().into(),
    }))
}

/// Radius (m) at which the defaults of a torque joint are those of the laws' contact.
const DEFAULT_RADIUS: f64 = 0.02;

/// Bounds of a force (N) or a torque (N·m) of friction: a watch's bearing to a slewing ring.
const LEVELS: [f64; 2] = [1e-9, 1e7];
/// Smallest stiffness (N·m/rad) and bristle damping (N·m·s/rad) of a torque joint.
const LEAST: f64 = 1e-9;

/// Beginning of the names of the coefficients that multiply the normal force.
const COEFFICIENT: &str = "mu_";

/// Names of the laws' parameters in a joint along a line and about an axis, by their beginning.
const NAMES: [(&str, [&str; 2]); 6] = [
    ("mu_1", ["c_1", "c_1"]),
    ("mu_", ["F_", "M_"]),
    ("sigma_0", ["k", "k"]),
    ("sigma_1", ["c", "c"]),
    ("sigma_2", ["c_v", "c_v"]),
    ("v_", ["v_", "omega_"]),
];

/// Words of descriptions in a joint along a line and about an axis; longer ones first.
const WORDS: [(&str, [&str; 2]); 15] = [
    (
        "Static coefficient of friction",
        ["Static friction force", "Static friction torque"],
    ),
    (
        "Dynamic coefficient of friction",
        ["Dynamic friction force", "Dynamic friction torque"],
    ),
    (
        "Coefficient of sliding friction",
        ["Force of sliding friction", "Torque of sliding friction"],
    ),
    (
        "Coefficient of friction",
        ["Friction force", "Friction torque"],
    ),
    (
        "Slope of the coefficient",
        ["Slope of the force", "Slope of the torque"],
    ),
    (", over F_N", ["", ""]),
    (
        "force per velocity",
        ["force per velocity", "torque per angular velocity"],
    ),
    ("F_R", ["F_R", "M_R"]),
    ("Velocity", ["Velocity", "Angular velocity"]),
    (
        "Slip velocity",
        ["Slip velocity", "Slip, as an angular velocity,"],
    ),
    ("force", ["force", "torque"]),
    ("v = 0", ["v = 0", "omega = 0"]),
    ("above v_s", ["above v_s", "above omega_s"]),
    ("mu_s", ["F_s", "M_s"]),
    ("mu_d", ["F_d", "M_d"]),
];

/// Place of a declaration, load and gear of a joint, and whether it is about an axis.
type Key = (usize, (bool, bool), bool);

/// Declaration of a law's variable, as it is in the card's motion, in a joint whose level is stated.
pub(super) fn declared(
    level: &Level,
    motion: Motion,
    variable: &'static Variable,
) -> &'static Variable {
    static KNOWN: Mutex<BTreeMap<Key, &'static Variable>> = Mutex::new(BTreeMap::new());
    let is_rotational = motion == Motion::Rotational;
    let place = core::ptr::from_ref(variable) as usize;
    let kind = (level.has_load, level.has_gear);
    let key = (place, kind, is_rotational);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known
        .entry(key)
        .or_insert_with(|| Box::leak(Box::new(of_joint(kind, is_rotational, variable))))
}

/// Declaration in a joint, for the variables of an element in its motion.
fn of_joint(
    (has_load, has_gear): (bool, bool),
    is_rotational: bool,
    variable: &Variable,
) -> Variable {
    let side = usize::from(is_rotational);
    if variable.is(&RADIUS) || variable.is(&F_N) && !has_load {
        // A gear makes the load of its torques.
        let is_made = has_gear && variable.is(&F_N);
        return Variable {
            start: Some(1.0),
            min: Some(if is_made { 0.0 } else { 1.0 }),
            max: (!is_made).then_some(1.0),
            ..*variable
        };
    }
    if variable.is(&F_N) {
        return Variable {
            name: "load",
            symbol: r"\lambda",
            unit: Unit::One,
            description: "Load, by which the friction is multiplied; the contact is open where it \
                          is not above 0",
            start: Some(1.0),
            nominal: Some(1.0),
            ..*variable
        };
    }
    if variable.is(&DF_R_DF_N) {
        let (name, symbol, unit) = [
            ("dF_R_dload", r"\partial F_R/\partial\lambda", Unit::Newton),
            (
                "dM_R_dload",
                r"\partial M_R/\partial\lambda",
                Unit::NewtonMetre,
            ),
        ][side];
        return Variable {
            name,
            symbol,
            unit,
            description: "Change of the law's friction at the end of the last step for a change \
                          of the load over all of it",
            ..*variable
        };
    }
    let is_of_law = variable.is_parameter() && variable.slot() < RADIUS.slot()
        || matches!(variable.role, Role::State | Role::Derivative { .. })
        || variable.is(&V_SLIP);
    if !is_of_law || variable.is(&F_OFFSET) || variable.is_of_block() {
        return *variable;
    }
    let is_coefficient = variable.name.starts_with(COEFFICIENT);
    let (unit, default) = in_joint(variable.unit, is_coefficient, is_rotational);
    let [least, most] = LEVELS;
    let bounds = (variable.min, variable.max);
    let (min, max) = match variable.unit {
        // A gear takes its load over the torque of sliding.
        Unit::One if is_coefficient && has_gear => (Some(least), Some(most)),
        Unit::One if is_coefficient => (bounds.0.map(|min| min.min(least)), Some(most)),
        Unit::NewtonPerMetre | Unit::NewtonSecondPerMetre if is_rotational => {
            (bounds.0.map(|min| min.min(LEAST)), bounds.1)
        }
        _ => bounds,
    };
    let name = NAMES.iter().find_map(|(beginning, names)| {
        let is_there = *beginning != "v_" || variable.unit == Unit::MetrePerSecond;
        let rest = variable.name.strip_prefix(beginning).filter(|_| is_there)?;
        Some(format!("{}{rest}", names[side])).filter(|name| name != variable.name)
    });
    let description = WORDS
        .iter()
        .fold(variable.description.to_owned(), |text, (law, joint)| {
            text.replace(law, joint[side])
        });
    let scaled = |number: Option<f64>| number.map(|number| number * default);
    Variable {
        symbol: name
            .as_ref()
            .map_or(variable.symbol, |name| kept(&symbol_of(name))),
        name: name.map_or(variable.name, |name| kept(&name)),
        description: kept(&description),
        unit,
        min,
        max,
        start: scaled(variable.start),
        nominal: scaled(variable.nominal),
        ..*variable
    }
}

/// Unit of a law's quantity in a joint, and its default there over that of the law.
fn in_joint(unit: Unit, is_coefficient: bool, is_rotational: bool) -> (Unit, f64) {
    let r = DEFAULT_RADIUS;
    // Of a contact with the torque 1 N·m for a coefficient of 1.
    let stiffness = r / NOMINAL_FORCE;
    match (unit, is_coefficient, is_rotational) {
        (Unit::One, true, false) => (Unit::Newton, NOMINAL_FORCE),
        (Unit::SecondPerMetre, true, false) => (Unit::NewtonSecondPerMetre, NOMINAL_FORCE),
        (_, _, false) | (Unit::One, false, _) => (unit, 1.0),
        (Unit::One, true, true) => (Unit::NewtonMetre, 1.0),
        (Unit::SecondPerMetre, true, true) => (Unit::NewtonMetreSecondPerRadian, r),
        (Unit::NewtonPerMetre, ..) => (Unit::NewtonMetrePerRadian, stiffness),
        (Unit::NewtonSecondPerMetre, ..) => (Unit::NewtonMetreSecondPerRadian, stiffness),
        (Unit::Metre, ..) => (Unit::Radian, 1.0 / r),
        (Unit::MetrePerSecond, ..) => (Unit::RadianPerSecond, 1.0 / r),
        (Unit::MetrePerSecondSquared, ..) => (Unit::RadianPerSecondSquared, 1.0 / r),
        (Unit::SecondPerMetre, ..) => (Unit::SecondPerRadian, r),
        (Unit::SecondSquaredPerMetreSquared, ..) => (Unit::SecondSquaredPerRadianSquared, r * r),
        (unit, ..) => (unit, 1.0),
    }
}

/// Symbol of a name in LaTeX: `omega_Stribeck` as \omega with the index Stribeck.
fn symbol_of(name: &str) -> String {
    let (letter, index) = name.split_once('_').unwrap_or((name, ""));
    let letter = if letter == "omega" { r"\omega" } else { letter };
    match index.replace('_', ",") {
        index if index.is_empty() => letter.to_owned(),
        index if index.len() == 1 => format!("{letter}_{index}"),
        index => format!(r"{letter}_{{\mathrm{{{index}}}}}"),
    }
}

#[cfg(test)]
mod tests;
