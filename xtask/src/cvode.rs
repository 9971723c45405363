//! CVODE on FrDyn2, which costs are compared with, compiled here where SUNDIALS is installed.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::console::say;
use crate::{files, workspace};

const LIBRARIES: [&str; 5] = [
    "-lsundials_cvode",
    "-lsundials_nvecserial",
    "-lsundials_sunlinsoldense",
    "-lsundials_sunmatrixdense",
    "-lm",
];

/// Compiles CVODE's program. `None` where the machine lacks SUNDIALS or a C compiler, after a
/// sentence about it.
pub fn compile() -> Result<Option<PathBuf>> {
    let source = workspace::root().join("benches/c/cvode.c");
    let folder = workspace::target().join("peers");
    files::make_folder(&folder)?;
    // A probe of its own, so that a mistake in the code is not taken for a missing library.
    let probe = folder.join("probe.c");
    files::write(&probe, "#include <cvode/cvode.h>\n")?;
    let there = Command::new("cc")
        .arg("-E")
        .arg(&probe)
        .output()
        .is_ok_and(|output| output.status.success());
    if !there {
        say!(
            "SKIPPED CVODE: SUNDIALS or a C compiler is missing; on Debian `apt-get install \
             libsundials-dev gcc`."
        );
        return Ok(None);
    }
    let library = folder.join("libbristle_cvode.so");
    workspace::output(
        Command::new("cc")
            .args([
                "-O3", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o",
            ])
            .arg(&library)
            .arg(&source)
            .args(LIBRARIES),
    )?;
    Ok(Some(library))
}

/// The C compiler's name and version.
pub fn compiler() -> Result<String> {
    let said = workspace::output(Command::new("cc").args(["-dumpfullversion", "-dumpversion"]))?;
    Ok(format!("cc {}", said.lines().next().unwrap_or_default()))
}
