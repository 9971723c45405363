//! Values of keys by their types, with a fault for each that is of another.

use std::ops::Range;

use bristle::variable::{Unit, Variable};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Faults;
use crate::names;
use crate::table::{self, Factor};

/// Entry of a table: place of its key, and its value.
pub type Entry<'t> = (Range<usize>, &'t Spanned<DeValue<'t>>);

/// Entry of this name in a table.
pub fn get<'t>(table: &'t DeTable<'t>, name: &str) -> Option<Entry<'t>> {
    let (key, value) = table.iter().find(|(key, _)| key.get_ref() == name)?;
    Some((key.span(), value))
}

/// Entry of this name in a table within a table.
pub fn get_in<'t>(table: &'t DeTable<'t>, outer: &str, name: &str) -> Option<Entry<'t>> {
    get(get(table, outer)?.1.get_ref().as_table()?, name)
}

/// Value in words: its text as it stands, or its type where that is long.
pub fn found(value: &DeValue) -> String {
    match value {
        DeValue::String(text) => format!("\"{text}\""),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// Text of a value.
pub fn text<'t>(faults: &mut Faults, key: &str, (_, value): Entry<'t>) -> Option<&'t str> {
    let text = value.get_ref().as_str();
    if text.is_none() {
        expected(faults, key, value, "a text in quotation marks");
    }
    text
}

/// Finite number of a value, whole or not.
pub fn number(faults: &mut Faults, key: &str, value: &Spanned<DeValue>) -> Option<f64> {
    let number = match value.get_ref() {
        DeValue::Integer(whole) if whole.radix() == 10 => whole.as_str().parse().ok(),
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    };
    let number = number.filter(|number: &f64| number.is_finite());
    match value
        .get_ref()
        .as_str()
        .filter(|text| is_decimal_comma(text))
    {
        Some(text) => faults.add(value.span(), key, decimal_comma(text)),
        None if number.is_none() => expected(faults, key, value, "a finite number"),
        None => {}
    }
    number
}

/// Finite number in an SI unit: a number in that unit, a text as "12 kN/mm", or a table of `value`
/// and `unit`.
pub fn quantity(
    faults: &mut Faults,
    key: &str,
    value: &Spanned<DeValue>,
    unit: Unit,
) -> Option<f64> {
    if let Some(table) = value
        .get_ref()
        .as_table()
        .filter(|table| get(table, UNIT).is_some())
    {
        let factor = unit_of(faults, key, table, unit)?;
        refuse_others(faults, &format!("{key}."), table, &["value", UNIT]);
        let Some((_, value)) = get(table, "value") else {
            expected(faults, key, value, "a number, or `value` and `unit`");
            return None;
        };
        return number(faults, &format!("{key}.value"), value).map(|number| factor.of(number));
    }
    let text = value.get_ref().as_str().and_then(|text| {
        let text = text.trim();
        let end = text.find(|c: char| !(c.is_ascii_digit() || "+-.,eE".contains(c)))?;
        (end > 0).then(|| text.split_at(end))
    });
    let Some((digits, of)) = text else {
        return number(faults, key, value);
    };
    if is_decimal_comma(digits) {
        faults.add(value.span(), key, decimal_comma(digits));
        return None;
    }
    let Some(number) = digits
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
    else {
        expected(faults, key, value, "a number with a unit, as \"12 kN/mm\"");
        return None;
    };
    factor_of(faults, key, value, (of.trim(), unit)).map(|factor| factor.of(number))
}

/// Finite number in an SI unit that a declared variable can have.
pub fn value_of(
    faults: &mut Faults,
    key: &str,
    value: &Spanned<DeValue>,
    declared: &Variable,
) -> Option<f64> {
    let given = quantity(faults, key, value, declared.unit)?;
    match declared.expected_instead_of(given) {
        Some(wanted) => {
            expected(faults, key, value, &wanted);
            None
        }
        None => Some(given),
    }
}

/// Key of the unit of a number.
pub const UNIT: &str = "unit";

/// Factor to an SI unit of the key `unit` of a table; 1 where the table has none.
pub fn unit_of(faults: &mut Faults, key: &str, table: &DeTable, wanted: Unit) -> Option<Factor> {
    let Some(entry) = get(table, UNIT) else {
        return Some(Factor::new(1.0));
    };
    let (key, value) = (format!("{key}.{UNIT}"), entry.1);
    let unit = text(faults, &key, entry)?;
    factor_of(faults, &key, value, (unit, wanted))
}

fn factor_of(
    faults: &mut Faults,
    key: &str,
    value: &Spanned<DeValue>,
    (unit, wanted): (&str, Unit),
) -> Option<Factor> {
    table::factor(unit, wanted, None)
        .map_err(|sentence| faults.add(value.span(), key, sentence))
        .ok()
}

/// Key, empty within a list, and number of a line whose number has a decimal comma.
pub fn with_decimal_comma(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once('=').unwrap_or(("", line));
    let value = value.split('#').next()?;
    let words = || {
        value
            .split(|c: char| c.is_whitespace() || "[]{}=".contains(c))
            .map(|word| word.trim_end_matches(','))
    };
    // `[1,2]` is a list of numbers; no number but a part of one begins with 0 before another digit.
    let is_part = |word: &&str| {
        word.split_once(',')
            .is_some_and(|(_, part)| part.len() > 1 && part.starts_with('0'))
    };
    let is_list = value.contains('[');
    let number = words().find(|word| is_decimal_comma(word) && (!is_list || is_part(word)))?;
    Some((key.trim(), number))
}

/// A number with a comma in place of its decimal point.
fn is_decimal_comma(word: &str) -> bool {
    word.matches(',').count() == 1
        && !word.contains('.')
        && !word.ends_with(',')
        && word.replace(',', ".").parse::<f64>().is_ok()
}

/// Sentence about a decimal comma.
pub fn decimal_comma(number: &str) -> String {
    let right = number.replace(',', ".");
    format!("found {number} with a decimal comma, expected a decimal point: {right}")
}

/// Table of a value.
pub fn table<'t>(faults: &mut Faults, key: &str, (_, value): Entry<'t>) -> Option<&'t DeTable<'t>> {
    let table = value.get_ref().as_table();
    if table.is_none() {
        expected(faults, key, value, "a table");
    }
    table
}

/// Texts of a list, each with its place.
pub fn texts<'t>(
    faults: &mut Faults,
    key: &str,
    (_, value): Entry<'t>,
) -> Vec<(Range<usize>, &'t str)> {
    let Some(list) = value.get_ref().as_array() else {
        expected(faults, key, value, "a list of names in quotation marks");
        return Vec::new();
    };
    let mut texts: Vec<(Range<usize>, &str)> = Vec::new();
    for value in list.iter() {
        match value.get_ref().as_str() {
            None => expected(faults, key, value, "a name in quotation marks"),
            Some(text) if texts.iter().any(|(_, known)| *known == text) => {
                faults.add(
                    value.span(),
                    key,
                    format!("found \"{text}\" a second time, expected each name once"),
                );
            }
            Some(text) => texts.push((value.span(), text)),
        }
    }
    texts
}

/// Adds a fault about a value.
pub fn expected(faults: &mut Faults, key: &str, value: &Spanned<DeValue>, expected: &str) {
    faults.add(
        value.span(),
        key,
        format!("found {}, expected {expected}", found(value.get_ref())),
    );
}

/// Adds a fault for each key of a table that is none of these.
pub fn refuse_others(faults: &mut Faults, prefix: &str, table: &DeTable, known: &[&str]) {
    for (key, _) in table.iter() {
        let name = key.get_ref().as_ref();
        if !known.contains(&name) {
            let sentence = format!(
                "found an unknown key, expected {}{}",
                one_of(known),
                question(name, known)
            );
            faults.add(key.span(), format!("{prefix}{name}"), sentence);
        }
    }
}

/// Names in words.
pub fn one_of(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => format!("`{one}`"),
        [others @ .., last] => format!("`{}` or `{last}`", others.join("`, `")),
    }
}

/// Question after a sentence, where a name is near.
pub fn question(name: &str, known: &[&str]) -> String {
    names::question(name, known.iter().copied())
}
