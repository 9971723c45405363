//! Element to card in TOML.

use std::fmt::Write;

use bristle::catalogue::{Experiment, Variant};
use bristle::coupling::{COUPLING, M_EFF};
use bristle::variable::{LEAST_POSITIVE, Role, Unit, Variable};

/// Card of an element, with the value, unit, bound and meaning of every parameter. Read again, it makes the same element.
pub fn write(variant: &Variant) -> String {
    let card = variant.card();
    let mut text = String::new();
    let mut line = |line: std::fmt::Arguments| writeln!(text, "{line}").expect("text grows");
    line(format_args!("# {}: an element of Bristle {}", variant.metadata().title, env!("CARGO_PKG_VERSION")));
    line(format_args!("name = {}", quoted(&card.name)));
    line(format_args!("description = {}", quoted(&card.description)));
    line(format_args!("law = {}", quoted(&card.law)));
    let named = |chosen: &dyn Fn(&Variable) -> bool| {
        let names: Vec<_> = variant.model.variables().filter(|v| chosen(v)).map(|v| quoted(v.name)).collect();
        names.join(", ")
    };
    line(format_args!("inputs = [{}]  # parameters that are inputs", named(&|v| card.inputs.contains(&v.reference))));
    line(format_args!("fixed = [{}]  # parameters that are not shown", named(&|v| card.fixed.contains(&v.reference))));
    let is_shown =
        |v: &Variable| matches!(v.role, Role::Output | Role::BooleanOutput) && !card.hidden.contains(&v.reference);
    line(format_args!("outputs = [{}]", named(&is_shown)));

    line(format_args!("\n[parameters]"));
    let of_coupling = |v: &&Variable| [M_EFF.reference, COUPLING.reference].contains(&v.reference);
    for declared in variant.model.variables().filter(|v| v.is_parameter() && !of_coupling(v)) {
        line(format_args!("{} = {}  # {}", declared.name, value(variant, declared), meaning(declared)));
    }
    if variant.model.variable(M_EFF.reference).is_some() {
        line(format_args!("\n[coupling]"));
        for (key, declared) in [("m_eff", &M_EFF), ("order", &COUPLING)] {
            line(format_args!("{key} = {}  # {}", value(variant, declared), meaning(declared)));
        }
    }
    let Experiment { stop_time, step_size, tolerance } = card.experiment;
    line(format_args!("\n[experiment]"));
    line(format_args!("stop_time = {stop_time:?}  # s"));
    line(format_args!("step_size = {step_size:?}  # s, the communication step that importers propose"));
    line(format_args!("tolerance = {tolerance:?}  # error of F_R relative to F_s, where the importer gives none"));
    text
}

/// Text in TOML's quotation marks; a card holds no control characters.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Value of a parameter as the card has it.
fn value(variant: &Variant, declared: &Variable) -> String {
    let setting = variant.card().parameters.get(&declared.reference).copied().unwrap_or_default();
    let start = setting.start.or(declared.start).unwrap_or(0.0);
    if let Role::Choice(choices) = declared.role {
        let name = choices.get(start as usize - 1).map_or("", |(name, _)| name);
        return quoted(name);
    }
    let bounds = [("min", setting.min), ("max", setting.max)];
    let bounds: String =
        bounds.iter().filter_map(|(name, bound)| bound.map(|bound| format!(", {name} = {bound:?}"))).collect();
    if bounds.is_empty() { format!("{start:?}") } else { format!("{{ value = {start:?}{bounds} }}") }
}

/// Unit, bound and meaning of a parameter.
fn meaning(declared: &Variable) -> String {
    let unit = if declared.unit == Unit::One { String::new() } else { format!("{}, ", declared.unit.symbol()) };
    let bound = match declared.min {
        None => String::new(),
        Some(LEAST_POSITIVE) => "> 0; ".to_owned(),
        Some(min) => format!(">= {min:?}; "),
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
