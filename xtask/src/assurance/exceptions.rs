//! Lines that no test reaches, each with the reason, in `tests/assurance/unreached.tsv`.
//!
//! An entry is a file, a place in it, and the reason. The place is the beginning of a line's text, or `fn NAME`, a whole function; it
//! finds the lines again where others moved them. `*` stands for every file, `const fn` for every function that the
//! compiler may evaluate, and `brackets` for lines without a letter or a number.

use std::path::Path;

use anyhow::Result;

use super::{folder, record};
use crate::files;

const TABLE: &str = "unreached.tsv";

/// Entries of the table.
pub struct Exceptions(Vec<[String; 3]>);

impl Exceptions {
    /// Reads the table.
    pub fn read(root: &Path) -> Result<Self> {
        let text = files::read_text(&folder(root).join(TABLE))?;
        let entries = record::rows(&text).filter_map(|row| Some(<[&str; 3]>::try_from(row).ok()?.map(str::to_owned)));
        Ok(Exceptions(entries.collect()))
    }

    /// Whether a line of a file, counted from 0, is listed.
    pub fn hold(&self, file: &str, source: &[&str], line: usize) -> bool {
        let text = source.get(line).copied().unwrap_or_default().trim_start();
        let function = enclosing_function(source, line).unwrap_or_default();
        self.0.iter().any(|[path, place, _]| {
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

/// The table as Markdown.
pub fn section(root: &Path) -> Result<String> {
    let mut made = "| file | lines that begin with, or functions | reason |\n|---|---|---|\n".to_owned();
    for [file, place, reason] in Exceptions::read(root)?.0 {
        made += &format!("| {file} | `{}` | {reason} |\n", place.replace('|', "\\|"));
    }
    Ok(made)
}

/// Entries that fit no line, and rows without three columns.
pub fn faults(root: &Path) -> Result<Vec<String>> {
    let text = files::read_text(&folder(root).join(TABLE))?;
    let mut faults: Vec<String> = record::rows(&text)
        .filter(|row| row.len() != 3)
        .map(|row| format!("{TABLE}: {row:?} has not three columns"))
        .collect();
    for [file, place, _] in Exceptions::read(root)?.0 {
        let source = files::read_text(&root.join(&file)).unwrap_or_default();
        let is_there = |line: &str| match place.strip_prefix("fn ") {
            Some(name) => named(line) == name,
            None => line.trim_start().starts_with(place.as_str()),
        };
        if file != "*" && !source.lines().any(is_there) {
            faults.push(format!("tests/assurance/{TABLE}: {file} has no `{place}`"));
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
        let entry = |file: &str, place: &str| Exceptions(vec![[file.to_owned(), place.to_owned(), String::new()]]);
        let lines =
            |entry: &Exceptions| (0..source.len()).filter(|line| entry.hold("f", &source, *line)).collect::<Vec<_>>();
        assert_eq!(lines(&entry("f", "fn c")), [5, 6, 7]);
        assert_eq!(lines(&entry("*", "const fn")), [1, 2, 3]);
        assert_eq!(lines(&entry("f", "d()")), [6]);
        assert_eq!(lines(&entry("*", "brackets")), [3, 4, 7, 8]);
        assert!(lines(&entry("g", "d()")).is_empty());
    }
}
