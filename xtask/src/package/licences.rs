//! Packages that are linked into the libraries, as `cargo metadata` lists them, with their licence files.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use bristle_export::licences::{self, LicenceFile, LinkedPackage};
use serde::Deserialize;

use super::platforms::Platforms;
use crate::{files, workspace};

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    /// `None` for the workspace's own packages.
    source: Option<String>,
    manifest_path: std::path::PathBuf,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    /// `None` for a linked dependency; `dev` and `build` are not linked.
    kind: Option<String>,
}

/// Licence files for libraries of these platforms.
pub fn gather(platforms: &Platforms) -> Result<Vec<LicenceFile>> {
    let metadata = metadata()?;
    let linked = linked(&metadata, "bristle-elements")?.into_iter().map(|package| {
        Ok(LinkedPackage {
            name: package.name.clone(),
            version: package.version.clone(),
            licence: package.license.clone(),
            texts: texts(package)?,
        })
    });
    let runtimes: Vec<_> = match platforms {
        Platforms::Host => Vec::new(),
        Platforms::Portable(platforms) => platforms.iter().map(|platform| platform.system).collect(),
    };
    Ok(licences::files(&linked.collect::<Result<Vec<_>>>()?, &runtimes))
}

/// Licence files for the command `bristle`, by their path: a list of all packages in it, with the texts that they carry.
pub fn of_program() -> Result<Vec<(String, Vec<u8>)>> {
    let metadata = metadata()?;
    let mut list = format!(
        "bristle {} is licensed under {}. It contains the Rust standard library, MIT OR Apache-2.0, and\n",
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_LICENSE")
    );
    let mut files = Vec::new();
    for package in linked(&metadata, "bristle-cli")? {
        let licence = package.license.as_deref().unwrap_or("terms in its files");
        list += &format!("- {} {}, {licence}\n", package.name, package.version);
        let texts = texts_of(package)?;
        files.extend(
            texts.into_iter().map(|(name, text)| (format!("{}-{}/{name}", package.name, package.version), text)),
        );
    }
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        files.insert(0, (name.to_owned(), files::read(&workspace::root().join(name))?));
    }
    list += "- the font DejaVu Sans, a part of it, terms in LICENSE-DEJAVU\n";
    let font = workspace::root().join("export/src/plot/LICENSE-DEJAVU");
    files.insert(0, ("LICENSE-DEJAVU".to_owned(), files::read(&font)?));
    files.insert(0, ("license.txt".to_owned(), list.into_bytes()));
    Ok(files)
}

fn metadata() -> Result<Metadata> {
    let json = workspace::output(workspace::cargo().args(["metadata", "--format-version", "1"]))?;
    serde_json::from_str(&json).context("cargo metadata printed what cannot be read")
}

/// The packages from outside that are linked into a package of the workspace, by name.
fn linked<'a>(metadata: &'a Metadata, root: &str) -> Result<Vec<&'a Package>> {
    let package = metadata.packages.iter().find(|package| package.name == root);
    let mut open = vec![&package.with_context(|| format!("the workspace has no package {root}"))?.id];
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let node = metadata.resolve.nodes.iter().find(|node| node.id == *id);
            let dependencies = node.into_iter().flat_map(|node| &node.deps);
            let is_linked = |dependency: &&Dependency| dependency.dep_kinds.iter().any(|kind| kind.kind.is_none());
            open.extend(dependencies.filter(is_linked).map(|dependency| &dependency.pkg));
        }
    }
    let mut packages: Vec<_> =
        metadata.packages.iter().filter(|package| package.source.is_some() && seen.contains(&package.id)).collect();
    packages.sort_by_key(|package| (&package.name, &package.version));
    Ok(packages)
}

/// The licence files that a package carries; one at least.
fn texts(package: &Package) -> Result<Vec<(String, Vec<u8>)>> {
    let texts = texts_of(package)?;
    if texts.is_empty() {
        bail!("the package {} carries no licence file; add its terms to documentation/licenses by hand", package.name);
    }
    Ok(texts)
}

/// The licence files that a package carries.
fn texts_of(package: &Package) -> Result<Vec<(String, Vec<u8>)>> {
    let folder = package.manifest_path.parent().context("a manifest lies in a folder")?;
    let mut texts = Vec::new();
    for file in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let file = file?;
        let name = file.file_name().to_string_lossy().into_owned();
        let upper = name.to_uppercase();
        let is_licence = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"].iter().any(|p| upper.starts_with(p));
        if is_licence && file.file_type()?.is_file() {
            texts.push((name, files::read(&file.path())?));
        }
    }
    texts.sort();
    Ok(texts)
}
