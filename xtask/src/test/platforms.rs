//! The stages of other platforms: all libraries that this machine has the tools for, built and inspected, built again
//! elsewhere, and run where something runs them.
//!
//! What comes without an administrator (zig from PyPI, Rust's standard libraries) is installed here, the rest by `.ci/run`
//! or by hand; a platform whose tools are missing is reported as skipped.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use bristle::catalogue::ELEMENTS;

use super::{Obstacle, Tally, lacking, needs, passed};
use crate::package::library::Platforms;
use crate::package::platform::{self, PLATFORMS, Platform};
use crate::package::{package, toolchain};
use crate::{identity, workspace};

const NOTHING_PACKAGED: &str = "nothing was packaged for other platforms";

pub fn stages(tally: &mut Tally) {
    tally.stage("tools for other platforms", || {
        let (zig, standard_libraries) = (toolchain::install_zig(), toolchain::install_standard_libraries());
        match zig.and(standard_libraries) {
            Ok(()) => Ok(()),
            Err(error) => Err(Obstacle::Skipped(format!("{error:#}."))),
        }
    });
    let mut ready = Vec::new();
    for platform in &PLATFORMS {
        match toolchain::missing(platform) {
            None => ready.push(platform),
            Some(why) => {
                tally
                    .stage(&format!("packaging for {}", platform.folder), || Err(Obstacle::Skipped(format!("{why}."))));
            }
        }
    }
    let fmus = workspace::target().join("fmu-platforms");
    let folders: Vec<_> = ready.iter().map(|platform| platform.folder).collect();
    // Those that are not ready have said so already.
    let packaged = !ready.is_empty()
        && tally.stage(&format!("packaging for {}", folders.join(", ")), || {
            let platforms = Platforms::Portable(ready.clone());
            passed(package(&[], &platforms, &fmus, &workspace::target().join("package")).map(drop))
        });
    tally.stage("packaging for other platforms from another folder gives the same bytes", || {
        needs(packaged, NOTHING_PACKAGED)?;
        passed(package_elsewhere(&fmus, &ready))
    });
    same_bits(tally, packaged, &fmus, &ready);
}

/// Every platform calculates what this machine calculates.
fn same_bits(tally: &mut Tally, packaged: bool, fmus: &Path, ready: &[&'static Platform]) {
    let host = platform::host().ok();
    let name = host.map_or("this machine", |host| host.folder);
    let mut reference = None;
    tally.stage(&format!("the reference run of every element on {name}"), || {
        needs(packaged, NOTHING_PACKAGED)?;
        let host = host.filter(|host| ready.contains(host));
        let host = host.ok_or_else(|| lacking("nothing was packaged for this machine"))?;
        let (_, runs) = reference.insert((host, run(host, fmus)?));
        for run in runs {
            let (name, refused) = (run.entry.declaration.name, run.refused());
            println!("{name}: {} steps, {refused} of them refused, {}", identity::STEPS, run.hash());
        }
        Ok(())
    });
    for platform in PLATFORMS.iter().filter(|platform| Some(*platform) != host) {
        tally.stage(&format!("{} calculates the same bits", platform.folder), || {
            needs(ready.contains(&platform), "nothing was packaged for it")?;
            let (host, reference) = reference.as_ref().ok_or_else(|| lacking("there is no reference run"))?;
            for (found, expected) in run(platform, fmus)?.iter().zip(reference) {
                expected.compare(found, [host, platform])?;
                println!("{}: {}", found.entry.declaration.name, found.hash());
            }
            Ok(())
        });
    }
}

fn run(platform: &'static Platform, fmus: &Path) -> Result<Vec<identity::Run>, Obstacle> {
    identity::run(platform, fmus)?.map_err(|identity::NotHere(why)| Obstacle::Skipped(why))
}

/// Packages everything once more, from a copy of the sources in another folder, and compares; for this machine where no
/// platforms are given.
pub fn package_elsewhere(first: &Path, platforms: &[&Platform]) -> Result<()> {
    let copy = workspace::target().join("elsewhere");
    workspace::remove_folder(&copy)?;
    copy_sources(&workspace::root(), &copy)?;
    let again = copy.join("target/fmu");
    let mut command = Command::new(std::env::current_exe().context("this program's own file is not known")?);
    // By it the program knows where the workspace lies.
    command.env("CARGO_MANIFEST_DIR", copy.join("xtask")).env("PATH", toolchain::search_path());
    command.args(["package", "--out"]).arg(&again);
    for platform in platforms {
        command.args(["--platform", platform.folder]);
    }
    workspace::run(&mut command)?;
    for entry in &ELEMENTS {
        let file = format!("{}.fmu", entry.declaration.name);
        let same = workspace::read(&first.join(&file))? == workspace::read(&again.join(&file))?;
        ensure!(same, "{file} differs from one packaging to the next; unzip both and compare their files");
    }
    Ok(())
}

/// Copies all but what was built and its history.
fn copy_sources(from: &Path, to: &Path) -> Result<()> {
    workspace::make_folder(to)?;
    for entry in std::fs::read_dir(from).with_context(|| format!("cannot list {}", from.display()))? {
        let (entry, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        let copy = to.join(&name);
        if name == "target" || name == ".git" {
            continue;
        }
        if entry.is_dir() {
            copy_sources(&entry, &copy)?;
        } else {
            std::fs::copy(&entry, &copy).with_context(|| format!("cannot copy {}", entry.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_that_cannot_be_compared_are_told() {
        let mut tally = Tally::default();
        same_bits(&mut tally, false, Path::new("nowhere"), &[]);
        assert_eq!([tally.passed, tally.failed], [0; 2]);
        assert!(tally.skipped as usize >= PLATFORMS.len());
    }
}
