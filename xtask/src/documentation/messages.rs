//! `docs/messages.md` against the format strings of the log messages in the sources.
//!
//! A scan of string literals, not of the program: in `src/` it takes literals that are the first argument of `format!`, `write!`,
//! `InputError` and the like; in `fmu/src/` and the files of [`ALL_LITERALS`] all literals. A sentence that reaches the log by
//! another way, for example as the field of a structure in `src/`, is not found.

use std::path::Path;

use anyhow::Result;

use crate::files;

/// Sources all of whose literals may be messages, by prefixes of their paths.
const ALL_LITERALS: [&str; 3] = ["fmu/src/", "src/assembly/body.rs", "src/catalogue/section.rs"];
/// Code before a literal that makes it a message elsewhere, without blanks.
const BEFORE_MESSAGE: [&str; 5] = ["format!(", "write!(f,", "write_str(", "InputError(", "refuse("];
/// Code before a literal that is for programmers, without blanks.
const BEFORE_REMARK: [&str; 4] = ["must_use=", "compile_error!(", "expect(", "reason="];
/// Sources without messages of their own: faults of cards, which `docs/messages.md` describes as a class.
const FAULTS_OF_CARDS: [&str; 4] =
    ["src/catalogue/body.rs", "src/catalogue/check.rs", "src/characteristic/measured.rs", "src/coupling/mobility.rs"];
/// Literals that are no messages: an assertion of the compiler, the name of a curve in a figure.
const NO_MESSAGES: [&str; 2] = ["a library has no more laws than its section has room for", "ends of inner steps/….…"];
/// Shorter literals are names and parts of sentences.
const WORDS_OF_MESSAGE: usize = 3;

/// Messages without an entry, and entries without a message.
pub fn faults(root: &Path) -> Result<Vec<String>> {
    let page = files::read_text(&root.join("docs/messages.md"))?;
    let mut messages = Vec::new();
    for folder in ["src", "fmu/src"] {
        for path in files::below(&root.join(folder), "rs")? {
            let name = path.strip_prefix(root)?.to_string_lossy().into_owned();
            if !name.contains("test") && !FAULTS_OF_CARDS.contains(&&*name) {
                messages.extend(in_source(&name, &files::read_text(&path)?));
            }
        }
    }
    let missing = messages.iter().filter(|message| !page.contains(&***message));
    let missing = missing.map(|message| format!("docs/messages.md has no entry for: {message}"));
    let stale = entries(&page).filter(|entry| !messages.iter().any(|message| message == entry));
    let stale = stale.map(|entry| format!("no source has the message of docs/messages.md: {entry}"));
    Ok(missing.chain(stale).collect())
}

/// First cells of the tables of messages.
fn entries(page: &str) -> impl Iterator<Item = &str> {
    let tables = page.split("| message | cause |").skip(1).map(|rest| rest.split("\n\n").next().unwrap_or_default());
    let cells = tables.flat_map(|table| table.lines().filter_map(|row| row.strip_prefix("| `")?.split(" | ").next()));
    cells.map(|cell| cell.trim().trim_matches('`').trim())
}

/// Messages of a source file, with `…` for their placeholders.
fn in_source(name: &str, source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let code: Vec<&str> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    // A line break within a literal, a quotation mark as a character, and one within a literal.
    let code: String = code.join("\n").split("\\\n").map(str::trim_start).collect();
    let code = code.replace("'\"'", "''").replace("\\\"", "\u{0}");
    let takes_all = ALL_LITERALS.iter().any(|prefix| name.starts_with(prefix));
    let mut found = Vec::new();
    let mut parts = code.split('"');
    while let (Some(before), Some(literal)) = (parts.next(), parts.next()) {
        let before: String = before.split_whitespace().collect();
        let ends_with = |ends: &[&str]| ends.iter().any(|end| before.ends_with(end));
        let message = with_gaps(&literal.replace('\u{0}', "\""));
        let words = message.split(|character: char| !character.is_ascii_alphabetic()).filter(|word| word.len() > 1);
        let is_message = !ends_with(&BEFORE_REMARK) && (takes_all || ends_with(&BEFORE_MESSAGE));
        if is_message && words.count() >= WORDS_OF_MESSAGE && !NO_MESSAGES.contains(&&*message) {
            found.push(message);
        }
    }
    found
}

/// A format string with `…` for each run of placeholders: a number and its unit are one gap.
fn with_gaps(format: &str) -> String {
    let format = format.replace("{{", "").replace("}}", "");
    let mut parts = format.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text += if text.ends_with('…') { "" } else { "…" };
        text += part.split_once('}').map_or("", |(_, rest)| rest);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r#"
        // InputError("a comment is no message of the log")
        fn f<'a>(x: &'a str) -> char { '"' }
        const TITLE: &str = "a title that no log has";
        fn g(x: f64) { refuse(format!("{x:?} was given \
            where more is needed; give \"more\"")) }
    "#;

    #[test]
    fn messages_are_found_with_gaps_for_their_values() {
        assert_eq!(in_source("src/a.rs", SOURCE), ["… was given where more is needed; give \"more\""]);
        assert_eq!(in_source("fmu/src/a.rs", SOURCE)[0], "a title that no log has");
    }

    #[test]
    fn entries_are_the_first_cells_of_tables_of_messages() {
        let page = "| message | cause |\n|---|---|\n| `a b` | c |\n| ``d `e` `` | f |\n\n| event | x |\n|---|---|\n| `g` | h |\n";
        assert_eq!(entries(page).collect::<Vec<_>>(), ["a b", "d `e`"]);
    }
}
