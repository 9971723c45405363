//! Processor time of single communication steps of every packaged element at 1 kHz: the worst step,
//! and quantiles.
//!
//! `realtime FILE STEPS SEED [ELEMENT…]` prints the table of `docs/realtime.md` and writes all
//! quantiles into the file; `cargo xtask realtime` starts it. The worst step of each row goes to
//! the standard error with everything that repeats it.

mod draws;
mod measure;
mod rigs;
mod rows;

use bristle_benches::arguments::Arguments;
use bristle_benches::{card, clock};
use bristle_importer::fmu::Fmu;
use measure::Times;
use rows::Row;
use std::fmt::Write;

/// Communication step, s: 1 kHz.
pub const H: f64 = 1e-3;
/// Kinds of inputs: without derivatives, and with those of the rig's order.
const INPUTS: [&str; 2] = ["held", "derivatives"];
/// Quantiles of the file.
const QUANTILES: [f64; 4] = [0.5, 0.99, 0.999, 0.9999];

fn main() {
    let mut arguments = Arguments::read("realtime FILE STEPS SEED [ELEMENT…]");
    let (file, steps, seed): (String, usize, u64) =
        (arguments.word(), arguments.word(), arguments.word());
    let only: Vec<String> = arguments.rest();
    let told = |name| std::env::var(name).unwrap_or_else(|_| "unknown".to_owned());

    let mut text = "element,load,inputs,median [us],99 %,99.9 %,99.99 %,worst [us],above the \
         goal,fmi2Warning,refused,steps\n"
        .to_owned();
    println!("<!-- begin realtime -->");
    println!(
        "Measured on: {}; {}. {steps} steps in each column, or as many as fit into 60 s, on a \
         processor that takes {:.1} µs for 1000 \
         exponentials.\n",
        clock::processor(),
        told("BRISTLE_RUSTC"),
        clock::REFERENCE_SPEED * 1e-3
    );
    println!("| element | load | {} | goal | met |", INPUTS.join(" | "));
    println!("|---|---|---:|---:|---:|---|");
    let (mut refused, mut others, mut met) = (0, 0, 0);
    for (number, row) in rows::rows().into_iter().enumerate() {
        if !only.is_empty() && !only.iter().any(|element| element == row.element) {
            continue;
        }
        let fmu = match row.rig.card {
            None => Fmu::packaged(row.element),
            Some(change) => card::load(row.element, change),
        };
        // Draws depend on the row's place in the full table, so that a row measured alone repeats
        // its steps.
        let seed = seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ (number as u64) << 32;
        let results = [0, 1].map(|kind| {
            let order = kind * row.rig.order;
            let times = measure::row(&fmu, &row, order, steps, seed ^ kind as u64);
            explain(&row, INPUTS[kind], &times);
            text += &line(&row, INPUTS[kind], &times);
            times
        });
        refused += results.iter().map(|times| times.refused).sum::<usize>();
        if row.is_on_page() {
            println!("{}", table_row(&row, &results));
        } else {
            others += 1;
            met += usize::from(missed(&row, &results).is_empty());
        }
    }
    println!(
        "\n{met} of {others} further rows, with `m_eff` or `inner_steps_max`, meet their goals."
    );
    if refused > 0 {
        println!("\nFAILED: {refused} steps were refused.");
    }
    println!("<!-- end realtime -->");
    std::fs::write(&file, text).expect("the quantiles can be written");
}

/// Prints the slowest step of a row, and refusals, to the standard error.
fn explain(row: &Row, inputs: &str, times: &Times) {
    let name = format!("{}, {}, {}", row.element, row.load(), inputs);
    let Times {
        above,
        worst,
        refused,
        warned,
        ..
    } = times;
    eprintln!(
        "{name}: worst {:.1} µs, {above} above the goal, {warned} warned: {worst:?}",
        times.quantile(1.0)
    );
    if let Some((said, case)) = &times.first_refusal {
        eprintln!("{name}: FAILED: {refused} refused, first: {said} {case:?}");
    }
}

/// Line of the file.
fn line(row: &Row, inputs: &str, times: &Times) -> String {
    let mut line = format!("{},{},{}", row.element, row.load(), inputs);
    for share in QUANTILES.into_iter().chain([1.0]) {
        let _ = write!(line, ",{:.2}", times.quantile(share));
    }
    let Times {
        above,
        warned,
        refused,
        sorted,
        ..
    } = times;
    line + &format!(",{above},{warned},{refused},{}\n", sorted.len())
}

/// Kinds of inputs with which a row misses its goal.
fn missed(row: &Row, results: &[Times]) -> Vec<&'static str> {
    let (quantile, worst) = row.goal;
    let meets = |times: &Times| {
        times.refused == 0
            && times.quantile(1.0) <= worst
            && quantile.is_none_or(|limit| times.quantile(0.9999) <= limit)
    };
    results
        .iter()
        .zip(INPUTS)
        .filter(|(times, _)| !meets(times))
        .map(|(_, inputs)| inputs)
        .collect()
}

/// Row of the table: 99.99 % and worst step of each kind of inputs, µs.
fn table_row(row: &Row, results: &[Times]) -> String {
    let cells = results
        .iter()
        .map(|times| format!("{:.1}/{:.1}", times.quantile(0.9999), times.quantile(1.0)));
    let (missed, (quantile, worst)) = (missed(row, results), row.goal);
    let met = if missed.is_empty() {
        "yes".to_owned()
    } else {
        format!("not {}", missed.join(", "))
    };
    let limit = quantile.map_or("\u{2013}".to_owned(), |limit| limit.to_string());
    let load = row.load();
    format!(
        "| `{}` | {load} | {} | {limit}/{worst} | {met} |",
        row.element,
        cells.collect::<Vec<_>>().join(" | ")
    )
}
