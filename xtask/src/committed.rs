//! Figures that are held to a committed file: one line each, of one compiler and processor.

use std::fmt::Write;

use anyhow::{Result, ensure};

use crate::console::say;
use crate::{files, performance, workspace};

/// Rise that is an error.
const ALLOWED: f64 = 0.03;

/// Outcome of a comparison with committed figures.
pub enum Verdict {
    Held,
    /// One sentence why nothing was compared.
    Skipped(String),
}

/// Figures of a file, and the words of their messages.
pub struct Kind {
    /// Path from the root of the workspace.
    pub file: &'static str,
    /// Quantity, in the head of the file.
    pub quantity: &'static str,
    /// Figures as an object of "record".
    pub figures: &'static str,
    /// One figure.
    pub figure: &'static str,
    /// Subject and verb of a rise.
    pub rise: &'static str,
    /// Remedy of a rise.
    pub remedy: &'static str,
}

/// Comparison of new figures with those of the file.
pub struct Comparison {
    kind: &'static Kind,
    update: bool,
    committed: String,
    /// New text of the file.
    text: String,
    risen: Vec<String>,
}

impl Comparison {
    /// Begins a comparison or, to `update`, a new file; an error is the sentence why nothing can be compared.
    pub fn begin(kind: &'static Kind, update: bool) -> Result<Result<Self, String>> {
        let head = format!(
            "# {}, {}: {}, made by `cargo xtask instructions --update`",
            performance::rustc()?,
            std::env::consts::ARCH,
            kind.quantity
        );
        let committed = files::read_text(&workspace::root().join(kind.file)).unwrap_or_default();
        let recorded = committed.lines().next().unwrap_or("nothing");
        if !update && recorded != head {
            return Ok(Err(format!(
                "{} is of another compiler or processor ({recorded}); record {} of this one with `cargo xtask instructions --update`.",
                kind.file, kind.figures
            )));
        }
        Ok(Ok(Comparison { kind, update, committed, text: format!("{head}\n"), risen: Vec::new() }))
    }

    /// Takes a figure by its key in the file and its name in messages; the committed one, where there is one.
    pub fn add(&mut self, key: &str, name: &str, figure: u64) -> Result<Option<f64>> {
        writeln!(self.text, "{key} {figure}")?;
        let before = committed(&self.committed, key);
        match before {
            Some(before) if figure as f64 > (1.0 + ALLOWED) * before => {
                self.risen.push(format!("{name}: {figure} after {before}"));
            }
            Some(_) => {}
            None if self.update => {}
            None => self.risen.push(format!("{name} has no committed {}", self.kind.figure)),
        }
        Ok(before)
    }

    /// Writes the file to update it; otherwise fails where a figure rose.
    pub fn end(self) -> Result<Verdict> {
        let Kind { file, rise, remedy, .. } = self.kind;
        if self.update {
            let file = workspace::root().join(file);
            files::write(&file, self.text)?;
            say!("{}", file.display());
            return Ok(Verdict::Held);
        }
        ensure!(
            self.risen.is_empty(),
            "{rise} by more than {:.0} %: {}; {remedy}, or accept it with `cargo xtask instructions --update`",
            100.0 * ALLOWED,
            self.risen.join("; ")
        );
        Ok(Verdict::Held)
    }
}

/// Committed figure of a key.
fn committed(text: &str, key: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind {
        file: "benches/none.txt",
        quantity: "a quantity",
        figures: "figures",
        figure: "figure",
        rise: "figures rose",
        remedy: "lower them",
    };

    fn comparison(committed: &str, update: bool) -> Comparison {
        Comparison { kind: &KIND, update, committed: committed.to_owned(), text: String::new(), risen: Vec::new() }
    }

    #[test]
    fn figures_are_found_by_the_whole_key() {
        let text = "# head\nFrDyn2Linear 5\nFrDyn2 sliding 4\nFrDyn2 3\n";
        assert_eq!((committed(text, "FrDyn2"), committed(text, "Dahl")), (Some(3.0), None));
        assert_eq!(committed(text, "FrDyn2 sliding"), Some(4.0));
    }

    #[test]
    fn rise_beyond_three_percent_and_missing_figures_are_errors() {
        let mut held = comparison("a 100\nb 100\n", false);
        assert_eq!(held.add("a", "A", 103).unwrap(), Some(100.0));
        assert_eq!(held.add("b", "B", 1).unwrap(), Some(100.0));
        assert!(matches!(held.end(), Ok(Verdict::Held)));

        let mut risen = comparison("a 100\n", false);
        risen.add("a", "A", 104).unwrap();
        assert_eq!(risen.add("b", "B", 7).unwrap(), None);
        assert_eq!(risen.text, "a 104\nb 7\n");
        let error = risen.end().err().unwrap().to_string();
        assert_eq!(
            error,
            "figures rose by more than 3 %: A: 104 after 100; B has no committed figure; lower them, or accept it with `cargo xtask instructions --update`"
        );
    }

    #[test]
    fn update_accepts_new_figures() {
        let mut update = comparison("", true);
        assert_eq!(update.add("a", "A", 7).unwrap(), None);
        assert!(update.risen.is_empty());
    }
}
