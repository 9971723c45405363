//! Cost and error of a step of the packaged FrDyn2 beside CVODE and others in the same run.
//!
//! Prints the tables of `docs/performance.md` as Markdown, and the points of the work–precision picture into the file
//! that is named as its argument. `cargo xtask performance` calls it.

mod moving;
mod precision;
mod search;
mod tables;

use bristle_benches::cvode::Cvode;
use bristle_benches::motion::Motion;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::workloads::{HEAVY, MICRO_SINE, SLIDING_SINE};

/// The workloads of the tables, each with its communication steps (s).
fn motions() -> Vec<Motion> {
    let fine = [1e-3, 1e-4, 1e-5];
    let cases = [(&SLIDING_SINE, &fine[..]), (&MICRO_SINE, &fine[..]), (&HEAVY, &fine[..2])];
    cases.iter().flat_map(|(workload, steps)| steps.iter().map(|h| Motion::new(workload, *h))).collect()
}

fn main() {
    let points = std::env::args_os().nth(1).expect("the file that the points of the picture go to");
    let fmu = Fmu::packaged("FrDyn2");
    let cvode = Cvode::load();
    let motions = motions();
    eprintln!("references done");
    tables::machine(cvode.as_ref());
    let searches: Vec<_> = motions
        .iter()
        .map(|motion| {
            let grid = cvode.as_ref().map_or(Vec::new(), |cvode| search::grid(cvode, motion));
            eprintln!("CVODE's settings tried: {}, H = {:e} s", motion.workload.name, motion.h);
            grid
        })
        .collect();
    tables::costs(&fmu, cvode.as_ref(), &motions, &searches);
    tables::floors(&fmu);
    moving::table(&fmu);
    let text = precision::run(&fmu, &motions, &searches);
    std::fs::write(&points, text).expect("the points can be written");
}
