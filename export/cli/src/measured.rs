//! Measured contacts: cards with numbers that somebody measured and published, which the program
//! carries. A card says so in its first lines, each with its key: source, what was measured, range,
//! and what it is not good for.

use anyhow::{Result, anyhow};
use bristle_export::names;

use crate::libraries::MEASURED;

/// Keys of the first lines of a measured card, in their order.
const KEYS: [&str; 4] = ["Source", "Measured", "Range", "Not good for"];

/// A measured card.
#[derive(Clone, Copy)]
pub struct Measured {
    /// Name of the file without its extension, that of the element.
    pub name: &'static str,
    /// The card in TOML.
    pub text: &'static str,
}

/// All cards that the program carries, by their names.
pub fn all() -> impl Iterator<Item = Measured> {
    MEASURED.iter().filter_map(|(file, bytes)| {
        Some(Measured {
            name: file.strip_suffix(".toml")?,
            text: std::str::from_utf8(bytes).ok()?,
        })
    })
}

/// The card of this name; an error names the nearest.
pub fn find(name: &str) -> Result<Measured> {
    all().find(|card| card.name == name).ok_or_else(|| {
        let question = names::question(name, all().map(|card| card.name));
        anyhow!(
            "there is no measured contact `{name}`{question}; `bristle list --measured` has all"
        )
    })
}

/// Text of a key in the first lines of a card; none where it is missing or empty.
pub fn of_key(text: &str, key: &str) -> Option<String> {
    let is_key = |line: &str| {
        KEYS.iter().any(|known| {
            line.strip_prefix(known)
                .is_some_and(|rest| rest.starts_with(':'))
        })
    };
    let mut lines = text
        .lines()
        .map_while(|line| line.strip_prefix('#').map(str::trim))
        .skip_while(|line| {
            !line
                .strip_prefix(key)
                .is_some_and(|rest| rest.starts_with(':'))
        });
    let first = lines.next()?[key.len() + 1..].trim();
    let rest = lines.take_while(|line| !is_key(line));
    let text = rest.fold(first.to_owned(), |text, line| text + " " + line);
    (!text.is_empty()).then_some(text)
}

/// Keys that a card of a measured contact has to say and does not.
pub fn missing(text: &str) -> Vec<&'static str> {
    let is_missing = |key: &&str| of_key(text, key).is_none();
    KEYS.into_iter().filter(is_missing).collect()
}
