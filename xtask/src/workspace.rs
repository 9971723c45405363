//! The workspace's folders, and its tools as commands.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::files;

/// The workspace's root.
pub fn root() -> PathBuf {
    // Cargo sets it for `cargo run`; the built-in path serves who calls the program directly.
    let manifest = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    manifest
        .parent()
        .expect("xtask lies in the workspace")
        .to_owned()
}

/// The folder of everything that is made.
pub fn target() -> PathBuf {
    root().join("target")
}

/// The folder where programs of the workspace write their results, before they are put in their
/// place.
pub fn made() -> Result<PathBuf> {
    let folder = target().join("made");
    files::make_folder(&folder)?;
    Ok(folder)
}

/// The cargo that runs this program, in the workspace's root.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// The file of this program. `cargo test` builds it anew and puts another file in its place while
/// it runs; Linux then marks the path of the old one.
pub fn this_program() -> Result<PathBuf> {
    let path = env::current_exe().context("this program's own file is not known")?;
    let text = path.to_string_lossy();
    Ok(text
        .strip_suffix(" (deleted)")
        .map_or_else(|| path.clone(), PathBuf::from))
}

/// A program by its name, where the search path has it.
pub fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

/// Runs a command whose output streams through.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start {}; is it installed?", name(command)))?;
    if !status.success() {
        bail!(
            "`{}` ended with {status}; what it printed above says why",
            line(command)
        );
    }
    Ok(())
}

/// Runs a command and returns its output.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot start {}; is it installed?", name(command)))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        bail!(
            "`{}` ended with {}: {}{}",
            line(command),
            output.status,
            text,
            error.trim_end()
        );
    }
    Ok(text)
}

fn name(command: &Command) -> String {
    command.get_program().display().to_string()
}

fn line(command: &Command) -> String {
    let program = Path::new(command.get_program())
        .file_name()
        .unwrap_or_default();
    let words = [program].into_iter().chain(command.get_args());
    words
        .map(|word| word.display().to_string())
        .collect::<Vec<_>>()
        .join(" ")
}
