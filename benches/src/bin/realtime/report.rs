//! Tables of `docs/realtime.md`, and the worst steps in full.

use crate::draws::Kind;
use crate::measure::{REVIEW, Times};
use crate::rows::Row;
use bristle_benches::clock;

/// Quantiles of the second table.
const QUANTILES: [(f64, &str); 4] = [(0.5, "median"), (0.99, "99 %"), (0.999, "99.9 %"), (0.9999, "99.99 %")];
/// The quantile that has a goal.
const GOAL: f64 = 0.9999;

impl Times {
    /// Smallest time that no more than the rest of the steps exceed, µs.
    fn quantile(&self, share: f64) -> f64 {
        let place = (share * self.sorted.len() as f64).ceil() as usize;
        self.sorted[place.clamp(1, self.sorted.len()) - 1]
    }

    fn worst(&self) -> f64 {
        *self.sorted.last().expect("a row has steps")
    }

    fn meets(&self, row: &Row) -> bool {
        self.refused == 0
            && self.worst() <= row.goal.worst
            && row.goal.quantile.is_none_or(|limit| self.quantile(GOAL) <= limit)
    }
}

/// Prints the slowest step of a row, and refusals, to the standard error.
pub fn worst(row: &Row, kind: Kind, times: &Times) {
    let name = format!("{}, {}, {}", row.element, row.load(), kind.name());
    let Times { above, worst, refused, warned, .. } = times;
    eprintln!("{name}: worst {:.1} µs, {above} above the goal, {warned} warned: {worst:?}", times.worst());
    if let Some((said, case)) = &times.first_refusal {
        eprintln!("{name}: FAILED: {refused} refused, first: {said} {case:?}");
    }
}

/// Prints the section of the page.
pub fn print(measured: &[(Row, [Times; 3])], steps: usize, seed: u64) {
    let mut empty: Vec<_> = (0..1001).map(|_| clock::once(|| ()) * 1e-3).collect();
    empty.sort_by(f64::total_cmp);
    let told = |name| std::env::var(name).unwrap_or_else(|_| "unknown".to_owned());
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split(": ").nth(1));
    println!("<!-- begin realtime -->");
    println!("Measured on: {}; {}.", model.unwrap_or(std::env::consts::ARCH), told("BRISTLE_RUSTC"));
    println!(
        "{steps} steps in each column, or as many as fit into 60 s; seed {seed}; reading the clock is {:.2} µs of each time.",
        empty[500]
    );
    let speeds = measured.iter().flat_map(|(_, results)| results).map(|times| times.speeds);
    let [least, most] =
        speeds.reduce(|[least, most], [a, b]| [least.min(a), most.max(b)]).expect("a row with its speeds");
    println!(
        "Times are scaled to a processor that takes {:.1} µs for 1000 exponentials in succession. This one took {least:.1} to {most:.1} µs, measured \
         every {REVIEW} steps.\n",
        clock::REFERENCE_SPEED * 1e-3
    );
    let columns = Kind::ALL.map(|kind| format!("{}: 99.99 % / worst, µs", kind.name())).join(" | ");
    println!("| element | load | {columns} | goal, µs | met |");
    println!("|---|---|---:|---:|---:|---:|---|");
    for (row, results) in measured {
        let times =
            results.each_ref().map(|times| format!("{:.1} / {:.1}", times.quantile(GOAL), times.worst())).join(" | ");
        let limit = row.goal.quantile.map_or("\u{2013}".to_owned(), |limit| limit.to_string());
        let missed = results.iter().zip(Kind::ALL).filter(|(times, _)| !times.meets(row));
        let missed: Vec<_> = missed.map(|(_, kind)| kind.name()).collect();
        let met = if missed.is_empty() { "yes".to_owned() } else { format!("not {}", missed.join(", ")) };
        let (name, load, worst) = (row.element, row.load(), row.goal.worst);
        println!("| `{name}` | {load} | {times} | {limit} / {worst} | {met} |");
    }
    println!(
        "\n| element | load | inputs | {} | worst | above the goal | fmi2Warning | refused | steps |",
        QUANTILES.map(|(_, name)| name).join(" | ")
    );
    println!("|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (row, results) in measured {
        for (times, kind) in results.iter().zip(Kind::ALL.map(Kind::name)) {
            let quantiles = QUANTILES.map(|(share, _)| format!("{:.2}", times.quantile(share))).join(" | ");
            let (name, load, Times { above, warned, refused, sorted, .. }) = (row.element, row.load(), times);
            let (worst, steps) = (times.worst(), sorted.len());
            println!(
                "| `{name}` | {load} | {kind} | {quantiles} | {worst:.2} | {above} | {warned} | {refused} | {steps} |"
            );
        }
    }
    println!();
    let refused: usize = measured.iter().flat_map(|(_, results)| results).map(|times| times.refused).sum();
    match refused {
        0 => println!("No step was refused."),
        _ => println!("FAILED: {refused} steps were refused."),
    }
    println!("<!-- end realtime -->");
}
