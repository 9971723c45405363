//! Values of a card's parameters: its tables `parameters` and `coupling`.

use std::ops::Range;

use bristle::catalogue::{Card, Model, Setting};
use bristle::coupling::{COUPLING, M_EFF};
use bristle::variable::{Role, Variable};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Faults;
use super::keys::{self, one_of, question};

/// Reads both tables into the card; the result is where each parameter stands.
pub fn read(
    faults: &mut Faults,
    table: &DeTable,
    model: &'static Model,
    card: &mut Card,
) -> Vec<(&'static str, Range<usize>)> {
    let mut places = Vec::new();
    let law = model.metadata.name;
    let of_coupling = |variable: &Variable| [M_EFF, COUPLING].contains(variable);
    let parameters: Vec<&'static Variable> =
        model.variables().filter(|variable| variable.is_parameter() && !of_coupling(variable)).collect();
    let names: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
    if let Some(table) = keys::get(table, "parameters").and_then(|entry| keys::table(faults, "parameters", entry)) {
        for (name, value) in table.iter() {
            let (place, name) = (name.span(), name.get_ref().as_ref());
            let key = format!("parameters.{name}");
            match parameters.iter().find(|parameter| parameter.name == name) {
                Some(parameter) => {
                    if let Some(setting) = setting(faults, &key, parameter, value) {
                        card.parameters.insert(parameter.reference, setting);
                        places.push((parameter.name, place));
                    }
                }
                None if [M_EFF.name, COUPLING.name, "order"].contains(&name) => {
                    faults.add(
                        place,
                        key,
                        "found a key of the coupling, expected it in the table `coupling`, as `m_eff` or `order`",
                    );
                }
                None => {
                    let expected = format!("expected one of {}", one_of(&names));
                    faults.add(
                        place,
                        key,
                        format!("found no such parameter of {law}, {expected}{}", question(name, &names)),
                    );
                }
            }
        }
    }
    let Some(entry) = keys::get(table, "coupling") else { return places };
    let place = entry.0.clone();
    let Some(table) = keys::table(faults, "coupling", entry) else { return places };
    keys::refuse_others(faults, "coupling.", table, &["m_eff", "order"]);
    let has_coupling = model.variable(M_EFF.reference).is_some();
    if !has_coupling && !table.is_empty() {
        let sentence = format!(
            "found values for a coupling, but {law} has no bristle that a body could be coupled to; leave it out"
        );
        faults.add(place, "coupling", sentence);
        return places;
    }
    for (name, parameter) in [("m_eff", &M_EFF), ("order", &COUPLING)] {
        let Some((place, value)) = keys::get(table, name) else { continue };
        if let Some(setting) = setting(faults, &format!("coupling.{name}"), parameter, value) {
            card.parameters.insert(parameter.reference, setting);
            places.push((parameter.name, place));
        }
    }
    places
}

/// Start value and bounds of a parameter: a number, a table of them, or the name of a choice.
fn setting(faults: &mut Faults, key: &str, parameter: &Variable, value: &Spanned<DeValue>) -> Option<Setting> {
    if let Role::Choice(choices) = parameter.role {
        let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
        let name = value.get_ref().as_str();
        let place = name.and_then(|name| names.iter().position(|known| *known == name));
        if place.is_none() {
            keys::expected(faults, key, value, &format!("{}{}", one_of(&names), question(name.unwrap_or(""), &names)));
        }
        return Some(Setting { start: Some(place? as f64 + 1.0), ..Setting::default() });
    }
    let before = faults.count();
    let mut setting = Setting::default();
    if let Some(table) = value.get_ref().as_table() {
        keys::refuse_others(faults, &format!("{key}."), table, &["value", "min", "max"]);
        for (name, place) in [("value", &mut setting.start), ("min", &mut setting.min), ("max", &mut setting.max)] {
            if let Some((_, value)) = keys::get(table, name) {
                *place = bounded(faults, &format!("{key}.{name}"), parameter, value);
            }
        }
        if faults.count() == before {
            contradiction(faults, key, parameter, value, &setting);
        }
    } else {
        setting.start = bounded(faults, key, parameter, value);
    }
    (faults.count() == before).then_some(setting)
}

/// Number within the law's own bounds.
fn bounded(faults: &mut Faults, key: &str, parameter: &Variable, value: &Spanned<DeValue>) -> Option<f64> {
    let number = keys::number(faults, key, value)?;
    if let Some(wanted) = parameter.expected_instead_of(number) {
        keys::expected(faults, key, value, &wanted);
        return None;
    }
    Some(number)
}

/// Adds a fault where bounds and start value exclude each other.
fn contradiction(faults: &mut Faults, key: &str, parameter: &Variable, value: &Spanned<DeValue>, setting: &Setting) {
    let Setting { min, max, .. } = *setting;
    if let (Some(min), Some(max)) = (min, max)
        && min > max
    {
        faults.add(value.span(), key, format!("found min = {min:?} and max = {max:?}, expected min to be the smaller"));
        return;
    }
    let Some(start) = setting.start.or(parameter.start) else { return };
    let whose = if setting.start.is_some() { "the value" } else { "the law's own value" };
    if let Some(min) = min.filter(|min| start < *min) {
        faults.add(value.span(), key, format!("found {whose} {start:?}, expected at least min = {min:?}"));
    }
    if let Some(max) = max.filter(|max| start > *max) {
        faults.add(value.span(), key, format!("found {whose} {start:?}, expected at most max = {max:?}"));
    }
}
