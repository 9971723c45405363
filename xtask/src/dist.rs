//! `cargo xtask dist`: a release, everything that is published of it, in `target/dist/`: every FMU
//! for all platforms, archives of the command `bristle`, wheels of the Python package, the licences
//! of what is linked in, a note from the changelog and the checksums of all these files. The tables
//! of `docs/platforms.md` are made in the same run.
//!
//! `.github/load.py` loads them on their own systems.

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use bristle::catalogue::ELEMENTS;
use bristle_export::platform::{self, MACOS, PLATFORMS, Platform, System, Target};
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime};

use crate::console::say;
use crate::environment::ZIG;
use crate::package::library::{self, Library};
use crate::package::platforms::Platforms;
use crate::package::{self, licences, source, toolchain, universal};
use crate::progress::Progress;
use crate::{files, libraries, page, performance, python_package, tools, workspace};

/// Folders of the platforms that get a program and wheels; 32-bit machines import FMUs, and make
/// none.
const PROGRAMS: [&str; 4] = ["linux64", "aarch64-linux", "win64", "darwin64"];

/// The command.
pub fn command() -> Result<()> {
    let platforms = Platforms::Portable(PLATFORMS.iter().collect());
    tools::refuse(&source::missing()?)?;
    let stages = package::stages(&platforms) + ELEMENTS.len() + 2 * PROGRAMS.len();
    let progress = Progress::new(stages);
    // A release that was interrupted leaves the one before as it was.
    let [dist, unfinished, inside] =
        ["dist", "dist-unfinished", "libraries"].map(|name| workspace::target().join(name));
    files::remove_folder(&unfinished)?;
    let built = package::package(&package::stock(), &platforms, &[], &unfinished, &progress)?;
    libraries::put(&built, &platforms, &inside)?;
    libraries::put_sources(&inside, &progress)?;
    for folder in PROGRAMS {
        let platform = platform::find(folder)?;
        progress.begin(&format!("the command bristle for {folder}"));
        let parts = platform
            .targets
            .iter()
            .map(|target| files::read(&program(platform, target, &inside)?));
        let program = universal::join(parts.collect::<Result<_>>()?)?;
        let name = format!("bristle-{}-{folder}", env!("CARGO_PKG_VERSION"));
        files::write(
            &unfinished.join(format!("{name}.zip")),
            archive(&name, program_name(platform), &program)?,
        )?;
        progress.begin(&format!("the Python package for {folder}"));
        platform
            .targets
            .iter()
            .try_for_each(|target| wheel(platform, target, &inside, &unfinished))?;
    }
    for file in licences::gather(&platforms)? {
        files::write_below(&unfinished, &format!("licenses/{}", file.path), &file.text)?;
    }
    let changelog = files::read_text(&workspace::root().join("CHANGELOG.md"))?;
    files::write(
        &unfinished.join("RELEASE_NOTE.md"),
        release_note(&changelog)?,
    )?;
    let sums =
        "find * -type f | LC_ALL=C sort | xargs sha256sum > ../SHA256SUMS && mv ../SHA256SUMS .";
    workspace::run(
        Command::new("sh")
            .current_dir(&unfinished)
            .args(["-ec", sums]),
    )?;

    page::update_dated(
        &workspace::root().join("docs/platforms.md"),
        &library_table(&built)?,
        "dist",
    )?;
    files::remove_folder(&dist)?;
    std::fs::rename(&unfinished, &dist)
        .with_context(|| format!("cannot move the release to {}", dist.display()))?;
    say!(
        "a release in {}; `sha256sum -c SHA256SUMS` checks it there",
        dist.display()
    );
    Ok(())
}

/// The topmost section of the changelog under the release's name.
fn release_note(changelog: &str) -> Result<String> {
    let section = changelog
        .split("\n## ")
        .nth(1)
        .context("CHANGELOG.md has no section; a section begins with `## `")?;
    let text = section.split_once('\n').map_or("", |(_, text)| text.trim());
    Ok(format!(
        "# Bristle {}\n\n{text}\n",
        env!("CARGO_PKG_VERSION")
    ))
}

/// Builds the command `bristle` for a target, by the recipe of its library, and returns its path.
fn program(platform: &Platform, target: &Target, inside: &Path) -> Result<PathBuf> {
    let folder = workspace::target().join("package").join(platform.folder);
    let mut toolchain = toolchain::portable(platform, target, &folder)?;
    toolchain.cargo.args([
        "--quiet",
        "-p",
        "bristle-cli",
        "--bin",
        "bristle",
        "--release",
        "--target-dir",
    ]);
    toolchain
        .cargo
        .arg(&folder)
        .env("BRISTLE_LIBRARIES", inside);
    let flags = toolchain::of_a_program(toolchain.flags);
    workspace::run(library::reproducible(&mut toolchain.cargo, &flags)?)?;
    Ok(folder
        .join(target.triple)
        .join("release")
        .join(program_name(platform)))
}

fn program_name(platform: &Platform) -> &'static str {
    if platform.system == System::Windows {
        "bristle.exe"
    } else {
        "bristle"
    }
}

/// Archive of a program with its licences, in a folder of this name.
fn archive(folder: &str, name: &str, program: &[u8]) -> Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    archive.start_file(format!("{folder}/{name}"), options.unix_permissions(0o755))?;
    archive.write_all(program)?;
    for (path, text) in licences::of_program()? {
        archive.start_file(
            format!("{folder}/licenses/{path}"),
            options.unix_permissions(0o644),
        )?;
        archive.write_all(&text)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// Builds the wheel for a target, with the libraries that the programs embed, into a folder.
fn wheel(platform: &Platform, target: &Target, inside: &Path, out: &Path) -> Result<()> {
    let folder = workspace::target().join("package").join(platform.folder);
    let mut maturin = ZIG.program("maturin");
    maturin
        .current_dir(python_package::folder())
        .env("PATH", ZIG.search_path());
    maturin
        .env("VIRTUAL_ENV", ZIG.path())
        .env("BRISTLE_LIBRARIES", inside);
    maturin
        .args(["build", "--release", "--quiet", "--target", target.triple])
        .arg("--target-dir")
        .arg(&folder);
    maturin.arg("--out").arg(out);
    match platform.system {
        System::Windows => {
            maturin.env(toolchain::linker_variable(target), toolchain::mingw(target))
        }
        System::Linux => maturin.args(["--zig", "--compatibility", "manylinux2014"]),
        System::Mac => maturin.arg("--zig").env(
            "MACOSX_DEPLOYMENT_TARGET",
            format!("{}.{}", MACOS[0], MACOS[1]),
        ),
    };
    workspace::run(library::reproducible(&mut maturin, &["-Cstrip=symbols"])?)
}

/// The libraries, and the versions of the tools that built them: other versions make other bytes.
fn library_table(libraries: &[Library]) -> Result<String> {
    let windows = &platform::find("win64")?.targets[0];
    let mingw = workspace::output(Command::new(toolchain::mingw(windows)).arg("-dumpfullversion"))?;
    let tools = format!(
        "{}, {}, MinGW's gcc {}",
        performance::rustc()?,
        ZIG.packages.join(", "),
        mingw.trim()
    );
    let mut table = format!(
        "Bristle {}, built with {tools}:\n\n",
        env!("CARGO_PKG_VERSION")
    );
    table += "| platform | processor | size, kB | oldest system | needs |\n|---|---|---|---|---|\n";
    for library in libraries {
        for (target, facts) in &library.facts {
            let processor = format!("{:?}", target.processor).to_lowercase();
            // A DLL does not record its system; this is the oldest that Rust supports.
            let floor = facts
                .floor
                .as_ref()
                .map_or("Windows 10".to_owned(), ToString::to_string);
            let (folder, size, needs) = (
                library.platform.folder,
                facts.size / 1000,
                facts.needs.join(", "),
            );
            table += &format!("| `{folder}` | {processor} | {size} | {floor} | {needs} |\n");
        }
    }
    Ok(page::section("libraries", &table))
}
