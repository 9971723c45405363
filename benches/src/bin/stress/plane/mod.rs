//! Third part: random steps of the laws in the plane, compared with their vector forms integrated by DOP853.
//!
//! Rotational elements, plates and several contacts need no part of their own: they equal elements along a line and in the plane bit
//! for bit (`tests/tests/cards`).

mod draws;
mod judge;
mod trial;

use crate::elements::report::{self, Tally};
use crate::elements::{laws::MODELS, on_all_processors, silence_judges};
use bristle::catalogue::Motion;
use bristle_benches::card;
use draws::Step;

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

fn tally(place: usize, seed: u64, numbers: &[u64]) -> Tally<Step> {
    let fmu = card::load(MODELS[place].element, |card| card.motion = Motion::Planar);
    on_all_processors(numbers, |index, tally| trial::run(&fmu, place, seed, index, tally))
}
