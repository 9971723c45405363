//! Mutants of the integrators, laws, coupling, C interface and card parser, by cargo-mutants and the unit tests of each.

use std::process::Command;

use anyhow::{Context, Result};

use super::{Options, folder, record};
use crate::console::say;
use crate::{files, workspace};

/// Sources whose mutants are drawn, and the tests that run on each of them.
pub struct Scope {
    pub name: &'static str,
    sources: &'static [&'static str],
    package: &'static str,
    /// Names of the tests; all where there is none.
    tests: &'static [&'static str],
}

/// All scopes.
pub const SCOPES: [Scope; 5] = [
    Scope {
        name: "integrate",
        sources: &["src/integrate/**"],
        package: "bristle",
        tests: &["integrate::", "properties::numerics"],
    },
    Scope {
        name: "laws",
        sources: &["src/law.rs", "src/law/**", "src/laws/**"],
        package: "bristle",
        tests: &["laws::", "law::", "properties::"],
    },
    Scope { name: "coupling", sources: &["src/coupling/**"], package: "bristle", tests: &["coupling::", "assembly::"] },
    Scope { name: "interface", sources: &["fmu/src/**"], package: "bristle-fmu", tests: &[] },
    Scope { name: "cards", sources: &["export/src/card/**"], package: "bristle-export", tests: &["card::"] },
];

/// Builds and tests the mutants of a shard of each scope, and records how many the tests find and which survive.
pub fn measure(options: &Options) -> Result<()> {
    let tool = workspace::find("cargo-mutants")
        .or_else(|| Some(workspace::target().join("tools/bin/cargo-mutants")).filter(|file| file.exists()));
    let tool = tool
        .context("cargo-mutants is missing; `cargo install cargo-mutants --locked --root target/tools` installs it")?;
    let (mut rows, mut survivors) = (Vec::new(), Vec::new());
    let is_chosen = |scope: &&Scope| options.scopes.is_empty() || options.scopes.iter().any(|name| name == scope.name);
    for scope in SCOPES.iter().filter(is_chosen) {
        let out = workspace::target().join("mutants").join(scope.name);
        files::make_folder(&out)?;
        let mut command = Command::new(&tool);
        command.args(["mutants", "--workspace", "--no-shuffle", "--baseline", "skip", "--sharding", "round-robin"]);
        command
            .args(["--timeout", "300", "--build-timeout", "900", "--shard", &options.shard])
            .arg("--output")
            .arg(&out);
        command.args(scope.sources.iter().flat_map(|source| ["--file", source]));
        command.args(["--test-package", scope.package, "--", "--lib", "--"]).args(scope.tests);
        // Unoptimised: a mutant is compiled once and tested for seconds.
        command.env("CARGO_PROFILE_TEST_OPT_LEVEL", "0").env("CARGO_PROFILE_TEST_DEBUG", "0");
        // It ends with an error where a mutant survives; the files of its results say so, too.
        let status = command.current_dir(workspace::root()).status().context("cannot start cargo-mutants")?;
        say!("{}: cargo-mutants ended with {status}", scope.name);
        let list = |name: &str| -> Vec<String> {
            let text = files::read_text(&out.join("mutants.out").join(name)).unwrap_or_default();
            text.lines().map(str::to_owned).collect()
        };
        let [caught, missed, timeout, unviable] = ["caught.txt", "missed.txt", "timeout.txt", "unviable.txt"].map(list);
        let killed = caught.len() + timeout.len();
        let share = 100.0 * killed as f64 / (killed + missed.len()).max(1) as f64;
        let (name, shard, survived) = (scope.name, &options.shard, missed.len());
        rows.push(format!("{name}\t{shard}\t{killed}\t{survived}\t{share:.0} %\t{}", unviable.len()));
        survivors.extend(missed);
    }
    let scopes: String = options.scopes.iter().map(|name| format!(" --scope {name}")).collect();
    let command = format!("cargo xtask assurance mutation --shard {}{scopes}", options.shard);
    let path = folder(&workspace::root()).join("mutation.tsv");
    record::write(&path, &command, "scope\tshard\tkilled\tsurvived\tshare killed\tnot compiled", &rows)?;
    say!("survivors, for tests/assurance/survivors.tsv with a reason each:\n{}", survivors.join("\n"));
    Ok(())
}
