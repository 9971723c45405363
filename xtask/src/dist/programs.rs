//! Archives of the command `bristle`: one for each platform that people work on, with the program, the libraries of all platforms
//! inside it, and licences. A program that this machine can run, by itself or through Wine or QEMU, has to export the bytes that
//! the exporter in this process makes.

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use bristle_export::Exporter;
use bristle_export::platform::{self, Platform, System, Target};
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime};

use crate::console::say;
use crate::package::library::{self, Library};
use crate::package::platforms::Platforms;
use crate::package::{self, licences, toolchain, universal};
use crate::progress::Progress;
use crate::reproducibility::{self, NotHere};
use crate::{files, libraries, workspace};

/// Folders of the platforms that get a program; 32-bit machines import FMUs, and make none.
pub const PROGRAMS: [&str; 4] = ["linux64", "aarch64-linux", "win64", "darwin64"];

/// Card whose export every program repeats, below the root.
const CARD: &str = "cards/FrontPad.toml";

/// Builds the programs with these libraries inside and writes their archives to a folder.
pub fn write(built: &[Library], platforms: &Platforms, out: &Path, progress: &Progress) -> Result<()> {
    let inside = workspace::target().join("libraries");
    libraries::put(built, platforms, &inside)?;
    let texts = licences::of_program()?;
    let expected = export(built, platforms)?;
    for folder in PROGRAMS {
        progress.begin(&format!("the command bristle for {folder}"));
        let platform = platform::find(folder)?;
        let paths =
            platform.targets.iter().map(|target| build(platform, target, &inside)).collect::<Result<Vec<_>>>()?;
        for path in &paths {
            check(platform, path, &expected)?;
        }
        let mut parts = paths.iter().map(|path| files::read(path)).collect::<Result<Vec<_>>>()?;
        let program = if let [one] = &mut parts[..] { std::mem::take(one) } else { universal::join(&parts)? };
        let name = format!("bristle-{}-{folder}", env!("CARGO_PKG_VERSION"));
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let mut add = |path: &str, bytes: &[u8], mode: u32| -> Result<()> {
            let options = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Deflated)
                .last_modified_time(DateTime::default())
                .unix_permissions(mode);
            archive.start_file(format!("{name}/{path}"), options)?;
            Ok(archive.write_all(bytes)?)
        };
        add(file_name(platform.system), &program, 0o755)?;
        for (path, text) in &texts {
            add(&format!("licenses/{path}"), text, 0o644)?;
        }
        let bytes = archive.finish()?.into_inner();
        say!("         {name}.zip {} kB", bytes.len() / 1000);
        files::write(&out.join(format!("{name}.zip")), bytes)?;
    }
    Ok(())
}

/// The FMU of the card, made by this process.
fn export(built: &[Library], platforms: &Platforms) -> Result<Vec<u8>> {
    let mut exporter = Exporter::new();
    for library in built {
        exporter.add_library(library.platform, &library.bytes)?;
    }
    exporter.add_licences(licences::gather(platforms)?);
    Ok(exporter.export(&package::of_card(&workspace::root().join(CARD))?)?)
}

/// Compares the FMU that a program makes with that of this process, where something here runs the program.
fn check(platform: &Platform, program: &Path, expected: &[u8]) -> Result<()> {
    let folder = workspace::target().join("dist-programs").join(platform.folder);
    files::remove_folder(&folder)?;
    files::make_folder(&folder)?;
    files::write(&folder.join("card.toml"), files::read(&workspace::root().join(CARD))?)?;
    let mut command = match reproducibility::command(platform, program)? {
        Ok(command) => command,
        Err(NotHere(why)) => {
            say!("         not run: {why}");
            return Ok(());
        }
    };
    if platform.system == System::Windows {
        add_random_numbers(platform, &folder)?;
    }
    workspace::output(command.args(["export", "card.toml"]).current_dir(&folder))
        .with_context(|| format!("the command bristle for {} exported nothing", platform.folder))?;
    let same = files::read(&folder.join("FrontPad.fmu"))? == expected;
    ensure!(same, "the command bristle for {} exports other bytes than this machine's", platform.folder);
    say!("         it exports the same bytes");
    Ok(())
}

/// Puts a stand-in for a library of Windows that older versions of Wine lack into the folder where the program starts.
fn add_random_numbers(platform: &Platform, folder: &Path) -> Result<()> {
    let source = folder.join("bcryptprimitives.c");
    files::write(&source, include_str!("bcryptprimitives.c"))?;
    let mut compiler = Command::new(toolchain::mingw(&platform.targets[0])?);
    workspace::run(compiler.args(["-shared", "-o"]).arg(folder.join("bcryptprimitives.dll")).arg(&source))
}

fn file_name(system: System) -> &'static str {
    if system == System::Windows { "bristle.exe" } else { "bristle" }
}

/// Builds the program for a target, by the recipe of its library, and returns its path.
fn build(platform: &Platform, target: &Target, inside: &Path) -> Result<PathBuf> {
    let folder = workspace::target().join("package").join(platform.folder);
    let toolchain = toolchain::portable(platform, target, &folder)?;
    let mut cargo = toolchain.cargo;
    workspace::run(
        cargo
            .args(["--quiet", "-p", "bristle-cli", "--bin", "bristle", "--release", "--target-dir"])
            .arg(&folder)
            .env("BRISTLE_LIBRARIES", inside)
            .env("CARGO_ENCODED_RUSTFLAGS", library::flags(toolchain::of_a_program(toolchain.flags))?)
            .env("SOURCE_DATE_EPOCH", "315532800")
            .env_remove("RUSTFLAGS"),
    )
    .with_context(|| format!("the command bristle for {} was not built", platform.folder))?;
    Ok(folder.join(target.triple).join("release").join(file_name(platform.system)))
}
