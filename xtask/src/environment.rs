//! Virtual environments of Python below `target/`: for the importers and validators of the tests,
//! for the examples and the figures, for the Python package, and for the linker of other platforms.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::console::say;
use crate::{files, workspace};

/// The versions of Python for which every pinned package has a wheel:
/// `pip download --no-deps --only-binary :all: --python-version 3.x` finds all of them for these
/// and not for others.
const PYTHONS: [&str; 4] = ["3.11", "3.12", "3.13", "3.14"];

/// Importers and validators of the tests, libclang, which the crate `fmi` needs to build, a
/// compiler of Modelica, and SciPy, whose solvers judge Model Exchange.
pub const IMPORTERS: Environment = Environment {
    folder: "venv",
    packages: &[
        "fmpy==0.3.32",
        "fmu-manipulation-toolbox==2.0",
        "libcosimpy==0.0.6",
        "ecospy==0.7.2",
        "libclang==18.1.1",
        "rumoca==0.10.2",
        "scipy==1.17.1",
    ],
};

/// FMPy alone, for the quick circle on a machine without the importers.
pub const FMPY: Environment = Environment {
    folder: "venv-fmpy",
    packages: &["fmpy==0.3.32"],
};

/// Packages of the examples and of the figures.
pub const EXAMPLES: Environment = Environment {
    folder: "venv-examples",
    packages: &[
        "examples/requirements.txt",
        "examples/requirements-exudyn.txt",
        "examples/requirements-mujoco.txt",
        "examples/requirements-dask.txt",
        "examples/requirements-notebook.txt",
        "examples/requirements-ssp.txt",
        "pytest==9.2.0",
    ],
};

/// Tools of the Python package and of its tests.
pub const PACKAGE: Environment = Environment {
    folder: "venv-python",
    packages: &[
        "fmpy==0.3.32",
        "ipykernel==7.4.0",
        "matplotlib==3.11.2",
        "maturin==1.16.0",
        "mypy==2.4.1",
        "nbclient==0.11.0",
        "nbformat==5.11.1",
        "numpy==2.4.6",
        "pandas==3.1.1",
        "pytest==9.2.0",
        "ruff==0.17.6",
        "scipy==1.17.1",
        "scipy-stubs==1.17.1.5",
    ],
};

/// Tools that `docs/peers.md` compares.
pub const PEERS: Environment = Environment {
    folder: "venv-peers",
    packages: &["python/peers/requirements.txt"],
};

/// Compiler and linker of portable libraries, in the versions that made the released ones, and the
/// builder of wheels.
pub const ZIG: Environment = Environment {
    folder: "zig",
    packages: &[
        "ziglang==0.15.2",
        "cargo-zigbuild==0.24.0",
        "maturin==1.16.0",
    ],
};

/// Translator of WebAssembly modules to C, pinned by the hashes of its wheels.
pub const WABT: Environment = Environment {
    folder: "wabt",
    packages: &["xtask/wabt.txt"],
};

/// A virtual environment.
pub struct Environment {
    /// Folder below `target/`.
    folder: &'static str,
    /// Packages of PyPI, and files of requirements by their path from the root; a change makes a
    /// new environment.
    pub packages: &'static [&'static str],
}

impl Environment {
    /// A program of the environment.
    pub fn program(&self, name: &str) -> Command {
        Command::new(self.path().join("bin").join(name))
    }

    /// Path of its folder.
    pub fn path(&self) -> PathBuf {
        workspace::target().join(self.folder)
    }

    /// Search path with its programs first.
    pub fn search_path(&self) -> OsString {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let programs = std::iter::once(self.path().join("bin")).chain(std::env::split_paths(&path));
        std::env::join_paths(programs)
            .expect("folders of the search path have no colon in their names")
    }

    /// It was made before, perhaps with other versions.
    pub fn is_there(&self) -> bool {
        self.path().join("bristle-stamp").is_file()
    }

    /// Its Python can load a module.
    pub fn can_import(&self, module: &str) -> bool {
        let output = self
            .program("python")
            .args(["-c", &format!("import {module}")])
            .output();
        output.is_ok_and(|output| output.status.success())
    }

    /// Makes the environment, once; returns a sentence, without its full stop, where this machine
    /// has no Python for it.
    pub fn make(&self) -> Result<Option<String>> {
        let (folder, stamp) = (self.path(), self.path().join("bristle-stamp"));
        let wanted = self
            .packages
            .iter()
            .map(|package| text(package))
            .collect::<Result<Vec<_>>>()?
            .join("\n");
        if files::read_text(&stamp).is_ok_and(|made| made == wanted) {
            say!("{} is there", folder.display());
            return Ok(None);
        }
        let Some(python) = find_python() else {
            let versions = PYTHONS.join(", ");
            return Ok(Some(format!(
                "one of Python {versions} is needed, with its modules venv and ensurepip"
            )));
        };
        say!("{}: {}", folder.display(), self.packages.join(", "));
        workspace::output(
            Command::new(python)
                .args(["-m", "venv", "--clear"])
                .arg(&folder),
        )?;
        if let Err(error) = self.install(self.packages) {
            // One by one, so that a package without a wheel for this machine keeps no other out.
            // None works without the first.
            say!("not all at once: {error:#}");
            self.install(&self.packages[..1])?;
            for package in &self.packages[1..] {
                self.install(&[package])
                    .unwrap_or_else(|error| say!("{error:#}"));
            }
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

    fn install(&self, packages: &[&str]) -> Result<()> {
        let mut pip = self.program("python");
        pip.current_dir(workspace::root()).args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]);
        for package in packages {
            pip.args(is_file(package).then_some("-r")).arg(package);
        }
        workspace::output(&mut pip).map(drop)
    }
}

/// A file of requirements, no package.
fn is_file(package: &str) -> bool {
    package.ends_with(".txt")
}

/// A package, or the text of a file of requirements.
fn text(package: &str) -> Result<String> {
    if is_file(package) {
        files::read_text(&workspace::root().join(package))
    } else {
        Ok(package.to_owned())
    }
}

/// A Python of a version that the packages are made for.
fn find_python() -> Option<String> {
    let named = PYTHONS
        .iter()
        .rev()
        .map(|version| format!("python{version}"));
    let fits = |python: &String| {
        let code = "import venv, ensurepip, sys; print('%d.%d' % sys.version_info[:2])";
        let said = Command::new(python).args(["-c", code]).output();
        said.is_ok_and(|said| PYTHONS.contains(&String::from_utf8_lossy(&said.stdout).trim()))
    };
    std::iter::once("python3".to_owned())
        .chain(named)
        .find(fits)
}
