//! The program as a user calls it: help and version, mistakes, outputs that end early, tools that are missing.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The program with these arguments.
fn xtask(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(arguments);
    command
}

/// Standard output, standard error and exit code.
fn ended(output: &Output) -> (String, String, Option<i32>) {
    let [out, error] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    (out, error, output.status.code())
}

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("bristle-xtask-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The names of all commands, from the help page.
fn commands() -> Vec<String> {
    let (help, _, code) = ended(&xtask(&["--help"]).output().unwrap());
    assert_eq!(code, Some(0));
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    lines.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn every_command_has_a_help_page_and_one_line_of_help() {
    let commands = commands();
    assert!(commands.len() > 5, "{commands:?}");
    let (overview, ..) = ended(&xtask(&["help"]).output().unwrap());
    for command in commands.iter().filter(|command| *command != "help") {
        let (help, error, code) = ended(&xtask(&[command, "--help"]).output().unwrap());
        assert_eq!((error.as_str(), code), ("", Some(0)), "{command}");
        let first = help.lines().next().unwrap();
        assert!(overview.contains(first), "{command}: {first}");
        assert!(help.contains(&format!("Usage: cargo xtask {command}")), "{help}");
    }
}

#[test]
fn version_is_that_of_the_package() {
    let (out, ..) = ended(&xtask(&["--version"]).output().unwrap());
    assert_eq!(out, format!("Bristle {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn mistake_is_a_failure_with_the_nearest_right_name() {
    for line in [&["packge"][..], &["package", "FrDyn3"], &["libraries", "--x", "x"], &["package", "--out", ""]] {
        let (out, error, code) = ended(&xtask(line).output().unwrap());
        assert_eq!((out.as_str(), code), ("", Some(1)), "{line:?}");
        assert!(error.starts_with("error: ") && !error.contains("error: error"), "{error}");
    }
    let (_, error, _) = ended(&xtask(&["packge"]).output().unwrap());
    assert!(error.contains("'package'"), "{error}");
}

#[test]
fn reader_that_has_seen_enough_ends_the_program_quietly() {
    for line in [&["help"][..], &["package", "--help"]] {
        let mut child = xtask(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Closed before the program prints, or while it does.
        drop(child.stdout.take());
        let (_, error, code) = ended(&child.wait_with_output().unwrap());
        assert_eq!(error, "", "{line:?}");
        assert!(matches!(code, Some(0 | 141)), "{line:?}: {code:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn full_output_ends_the_program_with_one_sentence() {
    for line in [&["help"][..], &["--version"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let (_, error, code) = ended(&xtask(line).stdout(full).stderr(Stdio::piped()).output().unwrap());
        assert!(error.starts_with("error: cannot print: ") && error.lines().count() == 1, "{error}");
        assert_eq!(code, Some(1));
    }
}

/// A program in cargo's place, which prints without end whatever it is to do.
#[cfg(target_os = "linux")]
fn endless_cargo(name: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let program = folder(name).join("cargo");
    std::fs::write(&program, "#!/bin/sh\ncase \"$*\" in *--version*) exit 0;; esac\nexec yes\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program
}

#[test]
#[cfg(target_os = "linux")]
fn reader_that_has_seen_enough_ends_a_child_program_too() {
    let cargo = endless_cargo("reader");
    let mut command = xtask(&["test", "--quick"]);
    let mut child = command.env("CARGO", &cargo).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut some = [0; 2000];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let (_, error, code) = ended(&child.wait_with_output().unwrap());
    assert_eq!((error.as_str(), code), ("", Some(141)));
    assert!(String::from_utf8_lossy(&some).contains(" stages"));
    std::fs::remove_dir_all(cargo.parent().unwrap()).unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn full_output_of_a_child_program_is_one_sentence() {
    let cargo = endless_cargo("full");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = xtask(&["test", "--quick"]).env("CARGO", &cargo).stdout(full).stderr(Stdio::piped()).output().unwrap();
    let (_, error, code) = ended(&output);
    assert!(error.starts_with("error: cannot print: ") && error.lines().count() == 1, "{error}");
    assert_eq!(code, Some(1));
    std::fs::remove_dir_all(cargo.parent().unwrap()).unwrap();
}

#[test]
fn all_missing_tools_are_named_before_work_begins() {
    let empty = folder("tools");
    let mut command = xtask(&["package", "--all-platforms", "--out"]);
    // A workspace without zig, and a search path without any program.
    command
        .arg(empty.join("out"))
        .env("CARGO_MANIFEST_DIR", empty.join("xtask"))
        .env("PATH", &empty)
        .env("RUSTC", "no");
    let (out, error, code) = ended(&command.output().unwrap());
    assert_eq!((out.as_str(), code), ("", Some(1)));
    for part in [
        "3 tools are missing:",
        "`rustup target add x86_64-unknown-linux-gnu x86_64-pc-windows-gnu ",
        "cargo-zigbuild==",
        "`apt-get install gcc-mingw-w64-x86-64-win32 gcc-mingw-w64-i686-win32`",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert!(!empty.join("out").exists());
    std::fs::remove_dir_all(empty).unwrap();
}

#[test]
fn results_of_the_recipes_are_ignored_by_git() {
    let names = ["venv/bin/python", "friction_loop_FrDyn2.png", "examples/exudyn_block.png", "system.ssp"];
    let mut git = Command::new("git");
    git.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).args(["check-ignore", "--no-index"]).args(names);
    // 128: no git, or sources without a history.
    match git.output() {
        Ok(output) if output.status.code() != Some(128) => {
            assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), names.len());
        }
        _ => {}
    }
}
