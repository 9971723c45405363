//! Lines that no test reaches, each with the reason, in `tests/assurance/unreached.tsv`.
//!
//! An entry is a file, the beginning of the line's text, and the reason. The text finds the line again where others moved it;
//! it stands for all lines of the file that begin so.

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

    /// Whether a line of a file is listed.
    pub fn hold(&self, file: &str, line: &str) -> bool {
        self.0.iter().any(|[path, beginning, _]| path == file && line.trim_start().starts_with(beginning.as_str()))
    }
}

/// The table as Markdown.
pub fn section(root: &Path) -> Result<String> {
    let mut made = "| file | lines that begin with | reason |\n|---|---|---|\n".to_owned();
    for [file, beginning, reason] in Exceptions::read(root)?.0 {
        made += &format!("| {file} | `{}` | {reason} |\n", beginning.replace('|', "\\|"));
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
    for [file, beginning, _] in Exceptions::read(root)?.0 {
        let source = files::read_text(&root.join(&file)).unwrap_or_default();
        if !source.lines().any(|line| line.trim_start().starts_with(beginning.as_str())) {
            faults.push(format!("tests/assurance/{TABLE}: {file} has no line that begins with `{beginning}`"));
        }
    }
    Ok(faults)
}
