//! `cargo xtask dist`: a release, everything that is published of it, in `target/dist/`: every FMU
//! for all platforms, singly and in an archive, FMUs with C source, the command `bristle`, wheels of
//! the Python package, the licences of what is linked in, bills of materials, a note from the
//! changelog and the checksums of all these files. The tables of `docs/platforms.md` are made in the
//! same run.
//!
//! `.github/load.py` loads them on their own systems.

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use bristle::catalogue::ELEMENTS;
use bristle_export::platform::{self, MACOS, PLATFORMS, Platform, System, Target};
use rayon::prelude::*;
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

/// Crate that writes bills of materials, and its version.
const CYCLONEDX: [&str; 2] = ["cargo-cyclonedx", "0.5.9"];
/// Packages whose bills a release holds: the FMUs, the command, the Python package.
const BILLS: [&str; 3] = ["bristle-elements", "bristle-cli", "bristle-python"];

/// Permissions of a file and of a program.
const READABLE: u32 = 0o644;
const EXECUTABLE: u32 = 0o755;

/// The command.
pub fn command() -> Result<()> {
    let platforms = Platforms::Portable(PLATFORMS.iter().collect());
    let no_platform = Platforms::Portable(Vec::new());
    toolchain::install_standard_libraries()?;
    toolchain::require_std(source::TARGET)?;
    tools::refuse(&[source::missing()?, toolchain::missing(&platforms)?].concat())?;
    let stages = package::stages(&platforms) + package::stages(&no_platform);
    let progress = Progress::new(1 + stages + ELEMENTS.len() + 2 * PROGRAMS.len());
    // A release that was interrupted leaves the one before as it was.
    let [dist, unfinished, with_sources, inside] =
        ["dist", "dist-unfinished", "dist-sources", "libraries"]
            .map(|name| workspace::target().join(name));
    files::remove_folder(&unfinished)?;
    files::remove_folder(&with_sources)?;
    let built = package::package(&package::stock(), &platforms, &[], &unfinished, &progress)?;
    put_archive(&unfinished, "fmus", fmus_in(&unfinished)?)?;

    libraries::put(&built, &platforms, &inside)?;
    let sources = libraries::put_sources(&inside, &progress)?;
    let stock = package::stock();
    package::package(&stock, &no_platform, &sources, &with_sources, &progress)?;
    put_archive(&unfinished, "source-fmus", fmus_in(&with_sources)?)?;

    PROGRAMS.par_iter().try_for_each(|folder| -> Result<()> {
        let platform = platform::find(folder)?;
        progress.begin(&format!("the command bristle for {folder}"));
        put_archive(&unfinished, folder, program(platform, &inside)?)?;
        progress.begin(&format!("the Python package for {folder}"));
        platform
            .targets
            .iter()
            .try_for_each(|target| wheel(platform, target, &inside, &unfinished))
    })?;
    let licences = licences::gather(&platforms)?;
    let licences = licences
        .into_iter()
        .map(|file| (file.path, READABLE, file.text));
    put_archive(&unfinished, "licenses", licences.collect())?;
    progress.begin("bills of materials");
    bills(&unfinished)?;
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

    let tables = release_table(&unfinished)? + &library_table(&built)?;
    page::update_dated(
        &workspace::root().join("docs/platforms.md"),
        &tables,
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

/// File of an archive: its name, permissions, content.
type Packed = (String, u32, Vec<u8>);

/// The command `bristle` for a platform, with its licences.
fn program(platform: &Platform, inside: &Path) -> Result<Vec<Packed>> {
    let parts = platform
        .targets
        .iter()
        .map(|target| files::read(&program_for(platform, target, inside)?));
    let program = universal::join(parts.collect::<Result<_>>()?)?;
    let licences = licences::of_program()?
        .into_iter()
        .map(|(path, text)| (format!("licenses/{path}"), READABLE, text));
    Ok([(program_name(platform).to_owned(), EXECUTABLE, program)]
        .into_iter()
        .chain(licences)
        .collect())
}

/// Builds the command `bristle` for a target, by the recipe of its library, and returns its path.
fn program_for(platform: &Platform, target: &Target, inside: &Path) -> Result<PathBuf> {
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

/// The FMUs in a folder.
fn fmus_in(folder: &Path) -> Result<Vec<Packed>> {
    let fmus = files::below(folder, "fmu")?;
    fmus.iter()
        .map(|path| Ok((file_name(path), READABLE, files::read(path)?)))
        .collect()
}

/// Writes an archive of files, in a folder of its name, into the release.
fn put_archive(release: &Path, what: &str, files: Vec<Packed>) -> Result<()> {
    let folder = format!("bristle-{}-{what}", env!("CARGO_PKG_VERSION"));
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    for (name, permissions, content) in files {
        archive.start_file(
            format!("{folder}/{name}"),
            options.unix_permissions(permissions),
        )?;
        archive.write_all(&content)?;
    }
    let path = release.join(format!("{folder}.zip"));
    files::write(&path, archive.finish()?.into_inner())
}

/// Writes the bills of materials into the release, in the format CycloneDX. The tool leaves one
/// beside each manifest of the workspace.
fn bills(release: &Path) -> Result<()> {
    let root = workspace::root();
    let mut cyclonedx = Command::new(tools::install(CYCLONEDX, &[], CYCLONEDX[0])?);
    cyclonedx.current_dir(&root).env("SOURCE_DATE_EPOCH", "0");
    cyclonedx.args(["cyclonedx", "--quiet", "--format", "json"]);
    cyclonedx.args(["--target", "all", "--no-build-deps"]);
    workspace::run(&mut cyclonedx)?;
    for left in files::below(&root, "json")? {
        let name = file_name(&left);
        let Some(package) = name.strip_suffix(".cdx.json") else {
            continue;
        };
        if BILLS.contains(&package) {
            // Without the folder of the machine.
            let bill = files::read_text(&left)?.replace(&root.display().to_string(), "");
            files::write(&release.join(&name), bill)?;
        }
        std::fs::remove_file(&left).with_context(|| format!("cannot remove {}", left.display()))?;
    }
    Ok(())
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
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

/// The files of a release and their sizes; its FMUs in one row.
fn release_table(release: &Path) -> Result<String> {
    let size = |path: &Path| -> Result<f64> { Ok(files::size(path)? as f64 / 1e6) };
    let mut table = "| file | size, MB |\n|---|---:|\n".to_owned();
    let fmus = files::below(release, "fmu")?;
    let sizes = fmus
        .iter()
        .map(|path| size(path))
        .collect::<Result<Vec<_>>>()?;
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    table += &format!("| {} FMUs, each at most | {largest:.1} |\n", fmus.len());
    for extension in ["zip", "whl", "json"] {
        for path in files::below(release, extension)? {
            table += &format!("| `{}` | {:.1} |\n", file_name(&path), size(&path)?);
        }
    }
    Ok(page::section("release", &table))
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
