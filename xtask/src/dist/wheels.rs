//! Wheels of the Python package: one for each processor of the platforms that people work on, with the libraries of all platforms
//! inside. The wheel for this machine is installed in an empty environment, and has to export the FMU that the command exports.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use bristle_export::platform::{self, Platform, System, Target};

use super::programs::PROGRAMS;
use crate::console::say;
use crate::package::{library, toolchain};
use crate::progress::Progress;
use crate::{files, python_package, workspace};

/// Card whose export the wheel repeats, below the root.
const CARD: &str = "cards/FrontPad.toml";

/// Number of wheels.
pub fn count() -> usize {
    PROGRAMS.iter().filter_map(|folder| platform::find(folder).ok()).map(|platform| platform.targets.len()).sum()
}

/// Builds the wheels, with the libraries that the programs embed, and writes them to a folder.
pub fn write(out: &Path, progress: &Progress) -> Result<()> {
    let inside = workspace::target().join("libraries");
    for folder in PROGRAMS {
        let platform = platform::find(folder)?;
        for target in platform.targets {
            progress.begin(&format!("the Python package for {}", target.triple));
            let wheel = build(platform, target, &inside, out)?;
            let name = wheel.file_name().unwrap_or_default().display();
            say!("         {name} {} kB", files::read(&wheel)?.len() / 1000);
            if platform::host().is_ok_and(|host| host == platform) {
                check(&wheel)?;
            }
        }
    }
    Ok(())
}

/// Builds the wheel for a target by the recipe of its library, and returns its path.
fn build(platform: &Platform, target: &Target, inside: &Path, out: &Path) -> Result<PathBuf> {
    let folder = workspace::target().join("package").join(platform.folder);
    let wheels = folder.join("wheels").join(target.triple);
    files::remove_folder(&wheels)?;
    let toolchain = toolchain::portable(platform, target, &folder)?;
    let mut maturin = toolchain::maturin()?;
    for (name, value) in toolchain.cargo.get_envs().filter(|(name, _)| *name != "PATH") {
        if let Some(value) = value {
            maturin.env(name, value);
        }
    }
    maturin.current_dir(python_package::folder());
    maturin.args(["build", "--release", "--quiet", "--target", target.triple]).arg("--target-dir").arg(&folder);
    maturin.arg("--out").arg(&wheels);
    if platform.system == System::Linux {
        maturin.args(["--zig", "--compatibility", "manylinux2014"]);
    }
    let mut flags = toolchain::of_a_program(toolchain.flags);
    if platform.system == System::Mac {
        use_linker_script(&mut flags, &folder)?;
    }
    workspace::run(
        maturin
            .env("BRISTLE_LIBRARIES", inside)
            .env("CARGO_ENCODED_RUSTFLAGS", library::flags(flags)?)
            .env("SOURCE_DATE_EPOCH", "315532800")
            .env_remove("RUSTFLAGS"),
    )
    .with_context(|| format!("the Python package for {} was not built", target.triple))?;
    let entries = std::fs::read_dir(&wheels).with_context(|| format!("cannot list {}", wheels.display()))?;
    let wheel = entries.flatten().map(|entry| entry.path()).find(|path| path.extension().is_some_and(|e| e == "whl"));
    let wheel = wheel.with_context(|| format!("{} has no wheel", wheels.display()))?;
    let place = out.join(wheel.file_name().context("a wheel has a name")?);
    files::write(&place, files::read(&wheel)?)?;
    Ok(place)
}

/// Puts a script in place of the linker: maturin writes options for macOS as for a C compiler, and the linker is called itself.
fn use_linker_script(flags: &mut [String], folder: &Path) -> Result<()> {
    let libraries = workspace::output(Command::new("rustc").args(["--print", "target-libdir"]))?;
    let linker = Path::new(libraries.trim()).with_file_name("bin").join("rust-lld");
    let script = folder.join("linker.sh");
    files::write(&script, LINKER_SCRIPT.replace("LINKER", &linker.display().to_string()))?;
    workspace::run(Command::new("chmod").arg("+x").arg(&script))?;
    for flag in flags.iter_mut().filter(|flag| *flag == toolchain::MAC_LINKER) {
        *flag = format!("-Clinker={}", script.display());
    }
    Ok(())
}

const LINKER_SCRIPT: &str = r#"#!/bin/sh
for argument do
    shift
    case $argument in
    -Wl,*) IFS=,; set -- "$@" ${argument#-Wl,}; unset IFS ;;
    *) set -- "$@" "$argument" ;;
    esac
done
exec "LINKER" "$@"
"#;

/// Installs a wheel in an empty environment and exports an FMU by its command.
fn check(wheel: &Path) -> Result<()> {
    let folder = workspace::target().join("dist-wheel");
    files::remove_folder(&folder)?;
    workspace::output(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    let program = |name: &str| Command::new(folder.join("bin").join(name));
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    workspace::output(program("python").args(pip).arg(wheel)).context("the wheel cannot be installed")?;
    let card = workspace::root().join(CARD);
    workspace::output(program("bristle").arg("export").arg(card).arg("--out").arg(&folder))?;
    let script = "import bristle, sys; sys.exit(bristle.show(sys.argv[1]).name != 'FrontPad')";
    let made = folder.join("FrontPad.fmu");
    ensure!(made.exists(), "the command of the wheel exported nothing");
    workspace::output(program("python").args(["-c", script]).arg(&made)).context("the wheel does not run")?;
    say!("         it exports and shows an FMU in an empty environment");
    Ok(())
}
