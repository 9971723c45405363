//! Totals of the trials, and the report.

use crate::limits::{FACTOR, INNER_STEPS, KEPT, MAX_ERROR};
use crate::references::{Method, Reason};
use bristle_benches::inputs::Inputs;
use bristle_reference_laws::frdyn2::Parameters;
use std::collections::BTreeMap;

/// All that is needed to repeat a step.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code)] // read through Debug
pub struct Case {
    pub sequence: u64,
    pub number: usize,
    pub parameters: Parameters,
    pub tolerance: Option<f64>,
    /// z (m) and ż (m/s) before the step.
    pub x: [f64; 2],
    pub inputs: Inputs,
    pub h: f64,
    /// F_R after it, N.
    pub force: f64,
    /// Expected force, N.
    pub expected: f64,
    /// Error over F_s, in units of the tolerance.
    pub error: f64,
}

/// The largest of something.
#[derive(Default)]
pub struct Most(Option<(f64, Case)>);

impl Most {
    pub fn offer(&mut self, value: f64, case: &Case) {
        if self.0.is_none_or(|(most, _)| value > most) {
            self.0 = Some((value, *case));
        }
    }

    fn merge(self, other: Most) -> Most {
        match (self.0, other.0) {
            (Some(a), Some(b)) => Most(Some(if b.0 > a.0 { b } else { a })),
            (a, b) => Most(a.or(b)),
        }
    }

    fn value(&self) -> f64 {
        self.0.map_or(0.0, |(value, _)| value)
    }
}

/// Errors in decades of the tolerance: below 1e-6 of it, …, from 100 times it on.
const DECADES: [(f64, &str); 9] = [
    (1e-4, "below 1e-4"),
    (1e-3, "to 1e-3"),
    (1e-2, "to 1e-2"),
    (1e-1, "to 0.1"),
    (1.0, "to 1"),
    (MAX_ERROR, "to 2"),
    (FACTOR, "to 10"),
    (100.0, "to 100"),
    (f64::INFINITY, "above"),
];

/// Class of a step for its reference.
#[derive(Clone, Copy)]
pub enum Kind {
    Stable,
    Unstable,
    /// The FMU said that the bristle multiplied its errors, and returned fmi2Warning.
    Warned,
}

const KINDS: usize = 3;

#[derive(Default)]
pub struct Tally {
    pub steps: u64,
    explicit: u64,
    implicit: u64,
    pub not_compared: BTreeMap<Reason, u64>,
    /// By decades of the tolerance, of each kind.
    errors: [[u64; DECADES.len()]; KINDS],
    /// The worst of each.
    worst: [Vec<Case>; KINDS],
    refusals: BTreeMap<String, (u64, Option<Case>)>,
    failures: BTreeMap<&'static str, (u64, Vec<Case>)>,
    pub inner: Most,
    /// ms.
    pub slowest: Most,
}

impl Tally {
    pub fn count(&mut self, case: &Case, method: Method, kind: Kind) {
        match method {
            Method::Explicit => self.explicit += 1,
            Method::Implicit => self.implicit += 1,
        }
        let kind = kind as usize;
        let decade = DECADES.iter().position(|(end, _)| case.error <= *end).unwrap_or(DECADES.len() - 1);
        self.errors[kind][decade] += 1;
        keep(&mut self.worst[kind], case);
    }

    pub fn fail(&mut self, what: &'static str, case: &Case) {
        let (count, cases) = self.failures.entry(what).or_default();
        *count += 1;
        if cases.len() < KEPT {
            cases.push(*case);
        }
    }

    /// A refusal is honest if it is fmi2Error with a sentence.
    pub fn refuse(&mut self, said: &str, case: &Case) {
        let honest = said.strip_prefix("Error: ").is_some_and(|sentence| sentence.split_whitespace().count() > 5);
        if !honest {
            self.fail("a refusal is not fmi2Error with a sentence", case);
        }
        let is_number = |word: &str| word.trim_end_matches(',').parse::<f64>().is_ok();
        let words = said.split(' ').map(|word| if is_number(word) { "…" } else { word });
        let entry = self.refusals.entry(words.collect::<Vec<_>>().join(" ")).or_default();
        entry.0 += 1;
        entry.1 = entry.1.or(Some(*case));
    }

    pub fn merge(mut self, other: Tally) -> Tally {
        self.steps += other.steps;
        self.explicit += other.explicit;
        self.implicit += other.implicit;
        for (reason, count) in other.not_compared {
            *self.not_compared.entry(reason).or_default() += count;
        }
        for kind in 0..KINDS {
            for decade in 0..DECADES.len() {
                self.errors[kind][decade] += other.errors[kind][decade];
            }
        }
        for (kind, cases) in other.worst.iter().enumerate() {
            cases.iter().for_each(|case| keep(&mut self.worst[kind], case));
        }
        for (said, (count, case)) in other.refusals {
            let entry = self.refusals.entry(said).or_default();
            *entry = (entry.0 + count, entry.1.or(case));
        }
        for (what, (count, cases)) in other.failures {
            let entry = self.failures.entry(what).or_default();
            entry.0 += count;
            entry.1.extend(cases);
        }
        self.inner = self.inner.merge(other.inner);
        self.slowest = self.slowest.merge(other.slowest);
        self
    }
}

/// Keeps the worst.
fn keep(worst: &mut Vec<Case>, case: &Case) {
    let at = worst.partition_point(|known| known.error >= case.error);
    if at < KEPT {
        worst.insert(at, *case);
        worst.truncate(KEPT);
    }
}

/// Prints the section of `docs/stress.md`, and every failing or worst step in full to the other stream.
pub fn print(tally: &Tally, seed: u64, with_cvode: bool) {
    println!("<!-- begin steps -->");
    println!(
        "Seed {seed}, {} steps.{}\n",
        tally.steps,
        if with_cvode {
            ""
        } else {
            " CVODE was SKIPPED: SUNDIALS is not installed; on Debian `apt-get install libsundials-dev`."
        }
    );
    println!("| steps | |\n|---|---|");
    println!("| compared with DOP853 | {} |", tally.explicit);
    println!("| compared with CVODE | {} |", tally.implicit);
    for (reason, count) in &tally.not_compared {
        let why = match reason {
            Reason::NoScale => "F_s is next to nothing at the end of the step",
            Reason::NoImplicit => "too long and stiff for DOP853, and CVODE is not installed",
            Reason::GaveUp => "the reference gave up",
            Reason::Disagreement => {
                "the references disagree, or start values rounded otherwise make as much of a difference"
            }
        };
        println!("| not compared: {why} | {count} |");
    }
    for (said, (count, _)) in &tally.refusals {
        println!("| refused: {said} | {count} |");
    }
    println!("| most inner steps in a step (limit {INNER_STEPS}) | {} |", tally.inner.value());
    println!(
        "\n| error of F_R over F_s, in units of the tolerance | bristle stable | bristle unstable | fmi2Warning |\n|---|---|---|---|"
    );
    for (i, (_, name)) in DECADES.iter().enumerate() {
        let [stable, unstable, warned] = tally.errors.map(|errors| errors[i]);
        println!("| {name} | {stable} | {unstable} | {warned} |");
    }
    let worst = tally.worst.each_ref().map(|cases| cases.first().map_or(0.0, |case| case.error));
    println!("| worst | {:.2} | {:.2} | {:.2} |", worst[0], worst[1], worst[2]);
    println!();
    let unsaid = [Kind::Stable as usize, Kind::Unstable as usize];
    let beyond = |kind: usize| DECADES.iter().zip(tally.errors[kind]).filter(|((limit, _), _)| *limit > FACTOR);
    let above: u64 = unsaid.into_iter().flat_map(beyond).map(|(_, count)| count).sum();
    if above > 0 {
        println!("FAILED: {above} steps exceed {FACTOR} times their tolerance without fmi2Warning.");
    }
    for (what, (count, _)) in &tally.failures {
        println!("FAILED: {what}, {count} times.");
    }
    if above == 0 && tally.failures.is_empty() {
        println!(
            "No step exceeds {FACTOR} times its tolerance without fmi2Warning; no NaN, no |F_R| above F_s, no refusal without a sentence."
        );
    }
    println!("<!-- end steps -->");

    eprintln!("slowest step: {:.3} ms, {:?}", tally.slowest.value(), tally.slowest.0);
    eprintln!("most inner steps: {:?}", tally.inner.0);
    for (said, (_, case)) in &tally.refusals {
        eprintln!("refused, {said}: {case:?}");
    }
    for (what, (_, cases)) in &tally.failures {
        cases.iter().for_each(|case| eprintln!("{what}: {case:?}"));
    }
    for (kind, name) in ["stable", "unstable", "warned"].into_iter().enumerate() {
        for case in tally.worst[kind].iter().filter(|case| case.error > MAX_ERROR) {
            eprintln!("{name}, {:.1} tolerances off: {case:?}", case.error);
        }
    }
}
