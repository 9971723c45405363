//! `docs/messages.md` against the sources: each message that the page quotes, whole or in part,
//! stands in a literal of `src/` or `fmu/src/`.

use std::path::Path;

use anyhow::Result;

use crate::files;

/// Messages of the page that no source has.
pub fn faults(root: &Path) -> Result<Vec<String>> {
    let page = files::read_text(&root.join("docs/messages.md"))?;
    let mut sources = String::new();
    for folder in ["src", "fmu/src"] {
        for path in files::below(&root.join(folder), "rs")? {
            sources += &joined(&files::read_text(&path)?);
        }
    }
    let stale = entries(&page).filter(|entry| !is_in(&sources, entry));
    Ok(stale
        .map(|entry| format!("no source has the message of docs/messages.md: {entry}"))
        .collect())
}

/// First cells of the tables of messages.
fn entries(page: &str) -> impl Iterator<Item = &str> {
    let tables = page
        .split("| message | cause |")
        .skip(1)
        .map(|rest| rest.split("\n\n").next().unwrap_or_default());
    tables.flat_map(|table| {
        table
            .lines()
            .filter_map(|row| row.strip_prefix("| `")?.split("` | ").next())
    })
}

/// A source with the lines of its literals joined.
fn joined(source: &str) -> String {
    source
        .split("\\\n")
        .map(str::trim_start)
        .collect::<String>()
        .replace("\\\"", "\"")
}

/// Whether a source has all parts of a message between the gaps of its values.
fn is_in(source: &str, message: &str) -> bool {
    message.split('…').all(|part| source.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_found_across_lines_and_values() {
        let source =
            joined("refuse(format!(\"{x:?} was given \\\n    where more is needed; give {y}\"))");
        assert!(is_in(&source, "was given where more is needed; give …"));
        assert!(!is_in(&source, "… was given where less is needed"));
    }

    #[test]
    fn entries_are_the_first_cells_of_tables_of_messages() {
        let page = "| message | cause |\n|---|---|\n| `a b` | c |\n| `d …` | f |\n\n| event | x \
                    |\n|---|---|\n| `g` | h |\n";
        assert_eq!(entries(page).collect::<Vec<_>>(), ["a b", "d …"]);
    }
}
