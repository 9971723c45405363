//! Figures that are held to a committed file: one line each, of one compiler and processor.

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

/// First line of a file of figures.
fn head(quantity: &str) -> Result<String> {
    let (rustc, processor) = (performance::rustc()?, std::env::consts::ARCH);
    Ok(format!("# {rustc}, {processor}: {quantity}, made by `cargo xtask instructions --update`"))
}

/// A sentence where a file, by its path from the root, has figures of another compiler or processor.
pub fn obstacle(file: &str, quantity: &str) -> Result<Option<String>> {
    let head = head(quantity)?;
    let committed = files::read_text(&workspace::root().join(file))?;
    let record = "record those of this one with `cargo xtask instructions --update`";
    let differs = committed.lines().next() != Some(&head);
    Ok(differs.then(|| format!("{file} is of another compiler or processor; {record}.")))
}

/// Prints figures beside those of a file. Writes them there to `update` it; otherwise fails where one rose or is new.
pub fn hold(file: &str, quantity: &str, figures: &[(String, u64)], update: bool) -> Result<Verdict> {
    let path = workspace::root().join(file);
    let committed = files::read_text(&path)?;
    let mut risen = Vec::new();
    for (key, figure) in figures {
        let before = committed_figure(&committed, key);
        let change = before.map_or(f64::INFINITY, |before| *figure as f64 / before - 1.0);
        say!("{key:<40} {figure:>12} {:>+8.1} %", 100.0 * change);
        if change > ALLOWED {
            risen.push(key.as_str());
        }
    }
    if update {
        let lines: String = figures.iter().map(|(key, figure)| format!("{key} {figure}\n")).collect();
        files::write(&path, format!("{}\n{lines}", head(quantity)?))?;
        return Ok(Verdict::Held);
    }
    let remedy = "accept it with `cargo xtask instructions --update`";
    ensure!(risen.is_empty(), "{quantity} rose by more than 3 %: {}; lower them, or {remedy}", risen.join(", "));
    Ok(Verdict::Held)
}

/// Committed figure of a key.
fn committed_figure(text: &str, key: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_by_the_whole_key() {
        let text = "# head\nFrDyn2Linear 5\nFrDyn2 sliding 4\nFrDyn2 3\n";
        assert_eq!(
            ["FrDyn2", "FrDyn2 sliding", "Dahl"].map(|key| committed_figure(text, key)),
            [Some(3.0), Some(4.0), None]
        );
    }
}
