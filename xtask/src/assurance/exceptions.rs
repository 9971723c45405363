//! Lines and branches that no test reaches, each with the reason, in `tests/assurance/unreached.tsv` and `unreached_branches.tsv`.
//!
//! An entry is a file, a place in it, and the reason. The place is the beginning of a line's text, or `fn NAME`, a whole function; it
//! finds the lines again where others moved them. `*` stands for every file, `const fn` for every function that the
//! compiler may evaluate, and `brackets` for lines without a letter or a number. An entry of a branch has the text of the condition, or
//! `fn NAME`, and the outcome that does not occur, `true`, `false` or `*`. Branches in listed lines need no entry.

use std::path::Path;

use anyhow::Result;

use super::{folder, record};
use crate::files;

const TABLE: &str = "unreached.tsv";
const BRANCHES: &str = "unreached_branches.tsv";

/// Entries of the tables.
#[derive(Default)]
pub struct Exceptions {
    lines: Vec<[String; 3]>,
    branches: Vec<[String; 4]>,
}

impl Exceptions {
    /// Reads the tables.
    pub fn read(root: &Path) -> Result<Self> {
        Ok(Exceptions { lines: entries(root, TABLE)?, branches: entries(root, BRANCHES)? })
    }

    /// Whether a line of a file, counted from 0, is listed.
    pub fn hold(&self, file: &str, source: &[&str], line: usize) -> bool {
        let text = source.get(line).copied().unwrap_or_default().trim_start();
        let function = enclosing_function(source, line).unwrap_or_default();
        self.lines.iter().any(|[path, place, _]| {
            let is_place = if place == "const fn" {
                function.contains("const fn ")
            } else if place == "brackets" {
                !text.contains(char::is_alphanumeric)
            } else if let Some(name) = place.strip_prefix("fn ") {
                named(function) == name
            } else {
                text.starts_with(place.as_str())
            };
            is_place && (path == "*" || path == file)
        })
    }

    /// Whether an outcome of a condition in a line of a file, counted from 0, is listed.
    pub fn hold_branch(&self, file: &str, source: &[&str], line: usize, condition: &str, outcome: &str) -> bool {
        let function = enclosing_function(source, line).unwrap_or_default();
        self.branches.iter().any(|[path, place, listed, _]| {
            let is_place = place.strip_prefix("fn ").map_or(place == condition, |name| named(function) == name);
            is_place && path == file && (listed == "*" || listed == outcome)
        })
    }
}

/// Rows of a table with so many columns.
fn entries<const N: usize>(root: &Path, table: &str) -> Result<Vec<[String; N]>> {
    let text = files::read_text(&folder(root).join(table))?;
    Ok(record::rows(&text).filter_map(|row| Some(<[&str; N]>::try_from(row).ok()?.map(str::to_owned))).collect())
}

/// First line of the function that a line lies in.
fn enclosing_function<'a>(source: &[&'a str], line: usize) -> Option<&'a str> {
    let indentation = |text: &str| text.len() - text.trim_start().len();
    let here = source.get(line)?;
    // The last brace of a function has the indentation of its first line.
    let reach = indentation(here) + usize::from(here.trim_start().starts_with('}'));
    let before = source[..=line].iter().rev().enumerate();
    let is_function = |text: &str| text.trim_start().starts_with("fn ") || text.contains(" fn ");
    before
        .map(|(back, text)| (back, *text))
        .find(|(back, text)| is_function(text) && (*back == 0 || indentation(text) < reach))
        .map(|(_, text)| text)
}

/// Name in the first line of a function.
fn named(function: &str) -> &str {
    let rest = function.split_once("fn ").map_or("", |(_, rest)| rest);
    rest.split(['(', '<']).next().unwrap_or_default()
}

/// The tables as Markdown.
pub fn section(root: &Path) -> Result<String> {
    let exceptions = Exceptions::read(root)?;
    let mut made = "| file | lines that begin with, or functions | reason |\n|---|---|---|\n".to_owned();
    for [file, place, reason] in exceptions.lines {
        made += &format!("| {file} | `{}` | {reason} |\n", place.replace('|', "\\|"));
    }
    made += "\n| file | condition, or function | outcome | reason |\n|---|---|---|---|\n";
    for [file, place, outcome, reason] in exceptions.branches {
        made += &format!("| {file} | `{}` | {outcome} | {reason} |\n", place.replace('|', "\\|"));
    }
    Ok(made)
}

/// Entries that fit no line, and rows with another number of columns.
pub fn faults(root: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (table, columns) in [(TABLE, 3), (BRANCHES, 4)] {
        let text = files::read_text(&folder(root).join(table))?;
        let rows = record::rows(&text).filter(|row| row.len() != columns);
        faults.extend(rows.map(|row| format!("{table}: {row:?} has not {columns} columns")));
    }
    let exceptions = Exceptions::read(root)?;
    let lines = exceptions.lines.iter().map(|[file, place, _]| (TABLE, file, place));
    let branches = exceptions.branches.iter().map(|[file, place, ..]| (BRANCHES, file, place));
    for (table, file, place) in lines.chain(branches).filter(|(_, file, _)| *file != "*") {
        let source = files::read_text(&root.join(file)).unwrap_or_default();
        let is_there = match place.strip_prefix("fn ") {
            Some(name) => source.lines().any(|line| named(line) == name),
            None if table == TABLE => source.lines().any(|line| line.trim_start().starts_with(place.as_str())),
            None => source.split_whitespace().collect::<Vec<_>>().join(" ").contains(place.as_str()),
        };
        if !is_there {
            faults.push(format!("tests/assurance/{table}: {file} has no `{place}`"));
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_listed_by_their_beginning_or_their_function() {
        let source = [
            "impl A {",
            "    pub const fn a() {",
            "        b();",
            "    }",
            "",
            "    fn c<T>() {",
            "        d();",
            "    }",
            "}",
        ];
        let entry = |file: &str, place: &str| Exceptions {
            lines: vec![[file.to_owned(), place.to_owned(), String::new()]],
            ..Exceptions::default()
        };
        let lines =
            |entry: &Exceptions| (0..source.len()).filter(|line| entry.hold("f", &source, *line)).collect::<Vec<_>>();
        assert_eq!(lines(&entry("f", "fn c")), [5, 6, 7]);
        assert_eq!(lines(&entry("*", "const fn")), [1, 2, 3]);
        assert_eq!(lines(&entry("f", "d()")), [6]);
        assert_eq!(lines(&entry("*", "brackets")), [3, 4, 7, 8]);
        assert!(lines(&entry("g", "d()")).is_empty());
    }
    #[test]
    fn branches_are_listed_by_their_condition_and_outcome_or_their_function() {
        let source = ["fn a() {", "    if b > c {", "    }", "}"];
        let hold = |place: &str, listed: &str| {
            let entry = ["f", place, listed, ""].map(str::to_owned);
            let exceptions = Exceptions { branches: vec![entry], ..Exceptions::default() };
            ["true", "false"].map(|outcome| exceptions.hold_branch("f", &source, 1, "b > c", outcome))
        };
        assert_eq!(hold("b > c", "true"), [true, false]);
        assert_eq!(hold("b > c", "*"), [true, true]);
        assert_eq!(hold("fn a", "false"), [false, true]);
        assert_eq!(hold("b", "*"), [false, false]);
        assert_eq!(hold("fn b", "*"), [false, false]);
    }
}
