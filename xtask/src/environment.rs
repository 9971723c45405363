//! Virtual environments of Python below `target/`: the packages that judge the FMUs, and those of the examples.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::workspace;

/// The importers and validators of the tests, and what the crate `fmi` needs to build.
pub const IMPORTERS: Environment = Environment {
    folder: "venv",
    packages: Packages::Named(&[
        "fmpy==0.3.32",
        "fmu-manipulation-toolbox==2.0",
        "libcosimpy==0.0.6",
        "ecospy==0.7.2",
        "libclang==18.1.1",
    ]),
};

/// What the examples need.
pub const EXAMPLES: Environment =
    Environment { folder: "venv-examples", packages: Packages::Listed("examples/requirements.txt") };

/// A virtual environment.
pub struct Environment {
    /// Its folder below `target/`.
    folder: &'static str,
    packages: Packages,
}

/// What is installed; a change makes a new environment.
enum Packages {
    Named(&'static [&'static str]),
    /// In a file of requirements, its path from the root.
    Listed(&'static str),
}

impl Environment {
    /// A program of the environment.
    pub fn program(&self, name: &str) -> Command {
        Command::new(self.folder().join("bin").join(name))
    }

    /// Whether its Python can load a module.
    pub fn can_import(&self, module: &str) -> bool {
        let output = self.program("python").args(["-c", &format!("import {module}")]).output();
        output.is_ok_and(|output| output.status.success())
    }

    /// Makes the environment, once; returns a sentence where this machine has no Python for it.
    pub fn make(&self) -> Result<Option<String>> {
        let folder = self.folder();
        let stamp = folder.join("bristle-stamp");
        let packages = self.packages()?;
        let wanted = packages.join("\n");
        if std::fs::read_to_string(&stamp).is_ok_and(|made| made == wanted) && self.can_import("fmpy") {
            println!("{} is there", folder.display());
            return Ok(None);
        }

        let Ok(modules) = Command::new("python3").args(["-c", "import venv, ensurepip"]).output() else {
            let why = "python3 is not installed; install Python 3.9 or newer to run the FMUs in FMPy and fmutool.";
            return Ok(Some(why.to_owned()));
        };
        if !modules.status.success() {
            let why = "python3 has no module venv; install it, on Debian with `apt install python3-venv`.";
            return Ok(Some(why.to_owned()));
        }
        println!("{}: {} …", folder.display(), packages.join(", "));
        workspace::output(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
        if let Err(error) = self.install(&packages) {
            // One by one, so that a package without a wheel for this machine keeps no other out.
            println!("not all at once: {error:#}");
            packages
                .iter()
                .filter_map(|package| self.install(&[package]).err())
                .for_each(|error| println!("{error:#}"));
            ensure!(
                self.can_import("fmpy"),
                "FMPy was not installed; it comes from PyPI, which needs the network this once"
            );
        }
        workspace::write(&stamp, wanted)?;
        Ok(None)
    }

    fn install(&self, packages: &[impl AsRef<OsStr>]) -> Result<()> {
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        workspace::output(self.program("python").args(pip).args(packages)).map(drop)
    }

    fn packages(&self) -> Result<Vec<String>> {
        let path = match self.packages {
            Packages::Named(packages) => return Ok(packages.iter().map(|name| (*name).to_owned()).collect()),
            Packages::Listed(path) => workspace::root().join(path),
        };
        let text = String::from_utf8(workspace::read(&path)?).context("the requirements are no text")?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Ok(lines.map(str::to_owned).collect())
    }

    fn folder(&self) -> PathBuf {
        workspace::target().join(self.folder)
    }
}
