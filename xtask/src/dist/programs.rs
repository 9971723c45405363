//! Archives of the command `bristle`: one for each platform that people work on, with the program, the libraries of all platforms
//! inside it, and licences.

use std::io::{Cursor, Write};
use std::path::Path;

use anyhow::{Context, Result};
use bristle_export::platform::{self, Platform, System, Target};
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime};

use crate::console::say;
use crate::package::library::{self, Library};
use crate::package::platforms::Platforms;
use crate::package::{licences, toolchain, universal};
use crate::progress::Progress;
use crate::{files, libraries, workspace};

/// Folders of the platforms that get a program; 32-bit machines import FMUs, and make none.
pub const PROGRAMS: [&str; 4] = ["linux64", "aarch64-linux", "win64", "darwin64"];

/// Builds the programs with these libraries inside and writes their archives to a folder.
pub fn write(built: &[Library], platforms: &Platforms, out: &Path, progress: &Progress) -> Result<()> {
    let inside = workspace::target().join("libraries");
    libraries::put(built, platforms, &inside)?;
    let texts = licences::of_program()?;
    for folder in PROGRAMS {
        progress.begin(&format!("the command bristle for {folder}"));
        let platform = platform::find(folder)?;
        let parts = platform.targets.iter().map(|target| build(platform, target, &inside));
        let mut parts = parts.collect::<Result<Vec<_>>>()?;
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

fn file_name(system: System) -> &'static str {
    if system == System::Windows { "bristle.exe" } else { "bristle" }
}

/// Builds the program for a target, by the recipe of its library.
fn build(platform: &Platform, target: &Target, inside: &Path) -> Result<Vec<u8>> {
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
    files::read(&folder.join(target.triple).join("release").join(file_name(platform.system)))
}
