//! Results of the importers, compared with the C host, as tables.

use std::fmt::Write;

use anyhow::Result;

use super::{Forces, STEPS};
use crate::workspace;

/// Comparison of one importer.
pub struct Row {
    name: &'static str,
    version: String,
    found: Found,
}

enum Found {
    Skipped(String),
    /// For each element: steps with other bits, and the largest difference relative to the largest force.
    Compared(Vec<(String, usize, f64)>),
}

impl Row {
    /// The row of an importer that this machine cannot run.
    pub fn skipped(name: &'static str, why: &str) -> Self {
        Row { name, version: "–".to_owned(), found: Found::Skipped(why.to_owned()) }
    }

    /// The row of an importer whose forces are compared with those of the C host.
    pub fn compared(name: &'static str, version: &str, names: &[String], [expected, found]: [&Forces; 2]) -> Self {
        let compare = |element: &String| {
            let pairs = || expected[element].iter().zip(&found[element]);
            let other_bits = pairs().filter(|(a, b)| a.to_bits() != b.to_bits()).count();
            let size = expected[element].iter().fold(0.0_f64, |most, force| most.max(force.abs()));
            // A NaN is further off than any number.
            let off = |(a, b): (&f64, &f64)| if (a - b).is_nan() { f64::INFINITY } else { (a - b).abs() / size };
            (element.clone(), other_bits, pairs().map(off).fold(0.0, f64::max))
        };
        Row { name, version: version.to_owned(), found: Found::Compared(names.iter().map(compare).collect()) }
    }

    /// The elements whose forces differ from the C host's by more than is `allowed` for each, relative to the largest force, and by how
    /// much; 0 asks for the same bits.
    pub fn off(&self, allowed: impl Fn(&str) -> f64) -> Vec<(String, String)> {
        let Found::Compared(elements) = &self.found else { return Vec::new() };
        let is_off = |(name, other_bits, off): &&(String, usize, f64)| match allowed(name) {
            0.0 => *other_bits > 0,
            allowed => *off > allowed,
        };
        let sentence = |(name, other_bits, off): &(String, usize, f64)| {
            (name.clone(), format!("{name} ({other_bits} steps, up to {off:.1e})"))
        };
        elements.iter().filter(is_off).map(sentence).collect()
    }

    /// The row as a line of text.
    pub fn sentence(&self) -> String {
        match &self.found {
            Found::Skipped(why) => format!("{}: SKIPPED, {why}", self.name),
            Found::Compared(elements) => {
                let same = elements.iter().filter(|(_, other_bits, _)| *other_bits == 0).count();
                let worst = elements.iter().fold(0.0_f64, |worst, (_, _, off)| worst.max(*off));
                let others = if same == elements.len() {
                    String::new()
                } else {
                    format!(", the others within {worst:.1e} of their largest force")
                };
                let (name, version, all) = (self.name, &self.version, elements.len());
                format!("{name} ({version}): {same} of {all} elements have the bits of the C host{others}")
            }
        }
    }
}

/// The tables, between their markers.
pub fn markdown(rows: &[Row], elements: &[String]) -> Result<String> {
    let date = workspace::output(std::process::Command::new("date").args(["-u", "+%Y-%m-%d"]))?;
    let compiler = workspace::output(std::process::Command::new("cc").arg("--version"))?;
    let compiler = compiler.lines().next().unwrap_or("cc");
    let mut text = format!(
        "<!-- begin matrix -->\nMade on {}: {} elements, {STEPS} steps of 2⁻⁹ s each. Compared with the C host \
         `tests/c/reference_run.c` ({compiler}).\n\n| importer | version |",
        date.trim(),
        elements.len()
    );
    for name in elements {
        let _ = write!(text, " {name} |");
    }
    text += "\n|---|---|";
    text += &"---|".repeat(elements.len());
    text.push('\n');
    for row in rows {
        let _ = write!(text, "| {} | {} |", row.name, row.version);
        match &row.found {
            Found::Skipped(why) => {
                let _ = write!(text, " SKIPPED: {why} |{}", " |".repeat(elements.len() - 1));
            }
            Found::Compared(elements) => elements.iter().for_each(|(_, other_bits, off)| {
                let _ = if *other_bits == 0 { write!(text, " bits |") } else { write!(text, " {off:.0e} |") };
            }),
        }
        text.push('\n');
    }
    text += "<!-- end matrix -->\n";
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn difference_in_one_bit_is_reported() {
        let names = ["Dahl", "LuGre"].map(str::to_owned);
        let forces = |last: f64| -> Forces { names.iter().map(|name| (name.clone(), vec![1.0, last])).collect() };
        let compared = |other: &Forces| Row::compared("an importer", "1", &names, [&forces(-2.0), other]);
        let same = compared(&forces(-2.0));
        assert!(same.off(|_| 0.0).is_empty());

        let mut other = forces(-2.0);
        other.get_mut("LuGre").expect("an element")[1] = -2.0 + 4e-16;
        let row = compared(&other);
        assert!(
            row.off(|_| 0.0).len() == 1 && row.off(|_| 0.0)[0].1.starts_with("LuGre (1 steps"),
            "{:?}",
            row.off(|_| 0.0)
        );
        assert!(row.off(|_| 1e-12).is_empty());

        let not_a_number = compared(&forces(f64::NAN));
        assert_eq!(not_a_number.off(|_| 1e-3).len(), names.len());
    }
}
