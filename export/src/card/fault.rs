//! Faults of a card.

use std::fmt;
use std::ops::Range;

use crate::error::Error;

/// Fault of a card: place, key, and a sentence with what was found and what is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line in the file, from 1.
    pub line: usize,
    /// Key, with its table; empty where the text is no TOML.
    pub key: String,
    /// The value found and the value expected.
    pub sentence: String,
}

impl Fault {
    /// Whether another fault has the same line and key.
    pub fn is_at(&self, other: &Fault) -> bool {
        (self.line, &self.key) == (other.line, &other.key)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.key.is_empty() {
            f.write_str(&self.sentence)
        } else {
            write!(f, "{}: {}", self.key, self.sentence)
        }
    }
}

/// Error with a line for each fault of the card in this file, in the form that editors follow.
pub fn list(file: &str, faults: &[Fault]) -> Error {
    let lines: Vec<_> = faults
        .iter()
        .map(|fault| format!("{file}:{}: {fault}", fault.line))
        .collect();
    Error::new(lines.join("\n"))
}

/// Faults found so far in a text, and sentences about what was made of it.
pub struct Faults<'a> {
    text: &'a str,
    found: Vec<Fault>,
    pub remarks: Vec<String>,
}

impl<'a> Faults<'a> {
    pub fn of(text: &'a str) -> Self {
        Faults {
            text,
            found: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// Adds a fault at a place of the text.
    pub fn add(
        &mut self,
        place: Range<usize>,
        key: impl Into<String>,
        sentence: impl Into<String>,
    ) {
        let before = self.text.get(..place.start).unwrap_or(self.text);
        let line = 1 + before.matches('\n').count();
        self.found.push(Fault {
            line,
            key: key.into(),
            sentence: sentence.into(),
        });
    }

    /// Adds faults that another reading of the text found.
    pub fn extend(&mut self, others: Vec<Fault>) {
        self.found.extend(others);
    }

    /// Adds those faults of another reading of the text that stand where none was found.
    pub fn add_new(&mut self, others: Vec<Fault>) {
        let others: Vec<_> = others
            .into_iter()
            .filter(|other| !self.found.iter().any(|known| known.is_at(other)))
            .collect();
        self.found.extend(others);
    }

    /// Number of faults so far.
    pub fn count(&self) -> usize {
        self.found.len()
    }

    /// The faults in the order of their lines.
    pub fn finish(mut self) -> Vec<Fault> {
        self.found.sort_by_key(|fault| fault.line);
        self.found
    }
}
