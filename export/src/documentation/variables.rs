//! Rows of the tables of variables.

use bristle::catalogue::Variant;
use bristle::variable::{COUPLING_OUTPUTS, LEAST_POSITIVE, RANGE, Role, Variable};
use minijinja::context;
use minijinja::value::Value;
use pulldown_latex::config::DisplayMode;

use super::formula::mathml;
use crate::error::Result;
use crate::number::short;

/// Heading of a group of variables, and which ones belong to it.
type Group = (&'static str, fn(&Variable) -> bool);

/// Groups of the first table.
const MAIN: [Group; 3] = [
    ("Inputs", |variable| variable.role == Role::Input),
    ("Outputs", |variable| {
        variable.is_output() && !is_of_coupling(variable)
    }),
    ("Parameters, tunable between steps", |variable| {
        matches!(variable.role, Role::Parameter | Role::Choice(_))
    }),
];

/// Groups of the second table, which the page folds.
const FURTHER: [Group; 3] = [
    ("Outputs of the coupling", |variable| {
        variable.is_output() && is_of_coupling(variable)
    }),
    ("States and their derivatives", |variable| {
        matches!(variable.role, Role::State | Role::Derivative { .. })
    }),
    ("Modes, which change at events only", |variable| {
        matches!(variable.role, Role::DiscreteState { .. })
    }),
];

fn is_of_coupling(variable: &Variable) -> bool {
    COUPLING_OUTPUTS.contains(&variable.slot())
}

/// Tables of the variables of an element, with those that its card fixes in the first one.
pub fn tables(variant: &Variant) -> Result<Vec<Value>> {
    let mut main = groups(variant, &MAIN)?;
    let fixed = variant
        .hidden()
        .filter(|variable| variant.card().has_parameter(variable));
    let rows = fixed.map(|variable| Ok(context! { reference => "", ..row(variable)? }));
    let rows = rows.collect::<Result<Vec<_>>>()?;
    if !rows.is_empty() {
        main.push(context! { heading => "Fixed by the card: no variables of the FMU", rows });
    }
    let mut tables = vec![context! { groups => main, is_folded => false }];
    let further = groups(variant, &FURTHER)?;
    if !further.is_empty() {
        tables.push(context! { groups => further, is_folded => true });
    }
    Ok(tables)
}

/// Groups of variables, without the empty ones.
fn groups(variant: &Variant, all: &[Group]) -> Result<Vec<Value>> {
    let mut groups = Vec::new();
    for &(heading, belongs) in all {
        // Of several contacts the first: the others differ in name and reference alone.
        let group = variant
            .variables()
            .filter(|variable| variable.reference < 2 * RANGE && belongs(variable));
        let rows = group.map(row).collect::<Result<Vec<_>>>()?;
        if !rows.is_empty() {
            groups.push(context! { heading, rows });
        }
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
