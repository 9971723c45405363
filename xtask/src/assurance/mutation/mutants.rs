//! The list of mutants by cargo-mutants.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::workspace;

/// A change of the sources.
#[derive(Deserialize)]
pub struct Mutant {
    /// Place and change, in one line.
    pub name: String,
    /// File from the root of the workspace.
    pub file: String,
    replacement: String,
    span: Span,
}

/// Part of a file that is replaced, the end excluded.
#[derive(Deserialize)]
struct Span {
    start: Place,
    end: Place,
}

/// Line and column, both from 1; columns count characters.
#[derive(Deserialize)]
struct Place {
    line: usize,
    column: usize,
}

impl Mutant {
    /// The file's text with the change.
    pub fn apply(&self, text: &str) -> Result<String> {
        let (start, end) = (self.span.start.offset(text)?, self.span.end.offset(text)?);
        ensure!(start <= end, "{}: it ends before it starts", self.name);
        Ok(format!("{}{}{}", &text[..start], self.replacement, &text[end..]))
    }
}

impl Place {
    /// Number of bytes before the place.
    fn offset(&self, text: &str) -> Result<usize> {
        let mut lines = text.split_inclusive('\n');
        let before: usize = lines.clone().take(self.line - 1).map(str::len).sum();
        let line = lines.nth(self.line - 1).context("a mutant beyond the end of its file")?;
        Ok(before + line.chars().take(self.column - 1).map(char::len_utf8).sum::<usize>())
    }
}

/// All mutants of these sources, in the order of cargo-mutants.
pub fn list(sources: &[&str]) -> Result<Vec<Mutant>> {
    let tool = workspace::find("cargo-mutants")
        .or_else(|| Some(workspace::target().join("tools/bin/cargo-mutants")).filter(|file| file.exists()));
    let tool = tool
        .context("cargo-mutants is missing; `cargo install cargo-mutants --locked --root target/tools` installs it")?;
    let mut command = Command::new(tool);
    command.current_dir(workspace::root()).args(["mutants", "--workspace", "--list", "--json"]);
    command.args(sources.iter().flat_map(|source| ["--file", source]));
    serde_json::from_str(&workspace::output(&mut command)?).context("cargo-mutants wrote another JSON")
}

/// Every N-th mutant from the K-th on, of the shard `K/N`; of these the named ones, if any.
pub fn shard(all: Vec<Mutant>, shard: &str, named: &[String]) -> Result<Vec<Mutant>> {
    let numbers = shard.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    let (k, n): (usize, usize) = numbers.filter(|(k, n)| k < n).context("a shard is K/N with K from 0 to N - 1")?;
    let is_named = |mutant: &Mutant| named.is_empty() || named.iter().any(|text| mutant.name.contains(text));
    let chosen = all.into_iter().enumerate().filter(|(i, mutant)| i % n == k && is_named(mutant));
    Ok(chosen.map(|(_, mutant)| mutant).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(name: &str) -> Mutant {
        let span = Span { start: Place { line: 2, column: 3 }, end: Place { line: 2, column: 4 } };
        Mutant { name: name.to_owned(), file: String::new(), replacement: "-".to_owned(), span }
    }

    #[test]
    fn change_replaces_its_part_of_the_line() {
        let changed = mutant("").apply("// é\né + 1\n").expect("a part of the text");
        assert_eq!(changed, "// é\né - 1\n");
        assert!(mutant("").apply("one line").is_err());
    }

    #[test]
    fn shards_are_disjoint_and_hold_every_mutant() {
        let all = || ["a", "b", "c", "d", "e"].map(mutant).into_iter().collect::<Vec<_>>();
        let names = |shard: &str, named: &[String]| -> Vec<String> {
            super::shard(all(), shard, named).expect("a shard").into_iter().map(|mutant| mutant.name).collect()
        };
        assert_eq!(
            (names("0/2", &[]), names("1/2", &[])),
            (vec!["a".into(), "c".into(), "e".into()], vec!["b".into(), "d".into()])
        );
        assert_eq!(names("0/2", &["c".to_owned()]), ["c"]);
        assert!(super::shard(all(), "2/2", &[]).is_err());
    }
}
