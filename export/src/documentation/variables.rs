//! Rows of the table of variables.

use bristle::catalogue::Variant;
use bristle::variable::{LEAST_POSITIVE, RANGE, Role, Variable};
use minijinja::context;
use minijinja::value::Value;
use pulldown_latex::config::DisplayMode;

use super::formula::mathml;
use crate::error::Result;
use crate::number::short;

/// Heading of a group of variables, and the roles that belong to it.
type Group = (&'static str, fn(Role) -> bool);

const GROUPS: [Group; 5] = [
    ("Inputs", |role| role == Role::Input),
    ("Outputs", |role| {
        matches!(role, Role::Output | Role::BooleanOutput)
    }),
    ("States and their derivatives", |role| {
        matches!(role, Role::State | Role::Derivative { .. })
    }),
    ("Modes, which change at events only", |role| {
        matches!(role, Role::DiscreteState { .. })
    }),
    ("Parameters, tunable between steps", |role| {
        matches!(role, Role::Parameter | Role::Choice(_))
    }),
];

/// Variables of an element by groups, without the empty ones.
pub fn groups(variant: &Variant) -> Result<Vec<Value>> {
    let mut groups = Vec::new();
    for (heading, belongs) in GROUPS {
        // Of several contacts the first: the others differ in name and reference alone.
        let group = variant
            .variables()
            .filter(|variable| variable.reference < 2 * RANGE && belongs(variable.role));
        let rows = group.map(row).collect::<Result<Vec<_>>>()?;
        if !rows.is_empty() {
            groups.push(context! { heading, rows });
        }
    }
    let fixed: Vec<_> = variant
        .hidden()
        .filter(|variable| variant.card().has_parameter(variable))
        .collect();
    if !fixed.is_empty() {
        let rows = fixed
            .into_iter()
            .map(|variable| Ok(context! { reference => "", ..row(variable)? }));
        let rows = rows.collect::<Result<Vec<_>>>()?;
        groups.push(context! { heading => "Fixed by the card: no variables of the FMU", rows });
    }
    Ok(groups)
}

fn row(variable: &Variable) -> Result<Value> {
    let symbol = if variable.symbol.is_empty() {
        String::new()
    } else {
        mathml(variable.symbol, DisplayMode::Inline)?
    };
    let unit = match (variable.role, variable.unit_name()) {
        (Role::BooleanOutput, _) => "Boolean".to_owned(),
        (Role::DiscreteState { .. }, _) => "Integer".to_owned(),
        (Role::Choice(_), _) => "Enumeration".to_owned(),
        (_, unit) => unit.replace('.', "\u{b7}").replace('2', "\u{b2}"),
    };
    let bound = match (variable.min, variable.max) {
        (Some(min), Some(max)) => format!("{} to {}", short(min), short(max)),
        (Some(LEAST_POSITIVE), None) => "> 0".to_owned(),
        (Some(min), None) => format!("\u{2265} {min}"),
        (None, Some(max)) => format!("\u{2264} {max}"),
        (None, None) => String::new(),
    };
    let choices: Vec<_> = match variable.role {
        Role::Choice(choices) => choices
            .iter()
            .map(|&(name, meaning)| context! { name, meaning })
            .collect(),
        _ => Vec::new(),
    };
    Ok(context! {
        symbol,
        name => variable.name,
        unit,
        start => variable.start.map_or(String::new(), short),
        bound,
        reference => variable.reference,
        description => variable.description,
        choices,
    })
}
