//! Element to card in TOML.

use std::fmt::Write;

use super::direction;
use super::parameters::{ACCELERATION, is_of_gear};
use crate::number::short;
use bristle::catalogue::{
    Card, Experiment, MeasuredCurve, Motion, PlatePoints, Setting, Variant, contact_name, declared,
    is_of_coupling, level_parameter, outputs,
};
use bristle::characteristic::End;
use bristle::coupling::{COUPLING, M_EFF};
use bristle::element::RADIUS;
use bristle::variable::{LEAST_POSITIVE, RANGE, Role, Unit, Variable};

/// Card of an element, with the value, unit, bound and meaning of every parameter. Read again, it
/// makes the same element.
pub fn write(variant: &Variant) -> String {
    let card = variant.card();
    let mut text = String::new();
    let mut line = |line: std::fmt::Arguments| writeln!(text, "{line}").expect("text grows");
    line(format_args!(
        "# {}: an element of Bristle {}",
        variant.metadata().title,
        env!("CARGO_PKG_VERSION")
    ));
    line(format_args!("name = {}", quoted(&card.name)));
    line(format_args!("description = {}", quoted(&card.description)));
    line(format_args!("law = {}", quoted(&card.law)));
    motion(&mut line, variant);
    let (declared, outputs) = (declared(variant.model, card), outputs(variant.model, card));
    let named = |list: &[&Variable], chosen: &dyn Fn(&Variable) -> bool| {
        let names: Vec<_> = list
            .iter()
            .filter(|v| chosen(v))
            .map(|v| quoted(v.name))
            .collect();
        names.join(", ")
    };
    let inputs = named(&declared, &|v| card.inputs.contains(&v.reference));
    line(format_args!(
        "inputs = [{inputs}]  # parameters that are inputs"
    ));
    let fixed = named(&declared, &|v| card.fixed.contains(&v.reference));
    line(format_args!(
        "fixed = [{fixed}]  # parameters that are not shown"
    ));
    let not_shown: Vec<_> = outputs
        .iter()
        .filter(|output| !card.shows(output))
        .map(|output| output.name)
        .collect();
    let rest = if not_shown.is_empty() {
        String::new()
    } else {
        format!("  # \"all\" adds {}", not_shown.join(", "))
    };
    line(format_args!(
        "outputs = [{}]{rest}",
        named(&outputs, &|output| card.shows(output))
    ));

    let meaning_of_force =
        "N, typical F_N of a contact: scales the bristle, the absolute tolerance, plots and limits";
    if card.level.is_none() {
        line(format_args!(
            "normal_force = {:?}  # {meaning_of_force}",
            card.normal_force
        ));
    }
    if let Some(MeasuredCurve { points, end }) = &card.characteristic {
        line(format_args!("\n[characteristic]"));
        let (flat, last) = (
            "0 at the last point, mu is held",
            "that of the last two points, continued where it rises",
        );
        let (end, slope) = if *end == End::Last {
            ("last", last)
        } else {
            ("flat", flat)
        };
        line(format_args!(
            "end = \"{end}\"  # slope of the curve at its end: {slope}"
        ));
        let columns = match (card.level, card.motion) {
            (Some(_), Motion::Rotational) => "omega in rad/s, M in N.m",
            (Some(_), _) => "v in m/s, F in N",
            (None, _) => "v in m/s, mu",
        };
        line(format_args!("points = [  # {columns}"));
        for [speed, mu] in points {
            line(format_args!("    [{speed:?}, {mu:?}],"));
        }
        line(format_args!("]"));
    }
    line(format_args!(
        "\n[parameters]  # in the units below, or with their own, as \"12 kN/mm\""
    ));
    let level = level_parameter(variant.model).map(|level| card.declared(level));
    let is_by_direction = |v: &&&'static Variable| direction::is_of_it(variant.model, card, v);
    let is_listed = |v: &&&'static Variable| {
        card.has_parameter(v) && !is_of_coupling(v) && !v.is(&RADIUS) && !is_of_gear(v)
    };
    for declared in declared
        .iter()
        .filter(is_listed)
        .filter(|v| !is_by_direction(v))
    {
        let is_scaled =
            declared.unit.is_of_force() && declared.start.is_some_and(|start| start != 0.0);
        let follows = match card.level {
            Some(_) if is_scaled && Some(*declared) != level => {
                "; left out, it follows the largest friction"
            }
            None if is_scaled => "; left out, it follows normal_force",
            _ => "",
        };
        line(format_args!(
            "{} = {}  # {}{follows}",
            declared.name,
            value(variant, declared),
            meaning(declared)
        ));
    }
    if declared.iter().any(|v| is_by_direction(&v)) {
        line(format_args!("\n[direction]"));
    }
    for declared in declared.iter().filter(is_by_direction) {
        line(format_args!(
            "{} = {}  # {}",
            declared.name,
            value(variant, declared),
            meaning(declared)
        ));
    }
    if let Some(contacts) = &card.contacts {
        own_values(&mut line, variant, &declared);
        line(format_args!("\n[contacts]"));
        let names: Vec<_> = contacts.names.iter().map(|name| quoted(name)).collect();
        // A system has the names of its contacts.
        match (&card.system, &names[..]) {
            (Some(_), _) => {}
            (None, []) => line(format_args!("count = {}", contacts.count)),
            (None, names) => line(format_args!("names = [{}]", names.join(", "))),
        }
        let each = named(&declared, &|v| contacts.each.contains(&v.reference));
        line(format_args!(
            "each = [{each}]  # parameters that every contact has for itself; the others are shared"
        ));
    }
    if let Some(body) = &card.body {
        super::body::write(&mut line, body, card.motion);
    }
    if let Some(block) = &card.block {
        super::block::write(&mut line, block, card.motion);
    }
    if let Some(system) = &card.system {
        super::system::write(&mut line, card, system);
    }
    if let Some(order) = declared.iter().find(|variable| variable.is(&COUPLING)) {
        line(format_args!("\n[coupling]"));
        let mass = declared
            .iter()
            .filter(|variable| variable.is(&M_EFF) && card.body.is_none());
        for (key, declared) in mass
            .map(|mass| (mass.name, *mass))
            .chain([("order", *order)])
        {
            line(format_args!(
                "{key} = {}  # {}",
                value(variant, declared),
                meaning(declared)
            ));
        }
        acceleration(&mut line, card);
    }
    super::gear::write(&mut line, card);
    super::units::write(&mut line, variant.model, card);
    let Experiment {
        stop_time,
        step_size,
        tolerance,
    } = card.experiment;
    line(format_args!("\n[experiment]"));
    line(format_args!("stop_time = {stop_time:?}  # s"));
    line(format_args!(
        "step_size = {step_size:?}  # s, the communication step that importers propose"
    ));
    line(format_args!(
        "tolerance = {tolerance:?}  # error of F_R relative to F_s, where the importer gives none"
    ));
    text
}

/// Writes whether the contacts have their accelerations as inputs, where they do.
fn acceleration(line: &mut impl FnMut(std::fmt::Arguments), card: &Card) {
    if card.acceleration {
        line(format_args!(
            "{ACCELERATION} = true  # the acceleration is an input, for the observer of the body"
        ));
    }
}

/// Writes the motion of the contacts, with radius or points.
fn motion(line: &mut impl FnMut(std::fmt::Arguments), variant: &Variant) {
    let card = variant.card();
    let joint = card.reactions.map(|reactions| reactions.joint.name());
    if joint.is_some() || card.motion != Motion::Translational {
        let name = joint.unwrap_or(card.motion.name());
        line(format_args!("motion = {}", quoted(name)));
    }
    super::reactions::write(line, card);
    if let Some(level) = card.level {
        line(format_args!(
            "load = {}  # no normal force: the friction is stated below, and with true multiplied \
             by an input",
            level.has_load
        ));
    } else if card.motion == Motion::Rotational {
        line(format_args!(
            "radius = {}  # {}",
            value(variant, &RADIUS),
            meaning(&RADIUS)
        ));
    }
    if let Some(PlatePoints { positions, shares }) = &card.plate {
        line(format_args!(
            "positions = {positions:?}  # m, points [x, y] in the axes of the plate"
        ));
        if !shares.is_empty() {
            line(format_args!(
                "shares = {shares:?}  # of the normal force, one for each point"
            ));
        }
    }
}

/// Writes the values that single contacts have for themselves.
fn own_values(
    line: &mut impl FnMut(std::fmt::Arguments),
    variant: &Variant,
    declared: &[&'static Variable],
) {
    let card = variant.card();
    for contact in 1..=card.contact_count() {
        for declared in declared {
            if let Some(own) = card.parameters.get(&(declared.reference + RANGE * contact)) {
                let name = contact_name(card, declared.name, contact);
                let name = if name.contains('[') {
                    quoted(&name)
                } else {
                    name
                };
                line(format_args!(
                    "{name} = {}",
                    setting(&card.scaled(declared), own)
                ));
            }
        }
    }
}

/// Text in TOML's quotation marks; a card holds no control characters.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Value of a parameter as the card has it.
fn value(variant: &Variant, declared: &Variable) -> String {
    let card = variant.card();
    setting(
        &card.scaled(declared),
        &card
            .parameters
            .get(&declared.reference)
            .copied()
            .unwrap_or_default(),
    )
}

fn setting(declared: &Variable, setting: &Setting) -> String {
    let start = setting.start.or(declared.start).unwrap_or(0.0);
    if let Role::Choice(choices) = declared.role {
        let name = choices.get(start as usize - 1).map_or("", |(name, _)| name);
        return quoted(name);
    }
    let bounds = [("min", setting.min), ("max", setting.max)];
    let bounds: String = bounds
        .iter()
        .filter_map(|(name, bound)| bound.map(|bound| format!(", {name} = {bound:?}")))
        .collect();
    if bounds.is_empty() {
        format!("{start:?}")
    } else {
        format!("{{ value = {start:?}{bounds} }}")
    }
}

/// Unit, bound and meaning of a parameter.
fn meaning(declared: &Variable) -> String {
    let unit = if declared.unit == Unit::One {
        String::new()
    } else {
        format!("{}, ", declared.unit.symbol())
    };
    let bound = match (declared.min, declared.max) {
        (Some(min), Some(max)) => format!("{} to {}; ", short(min), short(max)),
        (Some(LEAST_POSITIVE), None) => "> 0; ".to_owned(),
        (Some(min), None) => format!(">= {min:?}; "),
        (None, _) => String::new(),
    };
    let choices = match declared.role {
        Role::Choice(choices) => {
            let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
            format!("{}; ", names.join(", "))
        }
        _ => String::new(),
    };
    format!("{unit}{bound}{choices}{}", declared.description)
}
