//! A copy of the sources, in which mutants are made and compiled.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::{files, workspace};

/// The copy, and the folder of what is compiled from it.
pub struct Tree {
    root: PathBuf,
    built: PathBuf,
}

/// Optimisation of a build: without it the compiler takes a fraction of the time, with it the judges do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Optimised {
    No,
    Yes,
}

impl Tree {
    /// Copies the sources that changed since the last run; files that are the same keep their times, and are not compiled again.
    pub fn copy() -> Result<Tree> {
        let tree = Tree { root: super::below_target("tree")?, built: super::below_target("built")? };
        let mut git = Command::new("git");
        git.current_dir(workspace::root()).args(["ls-files", "--cached", "--others", "--exclude-standard"]);
        for name in workspace::output(&mut git)?.lines() {
            if workspace::root().join(name).is_file() {
                tree.restore(name)?;
            }
        }
        Ok(tree)
    }

    /// Puts the file of the workspace into the copy.
    fn restore(&self, name: &str) -> Result<()> {
        let (from, to) = (files::read(&workspace::root().join(name))?, self.root.join(name));
        if std::fs::read(&to).is_ok_and(|known| known == from) {
            return Ok(());
        }
        files::make_folder(to.parent().unwrap_or(&self.root))?;
        files::write(&to, from)
    }

    /// Changes a file of the copy while a function runs. The workspace may change meanwhile.
    pub fn with<T>(
        &self,
        name: &str,
        change: impl Fn(&str) -> Result<String>,
        run: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let path = self.root.join(name);
        let before = files::read_text(&path)?;
        files::write(&path, change(&before)?)?;
        let result = run();
        files::write(&path, before)?;
        result
    }

    /// Whether a source of the copy has a module of tests.
    pub fn has_tests(&self, name: &str) -> bool {
        files::read_text(&self.root.join(name)).is_ok_and(|text| text.contains("#[cfg(test)]"))
    }

    /// A folder of the copy.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The elements' library; none where it does not compile.
    pub fn library(&self, optimised: Optimised) -> Result<Option<PathBuf>> {
        let arguments = ["build", "--quiet", "-p", "bristle-elements", "--profile", "test"];
        let is_compiled = self.cargo(&arguments, optimised).status()?.success();
        let name = [DLL_PREFIX, "bristle_elements", DLL_SUFFIX].concat();
        Ok(is_compiled.then(|| self.built(optimised).join("debug").join(name)))
    }

    /// The program of a package's unit tests; none where it does not compile.
    pub fn unit_tests(&self, package: &str, optimised: Optimised) -> Result<Option<PathBuf>> {
        let arguments = ["test", "--quiet", "--no-run", "--lib", "--message-format", "json", "-p", package];
        let output = self.cargo(&arguments, optimised).stdout(Stdio::piped()).output()?;
        if !output.status.success() {
            return Ok(None);
        }
        Ok(Some(programs(&String::from_utf8_lossy(&output.stdout)).pop().context("no program of unit tests")?.1))
    }

    fn built(&self, optimised: Optimised) -> PathBuf {
        if optimised == Optimised::Yes { self.built.clone() } else { self.built.join("unoptimised") }
    }

    /// Cargo in the copy, incremental, because little changes.
    fn cargo(&self, arguments: &[&str], optimised: Optimised) -> Command {
        let mut cargo = workspace::cargo();
        cargo.args(arguments).current_dir(&self.root).env("CARGO_TARGET_DIR", self.built(optimised));
        cargo.env("CARGO_INCREMENTAL", "1").env("CARGO_PROFILE_TEST_DEBUG", "0");
        cargo.env("CARGO_PROFILE_TEST_STRIP", "symbols").stdout(Stdio::null()).stderr(Stdio::null());
        if optimised == Optimised::No {
            cargo.env("CARGO_PROFILE_TEST_OPT_LEVEL", "0");
        }
        cargo
    }
}

/// Names and files of the programs that cargo reports.
pub fn programs(said: &str) -> Vec<(String, PathBuf)> {
    let artefacts = said.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let program = |artefact: serde_json::Value| {
        let path = Path::new(artefact["executable"].as_str()?).to_owned();
        Some((artefact["target"]["name"].as_str()?.to_owned(), path))
    };
    artefacts.filter_map(program).collect()
}
