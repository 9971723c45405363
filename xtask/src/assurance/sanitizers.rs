//! Wrong memory and races: the sanitizers of addresses and of threads on random calls and on many threads.
//!
//! The library in the FMUs, the test programs and the standard library are compiled with the sanitizer. A program exports the
//! functions of its sanitizer, and the libraries that it loads use them.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::{Options, folder, instrumented, record};
use crate::{files, workspace};

/// Target of the sanitizers.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Sanitizers: name, value of `-Zsanitizer`, variable of its options and their value.
///
/// Leaks are looked for at the end of each process, where its libraries are unloaded: what a library did not free is lost then.
const SANITIZERS: [(&str, &str, &str, &str); 2] = [
    ("AddressSanitizer", "address", "ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1"),
    ("ThreadSanitizer", "thread", "TSAN_OPTIONS", "halt_on_error=1"),
];
/// Tests that measure leaks by the size of the process: sanitizers keep freed memory for a while.
const LEFT_OUT: [&str; 2] = ["instances_do_not_leak", "unloaded_library_leaves_nothing_of_its_element"];
/// Test programs on FMUs, each with what it does.
const PROGRAMS: [(&str, &str); 3] = [
    ("random_calls", "random calls, 10 000 on FrDyn2 and 1000 on each other element and motion"),
    ("threads", "thousand instances on eight threads, instances that change threads"),
    ("leaks", "unloading after use"),
];

/// Makes the runs of the named sanitizers and records their results beside those of the others.
pub fn measure(options: &Options) -> Result<()> {
    let commit = record::commit()?;
    let path = folder(&workspace::root()).join("sanitizers.tsv");
    let is_chosen =
        |sanitizer: &str| options.sanitizers.is_empty() || options.sanitizers.iter().any(|s| s == sanitizer);
    let (chosen, others): (Vec<_>, Vec<_>) =
        SANITIZERS.into_iter().partition(|(_, sanitizer, ..)| is_chosen(sanitizer));
    let known = files::read_text(&path).unwrap_or_default();
    let is_of_others = |row: &&str| others.iter().any(|(name, ..)| row.starts_with(name));
    let mut rows: Vec<String> = known.lines().filter(is_of_others).map(str::to_owned).collect();
    for (name, sanitizer, variable, options) in chosen {
        let target = workspace::target().join("sanitizer").join(sanitizer);
        let library = target.join(TARGET).join("debug/libbristle_elements.so");
        workspace::run(sanitized("build", sanitizer, &target).args(["-p", "bristle-elements", "--profile", "test"]))?;
        let fmus = instrumented::export(&library, &target.join("fmu"))?;
        for (program, contents) in PROGRAMS {
            let mut test = sanitized("test", sanitizer, &target);
            test.args(["-p", "bristle-tests", "--test", program, "--"]);
            test.args(LEFT_OUT.iter().flat_map(|name| ["--skip", name]));
            test.env(variable, options).env("BRISTLE_FMU_DIR", &fmus).env("BRISTLE_RANDOM_CALLS_PATIENCE", "600");
            test.env("BRISTLE_RANDOM_CALLS", "10000");
            rows.push(instrumented::row(&format!("{name}: {contents}, at {commit}"), &mut test)?);
        }
    }
    instrumented::record(&path, &commit, "cargo xtask assurance sanitizers", &rows)
}

/// Cargo that compiles the standard library, too, with a sanitizer.
fn sanitized(subcommand: &str, sanitizer: &str, target: &Path) -> Command {
    let mut cargo = instrumented::nightly();
    cargo.args([subcommand, "-Zbuild-std", "--target", TARGET]).env("CARGO_TARGET_DIR", target);
    cargo.env("RUSTFLAGS", format!("-Zsanitizer={sanitizer} -Clink-arg=-Wl,--export-dynamic"));
    cargo.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
    cargo
}
