//! Pages of `docs/` whose tables a command makes: text between markers is replaced, the prose
//! stays.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::console::say;
use crate::{files, workspace};

/// Puts every section of `made`, each between its own markers, where the page at `path` has the
/// same markers.
pub fn update(path: &Path, made: &str) -> Result<()> {
    let names = made
        .lines()
        .filter_map(|line| line.strip_prefix("<!-- begin ")?.strip_suffix(" -->"));
    update_only(path, made, &names.collect::<Vec<_>>())
}

/// Puts every section of `made`, and into the section `made COMMAND` the command and the date.
pub fn update_dated(path: &Path, made: &str, command: &str) -> Result<()> {
    let day = workspace::output(Command::new("date").args(["-u", "+%Y-%m-%d"]))?;
    let line = format!("*`cargo xtask {command}`, {}.*\n", day.trim());
    update(
        path,
        &(made.to_owned() + &section(&format!("made {command}"), &line)),
    )
}

/// A section of a page between its markers.
pub fn section(name: &str, text: &str) -> String {
    format!("<!-- begin {name} -->\n{text}<!-- end {name} -->\n")
}

/// Puts the sections of these names where the page at `path` has the same markers.
pub fn update_only(path: &Path, made: &str, sections: &[&str]) -> Result<()> {
    let mut page = files::read_text(path)?;
    for name in sections {
        let new = &made[place(made, name)?];
        let old =
            place(&page, name).with_context(|| format!("cannot update {}", path.display()))?;
        page.replace_range(old, new);
    }
    files::write(path, page)?;
    say!("{}", path.display());
    Ok(())
}

/// Place of a section in a text, with its markers.
fn place(text: &str, name: &str) -> Result<std::ops::Range<usize>> {
    let (begin, end) = (
        format!("<!-- begin {name} -->"),
        format!("<!-- end {name} -->"),
    );
    let from = text
        .find(&begin)
        .with_context(|| format!("there is no `{begin}`"))?;
    let length = text[from..]
        .find(&end)
        .with_context(|| format!("there is no `{end}`"))?;
    Ok(from..from + length + end.len())
}
