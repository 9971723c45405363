//! Third part: random steps of the laws in the plane, compared with their vector forms integrated by DOP853.
//!
//! Rotational elements, plates and several contacts need no part of their own: they equal elements along a line and in the plane bit
//! for bit (`tests/tests/cards`).

mod draws;
mod judge;
mod trial;

use crate::elements::report::{self, Tally};
use crate::elements::{laws::MODELS, silence_judges};
use bristle::catalogue::Motion;
use bristle_benches::card;
use draws::Step;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Laws with a form in the plane.
const LAWS: [&str; 8] =
    ["FrDyn2", "FrDyn2Linear", "StaticRegularized", "Stribeck", "BrownMcPhee", "PoppStelter", "Dahl", "LuGre"];

/// Runs `sequences` sequences of each law, or of one law those of these numbers, and prints the results.
pub fn run(sequences: u64, seed: u64, element: Option<&str>, only: &[u64]) {
    silence_judges();
    let numbers: Vec<u64> = if only.is_empty() { (0..sequences).collect() } else { only.to_vec() };
    let chosen = MODELS
        .iter()
        .enumerate()
        .filter(|(_, model)| LAWS.contains(&model.element) && element.is_none_or(|name| name == model.element));
    let tallies: Vec<_> = chosen
        .map(|(place, model)| (format!("{} in the plane", model.element), tally(place, seed, &numbers)))
        .collect();
    report::print("plane", &tallies, seed, numbers.len());
}

/// Runs the sequences of a law on all processors.
fn tally(place: usize, seed: u64, numbers: &[u64]) -> Tally<Step> {
    let fmu = card::load(MODELS[place].element, |card| card.motion = Motion::Planar);
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let work = || {
            let mut tally = Tally::default();
            while let Some(index) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                trial::run(&fmu, place, seed, *index, &mut tally);
            }
            tally
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let tallies = threads.into_iter().map(|thread| thread.join().expect("a worker ends"));
        tallies.fold(Tally::default(), Tally::merge)
    })
}
