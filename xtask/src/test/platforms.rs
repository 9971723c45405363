//! The stages of other platforms: whether the library compiles for each of them; with `--long` all libraries that this machine has the
//! tools for, built and inspected, built again elsewhere, and run where something runs them.
//!
//! Tools that need no administrator (zig from PyPI, Rust's standard libraries) are installed here, the others by hand; a platform whose
//! tools are missing is reported as skipped.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use bristle::catalogue::ELEMENTS;

use super::cards;
use super::stage::{Obstacle, Outcome, Session, Stage, cargo, lacking, needs, passed};
use crate::console::say;
use crate::package::platforms::Platforms;
use crate::package::{self, toolchain};
use crate::progress::Progress;
use crate::{files, reproducibility, workspace};
use bristle_export::platform::{self, PLATFORMS, Platform};

const NOTHING_PACKAGED: &str = "nothing was packaged for other platforms";

/// The stages in their order.
pub fn stages() -> Vec<Stage> {
    let skipped = |error: anyhow::Error| Obstacle::Skipped(format!("{error:#}."));
    let mut stages = vec![
        Stage::new("the library compiles for every platform", move |_| {
            toolchain::install_standard_libraries().map_err(skipped)?;
            let targets = PLATFORMS.iter().flat_map(|platform| platform.targets);
            let targets: Vec<&str> = targets.flat_map(|target| ["--target", target.triple]).collect();
            cargo(&[&["check", "-p", "bristle-elements"], &targets[..]].concat())
        }),
        Stage::long("tools for other platforms", move |_| toolchain::install_zig().map_err(skipped)),
    ];
    stages.extend(PLATFORMS.iter().map(|platform| {
        Stage::long(format!("tools for {}", platform.folder), move |session| {
            let missing = toolchain::missing(&Platforms::Portable(vec![platform]))?;
            if missing.is_empty() {
                session.ready.push(platform);
                return Ok(());
            }
            Err(Obstacle::Skipped(format!("{}.", missing.join("; "))))
        })
    }));
    stages.push(Stage::long("packaging for all platforms whose tools are there", |session| {
        needs(!session.ready.is_empty(), "there are tools for no platform")?;
        let platforms = Platforms::Portable(session.ready.clone());
        let progress = Progress::new(package::stages(&platforms));
        package::package(&cards::with_stock()?, &platforms, &session.portable_fmus, &progress)?;
        session.portable = true;
        Ok(())
    }));
    stages.push(cards::stamped_libraries());
    stages.push(Stage::long("packaging for other platforms from another folder gives the same bytes", |session| {
        needs(session.portable, NOTHING_PACKAGED)?;
        passed(package_elsewhere(&session.portable_fmus, &session.ready))
    }));
    stages.push(Stage::long("the reference run of every element and of cards/ on this machine", reference));
    stages.extend(PLATFORMS.iter().filter(|platform| Some(*platform) != platform::host().ok()).map(|platform| {
        Stage::long(format!("{} calculates the same bits", platform.folder), move |session| {
            same_bits(platform, session)
        })
    }));
    stages
}

/// Runs the stock elements and those of `cards/` on this machine.
fn reference(session: &mut Session) -> Outcome {
    needs(session.portable, NOTHING_PACKAGED)?;
    let host = platform::host().ok().filter(|host| session.ready.contains(host));
    let host = host.ok_or_else(|| lacking("nothing was packaged for this machine"))?;
    let (_, runs) = session.reference.insert((host, run(host, &session.portable_fmus)?));
    for run in runs {
        let (name, refused) = (&run.name, run.refused());
        say!("{name}: {} steps, {refused} of them refused, {}", reproducibility::STEPS, run.hash());
    }
    Ok(())
}

/// Runs the same elements on a platform and compares with this machine.
fn same_bits(platform: &'static Platform, session: &mut Session) -> Outcome {
    needs(session.portable && session.ready.contains(&platform), "nothing was packaged for it")?;
    let (host, reference) = session.reference.as_ref().ok_or_else(|| lacking("there is no reference run"))?;
    for (found, expected) in run(platform, &session.portable_fmus)?.iter().zip(reference) {
        expected.compare(found, [host, platform])?;
        say!("{}: {}", found.name, found.hash());
    }
    Ok(())
}

fn run(platform: &'static Platform, fmus: &Path) -> Result<Vec<reproducibility::Run>, Obstacle> {
    reproducibility::run(platform, fmus, &cards::with_stock()?)?
        .map_err(|reproducibility::NotHere(why)| Obstacle::Skipped(why))
}

/// Packages everything once more, from a copy of the sources in another folder, and compares; for this machine where no
/// platforms are given.
pub fn package_elsewhere(first: &Path, platforms: &[&Platform]) -> Result<()> {
    let copy = workspace::target().join("elsewhere");
    files::remove_folder(&copy)?;
    copy_sources(&workspace::root(), &copy)?;
    let again = copy.join("target/fmu");
    let mut command = Command::new(workspace::this_program()?);
    // The program finds its workspace by it.
    command.env("CARGO_MANIFEST_DIR", copy.join("xtask")).env("PATH", toolchain::search_path());
    command.args(["package", "--out"]).arg(&again);
    for platform in platforms {
        command.args(["--platform", platform.folder]);
    }
    workspace::run(&mut command)?;
    for entry in &ELEMENTS {
        let file = format!("{}.fmu", entry.metadata.name);
        let same = files::read(&first.join(&file))? == files::read(&again.join(&file))?;
        ensure!(same, "{file} differs from one packaging to the next; unzip both and compare their files");
    }
    Ok(())
}

/// Copies all files but build results, the history, and the Python environment of the README's recipe.
fn copy_sources(from: &Path, to: &Path) -> Result<()> {
    files::make_folder(to)?;
    for entry in std::fs::read_dir(from).with_context(|| format!("cannot list {}", from.display()))? {
        let (entry, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        let copy = to.join(&name);
        if name == "target" || name == ".git" || name == "venv" {
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
    use super::super::stage::Tally;
    use super::*;

    #[test]
    fn platforms_without_a_library_are_skipped() {
        let is_build = |stage: &Stage| stage.long && !stage.name.starts_with("tools");
        let stages: Vec<_> = stages().into_iter().filter(is_build).collect();
        let count = stages.len();
        let mut tally = Tally::new(count);
        stages.into_iter().for_each(|stage| tally.run(stage, &mut Session::new()));
        assert_eq!(tally.counts(), [0, 0, count]);
    }
}
