//! Arguments that several commands share.

use anyhow::{Context, Result};
use bristle::catalogue::{ELEMENTS, Model, find};
use bristle_export::names::nearest;
use clap::{Arg, ArgAction, ArgMatches, value_parser};

/// Switch without a value.
pub fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

/// Option whose value is a whole number of 0 or more.
pub fn number(name: &'static str, symbol: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name(symbol)
        .value_parser(value_parser!(u64))
        .allow_negative_numbers(true)
        .help(help)
}

/// Option `--element`, which may be given several times; its values are entries of the catalogue.
pub fn elements(help: &'static str) -> Arg {
    Arg::new("element").long("element").value_name("NAME").action(ArgAction::Append).value_parser(element).help(help)
}

/// Names of the elements that [`elements`] was given.
pub fn element_names(given: &ArgMatches) -> Vec<&'static str> {
    let entries = given.get_many::<&'static Model>("element").into_iter().flatten();
    entries.map(|entry| entry.metadata.name).collect()
}

/// Element of a name; an error names the nearest, or all where none is near.
pub fn element(name: &str) -> Result<&'static Model> {
    find(name).with_context(|| {
        let known: Vec<_> = ELEMENTS.iter().map(|entry| entry.metadata.name).collect();
        match nearest(name, known.iter().copied()) {
            Some(nearest) => format!("there is no element `{name}`; did you mean `{nearest}`?"),
            None => format!("there is no element `{name}`; the elements are {}", known.join(", ")),
        }
    })
}
