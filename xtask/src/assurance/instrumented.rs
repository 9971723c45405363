//! Programs and FMUs of a nightly compiler that instruments the code: for coverage, Miri and the sanitizers.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use bristle_export::{Exporter, platform};

use super::record;
use crate::console::say;
use crate::{files, package, workspace};

/// Result of a run with a finding.
const FAILED: &str = "failed";

/// Cargo of the nightly compiler, in the workspace's root.
pub fn nightly() -> Command {
    let mut cargo = Command::new("cargo");
    cargo.arg("+nightly").current_dir(workspace::root());
    // The cargo that runs this program sets them to its own toolchain.
    cargo.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTC");
    cargo
}

/// FMUs of the stock elements with a library for this machine, in a folder.
pub fn export(library: &Path, folder: &Path) -> Result<PathBuf> {
    files::make_folder(folder)?;
    let mut exporter = Exporter::new();
    exporter.add_library(platform::host()?, &files::read(library)?)?;
    for element in package::stock() {
        files::write(&folder.join(format!("{}.fmu", element.name())), exporter.export(&element)?)?;
    }
    Ok(folder.to_owned())
}

/// Row of a run: what it passed or reported, and its duration with the compilation.
pub fn row(name: &str, command: &mut Command) -> Result<String> {
    say!("{name}");
    let start = Instant::now();
    let output = command.output().context("cannot start cargo +nightly")?;
    let result = result(&output);
    say!("{result}");
    if !output.status.success() {
        say!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    }
    Ok(format!("{name}\t{result}\t{} s", start.elapsed().as_secs()))
}

/// Number of tests that passed, or failure.
fn result(output: &Output) -> String {
    if !output.status.success() {
        return FAILED.to_owned();
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let results = said.lines().filter(|line| line.starts_with("test result:"));
    let passed: u32 = results.filter_map(|line| line.split_whitespace().nth(3)?.parse::<u32>().ok()).sum();
    format!("{passed} tests, no finding")
}

/// Writes the rows of runs; fails where one has a finding.
pub fn record(path: &Path, commit: &str, command: &str, rows: &[String]) -> Result<()> {
    record::write(path, commit, command, "run\tresult\tduration", rows)?;
    let mark = format!("\t{FAILED}\t");
    let failed: Vec<&str> = rows.iter().map(String::as_str).filter(|row| row.contains(&mark)).collect();
    ensure!(failed.is_empty(), "{command} has findings: {}", failed.join("; "));
    Ok(())
}
