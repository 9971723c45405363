//! The commands of the pages, as they stand there and in their order.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join("docs").join(name)).unwrap()
}

/// Blocks of a page in a language, which may be none.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let inside = page.split("```").skip(1).step_by(2);
    inside
        .filter_map(|block| block.split_once('\n'))
        .filter(|(of, _)| *of == language)
        .map(|(_, text)| text)
        .collect()
}

/// Runs the commands of a page in a folder, those that the shell has, too, and asserts that they
/// leave these files, which the page names. Those `of_libraries` need a program with libraries,
/// which `cargo xtask test` builds.
fn run(page: &str, folder: &Path, files: &[&str], of_libraries: &[&str]) {
    let program = Path::new(env!("CARGO_BIN_EXE_bristle"))
        .parent()
        .unwrap()
        .to_path_buf();
    let path = env::var_os("PATH").unwrap();
    let path = env::join_paths([program].into_iter().chain(env::split_paths(&path))).unwrap();
    let commands = blocks(page, "").into_iter().flat_map(str::lines);
    let mut has_libraries = true;
    for command in
        commands.filter(|line| line.starts_with("bristle ") || line.starts_with("printf "))
    {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", command])
            .env("PATH", &path)
            .current_dir(folder)
            .stdin(Stdio::null());
        let output = shell.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        has_libraries &= !errors.contains("was built without libraries");
        assert!(
            output.status.success() || !has_libraries,
            "{command}: {errors}"
        );
    }
    for file in files
        .iter()
        .chain(of_libraries.iter().filter(|_| has_libraries))
    {
        let (_, name) = file.rsplit_once('/').unwrap_or(("", file));
        assert!(page.contains(name) && folder.join(file).exists(), "{file}");
    }
}

#[test]
fn commands_of_the_page_of_cards() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(root().join("cards/pad.csv"), folder.path().join("rig.csv")).unwrap();
    let page = page("cards.md");
    let files = ["front_pad.toml", "pad.csv", "FrontPad.svg"];
    run(&page, folder.path(), &files, &["fmus/FrontPad.fmu"]);
}

#[test]
fn commands_of_the_tutorials() {
    let folder = tempfile::tempdir().unwrap();
    let first = page("tutorial-first-fmu.md");
    run(&first, folder.path(), &["pad.toml"], &["FrontPad.fmu"]);
    let joint = page("tutorial-joint.md");
    fs::write(folder.path().join("pad.csv"), blocks(&joint, "csv")[0]).unwrap();
    fs::write(folder.path().join("joint.toml"), blocks(&joint, "toml")[0]).unwrap();
    run(&joint, folder.path(), &["Joint.svg"], &["Joint.fmu"]);
}

#[test]
fn commands_of_the_page_of_contacts() {
    let folder = tempfile::tempdir().unwrap();
    let page = page("joints.md") + &page("contacts.md");
    fs::copy(root().join("cards/pad.csv"), folder.path().join("pad.csv")).unwrap();
    for card in blocks(&page, "toml") {
        let (_, name) = card.split_once("name = \"").unwrap();
        let name = name.split('"').next().unwrap().to_lowercase();
        fs::write(folder.path().join(format!("{name}.toml")), card).unwrap();
    }
    run(
        &page,
        folder.path(),
        &["Bearing.toml"],
        &["fmus/Joint.fmu", "fmus/Feet.fmu"],
    );
}
