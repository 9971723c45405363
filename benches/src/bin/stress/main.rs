//! Stress test of the packaged FMUs: random steps over decades of all inputs, compared one by one
//! with independent integrators, and loaded contacts at rest, which must not creep.
//!
//! `stress elements SEQUENCES SEED [ELEMENT [SEQUENCE…]]` compares every element along a line,
//! `stress plane …` the laws in the plane, and `stress rest STEPS` keeps contacts at rest. Each
//! prints a section of `docs/internals/stress.md`; `cargo xtask stress` starts them. A step that
//! fails is printed to the standard error with all that repeats it.

mod expected;
mod frdyn2;
mod laws;
mod limits;
mod line;
mod line_draws;
mod plane;
mod plane_draws;
mod report;
mod rest;
mod values;

use bristle::catalogue::{Motion, find};
use bristle_benches::arguments::Arguments;
use bristle_benches::card;
use bristle_benches::cvode::Cvode;
use laws::{MODELS, Model};
use rayon::prelude::*;
use report::Tally;

/// Sequences of FrDyn2 along a line, whose parameters, steps and start values go farther, over
/// those of another element.
const FRDYN2: u64 = 10;

fn main() {
    let mut arguments = Arguments::read(
        "stress elements|plane SEQUENCES SEED [ELEMENT [SEQUENCE…]] | stress rest STEPS",
    );
    let part: String = arguments.word();
    if part == "rest" {
        return rest::run(arguments.word());
    }
    let (sequences, seed): (u64, u64) = (arguments.word(), arguments.word());
    let words: Vec<String> = arguments.rest();
    let (element, only) = words
        .split_first()
        .map_or((None, &[][..]), |(element, only)| (Some(element), only));
    let only: Vec<u64> = only
        .iter()
        .map(|number| number.parse().expect("the number of a sequence"))
        .collect();
    let numbers = |factor: u64| -> Vec<u64> {
        if only.is_empty() {
            (0..factor * sequences).collect()
        } else {
            only.clone()
        }
    };
    expected::silence_references();
    let models = MODELS
        .iter()
        .enumerate()
        .filter(|(_, model)| element.is_none_or(|name| *name == model.element));
    if part == "plane" {
        let has_plane = |(_, model): &(usize, &Model)| {
            find(model.element).is_some_and(|law| law.planar.is_some())
        };
        let tally = |(place, model): (usize, &Model)| {
            let fmu = card::load(model.element, |card| card.motion = Motion::Planar);
            let run = |index, tally: &mut Tally| plane::run(&fmu, place, seed, index, tally);
            (model.element, on_all_processors(&numbers(1), run))
        };
        report::print(
            &part,
            &models.filter(has_plane).map(tally).collect::<Vec<_>>(),
        );
    } else {
        let cvode = Cvode::load();
        let tally = |(place, model): (usize, &Model)| {
            let fmu = card::load(model.element, |_| {});
            let factor = if model.element == "FrDyn2" { FRDYN2 } else { 1 };
            let run = |index, tally: &mut Tally| {
                line::run(&fmu, cvode.as_ref(), place, seed, index, tally)
            };
            (model.element, on_all_processors(&numbers(factor), run))
        };
        report::print(&part, &models.map(tally).collect::<Vec<_>>());
    }
}

/// Runs the sequences of these numbers on all processors.
fn on_all_processors(numbers: &[u64], run: impl Fn(u64, &mut Tally) + Sync) -> Tally {
    let one = |index: &u64| {
        let mut tally = Tally::default();
        run(*index, &mut tally);
        tally
    };
    numbers
        .par_iter()
        .map(one)
        .reduce(Tally::default, Tally::merge)
}
