//! `cargo xtask examples`: runs every script of `examples/` as a user would, on the packaged FMUs. The scripts compare
//! themselves with their references and fail where they are off.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::console::say;
use crate::environment::EXAMPLES;
use crate::progress::Progress;
use crate::{files, package, workspace};

/// Script with its arguments, its required packages and its results.
pub struct Example {
    pub script: &'static str,
    arguments: &'static [&'static str],
    packages: &'static [&'static str],
    result: &'static str,
}

pub const ALL: [Example; 8] = [
    Example {
        script: "friction_loop.py",
        // As the README calls it.
        arguments: &["FrDyn2", "--frequency", "5", "--amplitude", "0.02", "mu_s=0.5"],
        packages: &["fmpy", "matplotlib"],
        result: "friction_loop_FrDyn2.png",
    },
    Example {
        script: "body_on_friction.py",
        arguments: &[],
        packages: &["fmpy", "matplotlib"],
        result: "body_on_friction.png",
    },
    Example { script: "reference_master.py", arguments: &[], packages: &["fmpy"], result: "reference_master.csv" },
    Example {
        script: "exudyn_block.py",
        arguments: &[],
        packages: &["fmpy", "matplotlib", "tqdm", "exudyn"],
        result: "exudyn_block.png",
    },
    Example {
        script: "exudyn_festoon.py",
        arguments: &[],
        packages: &["fmpy", "matplotlib", "tqdm", "exudyn"],
        result: "exudyn_festoon.png",
    },
    Example {
        script: "sweep_dask.py",
        arguments: &["--workers", "2"],
        packages: &["fmpy", "matplotlib", "tqdm", "distributed", "pyarrow"],
        result: "sweep.parquet",
    },
    Example { script: "system_ssp.py", arguments: &[], packages: &["fmpy", "pythonfmu"], result: "system.ssp" },
    Example {
        script: "run_notebook.py",
        arguments: &[],
        packages: &["fmpy", "matplotlib", "ipykernel", "nbclient"],
        result: "friction.ipynb",
    },
];

/// The command: all examples.
pub fn command() -> Result<()> {
    EXAMPLES.require()?;
    package::for_this_machine()?;
    let progress = Progress::new(ALL.len());
    for example in &ALL {
        progress.begin(example.script);
        if let Some(package) = example.missing() {
            bail!("Python cannot load {package}, which examples/requirements.txt names; delete target/venv-examples");
        }
        example.run()?;
    }
    say!("{} examples ran; their files are in {}, after {}", ALL.len(), folder().display(), progress.elapsed());
    Ok(())
}

/// Checks the class `FrictionElement`: types of values, the inputs `a` and `F_t`, one sentence for each mistake.
pub fn check_friction_element(fmus: &Path) -> Result<()> {
    let root = workspace::root();
    let mut command = EXAMPLES.program("python");
    command.arg("-B").arg(root.join("tests/python/friction_element.py")).arg(root.join("examples")).arg(fmus);
    workspace::run(&mut command)
}

impl Example {
    /// The first package that cannot be loaded.
    pub fn missing(&self) -> Option<&'static str> {
        self.packages.iter().copied().find(|package| !EXAMPLES.can_import(package))
    }

    /// Runs the script; its results go to `target/examples`.
    pub fn run(&self) -> Result<()> {
        let folder = folder();
        files::make_folder(&folder)?;
        let result = folder.join(self.result);
        if result.exists() {
            std::fs::remove_file(&result).with_context(|| format!("cannot remove {}", result.display()))?;
        }
        let mut command = EXAMPLES.program("python");
        // No caches of compiled scripts beside the sources.
        command.arg("-B").arg(workspace::root().join("examples").join(self.script)).args(self.arguments);
        workspace::run(command.arg("--out").arg(&folder))?;
        ensure!(result.exists(), "{} left no {}", self.script, result.display());
        Ok(())
    }
}

/// The folder of the examples' files.
fn folder() -> PathBuf {
    workspace::target().join("examples")
}
