//! Collects the libraries that the program embeds, as `cargo xtask libraries` and
//! `cargo xtask dist` leave them: those in `BRISTLE_LIBRARIES`, those of a published package, in its
//! folder `libraries`, or those in `target/libraries` of the workspace. Where there are none, a
//! release build in the workspace, `cargo install --path` among them, builds this machine's.

mod sources;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-env-changed=BRISTLE_LIBRARIES");
    let package = variable("CARGO_MANIFEST_DIR");
    let workspace = workspace(&package);
    let given = env::var_os("BRISTLE_LIBRARIES").map(PathBuf::from);
    let mut folder = given.unwrap_or_else(|| match workspace {
        Some(root) => root.join("target/libraries"),
        None => package.join("libraries"),
    });
    println!("cargo:rerun-if-changed={}", folder.display());
    if let Some(root) = workspace {
        for code in sources::FOLDERS {
            println!("cargo:rerun-if-changed={}", root.join(code).display());
        }
        if platforms(&folder).is_empty()
            && env::var("PROFILE").is_ok_and(|profile| profile == "release")
        {
            folder = variable("OUT_DIR").join("libraries");
            build(root, &folder);
        }
    }
    let found = platforms(&folder);
    let names: Vec<_> = found
        .iter()
        .map(|(platform, _)| platform.as_str())
        .collect();
    if names.is_empty() {
        println!(
            "cargo:warning=bristle exports nothing: `cargo xtask libraries` builds its libraries"
        );
    } else {
        println!(
            "cargo:warning=bristle exports for {}, by the libraries in {}",
            names.join(", "),
            folder.display()
        );
    }

    // Libraries of a published package belong to it.
    let is_current = names.is_empty()
        || workspace.is_none_or(|root| {
            let identity = sources::identity(root).expect("the sources are there");
            fs::read_to_string(folder.join(sources::FILE)).is_ok_and(|built| built == identity)
        });
    if !is_current {
        println!(
            "cargo:warning=those libraries were built of other sources; `cargo xtask libraries` \
             builds them again"
        );
    }

    let mut code = String::new();
    writeln!(
        code,
        "/// The libraries were built of the sources of this program.\npub const ARE_CURRENT: \
         bool = {is_current};"
    )
    .expect("text grows");
    table(
        &mut code,
        "LIBRARIES",
        "Libraries by the folder of their platform.",
        &found,
    );
    let mut licences = Vec::new();
    collect(&folder.join("licenses"), "", &mut licences);
    table(
        &mut code,
        "LICENCES",
        "Licence files by their path.",
        &licences,
    );
    let mut sources = Vec::new();
    collect(&folder.join("sources"), "", &mut sources);
    table(
        &mut code,
        "SOURCES",
        "C sources of laws by their file.",
        &sources,
    );
    let measured = match workspace {
        Some(root) => root.join("cards/measured"),
        None => package.join("measured"),
    };
    println!("cargo:rerun-if-changed={}", measured.display());
    let mut cards = Vec::new();
    collect(&measured, "", &mut cards);
    table(
        &mut code,
        "MEASURED",
        "Cards of measured contacts by their file.",
        &cards,
    );
    fs::write(variable("OUT_DIR").join("libraries.rs"), code)
        .expect("the build folder is writable");
}

/// Root of the workspace that this package is a member of, if it is: a published package has none.
fn workspace(package: &Path) -> Option<&Path> {
    let root = package.ancestors().nth(2)?;
    root.join("xtask/Cargo.toml").is_file().then_some(root)
}

fn variable(name: &str) -> PathBuf {
    env::var_os(name).map(PathBuf::from).expect("cargo sets it")
}

/// Builds this machine's library, by `cargo xtask` and in a target folder that this build has not
/// locked.
fn build(root: &Path, folder: &Path) {
    let mut cargo = Command::new(variable("CARGO"));
    cargo
        .args([
            "run",
            "--quiet",
            "--package",
            "xtask",
            "--",
            "libraries",
            "--out",
        ])
        .arg(folder)
        .current_dir(root);
    for set_by_cargo in [
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTFLAGS",
        "TARGET",
        "HOST",
        "CARGO_MAKEFLAGS",
        "MAKEFLAGS",
    ] {
        cargo.env_remove(set_by_cargo);
    }
    let built = cargo.status();
    assert!(
        built.is_ok_and(|status| status.success()),
        "this machine's library was not built: `cargo xtask libraries` shows why"
    );
}

/// Libraries in a folder, by platform.
fn platforms(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        for file in fs::read_dir(entry.path()).into_iter().flatten().flatten() {
            if file
                .path()
                .file_stem()
                .is_some_and(|stem| stem == "library")
            {
                found.push((
                    entry.file_name().to_string_lossy().into_owned(),
                    file.path(),
                ));
            }
        }
    }
    found.sort();
    found
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), files);
        } else {
            files.push((name, entry.path()));
        }
    }
}

fn table(code: &mut String, name: &str, meaning: &str, files: &[(String, PathBuf)]) {
    writeln!(
        code,
        "/// {meaning}\npub static {name}: &[(&str, &[u8])] = &["
    )
    .expect("text grows");
    for (key, path) in files {
        let path = fs::canonicalize(path).expect("the file is there");
        println!("cargo:rerun-if-changed={}", path.display());
        writeln!(
            code,
            "    ({key:?}, include_bytes!({:?})),",
            path.display().to_string()
        )
        .expect("text grows");
    }
    code.push_str("];\n");
}
