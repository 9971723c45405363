//! Runs the experiments on the packaged FMUs, whose folder the environment names; the commands of `cargo xtask` start it.

use anyhow::{Context, Result, bail};
use bristle_experiments::{
    choosing, compare, coupling, creep, figures, instructions, motions, numbers, regularisations, study, survey,
};
use std::path::Path;

const NAMES: &str = "`bristle`, `numbers`, `figures`, `compare`, `instructions`, `motions`, `play`, `coupling`, `creep`, `creep-page`, `study` or `survey`";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = |place: usize, what: &str| arguments.get(place).with_context(|| format!("name {what}"));
    match given(0, &format!("an experiment: {NAMES}"))?.as_str() {
        "bristle" => choosing::command(),
        "motions" => motions::command(),
        "numbers" => {
            let judged = numbers::command();
            print!("{}", regularisations::section()?);
            judged
        }
        "figures" => figures::command(Path::new(given(1, "the folder of the figures' data")?), &arguments[2..]),
        "compare" => compare::command(Path::new(given(1, "the file of the points")?)),
        "instructions" => instructions::command(),
        "play" => compare::play(given(1, "a rig")?, given(2, "an element")?, given(3, "a communication step")?),
        "coupling" => coupling::command(Path::new(given(1, "the folder of the figures' data")?)),
        "creep" => creep::command(Path::new(given(1, "the file of the results")?)),
        "creep-page" => creep::page_command(Path::new(given(1, "the file of the results")?)),
        "study" => study::command(Path::new(given(1, "the file of the results")?)),
        "survey" => survey::command(Some(arguments.get(1).map_or("", String::as_str))),
        other => bail!("{other} is no experiment; try {NAMES}"),
    }
}
