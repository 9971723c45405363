//! `cargo xtask assurance`: runs that look for what tests miss, each by its own tool: coverage, mutants, guided fuzzing, Miri, sanitizers.
//!
//! They take minutes to hours, and print what they find; nothing is recorded. `docs/internals/assurance.md` has their last results.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use bristle_export::{Exporter, platform};
use clap::{Arg, ArgMatches};

use crate::console::say;
use crate::{arguments, files, package, workspace};

/// A measurement and its name on the command line.
type Measurement = (&'static str, fn(&ArgMatches) -> Result<()>);

/// All measurements.
const MEASUREMENTS: [Measurement; 5] =
    [("coverage", coverage), ("mutants", mutants), ("fuzz", fuzz), ("miri", miri), ("sanitizers", sanitizers)];

/// Targets of `fuzz/fuzz_targets`.
const TARGETS: [&str; 6] = ["states", "calls", "cards", "curves", "ssv", "sections"];

/// Target of the sanitizers, whose standard library is compiled as well.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Sanitizers: value of `-Zsanitizer`, variable of its options and their value. Leaks are looked for at the end of each process.
const SANITIZERS: [(&str, &str, &str); 2] = [
    ("address", "ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1"),
    ("thread", "TSAN_OPTIONS", "halt_on_error=1"),
];

/// Modules of `tests/tests` that the sanitizers watch.
const WATCHED: [&str; 3] = ["random_calls::", "threads::", "leaks::"];

/// Tests that measure leaks by the size of the process: sanitizers keep freed memory for a while.
const NOT_WATCHED: [&str; 2] = ["instances_do_not_leak", "unloaded_library_leaves_nothing_of_its_element"];

/// Adds the arguments of the command.
pub fn arguments(command: clap::Command) -> clap::Command {
    command
        .arg(
            Arg::new("measurement")
                .value_name("MEASUREMENT")
                .num_args(1..)
                .required(true)
                .value_parser(MEASUREMENTS.map(|(name, _)| name))
                .help("Measurements to make"),
        )
        .arg(arguments::number("seconds", "N", "Duration of each target of guided fuzzing, 3600 unless given"))
        .arg(
            Arg::new("shard")
                .long("shard")
                .value_name("K/N")
                .default_value("0/100")
                .help("Part of the mutants: every N-th from the K-th on"),
        )
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    let named: Vec<&String> = given.get_many("measurement").into_iter().flatten().collect();
    let chosen = MEASUREMENTS.into_iter().filter(|(name, _)| named.iter().any(|given| given == name));
    chosen.into_iter().try_for_each(|(name, measure)| {
        say!("== {name}");
        measure(given)
    })
}

/// A program of cargo's, `cargo-NAME`, from the search path or `target/tools`; an error says how to install it.
fn require(name: &str) -> Result<()> {
    let own = workspace::target().join(format!("tools/bin/cargo-{name}"));
    ensure!(
        own.is_file() || workspace::find(&format!("cargo-{name}")).is_some(),
        "cargo-{name} is missing; `cargo install cargo-{name} --locked` installs it"
    );
    Ok(())
}

/// Cargo of the nightly compiler, with a target folder of its own.
fn nightly(folder: &str) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.arg("+nightly").current_dir(workspace::root());
    // The cargo that runs this program sets them to its own toolchain.
    cargo.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTC");
    cargo.env("CARGO_TARGET_DIR", workspace::target().join(folder));
    cargo
}

/// Lines and regions of library, C interface and exporter that their unit tests execute.
fn coverage(_: &ArgMatches) -> Result<()> {
    require("llvm-cov")?;
    let mut command = workspace::cargo();
    command.args(["llvm-cov", "--lib", "--summary-only", "-p", "bristle", "-p", "bristle-fmu", "-p", "bristle-export"]);
    workspace::run(&mut command)
}

/// Mutants of the library, judged by its unit tests; `.cargo/mutants.toml` says what is mutated.
fn mutants(given: &ArgMatches) -> Result<()> {
    require("mutants")?;
    let shard = given.get_one::<String>("shard").map_or("0/100", String::as_str);
    workspace::run(workspace::cargo().args(["mutants", "-p", "bristle", "--shard", shard, "--", "--lib"]))
}

/// Guided fuzzing; new cases that reach more lie in `target/fuzz-corpus`.
fn fuzz(given: &ArgMatches) -> Result<()> {
    require("fuzz")?;
    let seconds = given.get_one::<u64>("seconds").copied().unwrap_or(3600);
    for target in TARGETS {
        say!("{target}, {seconds} s");
        let corpus = workspace::target().join("fuzz-corpus").join(target);
        files::make_folder(&corpus)?;
        let mut command = nightly("fuzz");
        command.args(["fuzz", "run", target]).arg(&corpus);
        command.arg(workspace::root().join("tests/fuzz/corpus").join(target));
        command.args(["--", &format!("-max_total_time={seconds}"), "-max_len=4096", "-timeout=60"]);
        command.args(["-print_final_stats=1", "-rss_limit_mb=4096"]);
        workspace::run(&mut command).with_context(|| format!("the target {target} has a finding"))?;
    }
    Ok(())
}

/// Undefined behaviour in the C interface: its unit tests, and the corpus of the fuzz targets.
fn miri(_: &ArgMatches) -> Result<()> {
    for arguments in [&["bristle-fmu", "--lib"][..], &["bristle-fuzz-targets"]] {
        let mut command = nightly("miri");
        workspace::run(
            command.args(["miri", "test", "-p"]).args(arguments).env("MIRIFLAGS", "-Zmiri-disable-isolation"),
        )?;
    }
    Ok(())
}

/// Wrong memory and races: random calls, many threads, unloading. Library, tests and the standard library are compiled with the
/// sanitizer; a program exports the functions of its sanitizer, and the libraries that it loads use them.
fn sanitizers(_: &ArgMatches) -> Result<()> {
    for (sanitizer, variable, options) in SANITIZERS {
        let folder = format!("sanitizer/{sanitizer}");
        let cargo = |subcommand| {
            let mut cargo = nightly(&folder);
            cargo.args([subcommand, "-Zbuild-std", "--target", TARGET]).env("CARGO_INCREMENTAL", "0");
            cargo.env("CARGO_PROFILE_TEST_DEBUG", "line-tables-only");
            cargo.env("RUSTFLAGS", format!("-Zsanitizer={sanitizer} -Clink-arg=-Wl,--export-dynamic"));
            cargo
        };
        workspace::run(cargo("build").args(["-p", "bristle-elements", "--profile", "test"]))?;
        let target = workspace::target().join(&folder);
        let fmus = target.join("fmu");
        export(&target.join(TARGET).join("debug/libbristle_elements.so"), &fmus)?;
        for module in WATCHED {
            let mut test = cargo("test");
            test.args(["-p", "bristle-tests", "--test", "all", module, "--"]);
            test.args(NOT_WATCHED.iter().flat_map(|name| ["--skip", name])).env(variable, options);
            test.env("BRISTLE_FMU_DIR", &fmus)
                .env("BRISTLE_RANDOM_CALLS", "10000")
                .env("BRISTLE_RANDOM_CALLS_PATIENCE", "600");
            workspace::run(&mut test)?;
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
        files::write(&folder.join(format!("{}.fmu", element.name())), exporter.export(&element)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
