//! Stress test of the packaged FrDyn2: random steps over decades of all inputs, compared one by one with independent integrators, and
//! loaded contacts at rest, which must not creep.
//!
//! The second part compares every element with its reference law (`elements`), the third the laws in the plane (`plane`).
//!
//! `stress STEPS SEED REST_STEPS`, `stress elements SEQUENCES SEED [ELEMENT]` and `stress plane SEQUENCES SEED [ELEMENT]` print the
//! sections of `docs/stress.md`; `cargo xtask stress` calls it. A step that fails is printed with all that is needed to repeat it; sequences named after the
//! numbers are run alone. `stress digest SEQUENCES SEED [ELEMENT]` prints digests of all results.

mod elements;
mod limits;
mod plane;
mod random;
mod references;
mod report;
mod rest;
mod trial;

use bristle_benches::cvode::Cvode;
use bristle_importer::fmu::Fmu;
use report::Tally;
use std::sync::atomic::{AtomicU64, Ordering};

fn main() {
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.next_if(|first| first == "elements").is_some() {
        return every_element(elements::run, &arguments.collect::<Vec<_>>());
    }
    if arguments.next_if(|first| first == "plane").is_some() {
        return every_element(plane::run, &arguments.collect::<Vec<_>>());
    }
    if arguments.next_if(|first| first == "digest").is_some() {
        let arguments: Vec<_> = arguments.collect();
        let [sequences, seed, element @ ..] = &arguments[..] else { panic!("stress digest SEQUENCES SEED [ELEMENT]") };
        return elements::print_digests(number(sequences), number(seed), element.first().map(String::as_str));
    }
    let numbers: Vec<u64> = arguments.map(|text| number(&text)).collect();
    let [steps, seed, rest_steps, ref only @ ..] = numbers[..] else {
        panic!("stress STEPS SEED REST_STEPS [SEQUENCE…]")
    };
    let fmu = Fmu::packaged("FrDyn2");
    let cvode = Cvode::load();

    if !only.is_empty() {
        let mut tally = Tally::default();
        only.iter().for_each(|index| trial::run(&fmu, cvode.as_ref(), seed, *index, &mut tally));
        return report::print(&tally, seed, cvode.is_some());
    }
    let sequences = steps.div_ceil(random::LENGTH as u64);
    let next = AtomicU64::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let tally = std::thread::scope(|scope| {
        let work = || {
            let mut tally = Tally::default();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= sequences {
                    return tally;
                }
                trial::run(&fmu, cvode.as_ref(), seed, index, &mut tally);
                if index.is_multiple_of((sequences / 20).max(1)) {
                    eprintln!("{} of {sequences} sequences", index + 1);
                }
            }
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let tallies = threads.into_iter().map(|thread| thread.join().expect("a worker ends"));
        tallies.fold(Tally::default(), Tally::merge)
    });
    report::print(&tally, seed, cvode.is_some());
    rest::run(&fmu, rest_steps);
}

fn number(text: &str) -> u64 {
    text.parse().expect("a number")
}

/// Runs the second or third part.
fn every_element(run: impl Fn(u64, u64, Option<&str>, &[u64]), arguments: &[String]) {
    let [sequences, seed, rest @ ..] = arguments else {
        panic!("stress elements|plane SEQUENCES SEED [ELEMENT [SEQUENCE…]]")
    };
    let (element, only) = rest.split_first().map_or((None, &[][..]), |(element, only)| (Some(element.as_str()), only));
    let only: Vec<_> = only.iter().map(|text| number(text)).collect();
    run(number(sequences), number(seed), element, &only);
}
