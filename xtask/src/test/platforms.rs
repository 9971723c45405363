//! The stages of other platforms: whether the library compiles for each of them; with `--long` all
//! libraries that this machine has the tools for, built and inspected, built again elsewhere, and
//! run where something runs them.
//!
//! Tools that need no administrator (zig from PyPI, Rust's standard libraries) are installed here,
//! the others by hand; a platform whose tools are missing is reported as skipped.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use bristle::catalogue::ELEMENTS;
use bristle_export::platform::{self, PLATFORMS, Platform};

use super::cards;
use super::stage::{Obstacle, Outcome, Session, Stage, cargo, lacking, make, needs, passed};
use crate::console::say;
use crate::environment::ZIG;
use crate::package::platforms::Platforms;
use crate::package::{self, toolchain};
use crate::progress::Progress;
use crate::{files, reproducibility, workspace};

const NOTHING_PACKAGED: &str = "nothing was packaged for other platforms";

/// Copies the sources without build results, history and Python environments; the copy shares the
/// environment with zig.
const COPY: &str = r#"
tar -c --exclude=target --exclude=.git --exclude='venv*' . | tar -x -C "$0"
mkdir "$0/target" && ln -s "$PWD/target/zig" "$0/target/zig"
"#;

/// The stages in their order.
pub fn stages() -> Vec<Stage> {
    let mut stages = vec![
        Stage::new("the library compiles for every platform", |_| {
            toolchain::install_standard_libraries()
                .map_err(|error| Obstacle::Skipped(format!("{error:#}.")))?;
            let targets = PLATFORMS.iter().flat_map(|platform| platform.targets);
            let targets: Vec<&str> = targets
                .flat_map(|target| ["--target", target.triple])
                .collect();
            cargo(&[&["check", "-p", "bristle-elements"], &targets[..]].concat())
        }),
        Stage::long("tools for other platforms", |_| make(&ZIG)),
    ];
    stages.extend(PLATFORMS.iter().map(|platform| {
        Stage::long(format!("tools for {}", platform.folder), move |session| {
            let missing = toolchain::missing(&Platforms::Portable(vec![platform]))?;
            if missing.is_empty() {
                session.ready.push(platform);
                return Ok(());
            }
            Err(Obstacle::Skipped(format!(
                "these are missing: {}.",
                missing.join("; ")
            )))
        })
    }));
    stages.push(Stage::long(
        "packaging for all platforms whose tools are there",
        |session| {
            needs(!session.ready.is_empty(), "there are tools for no platform")?;
            let platforms = Platforms::Portable(session.ready.clone());
            let progress = Progress::new(package::stages(&platforms));
            package::package(
                &cards::with_stock()?,
                &platforms,
                &[],
                &session.portable_fmus,
                &progress,
            )?;
            session.portable = true;
            Ok(())
        },
    ));
    stages.push(cards::stamped_libraries());
    stages.push(Stage::long(
        "packaging for other platforms from another folder gives the same bytes",
        |session| {
            needs(session.portable, NOTHING_PACKAGED)?;
            passed(package_elsewhere(&session.portable_fmus, &session.ready))
        },
    ));
    stages.push(Stage::long(
        "the reference run of every element and of cards/ on this machine",
        reference,
    ));
    stages.extend(
        PLATFORMS
            .iter()
            .filter(|platform| Some(*platform) != platform::host().ok())
            .map(|platform| {
                Stage::long(
                    format!("{} calculates the same bits", platform.folder),
                    move |session| same_bits(platform, session),
                )
            }),
    );
    stages
}

/// Runs the stock elements and those of `cards/` on this machine.
fn reference(session: &mut Session) -> Outcome {
    needs(session.portable, NOTHING_PACKAGED)?;
    let host = platform::host()
        .ok()
        .filter(|host| session.ready.contains(host));
    let host = host.ok_or_else(|| lacking("nothing was packaged for this machine"))?;
    session.reference = Some((host, run(host, session)?));
    Ok(())
}

/// Runs the same elements on a platform and compares with this machine.
fn same_bits(platform: &'static Platform, session: &mut Session) -> Outcome {
    needs(
        session.portable && session.ready.contains(&platform),
        "nothing was packaged for it",
    )?;
    let (host, reference) = session
        .reference
        .as_ref()
        .ok_or_else(|| lacking("there is no reference run"))?;
    for (found, expected) in run(platform, session)?.iter().zip(reference) {
        expected.compare(found, [host.folder, platform.folder])?;
    }
    Ok(())
}

/// Runs and prints the reference run of every element.
fn run(platform: &Platform, session: &Session) -> Result<Vec<reproducibility::Run>, Obstacle> {
    let runner = reproducibility::runner(platform).map_err(Obstacle::Skipped)?;
    let runs = reproducibility::run(
        platform,
        runner,
        &session.portable_fmus,
        &cards::with_stock()?,
    )?;
    for run in &runs {
        let (name, refused) = (&run.name, run.refused());
        say!(
            "{name}: {} steps, {refused} of them refused, {}",
            reproducibility::STEPS,
            run.hash()
        );
    }
    Ok(runs)
}

/// Packages everything once more, from a copy of the sources in another folder, and compares; for
/// this machine where no platforms are given.
pub fn package_elsewhere(first: &Path, platforms: &[&Platform]) -> Result<()> {
    let copy = workspace::target().join("elsewhere");
    files::remove_folder(&copy)?;
    files::make_folder(&copy)?;
    workspace::run(
        Command::new("sh")
            .current_dir(workspace::root())
            .args(["-ec", COPY])
            .arg(&copy),
    )?;
    let again = copy.join("target/fmu");
    let mut command = Command::new(workspace::this_program()?);
    // The program finds its workspace by it.
    command
        .env("CARGO_MANIFEST_DIR", copy.join("xtask"))
        .args(["package", "--out"])
        .arg(&again);
    command.args(
        platforms
            .iter()
            .flat_map(|platform| ["--platform", platform.folder]),
    );
    workspace::run(&mut command)?;
    for entry in &ELEMENTS {
        let file = format!("{}.fmu", entry.metadata.name);
        let same = files::read(&first.join(&file))? == files::read(&again.join(&file))?;
        ensure!(
            same,
            "{file} differs from one packaging to the next; unzip both and compare their files"
        );
    }
    Ok(())
}
