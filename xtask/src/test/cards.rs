//! The stages of element cards: the command `bristle`, the cards of `cards/` as FMUs, and stamped
//! libraries of all platforms.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use bristle::catalogue::{ELEMENTS, Variant};
use bristle_export::inspection::{self, Portability};
use bristle_export::platform::{Platform, System};

use super::stage::{Session, Stage, needs, passed};
use crate::console::say;
use crate::environment::IMPORTERS as PYTHON;
use crate::package::platforms::Platforms;
use crate::package::{self, universal};
use crate::progress::Progress;
use crate::{files, libraries, reproducibility, workspace};

/// The stages that need this machine alone.
pub fn stages() -> Vec<Stage> {
    vec![
        Stage::new(
            "the command bristle, with this machine's library inside",
            |session| {
                session.needs_fmus()?;
                let folder = workspace::target().join("libraries-host");
                libraries::build(&Platforms::Host, &folder)?;
                let mut cargo = workspace::cargo();
                passed(workspace::run(
                    cargo
                        .args(["test", "-p", "bristle-cli"])
                        .env("BRISTLE_LIBRARIES", folder),
                ))
            },
        ),
        Stage::new("the cards of cards/ as FMUs", |session| {
            session.needs_fmus()?;
            let cards = elements()?;
            let (host, folder) = (Platforms::Host, folder());
            package::package(
                &cards,
                &host,
                &[],
                &folder,
                &Progress::new(package::stages(&host)),
            )?;
            session.cards = cards
                .iter()
                .map(|card| folder.join(format!("{}.fmu", card.name())))
                .collect();
            Ok(())
        }),
    ]
}

/// The stage of the platforms that were packaged.
pub fn stamped_libraries() -> Stage {
    Stage::long(
        "libraries with a card pass the inspection, macOS' signature with another program, too",
        |session| {
            needs(session.portable, "nothing was packaged for other platforms")?;
            passed(inspect(session))
        },
    )
}

/// Folder of the FMUs of `cards/`, where the examples look for them.
pub fn folder() -> PathBuf {
    workspace::target().join("fmu-cards")
}

/// Elements of the cards of `cards/`.
pub fn elements() -> Result<Vec<Variant>> {
    cards()?.iter().map(|card| package::of_card(card)).collect()
}

/// Stock elements, then those of `cards/`.
pub fn with_stock() -> Result<Vec<Variant>> {
    Ok([package::stock(), elements()?].concat())
}

/// The cards of `cards/`.
fn cards() -> Result<Vec<PathBuf>> {
    let folder = workspace::root().join("cards");
    let entries =
        fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut cards = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    cards.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "toml")
    });
    cards.sort();
    Ok(cards)
}

fn inspect(session: &Session) -> Result<()> {
    let folder = workspace::target().join("stamped");
    files::make_folder(&folder)?;
    for entry in ELEMENTS.iter().take(2) {
        for platform in &session.ready {
            let library = reproducibility::unpack(
                entry.metadata.name,
                platform,
                &session.portable_fmus,
                &folder,
            )?;
            let path = folder.join(library);
            inspect_parts(platform, &files::read(&path)?)?;
            if platform.system == System::Mac && session.python {
                check_signature(&path)?;
            }
            say!(
                "{}, {}: as it must be",
                entry.metadata.name,
                platform.folder
            );
        }
    }
    Ok(())
}

fn inspect_parts(platform: &Platform, bytes: &[u8]) -> Result<()> {
    let parts = if platform.targets.len() > 1 {
        universal::split(bytes)?
    } else {
        vec![bytes.to_vec()]
    };
    ensure!(
        parts.len() == platform.targets.len(),
        "{} has {} libraries",
        platform.folder,
        parts.len()
    );
    for (target, part) in platform.targets.iter().zip(parts) {
        inspection::inspect(&part, platform.system, target, Portability::Portable, &[])?;
    }
    Ok(())
}

/// Checks the signature by a program that shares no code with the exporter.
fn check_signature(library: &Path) -> Result<()> {
    let script = workspace::root().join("tests/python/mach_o_signature.py");
    workspace::run(PYTHON.program("python").arg("-B").arg(script).arg(library)).map(drop)
}
