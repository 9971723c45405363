//! Counts of an element over its random steps, and every failure in full.

use crate::limits::{AGREEMENT, KEPT, LIMITS};
use crate::values::Values;
use bristle_benches::element::Element;
use bristle_importer::fmi2::Status;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Everything that is needed to repeat a step `S`.
#[derive(Debug)]
#[allow(dead_code)] // read through Debug
pub struct Case<S> {
    pub sequence: u64,
    pub number: usize,
    /// Parameters that differ from the element's defaults.
    pub parameters: Values,
    pub tolerance: f64,
    /// States and modes before the step, tuned deflections included.
    pub states: Vec<(String, f64)>,
    pub step: S,
    pub found: f64,
    pub expected: f64,
    /// Error over its scale, in units of the tolerance.
    pub error: f64,
}

/// Quantities of a step that are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    Force,
    Energy,
    Mean,
}

const QUANTITIES: [&str; 3] = ["F_R", "E_loss", "F_R_mean"];

/// A quantity beside its reference.
pub struct Compared {
    pub quantity: Quantity,
    pub found: f64,
    pub expected: f64,
    /// Difference beyond rounding.
    pub off: f64,
    /// Scale of the error.
    pub scale: f64,
}

/// Reason why a quantity was not compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unjudged {
    /// The reference does not reach the end, or is not accurate for this step.
    GaveUp,
    /// The integrals of the reference do not converge.
    NoTotals,
    /// References differ by as much as the error, or the result changes so by the uncertainty of
    /// events.
    Disagreement,
}

/// Counts of an element.
#[derive(Default)]
pub struct Tally {
    steps: u64,
    warned: u64,
    /// Of each quantity: compared, above the tolerance, and the worst error in units of it.
    compared: [(u64, u64, f64); QUANTITIES.len()],
    unjudged: BTreeMap<Unjudged, u64>,
    /// Refusals of steps that no reference can do either.
    refused: u64,
    failures: BTreeMap<String, (u64, Vec<String>)>,
    /// Longest processor time of a step, ms, and its case.
    slowest: (f64, String),
}

impl Tally {
    /// Counts a step that took this long, ms.
    pub fn step(&mut self, time: f64, status: Status, case: &impl Debug) {
        self.steps += 1;
        self.warned += u64::from(status == Status::Warning);
        if time > self.slowest.0 {
            self.slowest = (time, format!("{case:?}"));
        }
    }

    /// Counts the errors of a step; a large one is a failure, unless the element returned
    /// fmi2Warning, or the reference `shaken` by the uncertainty of events changes by as much.
    pub fn judge<S: Debug>(
        &mut self,
        found: Vec<Compared>,
        case: &mut Case<S>,
        status: Status,
        shaken: impl Fn(Quantity) -> f64,
    ) {
        for Compared {
            quantity,
            found,
            expected,
            off,
            scale,
        } in found
        {
            (case.found, case.expected) = (found, expected);
            // A contact at rest loses nothing.
            case.error = if off == 0.0 {
                0.0
            } else {
                off / (scale * case.tolerance)
            };
            let limit = LIMITS[quantity as usize];
            if case.error > limit && shaken(quantity) > AGREEMENT * off {
                self.unjudged(Unjudged::Disagreement);
            } else if status != Status::Warning {
                let (compared, above, worst) = &mut self.compared[quantity as usize];
                *compared += 1;
                *above += u64::from(case.error > 1.0);
                *worst = worst.max(case.error);
                if case.error > limit {
                    let name = QUANTITIES[quantity as usize];
                    self.fail(
                        &format!("{name} exceeds {limit} times its tolerance without fmi2Warning"),
                        case,
                    );
                }
            }
        }
    }

    pub fn unjudged(&mut self, why: Unjudged) {
        *self.unjudged.entry(why).or_default() += 1;
    }

    pub fn fail(&mut self, what: &str, case: &impl Debug) {
        let (count, cases) = self.failures.entry(what.to_owned()).or_default();
        *count += 1;
        if cases.len() < KEPT {
            cases.push(format!("{case:?}"));
        }
    }

    /// Counts a refusal. One of a step that the reference can do is a failure, and one without a
    /// sentence.
    pub fn refuse(&mut self, element: &Element, can: bool, case: &impl Debug) {
        let log = element
            .instance
            .take_log()
            .into_iter()
            .filter(|entry| entry.status > Status::Warning);
        let said = log.map(|entry| entry.text).collect::<Vec<_>>().join(" ");
        if said.split_whitespace().count() < 5 {
            self.fail("a refusal without a sentence", case);
        } else if can {
            let is_number = |word: &str| word.trim_end_matches(',').parse::<f64>().is_ok();
            let words: Vec<_> = said
                .split(' ')
                .map(|word| if is_number(word) { "…" } else { word })
                .collect();
            self.fail(
                &format!("refused, though it can be done: {}", words.join(" ")),
                case,
            );
        } else {
            self.refused += 1;
        }
    }

    pub fn merge(mut self, other: Tally) -> Tally {
        self.steps += other.steps;
        self.warned += other.warned;
        self.refused += other.refused;
        for ((compared, above, worst), more) in self.compared.iter_mut().zip(other.compared) {
            (*compared, *above, *worst) = (*compared + more.0, *above + more.1, worst.max(more.2));
        }
        for (why, count) in other.unjudged {
            *self.unjudged.entry(why).or_default() += count;
        }
        for (what, (count, cases)) in other.failures {
            let entry = self.failures.entry(what).or_default();
            entry.0 += count;
            entry.1.extend(cases);
            entry.1.truncate(KEPT);
        }
        if other.slowest.0 > self.slowest.0 {
            self.slowest = other.slowest;
        }
        self
    }

    /// Row of the table without the element.
    fn row(&self) -> String {
        let not_compared: u64 = self.unjudged.values().sum();
        let errors = self
            .compared
            .map(|(compared, above, worst)| match compared {
                0 => "–".to_owned(),
                _ => format!("{above}/{worst:.2}"),
            });
        format!(
            "{} | {} | {} | {not_compared} | {}",
            self.steps,
            self.warned,
            self.refused,
            errors.join(" | ")
        )
    }
}

/// Prints a section of `docs/internals/stress.md`, and every failing step in full to the standard
/// error.
pub fn print(section: &str, tallies: &[(&str, Tally)]) {
    let errors = QUANTITIES.join(" | ");
    println!("<!-- begin {section} -->");
    println!("| element | steps | fmi2Warning | refused | not compared | {errors} |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    tallies
        .iter()
        .for_each(|(name, tally)| println!("| `{name}` | {} |", tally.row()));
    for (name, tally) in tallies {
        tally.failures.iter().for_each(|(what, (count, _))| {
            println!("\nFAILED: {name} ({section}): {what}, {count} times.")
        });
    }
    println!("<!-- end {section} -->");
    for (name, tally) in tallies {
        let (time, case) = &tally.slowest;
        eprintln!("{name}: slowest step: {time:.3} ms, {case}");
        for (what, (_, cases)) in &tally.failures {
            cases
                .iter()
                .for_each(|case| eprintln!("{name}: {what}: {case}"));
        }
    }
}
