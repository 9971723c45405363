//! Mutants of the laws, integrators, coupling, C interface and card parser, by cargo-mutants and the unit tests.

use std::process::Command;

use anyhow::{Context, Result};

use super::{Options, folder, record};
use crate::console::say;
use crate::{files, workspace};

/// Sources whose mutants are drawn.
const SOURCES: [&str; 6] =
    ["src/law/**", "src/laws/**", "src/integrate/**", "src/coupling/**", "fmu/src/**", "export/src/card/**"];

/// Builds and tests the mutants of a shard, and records how many the unit tests find and which survive.
pub fn measure(options: &Options) -> Result<()> {
    let tool = workspace::find("cargo-mutants")
        .or_else(|| Some(workspace::target().join("tools/bin/cargo-mutants")).filter(|file| file.exists()));
    let tool = tool
        .context("cargo-mutants is missing; `cargo install cargo-mutants --locked --root target/tools` installs it")?;
    let out = workspace::target().join("mutants");
    files::make_folder(&out)?;
    let mut command = Command::new(tool);
    command.args([
        "mutants",
        "--no-shuffle",
        "--baseline",
        "skip",
        "--timeout",
        "300",
        "--build-timeout",
        "900",
        "--sharding",
        "round-robin",
    ]);
    command.args(["--shard", &options.shard]).arg("--output").arg(&out);
    command.args(SOURCES.iter().flat_map(|source| ["--file", source]));
    command.args(["--test-package", "bristle", "--test-package", "bristle-fmu", "--test-package", "bristle-export"]);
    command
        .args(["--", "--lib"])
        .env("CARGO_PROFILE_TEST_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_TEST_DEBUG", "0")
        .current_dir(workspace::root());
    // It ends with an error where a mutant survives; the files of its results say so, too.
    let status = command.status().context("cannot start cargo-mutants")?;
    say!("cargo-mutants ended with {status}");
    let list = |name: &str| -> Vec<String> {
        let text = files::read_text(&out.join("mutants.out").join(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    };
    let [caught, missed, timeout, unviable] = ["caught.txt", "missed.txt", "timeout.txt", "unviable.txt"].map(list);
    let killed = caught.len() + timeout.len();
    let share = 100.0 * killed as f64 / (killed + missed.len()).max(1) as f64;
    let command = format!("cargo xtask assurance mutation --shard {}", options.shard);
    let row = format!("{}\t{killed}\t{}\t{share:.1} %\t{}", options.shard, missed.len(), unviable.len());
    let path = folder(&workspace::root());
    record::write(&path.join("mutation.tsv"), &command, "shard\tkilled\tsurvived\tshare killed\tnot compiled", &[row])?;
    files::write(&workspace::target().join("survivors.txt"), missed.join("\n"))?;
    say!("survivors, for tests/assurance/survivors.tsv with a reason each:\n{}", missed.join("\n"));
    Ok(())
}
