//! Python environment of the tests that run FMUs in other importers, with FMPy and the packages of
//! its users.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The interpreter that has FMPy.
///
/// # Panics
/// If the environment lacks its path; the message says how to get it.
pub fn interpreter() -> PathBuf {
    let Some(python) = std::env::var_os("BRISTLE_PYTHON") else {
        panic!(
            "BRISTLE_PYTHON is not set: run `cargo xtask test`, which makes a Python environment \
             with FMPy"
        );
    };
    python.into()
}

/// Output of a script of `tests/python`.
///
/// # Panics
/// With its errors, if it fails.
pub fn script(name: &str, arguments: &[&OsStr]) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("python")
        .join(name);
    let mut command = Command::new(interpreter());
    // No caches of compiled scripts beside the sources.
    command.arg("-B").arg(path).args(arguments);
    printed(&mut command)
}

/// Output of a command.
///
/// # Panics
/// With its errors, if it fails.
pub fn printed(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", command.get_program().display()));
    let [out, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(
        output.status.success(),
        "{command:?}: {}\n{out}{errors}",
        output.status
    );
    out
}
