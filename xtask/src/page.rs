//! Pages of `docs/` whose tables a command makes: text between markers is replaced, the prose stays.

use std::path::Path;

use anyhow::{Context, Result};

use crate::console::say;
use crate::files;

/// Puts every section of `made`, each between its own markers, where the page at `path` has the same markers.
pub fn update(path: &Path, made: &str) -> Result<()> {
    let sections = made.lines().filter_map(|line| line.strip_prefix("<!-- begin ")?.strip_suffix(" -->"));
    update_only(path, made, &sections.collect::<Vec<_>>())
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
