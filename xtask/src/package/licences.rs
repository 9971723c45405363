//! `documentation/licenses/`: the terms of everything inside the library.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::library::Platforms;
use super::platform::System;
use crate::{files, workspace};

/// The file that a reader opens first.
const ENTRY: &str = "license.txt";

/// The project's own licence files.
const OWN: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

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
    /// `None` for what is linked; `dev` and `build` are not.
    kind: Option<String>,
}

/// What a linker adds to the libraries of a system when they are built for everyone; none of it asks for more than this.
const RUNTIMES: [(System, &str); 2] = [
    (
        System::Linux,
        "- on Linux, LLVM's unwinder and the compiler's runtime as zig brings them, Apache-2.0 WITH LLVM-exception and MIT,\n  \
         https://llvm.org, https://ziglang.org;\n",
    ),
    (
        System::Windows,
        "- on Windows, the start-up code of MinGW-w64, public domain and ZPL-2.1, https://www.mingw-w64.org, and GCC's\n  \
         runtime library, GPL-3.0-or-later WITH GCC-exception-3.1, https://gcc.gnu.org;\n",
    ),
];

/// The licence files by their path below `documentation/licenses/`, for libraries of these platforms.
pub fn gather(platforms: &Platforms) -> Result<Vec<(String, Vec<u8>)>> {
    let json = workspace::output(workspace::cargo().args(["metadata", "--format-version", "1"]))?;
    let metadata: Metadata = serde_json::from_str(&json).context("cargo metadata printed what cannot be read")?;

    let mut files = Vec::new();
    let mut entry = format!(
        "This FMU was made by Bristle {}. It is licensed under {}, at your option:\n{} beside this file.\n\n\
         Its library contains\n\
         - the Rust standard library, MIT OR Apache-2.0, copyright the Rust Project contributors,\n  \
         https://github.com/rust-lang/rust;\n",
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_LICENSE"),
        OWN.join(" and "),
    );
    for name in OWN {
        files.push((name.to_owned(), files::read(&workspace::root().join(name))?));
    }
    for package in linked(&metadata)? {
        let folder = format!("{}-{}", package.name, package.version);
        let licence = package.license.as_deref().unwrap_or("terms in its files");
        entry.push_str(&format!("- {} {}, {licence}, texts in {folder}/;\n", package.name, package.version));
        files.extend(texts(package)?.into_iter().map(|(name, text)| (format!("{folder}/{name}"), text)));
    }
    for (system, runtime) in RUNTIMES {
        if matches!(platforms, Platforms::Portable(platforms) if platforms.iter().any(|p| p.system == system)) {
            entry.push_str(runtime);
        }
    }
    entry.push_str("and nothing else.\n");
    files.insert(0, (ENTRY.to_owned(), entry.into_bytes()));
    Ok(files)
}

/// The packages from outside that are linked into the library, by name.
fn linked(metadata: &Metadata) -> Result<Vec<&Package>> {
    let fmu = metadata.packages.iter().find(|package| package.name == "bristle-fmu");
    let mut open = vec![&fmu.context("the workspace has no package bristle-fmu")?.id];
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
