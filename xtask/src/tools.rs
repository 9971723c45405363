//! Programs that commands need beside Rust.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::workspace;

/// A program that a command needs beside Rust.
#[derive(Clone, Copy)]
pub enum Tool {
    /// Counts instructions, and finds wrong reads and writes.
    Valgrind,
    /// Compiles the programs of `tests/c`.
    CCompiler,
    /// Runs the lab's module, and drives Chromium.
    Node,
    /// Installs what drives Chromium.
    Npm,
    /// Shows the lab.
    Chromium,
}

impl Tool {
    /// A sentence with the way to get the tool, where it is missing.
    pub fn missing(self) -> Option<String> {
        let (program, package) = match self {
            Tool::Valgrind => ("valgrind", "valgrind"),
            Tool::CCompiler => ("cc", "gcc libc6-dev"),
            Tool::Node => ("node", "nodejs"),
            Tool::Npm => ("npm", "npm"),
            Tool::Chromium => ("chromium", "chromium"),
        };
        let sentence = || {
            format!("{program} is missing; install it, on Debian with `apt-get install {package}`")
        };
        workspace::find(program).is_none().then(sentence)
    }
}

/// A program of a crate in a version, installed from crates.io by cargo with these options below
/// `target/tools` where it is missing.
pub fn install([name, version]: [&str; 2], options: &[&str], program: &str) -> Result<PathBuf> {
    let root = workspace::target().join("tools");
    let mut cargo = workspace::cargo();
    cargo.args(["install", "--quiet", name, "--version", version]);
    cargo.args(options);
    workspace::run(cargo.arg("--root").arg(&root))?;
    Ok(root.join("bin").join(program))
}

/// An error of the sentences about missing tools, if there are any.
pub fn refuse(missing: &[String]) -> Result<()> {
    ensure!(
        missing.is_empty(),
        "tools are missing:\n  - {}",
        missing.join("\n  - ")
    );
    Ok(())
}
