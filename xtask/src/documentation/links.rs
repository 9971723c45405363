//! Relative links and anchors of all Markdown files, and the index `docs/README.md`, which names
//! each page once.

use std::collections::HashMap;
use std::path::Path;

use anyhow::Result;

use crate::files;

/// Links without a target, and pages that the index does not have once.
pub fn faults(root: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for path in files::below(root, "md")? {
        let text = files::read_text(&path)?;
        let name = path.strip_prefix(root)?.display();
        let dead = links(&text).filter(|target| !is_there(&path, target));
        faults.extend(dead.map(|target| format!("{name}: {target} leads nowhere")));
    }
    let docs = root.join("docs");
    let index = files::read_text(&docs.join("README.md"))?;
    for path in files::below(&docs, "md")? {
        let name = path.strip_prefix(&docs)?.to_string_lossy();
        let count = links(&index).filter(|link| *link == name).count();
        if name != "README.md" && count != 1 {
            faults.push(format!(
                "docs/README.md has {count} entries for {name} where 1 is needed"
            ));
        }
    }
    Ok(faults)
}

/// Whether the file of a link exists, and has its anchor; addresses of the web are not followed.
fn is_there(page: &Path, target: &str) -> bool {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let linked = if file.is_empty() {
        page.to_owned()
    } else {
        page.with_file_name(file)
    };
    let has_anchor = || {
        files::read_text(&linked).is_ok_and(|text| anchors(&text).iter().any(|name| name == anchor))
    };
    target.contains("://")
        || target.starts_with("mailto:")
        || linked.exists()
            && (anchor.is_empty()
                || linked.extension().is_none_or(|kind| kind != "md")
                || has_anchor())
}

/// Lines outside blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    // The blocks are every second part between fences.
    text.split("```").step_by(2).flat_map(str::lines)
}

/// Targets of links and images outside code.
pub fn links(text: &str) -> impl Iterator<Item = &str> {
    // A code span may be the text of a link: the target follows in the next part outside code.
    let outside = prose(text).flat_map(|line| line.split('`').step_by(2));
    outside
        .flat_map(|part| part.split("](").skip(1))
        .filter_map(|rest| Some(rest.split_once(')')?.0))
}

/// Anchors that GitHub gives to the headings.
pub fn anchors(text: &str) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let anchor = |heading: &str| {
        let kept =
            |character: &char| character.is_alphanumeric() || matches!(character, ' ' | '-' | '_');
        let name: String = heading
            .trim_start_matches('#')
            .trim()
            .to_lowercase()
            .chars()
            .filter(kept)
            .collect();
        let name = name.replace(' ', "-");
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        if *count == 1 {
            name
        } else {
            format!("{name}-{}", *count - 1)
        }
    };
    prose(text)
        .filter(|line| line.starts_with('#'))
        .map(anchor)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_anchors_are_those_outside_code() {
        let page = "# A page: of `x_0`, at 5 %\n[a](b.md) and [`c`](d.md#e), \
                    `[no](f)`\n```\n[no](g)\n# no\n```\n## Twice\n## Twice\n";
        assert_eq!(links(page).collect::<Vec<_>>(), ["b.md", "d.md#e"]);
        assert_eq!(anchors(page), ["a-page-of-x_0-at-5-", "twice", "twice-1"]);
    }
}
