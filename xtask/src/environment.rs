//! Virtual environments of Python below `target/`: one for the importers and validators of the tests, one for the examples and the figures.

use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail, ensure};

use crate::console::say;
use crate::{files, workspace};

/// The versions of Python, 3.x, for which every pinned package of both environments has a wheel: `pip download --no-deps
/// --only-binary :all: --python-version 3.x` finds all of them for these and not for others.
const PYTHONS: RangeInclusive<u32> = 11..=14;

/// Importers and validators of the tests, libclang, which the crate `fmi` needs to build, a compiler of Modelica, and SciPy, whose solvers
/// judge Model Exchange.
pub const IMPORTERS: Environment = Environment {
    folder: "venv",
    packages: Packages::Named(&[
        "fmpy==0.3.32",
        "fmu-manipulation-toolbox==2.0",
        "libcosimpy==0.0.6",
        "ecospy==0.7.2",
        "libclang==18.1.1",
        "rumoca==0.10.2",
        "scipy==1.17.1",
    ]),
};

/// FMPy alone, for the quick circle on a machine without the importers.
pub const FMPY: Environment = Environment { folder: "venv-fmpy", packages: Packages::Named(&["fmpy==0.3.32"]) };

/// Packages of the examples and of the figures.
pub const EXAMPLES: Environment = Environment { folder: "venv-examples", packages: Packages::Listed(&REQUIREMENTS) };

/// Files of requirements of the examples, below `examples/`.
const REQUIREMENTS: [&str; 6] = [
    "requirements.txt",
    "requirements-exudyn.txt",
    "requirements-mujoco.txt",
    "requirements-dask.txt",
    "requirements-notebook.txt",
    "requirements-ssp.txt",
];

/// Tools of the Python package and of its tests; maturin also builds its wheels.
pub const PACKAGE: Environment = Environment {
    folder: "venv-python",
    packages: Packages::Named(&[
        MATURIN,
        "fmpy==0.3.32",
        "ipykernel==7.4.0",
        "matplotlib==3.11.2",
        "mypy==2.4.1",
        "nbclient==0.11.0",
        "nbformat==5.11.1",
        "numpy==2.4.6",
        "pandas==3.1.1",
        PYTEST,
        "ruff==0.17.6",
        "scipy==1.17.1",
        "scipy-stubs==1.17.1.5",
    ]),
};

/// Runner of tests.
const PYTEST: &str = "pytest==9.2.0";

/// Builder of extension modules and wheels.
pub const MATURIN: &str = "maturin==1.16.0";

/// A virtual environment.
pub struct Environment {
    /// Folder below `target/`.
    folder: &'static str,
    packages: Packages,
}

/// Installed packages; a change makes a new environment.
enum Packages {
    Named(&'static [&'static str]),
    /// In files of requirements below `examples/`.
    Listed(&'static [&'static str]),
}

impl Environment {
    /// A program of the environment.
    pub fn program(&self, name: &str) -> Command {
        Command::new(self.folder().join("bin").join(name))
    }

    /// Path of its folder.
    pub fn path(&self) -> PathBuf {
        self.folder()
    }

    /// It was made before, perhaps with other versions.
    pub fn is_there(&self) -> bool {
        self.folder().join("bristle-stamp").is_file()
    }

    /// Its Python can load a module.
    pub fn can_import(&self, module: &str) -> bool {
        let output = self.program("python").args(["-c", &format!("import {module}")]).output();
        output.is_ok_and(|output| output.status.success())
    }

    /// Makes the environment, once; returns a sentence, without its full stop, where this machine has no Python for it.
    pub fn make(&self) -> Result<Option<String>> {
        let folder = self.folder();
        let stamp = folder.join("bristle-stamp");
        let packages = self.packages()?;
        let wanted = packages.join("\n");
        if std::fs::read_to_string(&stamp).is_ok_and(|made| made == wanted) && self.can_import("fmpy") {
            say!("{} is there", folder.display());
            return Ok(None);
        }

        let python = match find_python() {
            Ok(python) => python,
            Err(why) => return Ok(Some(why)),
        };
        say!("{}: {} …", folder.display(), packages.join(", "));
        workspace::output(Command::new(python).args(["-m", "venv", "--clear"]).arg(&folder))?;
        if let Err(error) = self.install(&packages) {
            // One by one, so that a package without a wheel for this machine keeps no other out.
            say!("not all at once: {error:#}");
            packages.iter().filter_map(|package| self.install(&[package]).err()).for_each(|error| say!("{error:#}"));
            ensure!(
                self.can_import("fmpy"),
                "FMPy was not installed; it comes from PyPI, which needs the network this once"
            );
        }
        files::write(&stamp, wanted)?;
        Ok(None)
    }

    /// Makes the environment; an error where this machine has no Python for it.
    pub fn require(&self) -> Result<()> {
        match self.make()? {
            None => Ok(()),
            Some(why) => bail!("{why}"),
        }
    }

    fn install(&self, packages: &[impl AsRef<OsStr>]) -> Result<()> {
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        workspace::output(self.program("python").args(pip).args(packages)).map(drop)
    }

    fn packages(&self) -> Result<Vec<String>> {
        let names = match self.packages {
            Packages::Named(packages) => return Ok(packages.iter().map(|name| (*name).to_owned()).collect()),
            Packages::Listed(names) => names,
        };
        let mut packages = vec![PYTEST.to_owned()];
        for name in names {
            let text = files::read_text(&workspace::root().join("examples").join(name))?;
            // Lines that include another file are left out: all files are listed.
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '-']));
            packages.extend(lines.map(str::to_owned));
        }
        packages.sort();
        packages.dedup();
        Ok(packages)
    }

    fn folder(&self) -> PathBuf {
        workspace::target().join(self.folder)
    }
}

/// A Python of a version that the packages are made for, or a sentence where there is none.
fn find_python() -> Result<String, String> {
    let named = PYTHONS.rev().map(|minor| format!("python3.{minor}"));
    let usual = "python3".to_owned();
    let mut pythons = [usual].into_iter().chain(named).filter_map(|program| Some((minor_version(&program)?, program)));
    let first = pythons.next();
    let fits = first.clone().into_iter().chain(pythons).find(|(minor, _)| PYTHONS.contains(minor));
    let Some((_, program)) = fits else {
        let found = first.map_or("none is installed".to_owned(), |(minor, _)| format!("python3 is 3.{minor}"));
        let (low, high) = (PYTHONS.start(), PYTHONS.end());
        return Err(format!(
            "Python 3.{low} to 3.{high} is needed for the packages in use, and {found}; install one of these"
        ));
    };
    let modules = Command::new(&program).args(["-c", "import venv, ensurepip"]).output();
    if modules.is_ok_and(|modules| modules.status.success()) {
        return Ok(program);
    }
    Err(format!("{program} has no module venv; install it, on Debian with `apt-get install python3-venv`"))
}

/// The second number of a Python's version, where the program is there and the first is 3.
fn minor_version(program: &str) -> Option<u32> {
    let output = Command::new(program).args(["-c", "import sys; print(*sys.version_info[:2])"]).output().ok()?;
    String::from_utf8_lossy(&output.stdout).trim().strip_prefix("3 ")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_name_the_supported_python_versions() {
        let range = format!("Python 3.{} to 3.{}", PYTHONS.start(), PYTHONS.end());
        for file in ["examples/requirements.txt", "examples/README.md"] {
            let text = files::read_text(&workspace::root().join(file)).unwrap();
            assert!(text.contains(&range), "{file} does not say {range}");
        }
    }

    #[test]
    fn program_that_is_missing_has_no_version() {
        assert_eq!(minor_version("python3.nonsense"), None);
    }
}
