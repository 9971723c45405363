//! `docs/messages.md` against the format strings of the log messages in the sources.
//!
//! A scan of string literals, not of the program: in `src/` it takes literals that are the first argument of `format!`, `write!`,
//! `InputError` and the like; in `fmu/src/` and the files of [`ALL_LITERALS`] all literals. A sentence that reaches the log by
//! another way, for example as the field of a structure in `src/`, is not found.

use std::path::Path;

use anyhow::Result;

use super::page;
use crate::files;

/// Sources all of whose literals may be messages, by prefixes of their paths.
const ALL_LITERALS: [&str; 6] = [
    "fmu/src/",
    "src/assembly/body.rs",
    "src/element/coupled.rs",
    "src/element/coupling_warnings.rs",
    "src/element/supported.rs",
    "src/catalogue/section.rs",
];
/// Code before a literal that makes it a message elsewhere, without blanks.
const BEFORE_MESSAGE: [&str; 5] = ["format!(", "write!(f,", "write_str(", "InputError(", "refuse("];
/// Code before a literal that is for programmers, without blanks.
const BEFORE_REMARK: [&str; 4] = ["must_use=", "compile_error!(", "expect(", "reason="];
/// Sources without messages of their own: faults of cards, which `docs/messages.md` describes as a class.
const FAULTS_OF_CARDS: [&str; 4] = [
    "src/catalogue/body.rs",
    "src/catalogue/check.rs",
    "src/characteristic/measured.rs",
    "src/coupling/shared/mobility.rs",
];
/// Literals that are no messages: an assertion of the compiler, the name of a curve in a figure.
const NO_MESSAGES: [&str; 2] = ["a library has no more laws than its section has room for", "ends of inner steps/….…"];
/// Shorter literals are names and parts of sentences.
const WORDS_OF_MESSAGE: usize = 3;

/// Messages without an entry, and entries without a message.
pub fn faults(root: &Path) -> Result<Vec<String>> {
    let page = page(root, "docs/messages.md")?;
    let mut messages = Vec::new();
    for folder in ["src", "fmu/src"] {
        for path in files::below(&root.join(folder), "rs")? {
            let name = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
            if !name.contains("test") && !FAULTS_OF_CARDS.contains(&&*name) {
                messages.extend(in_source(&name, &files::read_text(&path)?));
            }
        }
    }
    let missing = messages
        .iter()
        .filter(|message| !page.contains(&***message))
        .map(|message| format!("docs/messages.md has no entry for: {message}"));
    let stale = entries(&page)
        .filter(|entry| !messages.iter().any(|message| message == entry))
        .map(|entry| format!("no source has the message of docs/messages.md: {entry}"));
    Ok(missing.chain(stale).collect())
}

/// First cells of the tables of messages.
fn entries(page: &str) -> impl Iterator<Item = &str> {
    let mut is_message = false;
    page.lines().filter_map(move |line| {
        let cell = line.strip_prefix("| ")?.split(" | ").next()?;
        if !cell.starts_with('`') {
            is_message = cell == "message";
            return None;
        }
        let fence = &cell[..cell.len() - cell.trim_start_matches('`').len()];
        let inner = cell.strip_prefix(fence)?.trim_end().strip_suffix(fence)?;
        is_message.then_some(inner.trim())
    })
}

/// Messages of a source file, with `…` for their placeholders.
fn in_source(name: &str, source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let takes_all = ALL_LITERALS.iter().any(|prefix| name.starts_with(prefix));
    let is_message = |before: &str| {
        let before: String = before.lines().rev().take(3).collect::<Vec<_>>().into_iter().rev().collect();
        let before: String = before.split_whitespace().collect();
        let ends_with = |ends: &[&str]| ends.iter().any(|end| before.ends_with(end));
        !ends_with(&BEFORE_REMARK) && (takes_all || ends_with(&BEFORE_MESSAGE))
    };
    let mut found = Vec::new();
    let mut code = String::new();
    let mut rest = source;
    while let Some(character) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if character == '\'' && char_literal(rest).is_some() {
            rest = &rest[char_literal(rest).unwrap_or(1)..];
        } else if character == '"' {
            let (literal, after) = string_literal(&rest[1..]);
            let message = with_gaps(&literal);
            if words(&message) >= WORDS_OF_MESSAGE && is_message(&code) && !NO_MESSAGES.contains(&&*message) {
                found.push(message);
            }
            code.push_str("\"\"");
            rest = after;
        } else {
            code.push(character);
            rest = &rest[character.len_utf8()..];
        }
    }
    found
}

/// Length of a literal of a character; none for a lifetime.
fn char_literal(text: &str) -> Option<usize> {
    let inner = &text[1..];
    let length =
        if inner.starts_with('\\') { inner.get(2..)?.find('\'')? + 2 } else { inner.chars().next()?.len_utf8() };
    inner.get(length..)?.starts_with('\'').then_some(length + 2)
}

/// Value of a literal from behind its first quotation mark, and the text after the last one.
fn string_literal(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let after = &rest[character.len_utf8()..];
        match character {
            '"' => return (value, after),
            '\\' if after.starts_with('\n') => rest = after.trim_start(),
            '\\' => {
                let escaped = after.chars().next().unwrap_or_default();
                value.push(escaped);
                rest = &after[escaped.len_utf8()..];
            }
            _ => {
                value.push(character);
                rest = after;
            }
        }
    }
    (value, "")
}

/// A format string with `…` for each run of placeholders.
fn with_gaps(format: &str) -> String {
    let mut text = String::new();
    let mut is_in_gap = false;
    for character in format.replace("{{", "").replace("}}", "").chars() {
        match character {
            '{' => is_in_gap = true,
            '}' => {
                is_in_gap = false;
                // A number and its unit are one gap.
                if !text.ends_with('…') {
                    text.push('…');
                }
            }
            _ if is_in_gap => {}
            _ => text.push(character),
        }
    }
    text
}

/// Number of words of at least two letters.
fn words(text: &str) -> usize {
    text.split(|character: char| !character.is_ascii_alphabetic()).filter(|word| word.len() > 1).count()
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

    #[test]
    fn every_message_has_an_entry() {
        let faults = faults(&crate::workspace::root()).unwrap();
        assert!(faults.is_empty(), "{faults:#?}");
    }
}
