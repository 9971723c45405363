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
    let json = workspace::output(workspace::cargo().args(["metadata", "--format-version", "1"]))?;
    let metadata: Metadata = serde_json::from_str(&json).context("cargo metadata printed what cannot be read")?;
    let linked = linked(&metadata)?.into_iter().map(|package| {
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

/// The packages from outside that are linked into the library, by name.
fn linked(metadata: &Metadata) -> Result<Vec<&Package>> {
    let library = metadata.packages.iter().find(|package| package.name == "bristle-elements");
    let mut open = vec![&library.context("the workspace has no package bristle-elements")?.id];
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

/// The licence files that a package carries.
fn texts(package: &Package) -> Result<Vec<(String, Vec<u8>)>> {
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
    if texts.is_empty() {
        bail!("the package {} carries no licence file; add its terms to documentation/licenses by hand", package.name);
    }
    texts.sort();
    Ok(texts)
}
