//! `cargo xtask examples`: runs every script of `examples/` as a user would, on the packaged FMUs. The scripts compare
//! themselves with their references and fail where they are off.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::console::say;
use crate::environment::EXAMPLES;
use crate::package::platforms::Platforms;
use crate::progress::Progress;
use crate::{files, package, workspace};

/// Script with its arguments, its required packages and its results.
pub struct Example {
    pub script: &'static str,
    /// Runs on FMUs of `cards/`.
    pub needs_cards: bool,
    arguments: &'static [&'static str],
    packages: &'static [&'static str],
    result: &'static str,
}

pub const ALL: [Example; 11] = [
    Example {
        script: "friction_loop.py",
        needs_cards: false,
        // As the README calls it.
        arguments: &["FrDyn2", "--frequency", "5", "--amplitude", "0.02", "mu_s=0.5"],
        packages: &["fmpy", "matplotlib"],
        result: "friction_loop_FrDyn2.png",
    },
    Example {
        script: "body_on_friction.py",
        needs_cards: false,
        arguments: &[],
        packages: &["fmpy", "matplotlib"],
        result: "body_on_friction.png",
    },
    Example {
        script: "reference_master.py",
        needs_cards: false,
        arguments: &[],
        packages: &["fmpy"],
        result: "reference_master.csv",
    },
    Example {
        script: "exudyn_block.py",
        needs_cards: false,
        arguments: &[],
        packages: &["fmpy", "matplotlib", "tqdm", "exudyn"],
        result: "exudyn_block.png",
    },
    Example {
        script: "exudyn_festoon.py",
        needs_cards: false,
        arguments: &[],
        packages: &["fmpy", "matplotlib", "tqdm", "exudyn"],
        result: "exudyn_festoon.png",
    },
    Example {
        script: "exudyn_joint.py",
        needs_cards: true,
        arguments: &[],
        packages: &["fmpy", "matplotlib", "tqdm", "exudyn"],
        result: "exudyn_joint.png",
    },
    Example {
        script: "exudyn_feet.py",
        needs_cards: true,
        arguments: &[],
        packages: &["fmpy", "matplotlib", "tqdm", "exudyn"],
        result: "exudyn_feet.png",
    },
    Example {
        script: "mujoco_joint.py",
        needs_cards: true,
        arguments: &[],
        packages: &["fmpy", "matplotlib", "mujoco"],
        result: "mujoco_joint.png",
    },
    Example {
        script: "sweep_dask.py",
        needs_cards: false,
        arguments: &["--workers", "2"],
        packages: &["fmpy", "matplotlib", "tqdm", "distributed", "pyarrow"],
        result: "sweep.parquet",
    },
    Example {
        script: "system_ssp.py",
        needs_cards: false,
        arguments: &[],
        packages: &["fmpy", "pythonfmu"],
        result: "system.ssp",
    },
    Example {
        script: "run_notebook.py",
        needs_cards: false,
        arguments: &[],
        packages: &["fmpy", "matplotlib", "ipykernel", "nbclient"],
        result: "friction.ipynb",
    },
];

/// Cards of `cards/` whose FMUs the examples run on.
const CARDS: [&str; 2] = ["RevoluteJoint", "Plate"];

/// The command: all examples.
pub fn command() -> Result<()> {
    EXAMPLES.require()?;
    package::for_this_machine()?;
    let card = |name: &&str| package::of_card(&workspace::root().join("cards").join(format!("{name}.toml")));
    let cards = CARDS.iter().map(card).collect::<Result<Vec<_>>>()?;
    let host = Platforms::Host;
    package::package(&cards, &host, &cards_folder(), &Progress::new(package::stages(&host)))?;
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

/// Folder of the FMUs of `cards/`, where the examples look for them.
pub fn cards_folder() -> PathBuf {
    workspace::target().join("fmu-cards")
}

/// Checks the class `FrictionElement`: types of values, the inputs `a` and `F_t`, contacts of every motion, one sentence for each mistake.
pub fn check_friction_element(fmus: &Path) -> Result<()> {
    let root = workspace::root();
    let mut command = EXAMPLES.program("python");
    command.arg("-B").arg(root.join("tests/python/friction_element.py"));
    workspace::run(command.arg(root.join("examples")).arg(fmus).arg(cards_folder()))
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
