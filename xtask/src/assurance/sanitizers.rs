//! Undefined behaviour and wrong memory: Miri on the C interface, the address sanitizer on the corpus of the fuzz targets.

use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};

use super::{Options, folder, record};
use crate::console::say;
use crate::workspace;

/// Target of the address sanitizer.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// A run: its name, cargo's arguments, its environment.
struct Run {
    name: &'static str,
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

/// Runs with a nightly compiler.
const RUNS: [Run; 3] = [
    Run {
        name: "Miri: unit tests of `bristle-fmu`, without those of the variadic logger and of minutes",
        arguments: &[
            "miri",
            "test",
            "-p",
            "bristle-fmu",
            "--lib",
            "--",
            "--skip",
            "a_message_survives_printf",
            "--skip",
            "the_times_of_known_masters_fit",
            "--skip",
            "every_altered_byte_is_noticed",
        ],
        environment: &[("MIRIFLAGS", "-Zmiri-disable-isolation"), ("CARGO_TARGET_DIR", "target/miri")],
    },
    Run {
        name: "Miri: corpus of the targets `states` and `calls`, the C interface in-process",
        arguments: &["miri", "test", "-p", "bristle-fuzz-targets"],
        environment: &[("MIRIFLAGS", "-Zmiri-disable-isolation"), ("CARGO_TARGET_DIR", "target/miri")],
    },
    Run {
        name: "AddressSanitizer: corpus and random cases of the fuzz targets, C interface in-process",
        arguments: &["test", "-p", "bristle-fuzz-targets", "--target", TARGET],
        environment: &[("RUSTFLAGS", "-Zsanitizer=address"), ("CARGO_TARGET_DIR", "target/sanitizer")],
    },
];

/// Makes all runs and records their results.
pub fn measure(_: &Options) -> Result<()> {
    let mut rows = Vec::new();
    for run in RUNS {
        say!("{}", run.name);
        let start = Instant::now();
        let mut command = Command::new("cargo");
        command.arg("+nightly").args(run.arguments).envs(run.environment.iter().copied());
        // This program's cargo is the stable one.
        command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTC").current_dir(workspace::root());
        let output = command.output().context("cannot start cargo +nightly")?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let results: Vec<&str> = said.lines().filter(|line| line.starts_with("test result:")).collect();
        say!(
            "{}{}",
            said,
            if output.status.success() { String::new() } else { String::from_utf8_lossy(&output.stderr).into_owned() }
        );
        let passed: u32 = results.iter().filter_map(|line| line.split_whitespace().nth(3)?.parse::<u32>().ok()).sum();
        let result = if output.status.success() { format!("{passed} tests, no finding") } else { "failed".to_owned() };
        rows.push(format!("{}\t{result}\t{} s", run.name, start.elapsed().as_secs()));
    }
    let path = folder(&workspace::root()).join("sanitizers.tsv");
    record::write(&path, "cargo xtask assurance sanitizers", "run\tresult\tduration", &rows)
}
