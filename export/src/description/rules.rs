//! Rules of FMI 2.0 that a description has to keep and that the schema's types do not: unique names
//! and references, start values within their bounds, and references of the model structure that
//! lead somewhere.

use std::collections::BTreeSet;

use super::schema::{Description, ScalarVariable};
use crate::error::{Error, Result};

/// Refuses a description that breaks a rule, with all variables that do.
pub fn check(description: &Description) -> Result<()> {
    let faults: Vec<_> = faults(description).collect();
    if faults.is_empty() {
        return Ok(());
    }
    let (name, faults) = (&description.model_name, faults.join("; "));
    Err(Error::new(format!(
        "the description of {name} breaks FMI 2.0: {faults}; give the card's contacts or the \
         law's variables other names"
    )))
}

fn faults(description: &Description) -> impl Iterator<Item = String> {
    let variables = &description.model_variables.variables;
    let structure = &description.model_structure;
    let (mut names, mut references) = (BTreeSet::new(), BTreeSet::new());
    let of_variables = variables.iter().flat_map(move |variable| {
        let ScalarVariable {
            name,
            value_reference,
            ..
        } = variable;
        let has_name = names.insert(*name);
        let has_reference = references.insert(*value_reference);
        [
            (!has_name).then(|| format!("two variables have the name {name}")),
            (!has_reference).then(|| {
                format!("{name} has the value reference {value_reference} of another variable")
            }),
            (!is_structured(name)).then(|| format!("{name} is no structured name")),
            (!starts_in_bounds(variable)).then(|| format!("{name} starts outside its bounds")),
        ]
    });
    let lists = [
        &structure.outputs,
        &structure.derivatives,
        &structure.initial_unknowns,
    ];
    let derivatives = variables
        .iter()
        .filter_map(|variable| variable.real.as_ref()?.derivative);
    let indices = lists
        .into_iter()
        .flat_map(|list| list.unknowns.iter().map(|unknown| unknown.index))
        .chain(derivatives);
    let count = variables.len();
    let of_structure = indices.filter(move |index| !(1..=count).contains(index));
    let of_structure = of_structure.map(|index| format!("index {index} is that of no variable"));
    of_variables.flatten().chain(of_structure)
}

/// Whether a name is an identifier, with points between parts, an index in brackets, and `der()`
/// around it.
fn is_structured(name: &str) -> bool {
    let name = name
        .strip_prefix("der(")
        .and_then(|inner| inner.strip_suffix(')'))
        .unwrap_or(name);
    name.split('.').all(|part| {
        let (identifier, index) = part
            .split_once('[')
            .map_or((part, Some("1")), |(own, rest)| {
                (own, rest.strip_suffix(']'))
            });
        let is_identifier = identifier
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_');
        is_identifier
            && identifier.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && index.is_some_and(|index| index.parse::<u32>().is_ok())
    })
}

fn starts_in_bounds(variable: &ScalarVariable) -> bool {
    let Some(real) = &variable.real else {
        return true;
    };
    let [min, start, max] = [&real.min, &real.start, &real.max]
        .map(|text| text.as_ref().and_then(|text| text.parse::<f64>().ok()));
    start.is_none_or(|start| {
        min.is_none_or(|min| min <= start) && max.is_none_or(|max| start <= max)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::describe;
    use bristle::catalogue::ELEMENTS;

    #[test]
    fn each_broken_rule_is_named_with_its_variable() {
        type Spoil = fn(&mut Description);
        let cases: [(Spoil, &str); 6] = [
            (
                |d| d.model_variables.variables[1].name = "F_N",
                "two variables have the name F_N",
            ),
            (
                |d| d.model_variables.variables[1].value_reference = 0,
                "v has the value reference 0 of another",
            ),
            (
                |d| d.model_variables.variables[1].name = "contact velocity",
                "contact velocity is no structured name",
            ),
            (
                |d| d.model_variables.variables[1].name = "v[one]",
                "v[one] is no structured name",
            ),
            (
                |d| {
                    d.model_variables.variables[0].real.as_mut().unwrap().max =
                        Some("-1.0".to_owned())
                },
                "F_N starts outside",
            ),
            (
                |d| d.model_structure.outputs.unknowns[0].index = 99,
                "index 99 is that of no variable",
            ),
        ];
        for (spoil, expected) in cases {
            let mut description = describe(&ELEMENTS[0].stock(), &[]);
            assert!(check(&description).is_ok());
            spoil(&mut description);
            let said = check(&description).unwrap_err().to_string();
            assert!(said.contains(expected), "{said}");
        }
    }
}
