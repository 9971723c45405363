//! Setting of a parameter in a card.

use bristle::catalogue::{Setting, SettingFault};
use bristle::variable::{Role, Variable};
use toml::Spanned;
use toml::de::DeValue;

use super::fault::Faults;
use super::keys::{self, one_of, question};

/// Start value and bounds of a parameter: a number, a text of one with its unit, a table of them,
/// or the name of a choice.
pub fn setting(
    faults: &mut Faults,
    key: &str,
    parameter: &Variable,
    value: &Spanned<DeValue>,
) -> Option<Setting> {
    if let Role::Choice(choices) = parameter.role {
        let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
        let name = value.get_ref().as_str();
        let place = name.and_then(|name| names.iter().position(|known| *known == name));
        if place.is_none() {
            keys::expected(
                faults,
                key,
                value,
                &format!("{}{}", one_of(&names), question(name.unwrap_or(""), &names)),
            );
        }
        return Some(Setting {
            start: Some(place? as f64 + 1.0),
            ..Setting::default()
        });
    }
    let before = faults.count();
    let mut setting = Setting::default();
    if let Some(table) = value.get_ref().as_table() {
        keys::refuse_others(
            faults,
            &format!("{key}."),
            table,
            &["value", "min", "max", keys::UNIT],
        );
        let factor = keys::unit_of(faults, key, table, parameter.unit)?;
        for (name, place) in [
            ("value", &mut setting.start),
            ("min", &mut setting.min),
            ("max", &mut setting.max),
        ] {
            if let Some((_, value)) = keys::get(table, name) {
                let key = format!("{key}.{name}");
                let number = keys::number(faults, &key, value).map(|number| factor.of(number));
                *place = number.and_then(|number| bounded(faults, &key, parameter, value, number));
            }
        }
        if faults.count() == before {
            contradiction(faults, key, parameter, value, &setting);
        }
    } else {
        let number = keys::quantity(faults, key, value, parameter.unit);
        setting.start = number.and_then(|number| bounded(faults, key, parameter, value, number));
    }
    (faults.count() == before).then_some(setting)
}

/// Number (SI) within the law's own bounds.
fn bounded(
    faults: &mut Faults,
    key: &str,
    parameter: &Variable,
    value: &Spanned<DeValue>,
    number: f64,
) -> Option<f64> {
    if let Some(wanted) = parameter.expected_instead_of(number) {
        let found = keys::found(value.get_ref());
        let in_si = if found.parse() == Ok(number) {
            String::new()
        } else {
            format!(", which is {number:?} {}", parameter.unit.symbol())
        };
        faults.add(
            value.span(),
            key,
            format!("found {found}{in_si}, expected {wanted}"),
        );
        return None;
    }
    Some(number)
}

/// Adds a fault where bounds and start value exclude each other.
fn contradiction(
    faults: &mut Faults,
    key: &str,
    parameter: &Variable,
    value: &Spanned<DeValue>,
    setting: &Setting,
) {
    let whose = if setting.start.is_some() {
        "the value"
    } else {
        "the law's own value"
    };
    let sentence = match setting.fault(parameter) {
        None => return,
        Some(SettingFault::Bounds { min, max }) => {
            format!("found min = {min:?} and max = {max:?}, expected min to be the smaller")
        }
        Some(SettingFault::BelowMin { start, min }) => {
            format!("found {whose} {start:?}, expected at least min = {min:?}")
        }
        Some(SettingFault::AboveMax { start, max }) => {
            format!("found {whose} {start:?}, expected at most max = {max:?}")
        }
    };
    faults.add(value.span(), key, sentence);
}
