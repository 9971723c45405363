//! Processor time of single communication steps of every packaged element at 1 kHz, by quantiles.
//!
//! `realtime STEPS SEED [ELEMENT…]` prints the tables of `docs/realtime.md`; `cargo xtask realtime` calls it. The worst step of
//! each row goes to the standard error with everything that repeats it.

mod draws;
mod measure;
mod report;
mod rows;

use bristle_importer::fmu::Fmu;
use draws::Kind;

/// Communication step, s: 1 kHz.
pub const H: f64 = 1e-3;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = || arguments.next().and_then(|text| text.parse().ok()).expect("realtime STEPS SEED [ELEMENT…]");
    let (steps, seed): (usize, u64) = (number() as usize, number());
    let only: Vec<_> = arguments.collect();

    let mut measured = Vec::new();
    for (number, row) in rows::rows().into_iter().enumerate() {
        if !only.is_empty() && !only.iter().any(|element| element == row.element) {
            continue;
        }
        let fmu = Fmu::packaged(row.element);
        // Draws depend on the row's place in the full table, so that a row measured alone repeats its steps.
        let seed = seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ (number as u64) << 32;
        let results = Kind::ALL.map(|kind| {
            let result = measure::row(&fmu, &row, kind, steps, seed ^ kind as u64);
            report::worst(&row, kind, &result);
            result
        });
        measured.push((row, results));
    }
    report::print(&measured, steps, seed);
}
