//! Counts of the second part by element, and every failure in full.

use super::draws::{Body, Step};
use super::values::Values;
use crate::limits::{FACTOR, KEPT};
use std::collections::BTreeMap;
use std::fmt::{Debug, Display};

/// Everything that is needed to repeat a step.
#[derive(Clone, Debug)]
#[allow(dead_code)] // read through Debug
pub struct Case<S = Step> {
    pub sequence: u64,
    pub number: usize,
    /// Parameters that differ from the element's defaults.
    pub parameters: Values,
    pub tolerance: f64,
    pub body: Option<Body>,
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

const QUANTITIES: [(Quantity, &str); 3] =
    [(Quantity::Force, "F_R"), (Quantity::Energy, "E_loss"), (Quantity::Mean, "F_R_mean")];

/// Reason why a quantity was not compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unjudged {
    /// F_s is not a normal number, or F_s at the end is next to nothing beside that of the step.
    NoScale,
    /// The reference does not reach the end, or is not accurate for this step.
    GaveUp,
    /// The integrals of the reference do not converge.
    NoTotals,
    /// The error is no larger than the change of the result by the uncertainty of events, or by a finer quadrature.
    Disagreement,
}

/// Errors in decades of the tolerance.
const DECADES: [(f64, &str); 7] = [
    (1e-3, "to 1e-3"),
    (1e-2, "to 1e-2"),
    (0.1, "to 0.1"),
    (1.0, "to 1"),
    (FACTOR, "to 10"),
    (1e3, "to 1000"),
    (f64::INFINITY, "above"),
];

/// The largest of something.
pub struct Most<S = Step>(Option<(f64, Case<S>)>);

impl<S: Clone> Most<S> {
    pub fn offer(&mut self, value: f64, case: &Case<S>) {
        if self.0.as_ref().is_none_or(|(most, _)| value > *most) {
            self.0 = Some((value, case.clone()));
        }
    }

    fn merge(self, other: Most<S>) -> Most<S> {
        match (self.0, other.0) {
            (Some(a), Some(b)) => Most(Some(if b.0 > a.0 { b } else { a })),
            (a, b) => Most(a.or(b)),
        }
    }
}

/// Counts of an element.
pub struct Tally<S = Step> {
    pub steps: u64,
    /// Steps with `m_eff` that were checked.
    pub with_body: u64,
    pub warned: u64,
    errors: [[u64; DECADES.len()]; QUANTITIES.len()],
    worst: [f64; QUANTITIES.len()],
    unjudged: BTreeMap<Unjudged, u64>,
    /// Refusals of steps that no reference can do either.
    refused: u64,
    failures: BTreeMap<String, (u64, Vec<Case<S>>)>,
    /// ms.
    pub slowest: Most<S>,
}

impl<S> Default for Tally<S> {
    fn default() -> Self {
        Tally {
            steps: 0,
            with_body: 0,
            warned: 0,
            errors: Default::default(),
            worst: Default::default(),
            unjudged: BTreeMap::new(),
            refused: 0,
            failures: BTreeMap::new(),
            slowest: Most(None),
        }
    }
}

impl<S: Clone> Tally<S> {
    /// Counts an error; a large one is a failure, unless the element returned fmi2Warning.
    pub fn count(&mut self, quantity: Quantity, case: &Case<S>, warned: bool) {
        if warned {
            return;
        }
        let place = quantity as usize;
        let decade = DECADES.iter().position(|(end, _)| case.error <= *end).unwrap_or(DECADES.len() - 1);
        self.errors[place][decade] += 1;
        self.worst[place] = self.worst[place].max(case.error);
        if case.error > FACTOR {
            let quantity = QUANTITIES[place].1;
            self.fail(&format!("{quantity} exceeds {FACTOR} times its tolerance without fmi2Warning"), case);
        }
    }

    pub fn unjudged(&mut self, why: Unjudged) {
        *self.unjudged.entry(why).or_default() += 1;
    }

    pub fn fail(&mut self, what: &str, case: &Case<S>) {
        let (count, cases) = self.failures.entry(what.to_owned()).or_default();
        *count += 1;
        if cases.len() < KEPT {
            cases.push(case.clone());
        }
    }

    /// A refusal of a step that the reference can do is a failure.
    pub fn refuse(&mut self, said: &str, can: bool, case: &Case<S>) {
        if can {
            let is_number = |word: &str| word.trim_end_matches(',').parse::<f64>().is_ok();
            let words: Vec<_> = said.split(' ').map(|word| if is_number(word) { "…" } else { word }).collect();
            self.fail(&format!("refused, though it can be done: {}", words.join(" ")), case);
        } else {
            self.refused += 1;
        }
    }

    pub fn merge(mut self, other: Tally<S>) -> Tally<S> {
        self.steps += other.steps;
        self.with_body += other.with_body;
        self.warned += other.warned;
        self.refused += other.refused;
        for i in 0..QUANTITIES.len() {
            for decade in 0..DECADES.len() {
                self.errors[i][decade] += other.errors[i][decade];
            }
            self.worst[i] = self.worst[i].max(other.worst[i]);
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
        self.slowest = self.slowest.merge(other.slowest);
        self
    }
}

/// Prints a section of `docs/stress.md`, and every failing step in full to the standard error.
pub fn print<N: Display, S: Clone + Debug>(section: &str, tallies: &[(N, Tally<S>)], seed: u64, sequences: usize) {
    let total: u64 = tallies.iter().map(|(_, tally)| tally.steps).sum();
    println!("<!-- begin {section} -->");
    println!("Seed {seed}, {sequences} sequences of each element, {total} steps.\n");
    println!(
        "| element | steps | with m_eff | fmi2Warning | F_s next to nothing | no reference | no integrals | not confirmed | refused |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (name, tally) in tallies {
        let Tally { steps, with_body, warned, refused, .. } = tally;
        let why = [Unjudged::NoScale, Unjudged::GaveUp, Unjudged::NoTotals, Unjudged::Disagreement];
        let why = why.map(|why| tally.unjudged.get(&why).copied().unwrap_or(0).to_string()).join(" | ");
        println!("| `{name}` | {steps} | {with_body} | {warned} | {why} | {refused} |");
    }
    for (quantity, quantity_name) in QUANTITIES {
        let decades = DECADES.map(|(_, name)| name).join(" | ");
        println!("\n| error of {quantity_name} in units of the tolerance | {decades} | worst |");
        println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
        for (name, tally) in tallies {
            let counts = tally.errors[quantity as usize];
            if counts.iter().any(|count| *count > 0) {
                let counts = counts.map(|count| count.to_string()).join(" | ");
                println!("| `{name}` | {counts} | {:.2} |", tally.worst[quantity as usize]);
            }
        }
    }
    println!();
    let failures =
        || tallies.iter().flat_map(|(name, tally)| tally.failures.iter().map(move |failure| (name, failure)));
    for (name, (what, (count, _))) in failures() {
        println!("FAILED: {name}: {what}, {count} times.");
    }
    if failures().next().is_none() {
        println!("No step fails.");
    }
    println!("<!-- end {section} -->");
    for (name, tally) in tallies {
        if let Some((time, case)) = &tally.slowest.0 {
            eprintln!("{name}: slowest step: {time:.3} ms, {case:?}");
        }
    }
    for (name, (what, (_, cases))) in failures() {
        cases.iter().for_each(|case| eprintln!("{name}: {what}: {case:?}"));
    }
}
