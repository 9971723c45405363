//! Packages that are linked into the libraries, as cargo lists them, with their licence files.

use std::path::Path;

use anyhow::{Context, Result, bail};
use bristle_export::licences::{self, LicenceFile, LinkedPackage};
use serde_json::Value;

use super::platforms::Platforms;
use crate::{files, workspace};

/// Beginnings of the names of licence files, in capital letters.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];

/// Licence files for libraries of these platforms.
pub fn gather(platforms: &Platforms) -> Result<Vec<LicenceFile>> {
    let linked = linked("bristle-elements")?;
    if let Some(package) = linked.iter().find(|package| package.texts.is_empty()) {
        bail!(
            "the package {} carries no licence file; add its terms to documentation/licenses by \
             hand",
            package.name
        );
    }
    let runtimes: Vec<_> = match platforms {
        Platforms::Host => Vec::new(),
        Platforms::Portable(platforms) => {
            platforms.iter().map(|platform| platform.system).collect()
        }
    };
    Ok(licences::files(&linked, &runtimes))
}

/// Licence files for the command `bristle`, by their path: a list of all packages in it, with the
/// texts that they carry.
pub fn of_program() -> Result<Vec<(String, Vec<u8>)>> {
    let mut list = format!(
        "bristle {} is licensed under {}. It contains the Rust standard library, MIT OR \
         Apache-2.0, and\n",
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_LICENSE")
    );
    let mut files = Vec::new();
    for LinkedPackage {
        name,
        version,
        licence,
        texts,
    } in linked("bristle-cli")?
    {
        list += &format!(
            "- {name} {version}, {}\n",
            licence.as_deref().unwrap_or("terms in its files")
        );
        files.extend(
            texts
                .into_iter()
                .map(|(file, text)| (format!("{name}-{version}/{file}"), text)),
        );
    }
    list += "- code that wasm2c of wabt writes, in the C source of laws, Apache-2.0, terms in \
             LICENSE-APACHE\n";
    list += "- the font DejaVu Sans, a part of it, terms in LICENSE-DEJAVU\n";
    for path in [
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "export/src/plot/LICENSE-DEJAVU",
    ] {
        let name = path.rsplit('/').next().unwrap_or(path);
        files.push((name.to_owned(), files::read(&workspace::root().join(path))?));
    }
    files.push(("license.txt".to_owned(), list.into_bytes()));
    Ok(files)
}

/// The packages from outside that are linked into a package of the workspace, by name.
fn linked(root: &str) -> Result<Vec<LinkedPackage>> {
    let tree = [
        "tree",
        "--edges",
        "normal",
        "--target",
        "all",
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--package",
        root,
    ];
    let tree = workspace::output(workspace::cargo().args(tree))?;
    let metadata =
        workspace::output(workspace::cargo().args(["metadata", "--format-version", "1"]))?;
    let metadata: Value =
        serde_json::from_str(&metadata).context("cargo metadata printed what cannot be read")?;
    let mut linked = Vec::new();
    for package in metadata["packages"]
        .as_array()
        .context("cargo metadata lists no packages")?
    {
        let text = |key: &str| package[key].as_str().map(str::to_owned);
        let [name, version, manifest] = ["name", "version", "manifest_path"]
            .map(|key| text(key).with_context(|| format!("a package has no {key}")));
        let (name, version, manifest) = (name?, version?, manifest?);
        let is_linked = tree
            .lines()
            .any(|line| line.split(" (").next() == Some(&format!("{name} v{version}")));
        // The workspace's own packages have no source.
        if is_linked && text("source").is_some() {
            linked.push(LinkedPackage {
                name,
                version,
                licence: text("license"),
                texts: texts(Path::new(&manifest))?,
            });
        }
    }
    linked.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(linked)
}

/// The licence files beside a manifest, by name.
fn texts(manifest: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let folder = manifest.parent().context("a manifest lies in a folder")?;
    let mut texts = Vec::new();
    for file in
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        let path = file?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_file()
            && NAMES
                .iter()
                .any(|start| name.to_uppercase().starts_with(start))
        {
            texts.push((name, files::read(&path)?));
        }
    }
    texts.sort();
    Ok(texts)
}
