//! Pages of `docs/` whose tables a command makes: prose stays as it was written, what stands between markers is replaced.

use std::path::Path;

use anyhow::{Context, Result};

use crate::workspace;

/// Puts the sections of `made` (each between its own markers) where the page at `path` has the same markers.
pub fn update(path: &Path, made: &str) -> Result<()> {
    let page = String::from_utf8(workspace::read(path)?).with_context(|| format!("{} is no text", path.display()))?;
    let page = replace(&page, made).with_context(|| format!("cannot update {}", path.display()))?;
    std::fs::write(path, page).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

fn replace(page: &str, made: &str) -> Result<String> {
    let mut page = page.to_owned();
    let mut rest = made;
    while let Some(start) = rest.find("<!-- begin ") {
        rest = &rest[start..];
        let begin = &rest[..rest.find('\n').context("a section has lines")?];
        let end = begin.replace("<!-- begin ", "<!-- end ");
        let length = rest.find(&end).with_context(|| format!("`{end}` does not follow in what was made"))? + end.len();
        let from = page.find(begin).with_context(|| format!("the page has no `{begin}`"))?;
        let to = page[from..].find(&end).with_context(|| format!("the page has no `{end}`"))? + from + end.len();
        page.replace_range(from..to, &rest[..length]);
        rest = &rest[length..];
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_replaced_and_the_prose_stays() {
        let page = "Prose.\n<!-- begin a -->\nold\n<!-- end a -->\nMore.\n";
        let made = "noise\n<!-- begin a -->\nnew\nlines\n<!-- end a -->\n";
        let expected = "Prose.\n<!-- begin a -->\nnew\nlines\n<!-- end a -->\nMore.\n";
        assert_eq!(replace(page, made).unwrap(), expected);
        assert!(replace("Prose.\n", made).unwrap_err().to_string().contains("begin a"));
    }
}
