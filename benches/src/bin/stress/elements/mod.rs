//! Second part: random steps of every element, compared with the reference law.
//!
//! FrDyn2 takes part with `m_eff`, energy and mean force; the first part compares its F_R.

mod digest;
pub mod draws;
mod expected;
pub mod frdyn2;
pub mod laws;
pub mod report;
mod trial;
pub mod values;

use bristle_importer::fmu::Fmu;
use laws::MODELS;
use report::Tally;
use std::sync::atomic::{AtomicUsize, Ordering};

pub use digest::print as print_digests;
pub use expected::{quietly, silence_judges};

/// Runs `sequences` sequences of each element, or of one element those of these numbers, and prints the results.
pub fn run(sequences: u64, seed: u64, element: Option<&str>, only: &[u64]) {
    silence_judges();
    let numbers: Vec<u64> = if only.is_empty() { (0..sequences).collect() } else { only.to_vec() };
    let chosen = MODELS.iter().enumerate().filter(|(_, model)| element.is_none_or(|name| name == model.element));
    let tallies: Vec<_> = chosen.map(|(place, model)| (model.element, tally(place, seed, &numbers))).collect();
    report::print("elements", &tallies, seed, numbers.len());
}

fn tally(place: usize, seed: u64, numbers: &[u64]) -> Tally {
    let fmu = Fmu::packaged(MODELS[place].element);
    on_all_processors(numbers, |index, tally| trial::run(&fmu, place, seed, index, tally))
}

/// Runs the sequences of these numbers on all processors.
pub fn on_all_processors<S: Clone + Send>(numbers: &[u64], run: impl Fn(u64, &mut Tally<S>) + Sync) -> Tally<S> {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let work = || {
            let mut tally = Tally::default();
            while let Some(index) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                run(*index, &mut tally);
            }
            tally
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let tallies = threads.into_iter().map(|thread| thread.join().expect("a worker ends"));
        tallies.fold(Tally::default(), Tally::merge)
    })
}
