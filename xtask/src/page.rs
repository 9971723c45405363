//! Pages of `docs/` whose tables a command makes: text between markers is replaced, the prose stays.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::console::say;
use crate::{files, workspace};

/// Puts every section of `made`, each between its own markers, where the page at `path` has the same markers.
pub fn update(path: &Path, made: &str) -> Result<()> {
    update_only(path, made, &names(made).collect::<Vec<_>>())
}

/// Puts every section of `made`, and into the section `made COMMAND` the date.
pub fn update_stamped(path: &Path, made: &str, command: &str) -> Result<()> {
    update(path, &(made.to_owned() + &stamp(command)?))
}

/// The section that says when a command made its tables.
pub fn stamp(command: &str) -> Result<String> {
    let line = format!("*Made by `cargo xtask {command}` on {}.*", today()?);
    Ok(format!("\n<!-- begin made {command} -->\n{line}\n<!-- end made {command} -->\n"))
}

/// Today's date, UTC.
pub fn today() -> Result<String> {
    Ok(workspace::output(Command::new("date").args(["-u", "+%Y-%m-%d"]))?.trim().to_owned())
}

/// Names of the sections of a text, in their order.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.strip_prefix("<!-- begin ")?.strip_suffix(" -->"))
}

/// Puts the sections of these names where the page at `path` has the same markers.
pub fn update_only(path: &Path, made: &str, sections: &[&str]) -> Result<()> {
    let page = String::from_utf8(files::read(path)?).with_context(|| format!("{} is no text", path.display()))?;
    let page = replace(&page, made, sections).with_context(|| format!("cannot update {}", path.display()))?;
    files::write(path, page)?;
    say!("{}", path.display());
    Ok(())
}

fn replace(page: &str, made: &str, sections: &[&str]) -> Result<String> {
    let mut page = page.to_owned();
    for name in sections {
        let there = |text: &str, whose: &str| {
            let (begin, end) = (format!("<!-- begin {name} -->"), format!("<!-- end {name} -->"));
            let from = text.find(&begin).with_context(|| format!("{whose} has no `{begin}`"))?;
            let length = text[from..].find(&end).with_context(|| format!("{whose} has no `{end}`"))? + end.len();
            anyhow::Ok(from..from + length)
        };
        let (old, new) = (there(&page, "the page")?, there(made, "what was made")?);
        page.replace_range(old, &made[new]);
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn section_between_markers_is_replaced() {
        let page = "Prose.\n<!-- begin a -->\nold\n<!-- end a -->\nMore.\n";
        let made = "noise\n<!-- begin a -->\nnew\nlines\n<!-- end a -->\n";
        let expected = "Prose.\n<!-- begin a -->\nnew\nlines\n<!-- end a -->\nMore.\n";
        assert_eq!(replace(page, made, &["a"]).unwrap(), expected);
        assert!(replace("Prose.\n", made, &["a"]).unwrap_err().to_string().contains("begin a"));
    }
}
