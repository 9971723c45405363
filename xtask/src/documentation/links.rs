//! Relative links and anchors of all Markdown files, and the index `docs/README.md`, which names each page once.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use anyhow::Result;

use super::page;
use crate::files;

/// Links without a target, and pages that the index does not have once.
pub fn faults(root: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for path in files::below(root, "md")? {
        let text = files::read_text(&path)?;
        for target in links(&text) {
            if let Some(why) = fault(&path, &text, target)? {
                faults.push(format!("{}: {target} {why}", path.strip_prefix(root)?.display()));
            }
        }
    }
    faults.extend(index(root)?);
    Ok(faults)
}

/// Pages of `docs/` that the index does not have exactly once.
fn index(root: &Path) -> Result<Vec<String>> {
    let text = page(root, "docs/README.md")?;
    let mut faults = Vec::new();
    let docs = root.join("docs");
    for path in files::below(&docs, "md")? {
        let name = path.strip_prefix(&docs)?.to_string_lossy();
        let count = links(&text).filter(|link| *link == name).count();
        if name != "README.md" && count != 1 {
            faults.push(format!("docs/README.md has {count} entries for {name} where 1 is needed"));
        }
    }
    Ok(faults)
}

/// The reason why a link leads nowhere.
fn fault(path: &Path, text: &str, target: &str) -> Result<Option<&'static str>> {
    if target.contains("://") || target.starts_with("mailto:") {
        return Ok(None);
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let linked = if file.is_empty() { path.to_owned() } else { joined(path, file) };
    if !linked.exists() {
        return Ok(Some("does not exist"));
    }
    if anchor.is_empty() || linked.extension().is_none_or(|extension| extension != "md") {
        return Ok(None);
    }
    let there = if file.is_empty() { anchors(text) } else { anchors(&files::read_text(&linked)?) };
    Ok((!there.iter().any(|name| name == anchor)).then_some("has no such heading"))
}

/// The file that a link of `path` names, without `..`.
fn joined(path: &Path, file: &str) -> PathBuf {
    let mut joined = path.parent().unwrap_or(Path::new("")).to_owned();
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir => drop(joined.pop()),
            Component::CurDir => {}
            part => joined.push(part),
        }
    }
    joined
}

/// Lines outside blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Targets of links and images outside code.
fn links(text: &str) -> impl Iterator<Item = &str> {
    prose(text).flat_map(|line| {
        let outside = line.split('`').step_by(2);
        // A code span may be the text of a link: the target follows in the next part outside code.
        outside
            .flat_map(|part| part.split("](").skip(1))
            .filter_map(|rest| rest.split_once(')'))
            .map(|(target, _)| target)
    })
}

/// Anchors that GitHub gives to the headings.
fn anchors(text: &str) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let headings = prose(text).filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let kept = |character: &char| character.is_alphanumeric() || matches!(character, ' ' | '-' | '_');
        let name: String = heading.trim_start_matches('#').trim().to_lowercase().chars().filter(kept).collect();
        let name = name.replace(' ', "-");
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        if *count == 1 { name } else { format!("{name}-{}", *count - 1) }
    };
    headings.map(anchor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A page: of `x_0`, at 5 %\n[a](b.md) and [`c`](d.md#e), `[no](f)`\n```\n[no](g)\n# no\n```\n## Twice\n## Twice\n";

    #[test]
    fn links_are_those_outside_code() {
        assert_eq!(links(PAGE).collect::<Vec<_>>(), ["b.md", "d.md#e"]);
    }

    #[test]
    fn anchors_are_those_of_github() {
        assert_eq!(anchors(PAGE), ["a-page-of-x_0-at-5-", "twice", "twice-1"]);
    }

    #[test]
    fn files_of_links_are_without_parents() {
        assert_eq!(joined(Path::new("docs/a.md"), "../cards"), Path::new("cards"));
    }

    #[test]
    fn every_link_leads_somewhere() {
        let faults = faults(&crate::workspace::root()).unwrap();
        assert!(faults.is_empty(), "{faults:#?}");
    }
}
