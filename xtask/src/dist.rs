//! `cargo xtask dist`: a release, everything that is published of it, in `target/dist/`: every FMU for all platforms, archives of the
//! command `bristle`, wheels of the Python package, the licences of what is linked in, a note from the changelog and the checksums of all these files.
//!
//! The tables of `docs/platforms.md` are made of the same libraries in the same run.

mod programs;
mod wheels;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use bristle::catalogue::{ELEMENTS, Variant};
use sha2::{Digest, Sha256};

use crate::console::say;
use crate::package::library::Library;
use crate::package::platforms::Platforms;
use crate::package::{licences, toolchain};
use crate::progress::Progress;
use crate::reproducibility::{self, NotHere};
use crate::{files, package, page, performance, workspace};
use bristle_export::platform::{self, PLATFORMS, Platform, System};

/// The command.
pub fn command() -> Result<()> {
    let platforms = Platforms::Portable(PLATFORMS.iter().collect());
    // Programs, wheels, licences and note, the reference runs, checksums.
    let progress =
        Progress::new(package::stages(&platforms) + PLATFORMS.len() + programs::PROGRAMS.len() + wheels::count() + 2);
    let elements = package::stock();
    // A release that was interrupted leaves the one before as it was.
    let unfinished = workspace::target().join("dist-unfinished");
    files::remove_folder(&unfinished)?;
    let libraries = package::package(&elements, &platforms, &unfinished, &progress)?;
    programs::write(&libraries, &platforms, &unfinished, &progress)?;
    wheels::write(&unfinished, &progress)?;
    progress.begin("licences and release note beside the FMUs");
    for file in licences::gather(&platforms)? {
        write(&unfinished.join("licenses").join(file.path), &file.text)?;
    }
    let changelog = files::read_text(&workspace::root().join("CHANGELOG.md"))?;
    write(&unfinished.join("RELEASE_NOTE.md"), release_note(&changelog)?.as_bytes())?;

    let bits = bits_table(&elements, &unfinished, &progress)?;
    let made = [tools()?, library_table(&libraries), fmu_table(&unfinished)?, bits].concat();
    progress.begin("checksums, and the tables of docs/platforms.md");
    page::update_stamped(&workspace::root().join("docs/platforms.md"), &made, "dist")?;
    let sums = checksums(&unfinished)?;
    write(&unfinished.join("SHA256SUMS"), sums.as_bytes())?;

    let dist = workspace::target().join("dist");
    files::remove_folder(&dist)?;
    std::fs::rename(&unfinished, &dist).with_context(|| format!("cannot move the release to {}", dist.display()))?;
    say!(
        "a release of {} files in {}, after {}; `sha256sum -c SHA256SUMS` checks them there",
        sums.lines().count(),
        dist.display(),
        progress.elapsed()
    );
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().context("a file lies in a folder")?;
    files::make_folder(folder)?;
    files::write(path, bytes)
}

/// The topmost section of the changelog under the release's name.
fn release_note(changelog: &str) -> Result<String> {
    let from = changelog.find("\n## ").context("CHANGELOG.md has no section; a section begins with `## `")?;
    let section = &changelog[from + 1..];
    let text = section.find("\n## ").map_or(section, |end| &section[..end]);
    let text = text.split_once('\n').map_or("", |(_, text)| text.trim());
    Ok(format!("# Bristle {}\n\n{text}\n", env!("CARGO_PKG_VERSION")))
}

/// A line for each file below the folder, as `sha256sum` writes and checks it.
fn checksums(folder: &Path) -> Result<String> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    let mut sums = String::new();
    for file in files {
        let name = file.strip_prefix(folder)?.display();
        writeln!(sums, "{}  {name}", sha256(&files::read(&file)?))?;
    }
    Ok(sums)
}

/// All files below a folder, in order.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Versions of the tools that built the libraries: other versions make other bytes.
fn tools() -> Result<String> {
    let windows = platform::find("win64")?;
    let mingw = Command::new(toolchain::mingw(&windows.targets[0])?).arg("-dumpfullversion").output()?;
    let mingw = String::from_utf8_lossy(&mingw.stdout).trim().to_owned();
    let [zig, zigbuild] = toolchain::ZIG_PACKAGES;
    let rustc = performance::rustc()?;
    Ok(section(
        "tools",
        &format!("Bristle {}, {rustc}, {zig}, {zigbuild}, MinGW's gcc {mingw}.\n", env!("CARGO_PKG_VERSION")),
    ))
}

fn library_table(libraries: &[Library]) -> String {
    let mut table = "| platform | processor | size, kB | oldest system | needs |\n|---|---|---|---|---|\n".to_owned();
    for library in libraries {
        for (target, facts) in &library.facts {
            let processor = format!("{:?}", target.processor).to_lowercase();
            let floor = match (&facts.floor, library.platform.system) {
                (Some(floor), _) => floor.to_string(),
                // A DLL does not record it; this is the oldest that Rust supports.
                (None, System::Windows) => "Windows 10".to_owned(),
                (None, _) => String::new(),
            };
            let needs = facts.needs.join(", ");
            let folder = library.platform.folder;
            table += &format!("| `{folder}` | {processor} | {} | {floor} | {needs} |\n", facts.size / 1000);
        }
    }
    section("libraries", &table)
}

fn fmu_table(dist: &Path) -> Result<String> {
    let mut table = "| FMU | size, kB | SHA-256 |\n|---|---|---|\n".to_owned();
    for entry in &ELEMENTS {
        let file = format!("{}.fmu", entry.metadata.name);
        let bytes = files::read(&dist.join(&file))?;
        table += &format!("| {file} | {} | `{}` |\n", bytes.len() / 1000, sha256(&bytes));
    }
    Ok(section("fmus", &table))
}

/// The hash of every element's reference run, and the platforms that agree in it.
fn bits_table(elements: &[Variant], dist: &Path, progress: &Progress) -> Result<String> {
    let mut reference: Option<(&Platform, Vec<reproducibility::Run>)> = None;
    let (mut agree, mut not_run) = (Vec::new(), Vec::new());
    for platform in &PLATFORMS {
        progress.begin(&format!("the reference run of every element on {}", platform.folder));
        let runs = match reproducibility::run(platform, dist, elements)? {
            Ok(runs) => runs,
            Err(NotHere(why)) => {
                say!("         skipped: {why}");
                not_run.push(platform.folder);
                continue;
            }
        };
        agree.push(platform.folder);
        match &reference {
            None => reference = Some((platform, runs)),
            Some((first, expected)) => {
                for (expected, found) in expected.iter().zip(&runs) {
                    expected.compare(found, [first, platform])?;
                }
            }
        }
    }
    let (_, runs) = reference.context("this machine runs none of the libraries; make the release on Linux")?;
    let mut table = format!("The same on {}", agree.join(", "));
    match &not_run[..] {
        [] => table += ".\n",
        not_run => table += &format!("; not run: {}.\n", not_run.join(", ")),
    }
    table +=
        "\n| element | steps | refused | hash of all outputs, states, derivatives and modes |\n|---|---|---|---|\n";
    for run in &runs {
        let (name, refused) = (&run.name, run.refused());
        table += &format!("| {name} | {} | {refused} | `{}` |\n", reproducibility::STEPS, run.hash());
    }
    Ok(section("bits", &table))
}

fn section(name: &str, text: &str) -> String {
    format!("<!-- begin {name} -->\n{text}<!-- end {name} -->\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn release_note_is_the_topmost_section_of_the_changelog() {
        let changelog = "# Changelog\n\nProse.\n\n## [0.2.0]\n\n### Added\n- New.\n\n## [0.1.0]\n- Old.\n";
        let expected = format!("# Bristle {}\n\n### Added\n- New.\n", env!("CARGO_PKG_VERSION"));
        assert_eq!(release_note(changelog).unwrap(), expected);
        assert!(release_note("# Changelog\n").is_err());
    }
}
