//! `cargo xtask web`: the lab, friction laws in the browser, in `target/lab`: one HTML file with
//! everything in it, and beside it the C source of the laws, which its FMUs get.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bristle::catalogue::{ELEMENTS, Model};
use bristle_export::card;
use bristle_export::platform::PLATFORMS;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::console::say;
use crate::package::platforms::Platforms;
use crate::package::{library, licences, source, toolchain};
use crate::progress::Progress;
use crate::{files, libraries, tools, workspace};

/// Crate of the program that writes the calls between page and module, and its version.
const BINDGEN: [&str; 2] = ["wasm-bindgen-cli", "0.2.130"];

/// Largest size of the page, bytes.
const MOST: usize = 2_000_000;

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Build the C source of every law, too: FMUs need it
    #[arg(long)]
    sources: bool,
}

/// Folder of the lab.
pub fn folder() -> PathBuf {
    workspace::target().join("lab")
}

/// The command.
pub fn command(options: &Options) -> Result<()> {
    let page = build()?;
    say!("{}, {} kB", page.display(), files::size(&page)? / 1000);
    if options.sources {
        sources(&ELEMENTS.iter().collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Builds the page, and returns its path.
pub fn build() -> Result<PathBuf> {
    let glue = glue()?;
    let worker = files::read_text(&glue.join("bristle_web.js"))? + &read("worker.js")?;
    let module = packed(&files::read(&glue.join("bristle_web_bg.wasm"))?)?;
    let module = STANDARD.encode(module);
    let page = [
        ("/*STYLE*/", read("lab.css")?),
        ("<!--VERSION-->", env!("CARGO_PKG_VERSION").to_owned()),
        ("/*WORKER*/", script(&worker)?),
        ("/*MODULE*/", script(&module)?),
        ("/*PRESETS*/", in_script(&serde_json::to_string(&cards()?)?)),
        ("/*LICENCES*/", script(&licences_json()?)?),
        ("/*LIBRARIES*/", libraries()?),
        ("/*PAGE*/", read("lab.js")?),
    ]
    .into_iter()
    .fold(read("lab.html")?, |page, (place, text)| {
        page.replacen(place, &text, 1)
    });
    ensure!(
        page.len() <= MOST,
        "the page has {} bytes, more than {MOST}",
        page.len()
    );
    files::make_folder(&folder())?;
    let path = folder().join("lab.html");
    files::write(&path, page)?;
    Ok(path)
}

/// Builds the module and its JavaScript, and returns their folder.
pub fn glue() -> Result<PathBuf> {
    toolchain::require_std(source::TARGET)?;
    let target = workspace::target().join("web");
    let mut cargo = workspace::cargo();
    cargo
        .args(["rustc", "--quiet", "-p", "bristle-web", "--lib"])
        .args(["--crate-type", "cdylib", "--profile", "web"])
        .args(["--target", source::TARGET, "--target-dir"])
        .arg(&target);
    workspace::run(library::reproducible(&mut cargo, &[])?)?;
    let module = target.join(source::TARGET).join("web/bristle_web.wasm");
    let out = target.join("glue");
    let mut bindgen = std::process::Command::new(tools::install(BINDGEN, &[], "wasm-bindgen")?);
    bindgen.args(["--remove-name-section", "--remove-producers-section"]);
    bindgen.args(["--target", "no-modules", "--no-typescript", "--out-dir"]);
    workspace::run(bindgen.arg(&out).arg(module))?;
    Ok(out)
}

/// Builds the C source of laws as scripts beside the page, and returns it.
pub fn sources(laws: &[&'static Model]) -> Result<Vec<Vec<u8>>> {
    let progress = Progress::new(laws.len());
    let made = workspace::target().join("lab-sources");
    let archives = source::write(laws, &made, &progress)?;
    for (law, archive) in laws.iter().zip(&archives) {
        let name = law.metadata.name;
        let text = format!(
            "(self.bristleSources ??= {{}})[\"{name}\"] = \"{}\";\n",
            STANDARD.encode(archive)
        );
        files::write_below(&folder(), &format!("sources/{name}.js"), text)?;
    }
    Ok(archives)
}

/// Puts the libraries of `target/libraries`, compressed, and their licences beside the page; returns
/// their platforms and sizes as JSON. None of other sources.
fn libraries() -> Result<String> {
    let (from, to) = (libraries::folder(), folder().join("libraries"));
    files::remove_folder(&to)?;
    let mut platforms = Vec::new();
    if libraries::are_current(&from) {
        for platform in &PLATFORMS {
            let library = format!(
                "{}/library.{}",
                platform.folder,
                platform.system.extension()
            );
            let Ok(library) = files::read(&from.join(library)) else {
                continue;
            };
            let packed = packed(&library)?;
            files::write_below(&to, &format!("{}.gz", platform.folder), &packed)?;
            platforms.push(json!({ "name": platform.folder, "size": packed.len() }));
        }
        let terms = from.join("licenses");
        let mut licences = Vec::new();
        for path in files::all_below(&terms)? {
            let name = path.strip_prefix(&terms)?.display().to_string();
            licences.push((name, files::read_text(&path)?));
        }
        files::write_below(&to, "licences.json", serde_json::to_string(&licences)?)?;
    }
    Ok(in_script(&serde_json::to_string(&platforms)?))
}

fn packed(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    Ok(packed.finish()?)
}

/// Cards that stand alone, by their names: those of `cards/` and the measured contacts.
pub fn cards() -> Result<BTreeMap<String, String>> {
    let mut cards = BTreeMap::new();
    for path in files::below(&workspace::root().join("cards"), "toml")? {
        let text = files::read_text(&path)?;
        if let Ok(element) = card::read(&text, &ELEMENTS) {
            cards.insert(element.name().to_owned(), text);
        }
    }
    Ok(cards)
}

/// Licences of the FMUs, paths and texts, as JSON: those of `cargo xtask package --sources`.
pub fn licences_json() -> Result<String> {
    let text = |text: Vec<u8>| String::from_utf8(text).context("a licence is not UTF-8 text");
    let files = licences::gather(&Platforms::Portable(Vec::new()))?;
    let files: Vec<_> = files
        .into_iter()
        .map(|file| Ok((file.path, text(file.text)?)))
        .collect::<Result<_>>()?;
    Ok(serde_json::to_string(&files)?)
}

fn read(name: &str) -> Result<String> {
    files::read_text(&workspace::root().join(Path::new("web")).join(name))
}

/// A text in a script of the page.
fn script(text: &str) -> Result<String> {
    Ok(in_script(&serde_json::to_string(text)?))
}

/// JSON that does not end the script around it.
fn in_script(json: &str) -> String {
    json.replace("</", "<\\/")
}
