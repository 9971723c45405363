//! Random sequences of legal and illegal calls with random values, on several instances at
//! once, each compared with an independent model of FMI 2.0.
//!
//! `BRISTLE_RANDOM_CALLS` and `BRISTLE_RANDOM_CALLS_SEED` make the run longer or another one; a
//! failure names both.

pub mod caller;
mod model;
mod numbers;

use bristle_importer::fmu::Fmu;
use bristle_tests::cards::{all_elements, stock};
use caller::Caller;
use std::process::Command;
use std::time::{Duration, Instant};

/// Largest duration of a call, s: a longer one counts as a hang. [1.4 s in a million calls] Under
/// Valgrind, which is some fifty times slower, the command sets a longer one.
const PATIENCE: u64 = 10;

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| {
        value
            .parse()
            .unwrap_or_else(|_| panic!("{name} is a whole number"))
    })
}

#[test]
fn random_calls_match_the_model_of_the_standard() {
    attack(
        "FrDyn2",
        stock("FrDyn2"),
        from_environment("BRISTLE_RANDOM_CALLS", 10_000),
    );
}

#[test]
fn random_calls_on_other_elements_match_the_model() {
    let calls = from_environment("BRISTLE_RANDOM_CALLS", 60_000) / 10;
    for (element, fmu) in all_elements().filter(|(element, _)| element != "FrDyn2") {
        attack(&element, fmu, calls);
    }
}

fn attack(element: &str, fmu: Fmu, calls: u64) {
    let seed = from_environment("BRISTLE_RANDOM_CALLS_SEED", 1);
    let start = Instant::now();
    let law = element.split(' ').next().unwrap_or(element);
    let mut caller = Caller::new(law, &fmu, seed);
    for _ in 0..calls {
        caller.call();
    }
    println!(
        "{element}: {calls} calls with seed {seed} in {:.1} s",
        start.elapsed().as_secs_f64()
    );
    println!("{}", caller.report());
    assert!(
        caller.longest()
            < Duration::from_secs(from_environment("BRISTLE_RANDOM_CALLS_PATIENCE", PATIENCE))
    );
}

#[test]
fn library_prints_nothing() {
    if std::env::var_os("BRISTLE_RANDOM_CALLS_QUIET").is_some() {
        // The child process runs the calls alone, without output of this test or its harness.
        let fmu = Fmu::packaged("FrDyn2");
        let mut caller = Caller::new("FrDyn2", &fmu, 2);
        for _ in 0..2000 {
            caller.call();
        }
        return;
    }
    let output = Command::new(std::env::current_exe().expect("this program"))
        .args([
            "random_calls::library_prints_nothing",
            "--exact",
            "--nocapture",
            "--test-threads=1",
            "-q",
        ])
        .env("BRISTLE_RANDOM_CALLS_QUIET", "1")
        .output()
        .expect("this program starts again");
    let [out, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{out}{errors}");
    assert_eq!(errors, "");
    // The harness's own lines.
    let said: Vec<_> = out
        .lines()
        .filter(|line| !line.is_empty() && *line != ".")
        .collect();
    assert!(
        said.len() == 2 && said[0] == "running 1 test" && said[1].starts_with("test result: ok"),
        "{out}"
    );
}
