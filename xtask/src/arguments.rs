//! Arguments that several commands share.

use bristle::catalogue::{ELEMENTS, Model, find};
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Parser of an element's name.
pub fn element() -> impl TypedValueParser<Value = &'static Model> {
    let names = ELEMENTS.iter().map(|element| element.metadata.name);
    PossibleValuesParser::new(names).map(|name| find(&name).expect("a name of the catalogue"))
}
