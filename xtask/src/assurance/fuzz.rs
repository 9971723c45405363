//! Guided fuzzing of the targets of `fuzz/` with cargo-fuzz, libFuzzer and a nightly compiler.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::{Options, folder, record};
use crate::console::say;
use crate::{files, workspace};

/// Targets of `fuzz/fuzz_targets`.
pub const TARGETS: [&str; 6] = ["states", "calls", "cards", "curves", "ssv", "sections"];
/// Largest input of a case, bytes.
const LENGTH: u32 = 4096;
/// Columns of the table.
const COLUMNS: &str = "target\tdate\tcommit\ttime of a case that is a finding\tduration without the build\tcases\tedges reached\tfindings";

/// Runs targets for the given time and records executions, reached edges and findings, each target as it ends. New cases that reach
/// more lie in `target/fuzz-corpus`.
pub fn measure(options: &Options) -> Result<()> {
    let cargo_fuzz = workspace::find("cargo-fuzz")
        .or_else(|| Some(workspace::target().join("tools/bin/cargo-fuzz")).filter(|file| file.exists()));
    let cargo_fuzz = cargo_fuzz
        .context("cargo-fuzz is missing; `cargo install cargo-fuzz --locked --root target/tools` installs it")?;
    let (path, commit) = (folder(&workspace::root()).join("fuzz.tsv"), record::commit()?);
    let is_chosen = |target: &&str| options.targets.is_empty() || options.targets.iter().any(|name| name == target);
    let mut findings = Vec::new();
    for target in TARGETS.into_iter().filter(is_chosen) {
        say!("{target}, {} s", options.seconds);
        let corpus = workspace::target().join("fuzz-corpus").join(target);
        files::make_folder(&corpus)?;
        let of_target = |subcommand| cargo_fuzz_on(&cargo_fuzz, subcommand, target);
        workspace::run(&mut of_target("build"))?;
        let start = Instant::now();
        let output = of_target("run")
            .arg(&corpus)
            .arg(workspace::root().join("tests/fuzz/corpus").join(target))
            .args(["--", &format!("-max_total_time={}", options.seconds), &format!("-max_len={LENGTH}")])
            .args([&format!("-timeout={}", options.case_seconds), "-print_final_stats=1", "-rss_limit_mb=4096"])
            .output()
            .context("cannot start cargo-fuzz")?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        files::write(&workspace::target().join(format!("fuzz-{target}.log")), &said)?;
        let seconds = start.elapsed().as_secs();
        let executions = after(&said, "stat::number_of_executed_units:").unwrap_or_else(|| "none".to_owned());
        let edges = said.lines().rev().find_map(|line| after(line, "cov:")).unwrap_or_else(|| "none".to_owned());
        let found = if output.status.success() { "none".to_owned() } else { artifact(&said) };
        ensure!(executions != "none" || !output.status.success(), "libFuzzer printed no statistics for {target}");
        say!("{executions} cases, {edges} edges, findings: {found}");
        let (date, case) = (record::today()?, options.case_seconds);
        let known = files::read_text(&path).unwrap_or_default();
        let row = format!("`{target}`\t{date}\t{commit}\t{case} s\t{seconds} s\t{executions}\t{edges}\t{found}");
        files::write(&path, with_row(&known, target, row))?;
        if found != "none" {
            findings.push(format!("{target}: {found}"));
        }
    }
    ensure!(findings.is_empty(), "fuzzing has findings: {}", findings.join("; "));
    Ok(())
}

/// A subcommand of cargo-fuzz on a target, with the nightly compiler.
fn cargo_fuzz_on(cargo_fuzz: &Path, subcommand: &str, target: &str) -> Command {
    let mut command = Command::new(cargo_fuzz);
    command.args(["fuzz", subcommand, target]).env("RUSTUP_TOOLCHAIN", "nightly").current_dir(workspace::root());
    command.env("CARGO_TARGET_DIR", workspace::target().join("fuzz"));
    command
}

/// The table with a row in place of the target's earlier one, in the order of the targets.
fn with_row(known: &str, target: &str, row: String) -> String {
    let is_of = |row: &str, target: &str| row.starts_with(&format!("`{target}`\t"));
    let mut rows: Vec<String> = known.lines().skip(2).filter(|row| !is_of(row, target)).map(str::to_owned).collect();
    rows.push(row);
    rows.sort_by_key(|row| TARGETS.iter().position(|target| is_of(row, target)));
    let head =
        format!("# `cargo xtask assurance fuzz --seconds N`, each row with its own date and commit\n{COLUMNS}\n");
    rows.iter().fold(head, |text, row| text + row + "\n")
}

/// The first word after a key.
fn after(text: &str, key: &str) -> Option<String> {
    let (_, rest) = text.split_once(key)?;
    rest.split_whitespace().next().map(str::to_owned)
}

/// The finding that libFuzzer wrote, or the end of its output.
fn artifact(said: &str) -> String {
    let written = said.lines().find_map(|line| line.split_once("Test unit written to ").map(|(_, path)| path));
    let name = written.and_then(|path| path.rsplit('/').next());
    name.map_or_else(|| "ended without one, see the log below `target/`".to_owned(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_their_keys() {
        assert_eq!(after("#5 NEW cov: 123 ft: 4", "cov:").as_deref(), Some("123"));
        assert_eq!(after("nothing", "cov:"), None);
    }

    #[test]
    fn row_of_a_target_replaces_its_earlier_one_and_keeps_the_others() {
        let known = "# head\ncolumns\n`states`\told\n`cards`\told\n";
        let made = with_row(&with_row(known, "cards", "`cards`\tnew".to_owned()), "calls", "`calls`\tnew".to_owned());
        let rows: Vec<_> = made.lines().skip(2).collect();
        assert_eq!(rows, ["`states`\told", "`calls`\tnew", "`cards`\tnew"]);
    }

    #[test]
    fn targets_are_those_of_the_folder() {
        let found = files::below(&workspace::root().join("fuzz/fuzz_targets"), "rs").unwrap();
        let mut names: Vec<_> =
            found.iter().map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        let mut known = TARGETS.to_vec();
        known.sort_unstable();
        names.sort();
        assert_eq!(names, known);
    }
}
