//! `cargo xtask site`: the pages of the project with search, and the lab, in `target/site`.
//!
//! mdBook makes them of the README and all that it leads to, in the folders of the repository. A
//! linked folder becomes a page, another linked file lies beside the pages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use bristle::catalogue::{ELEMENTS, Model};
use bristle_export::card;

use crate::console::say;
use crate::documentation::links::{anchors, links};
use crate::package::licences;
use crate::package::platforms::Platforms;
use crate::{files, tools, web, workspace};

/// Crate of the program that makes the pages, and its version.
const MDBOOK: [&str; 2] = ["mdbook", "0.5.4"];

/// Options of its installation: no server.
const FEATURES: [&str; 4] = ["--locked", "--no-default-features", "--features", "search"];

/// First page.
const FIRST: &str = "README.md";

/// List of the pages of the documentation; its sections become those of the site.
const LIST: &str = "docs/README.md";

/// Page of the lab, and the lab itself in the site.
const LAB: [&str; 2] = ["docs/lab.md", "lab/lab.html"];

/// Pages that stand last, and are not searched.
const INTERNALS: &str = "docs/internals/";

/// Pages with the folders of the pages below them.
const ABOVE: [(&str, &str); 2] = [
    ("docs/elements.md", "elements/"),
    ("docs/cards.md", "cards/"),
];

const BOOK: &str = r#"[book]
title = "Bristle"
description = "Friction laws as force elements for FMI 2.0"
language = "en"

[build]
create-missing = false

[output.html]
preferred-dark-theme = "navy"
no-section-label = true
additional-css = ["site.css"]
fold = { enable = true, level = 0 }
playground = { runnable = false }
search.chapter = { "docs/internals" = { enable = false } }
"#;

/// Texts of the pages and bytes of the files beside them, by their paths in the repository.
#[derive(Default)]
pub struct Site {
    pages: BTreeMap<String, String>,
    files: BTreeMap<String, Vec<u8>>,
}

/// Folder of the site.
pub fn folder() -> PathBuf {
    workspace::target().join("site")
}

/// The command.
pub fn command() -> Result<()> {
    build()?;
    say!("the site in {}", folder().display());
    Ok(())
}

/// Makes the site, with the sources and libraries that the folder of the lab has.
pub fn build() -> Result<()> {
    let mdbook = tools::install(MDBOOK, &FEATURES, "mdbook")?;
    let book = workspace::target().join("book");
    Site::gather()?.write(&book)?;
    let mut command = Command::new(mdbook);
    command.env("MDBOOK_LOG", "warn").arg("build").arg(&book);
    workspace::run(command.arg("--dest-dir").arg(folder()))?;
    web::build()?;
    for path in files::all_below(&web::folder())? {
        let name = path.strip_prefix(web::folder())?.display().to_string();
        files::write_below(&folder().join("lab"), &name, files::read(&path)?)?;
    }
    Ok(())
}

impl Site {
    /// The README and all that it leads to, and the page of each element.
    pub fn gather() -> Result<Self> {
        let mut site = Site::default();
        let mut open = vec![FIRST.to_owned()];
        while let Some(path) = open.pop() {
            let source = workspace::root().join(&path);
            if site.pages.contains_key(&path) || site.files.contains_key(&path) {
                continue;
            }
            if source.is_file() && !path.ends_with(".md") {
                site.files.insert(path, files::read(&source)?);
                continue;
            }
            let text = if source.is_dir() {
                page_of_folder(&path)?
            } else {
                files::read_text(&source)?
            };
            let targets = local(&text).map(|target| resolved(&path, target));
            open.extend(targets.filter(|target| !target.is_empty()));
            site.pages.insert(path, text);
        }
        site.add_elements()?;
        for path in [FIRST, LAB[0]] {
            let page = site.pages.get_mut(path).context("the page is linked")?;
            let link = format!("\n\n**[Open the lab]({}{})**\n\n", up(path), LAB[1]);
            *page = page.replacen("\n\n", &link, 1);
        }
        Ok(site)
    }

    /// Adds the page of each element, as its FMU has it, and links from their table.
    fn add_elements(&mut self) -> Result<()> {
        for element in ELEMENTS.iter().map(Model::stock) {
            let name = element.name();
            let page = bristle_export::page(&element)?;
            let body = page.split_once("<body>").map_or("", |(_, rest)| rest);
            let body = body.split_once("</body>").context("the page has a body")?.0;
            let path = format!("elements/{name}.md");
            self.pages.insert(path.clone(), markdown(body));
            if let Some(table) = self.pages.get_mut(ABOVE[0].0) {
                let cell = format!("| `{name}` |");
                *table = table.replace(&cell, &format!("| [`{name}`](../{path}) |"));
            }
        }
        for file in licences::gather(&Platforms::Portable(Vec::new()))? {
            let path = format!("elements/licenses/{}", file.path);
            self.files.insert(path, file.text);
        }
        Ok(())
    }

    /// Links of the pages that lead nowhere.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (path, text) in &self.pages {
            for target in local(text) {
                let found = resolved(path, target);
                let anchor = target.split_once('#').map_or("", |(_, anchor)| anchor);
                let page = self.pages.get(if found.is_empty() { path } else { &found });
                let is_there = match page {
                    Some(page) => anchor.is_empty() || anchors(page).iter().any(|a| a == anchor),
                    None => self.files.contains_key(&found),
                };
                if !is_there {
                    faults.push(format!("{path}: {target} leads nowhere in the site"));
                }
            }
        }
        faults
    }

    /// Number of pages.
    pub fn count(&self) -> usize {
        self.pages.len()
    }

    /// Writes what mdBook takes.
    fn write(&self, book: &Path) -> Result<()> {
        let faults = self.faults();
        ensure!(faults.is_empty(), "{}", faults.join("\n"));
        files::remove_folder(book)?;
        let sources = book.join("src");
        for (path, bytes) in &self.files {
            files::write_below(&sources, path, bytes)?;
        }
        for (path, text) in &self.pages {
            files::write_below(&sources, &place(path), self.linked(path, text))?;
        }
        files::write_below(&sources, "SUMMARY.md", self.summary()?)?;
        files::write(&book.join("book.toml"), BOOK)?;
        let root = workspace::root();
        let of_elements = files::read_text(&root.join("export/src/documentation/style.css"))?;
        let style = files::read_text(&root.join("web/site.css"))?;
        // mdBook's rem is smaller than that of the page.
        let of_elements = of_elements.replace("rem", "em");
        let style = format!(".element {{\n{of_elements}}}\n{style}");
        files::write(&book.join("site.css"), style)
    }

    /// A page whose links to folders and their READMEs lead to their index.
    fn linked(&self, path: &str, text: &str) -> String {
        let mut page = text.to_owned();
        for target in local(text) {
            let (file, anchor) = target.split_at(target.find('#').unwrap_or(target.len()));
            if !file.is_empty() && self.pages.contains_key(&resolved(path, target)) {
                let place = place(file.trim_end_matches('/'));
                page = page.replace(&format!("]({target})"), &format!("]({place}{anchor})"));
            }
        }
        page
    }

    /// Sections and pages, in the order of the list of the documentation.
    fn summary(&self) -> Result<String> {
        let list = self.pages.get(LIST).context("the list is linked")?;
        let mut text = self.entry("", FIRST)? + &self.entry("", LIST)?;
        let mut placed = BTreeSet::from([FIRST, LIST].map(str::to_owned));
        for line in list.lines() {
            if let Some(heading) = line.strip_prefix("## ") {
                let heading = heading.split(':').next().unwrap_or(heading);
                text += &format!("\n# {heading}\n\n");
            }
            let row = local(line).next().filter(|_| line.starts_with("| ["));
            let path = row.map(|target| resolved(LIST, target));
            if let Some(path) = path.filter(|path| !path.starts_with(INTERNALS)) {
                text += &self.entry("- ", &path)?;
                let above = ABOVE.iter().find(|(above, _)| *above == path);
                let below = self.pages.keys().filter(|page| {
                    above.is_some_and(|(_, folder)| format!("{page}/").starts_with(folder))
                });
                for page in below {
                    text += &self.entry("    - ", page)?;
                    placed.insert(page.clone());
                }
                placed.insert(path);
            }
        }
        for (heading, are_internal) in [("Project", false), ("Internals", true)] {
            text += &format!("\n# {heading}\n\n");
            let left = self.pages.keys().filter(|page| !placed.contains(*page));
            for page in left.filter(|page| page.starts_with(INTERNALS) == are_internal) {
                text += &self.entry("- ", page)?;
            }
        }
        Ok(text)
    }

    /// Line of a page in the summary.
    fn entry(&self, mark: &str, path: &str) -> Result<String> {
        let text = self.pages.get(path);
        let title = text.and_then(|text| text.lines().find_map(|line| line.strip_prefix("# ")));
        let title = title.with_context(|| format!("{path} has no title"))?;
        Ok(format!("{mark}[{title}]({})\n", place(path)))
    }
}

/// Path of a page for mdBook: of a folder and of its README the index.
fn place(path: &str) -> String {
    match path.strip_suffix("README.md") {
        Some(folder) => format!("{folder}index.md"),
        None if path.ends_with(".md") => path.to_owned(),
        None => format!("{path}/index.md"),
    }
}

/// Links of a page within the repository.
fn local(text: &str) -> impl Iterator<Item = &str> {
    let is_local = |target: &&str| {
        !target.contains("://") && !target.starts_with("mailto:") && !target.contains(LAB[1])
    };
    links(text).filter(is_local)
}

/// Path of what a link of a page leads to; empty within the page.
fn resolved(page: &str, target: &str) -> String {
    let file = target.split('#').next().unwrap_or_default();
    if file.is_empty() {
        return String::new();
    }
    let folder = match page.rsplit_once('/') {
        _ if !page.ends_with(".md") => page,
        Some((folder, _)) => folder,
        None => "",
    };
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in file.split('/').filter(|part| !part.is_empty()) {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

/// Way from a page to the first one.
fn up(page: &str) -> String {
    "../".repeat(place(page).matches('/').count())
}

/// Page of a folder: its cards as text, with links into the lab, and links to the rest.
fn page_of_folder(path: &str) -> Result<String> {
    let mut list = String::new();
    let mut cards = String::new();
    for file in files::entries(&workspace::root().join(path))? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let text = files::read_text(&file).unwrap_or_default();
        if name.ends_with(".toml")
            && let Ok(element) = card::read(&text, &ELEMENTS)
        {
            let name = element.name();
            let lab = format!("{}{}#{}", up(path), LAB[1], encoded(&text));
            cards += &format!("\n## {name}\n\n[Open in the lab]({lab})\n\n```toml\n{text}```\n");
        } else {
            list += &format!("- [{name}]({name})\n");
        }
    }
    let title = match path.strip_prefix("cards") {
        Some("") => "Cards".to_owned(),
        Some(folder) => format!("Cards: {}", folder.trim_start_matches('/')),
        None => format!("Files in {path}"),
    };
    Ok(format!("# {title}\n\n{list}{cards}"))
}

/// Text in an address.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| {
        if byte.is_ascii_alphanumeric() {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    text.bytes().map(byte).collect()
}

/// Body of an element's page in Markdown: mdBook has anchors for headings of Markdown alone, and
/// a blank line would end a block of HTML.
fn markdown(body: &str) -> String {
    let line = |line: &str| {
        let heading = (1..=3).find_map(|level| {
            let text = line.strip_prefix(&format!("<h{level}>"))?;
            let text = text.strip_suffix(&format!("</h{level}>"))?;
            Some(format!("\n{} {text}\n\n", "#".repeat(level)))
        });
        heading.unwrap_or_else(|| format!("{line}\n"))
    };
    let lines = body.lines().filter(|line| !line.trim().is_empty());
    let text: String = lines.map(line).collect();
    format!("<div class=\"element\">\n{text}\n</div>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_resolved_from_the_folder_of_their_page() {
        for (page, target, expected) in [
            ("README.md", "docs/a.md#b", "docs/a.md"),
            ("docs/a.md", "../cards/", "cards"),
            ("docs/a.md", "#b", ""),
            ("cards", "measured", "cards/measured"),
        ] {
            assert_eq!(resolved(page, target), expected);
        }
        assert_eq!([up("README.md"), up("cards")], ["", "../"]);
    }

    #[test]
    fn link_without_target_is_a_fault() {
        let mut site = Site::default();
        let page = "# A\n[a](#a) [b](#b) [c](c.md) [d](d.csv)\n";
        site.pages.insert("a.md".to_owned(), page.to_owned());
        site.files.insert("d.csv".to_owned(), Vec::new());
        let faults = site.faults();
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults[0].contains("#b") && faults[1].contains("c.md"));
    }
}
