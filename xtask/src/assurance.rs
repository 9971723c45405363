//! `cargo xtask assurance`: runs that look for what tests miss, each by its own tool: coverage,
//! mutants, guided fuzzing, Miri, sanitizers.
//!
//! They take minutes to hours, and print what they find; nothing is recorded.
//! `docs/internals/assurance.md` has their last results.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use bristle_export::{Exporter, platform};

use crate::console::say;
use crate::{files, package, workspace};

/// Target of the sanitizers, whose standard library is compiled as well.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Sanitizers: value of `-Zsanitizer`, variable of its options and their value. Leaks are looked
/// for at the end of each process.
const SANITIZERS: [(&str, &str, &str); 2] = [
    (
        "address",
        "ASAN_OPTIONS",
        "detect_leaks=1:detect_stack_use_after_return=1",
    ),
    ("thread", "TSAN_OPTIONS", "halt_on_error=1"),
];

/// Modules of `tests/tests` that the sanitizers watch.
const WATCHED: [&str; 3] = ["random_calls::", "threads::", "leaks::"];

/// Tests that measure leaks by the size of the process: sanitizers keep freed memory for a while.
const NOT_WATCHED: [&str; 2] = [
    "instances_do_not_leak",
    "unloaded_library_leaves_nothing_of_its_element",
];

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Measurements to make
    #[arg(required = true)]
    measurements: Vec<Measurement>,
    /// Duration of each target of guided fuzzing
    #[arg(long, value_name = "N", default_value_t = 3600)]
    seconds: u64,
    /// Part of the mutants: every N-th from the K-th on
    #[arg(long, value_name = "K/N", default_value = "0/100")]
    shard: String,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Measurement {
    Coverage,
    Mutants,
    Fuzz,
    Miri,
    Sanitizers,
}

/// The command.
pub fn command(options: &Options) -> Result<()> {
    options
        .measurements
        .iter()
        .try_for_each(|measurement| match measurement {
            Measurement::Coverage => coverage(),
            Measurement::Mutants => mutants(&options.shard),
            Measurement::Fuzz => fuzz(options.seconds),
            Measurement::Miri => miri(),
            Measurement::Sanitizers => sanitizers(),
        })
}

/// A program of cargo's, `cargo-NAME`, from the search path or `target/tools`; an error says how to
/// install it.
fn require(name: &str) -> Result<()> {
    let own = workspace::target().join(format!("tools/bin/cargo-{name}"));
    let is_there = own.is_file() || workspace::find(&format!("cargo-{name}")).is_some();
    ensure!(
        is_there,
        "cargo-{name} is missing; `cargo install cargo-{name} --locked` installs it"
    );
    Ok(())
}

/// Cargo of the nightly compiler, with a target folder of its own.
fn nightly(folder: &str) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.arg("+nightly").current_dir(workspace::root());
    // The cargo that runs this program sets them to its own toolchain.
    cargo
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO")
        .env_remove("RUSTC");
    cargo.env("CARGO_TARGET_DIR", workspace::target().join(folder));
    cargo
}

/// Lines and regions of library, C interface and exporter that their unit tests execute.
fn coverage() -> Result<()> {
    require("llvm-cov")?;
    let packages = ["-p", "bristle", "-p", "bristle-fmu", "-p", "bristle-export"];
    workspace::run(
        workspace::cargo()
            .args(["llvm-cov", "--lib", "--summary-only"])
            .args(packages),
    )
}

/// Mutants of the library, judged by its unit tests; `.cargo/mutants.toml` says what is mutated.
fn mutants(shard: &str) -> Result<()> {
    require("mutants")?;
    workspace::run(
        workspace::cargo().args(["mutants", "-p", "bristle", "--shard", shard, "--", "--lib"]),
    )
}

/// Guided fuzzing; new cases that reach more lie in `target/fuzz-corpus`.
fn fuzz(seconds: u64) -> Result<()> {
    require("fuzz")?;
    for target in files::below(&workspace::root().join("fuzz/fuzz_targets"), "rs")? {
        let target = target.file_stem().context("a target has a name")?;
        say!("{}, {seconds} s", target.display());
        let corpus = workspace::target().join("fuzz-corpus").join(target);
        files::make_folder(&corpus)?;
        let mut command = nightly("fuzz");
        command.args(["fuzz", "run"]).arg(target).arg(&corpus);
        command.arg(workspace::root().join("tests/fuzz/corpus").join(target));
        command.args([
            "--",
            &format!("-max_total_time={seconds}"),
            "-max_len=4096",
            "-timeout=60",
        ]);
        workspace::run(command.args(["-print_final_stats=1", "-rss_limit_mb=4096"]))?;
    }
    Ok(())
}

/// Undefined behaviour in the C interface: its unit tests, and the corpus of the fuzz targets.
fn miri() -> Result<()> {
    for arguments in [&["bristle-fmu", "--lib"][..], &["bristle-fuzz-targets"]] {
        let mut command = nightly("miri");
        command
            .args(["miri", "test", "-p"])
            .args(arguments)
            .env("MIRIFLAGS", "-Zmiri-disable-isolation");
        workspace::run(&mut command)?;
    }
    Ok(())
}

/// Wrong memory and races: random calls, many threads, unloading. Library, tests and the standard
/// library are compiled with the sanitizer; a program exports the functions of its sanitizer, and
/// the libraries that it loads use them.
fn sanitizers() -> Result<()> {
    for (sanitizer, variable, options) in SANITIZERS {
        let folder = format!("sanitizer/{sanitizer}");
        let cargo = |subcommand| {
            let mut cargo = nightly(&folder);
            cargo
                .args([subcommand, "-Zbuild-std", "--target", TARGET])
                .env("CARGO_INCREMENTAL", "0");
            cargo.env("CARGO_PROFILE_TEST_DEBUG", "line-tables-only");
            cargo.env(
                "RUSTFLAGS",
                format!("-Zsanitizer={sanitizer} -Clink-arg=-Wl,--export-dynamic"),
            );
            cargo
        };
        workspace::run(cargo("build").args(["-p", "bristle-elements", "--profile", "test"]))?;
        let target = workspace::target().join(&folder);
        let fmus = target.join("fmu");
        export(
            &target.join(TARGET).join("debug/libbristle_elements.so"),
            &fmus,
        )?;
        for module in WATCHED {
            let mut test = cargo("test");
            test.args(["-p", "bristle-tests", "--test", "all", module, "--"]);
            test.args(NOT_WATCHED.iter().flat_map(|name| ["--skip", name]))
                .env(variable, options);
            test.env("BRISTLE_FMU_DIR", &fmus)
                .env("BRISTLE_RANDOM_CALLS", "10000");
            workspace::run(test.env("BRISTLE_RANDOM_CALLS_PATIENCE", "600"))?;
        }
    }
    Ok(())
}

/// FMUs of the stock elements with a library for this machine, in a folder.
fn export(library: &Path, folder: &Path) -> Result<()> {
    files::make_folder(folder)?;
    let mut exporter = Exporter::new();
    exporter.add_library(platform::host()?, &files::read(library)?)?;
    for element in package::stock() {
        files::write(
            &folder.join(format!("{}.fmu", element.name())),
            exporter.export(&element)?,
        )?;
    }
    Ok(())
}
