//! Random variants of the scenarios: other stiffnesses, masses, loads, normal forces, rates and steps than those between whose good and bad runs
//! the bounds of the monitor lie.

use super::judge::{Grade, LEAST_RANGE};
use super::master::Master;
use super::reference::Reference;
use super::scenarios::{self, Known, Scenario};
use super::system::Factors;
use super::{Cell, Outcome, Setting, make};
use crate::case::Case;
use crate::parallel;
use anyhow::Result;
use bristle_random::Random;
use std::fmt::Write;

/// Variants of each scenario. More of them take 5 s each.
const VARIANTS: usize = 4;
/// Seed of the table; no bound of the monitor was chosen on its variants.
const SEED: u64 = 2029;
/// Factors on stiffness, mass, load, normal force and the rate of the load, lowest and highest.
const RANGES: [[f64; 2]; 5] = [[0.25, 4.0], [0.5, 2.0], [0.6, 1.6], [0.5, 2.0], [0.5, 2.0]];
/// Communication step, s, lowest and highest.
const STEP: [f64; 2] = [1e-4, 1e-2];

/// Factor on the load of a variant, and the change of a displacement over its range by it from which the variant is left out: a body that only
/// just breaks away, or not, and a motion that grows without bound, amplify every error, whichever coupling makes it.
const SENSITIVE: (f64, f64) = (1.001, 0.01);

/// Columns: name, master, setting, and the place of held values with that master.
const COLUMNS: [(&str, Master, Setting, Option<usize>); 16] = [
    ("held, serial", Master::Serial, Setting::Held, None),
    ("held, parallel", Master::Parallel, Setting::Held, None),
    ("held, random H", Master::Random, Setting::Held, None),
    ("held, step doubling", Master::Doubling, Setting::Held, None),
    ("m_eff, serial", Master::Serial, Setting::Observed(1), Some(0)),
    ("m_eff, parallel", Master::Parallel, Setting::Observed(2), Some(1)),
    ("m_eff or body, serial", Master::Serial, Setting::Body(1), Some(0)),
    ("m_eff or body, parallel", Master::Parallel, Setting::Body(2), Some(1)),
    ("the same with a, serial", Master::Serial, Setting::Accelerated(1), Some(0)),
    ("the same with a, parallel", Master::Parallel, Setting::Accelerated(2), Some(1)),
    ("all known, serial", Master::Serial, Setting::Known(1), Some(0)),
    ("all known, parallel", Master::Parallel, Setting::Known(2), Some(1)),
    ("m_eff, random H", Master::Random, Setting::Observed(1), Some(2)),
    ("m_eff, step doubling", Master::Doubling, Setting::Observed(1), Some(3)),
    ("auto, serial", Master::Serial, Setting::Auto, Some(0)),
    ("auto, parallel", Master::Parallel, Setting::Auto, Some(1)),
];

/// Variants of all scenarios by a seed, with their steps (s).
fn draw(seed: u64) -> Vec<(Scenario, f64)> {
    let mut random = Random::new(seed);
    let mut variants = Vec::new();
    for _ in 0..VARIANTS {
        for mut scenario in scenarios::all() {
            let [stiffness, mass, load, normal, pace] = RANGES.map(|[low, high]| random.magnitude(low, high));
            let system = &mut scenario.system;
            system.masses.iter_mut().for_each(|m| *m *= mass);
            system.slides.iter_mut().for_each(|slide| slide.m_eff *= mass);
            for link in &mut system.links {
                link.k *= stiffness;
                link.d *= stiffness;
            }
            system.factors = Factors { load, normal, pace };
            match &mut scenario.known {
                Known::Nothing => {}
                Known::Body(body) => body.mass = body.mass.map(|m| m * mass),
                Known::Support([k, d, m]) => [*k, *d, *m] = [*k * stiffness, *d * stiffness, *m * mass],
            }
            variants.push((scenario, random.magnitude(STEP[0], STEP[1])));
        }
    }
    variants
}

/// Whether a displacement changes by more than [`SENSITIVE`] from one solution to the other.
fn differ(solution: &Reference, other: &Reference, masses: usize) -> bool {
    (0..masses).any(|mass| {
        let [mut low, mut high, mut largest] = [f64::MAX, f64::MIN, 0.0_f64];
        for (x, other) in solution.x.iter().zip(&other.x) {
            (low, high) = (low.min(x[mass]), high.max(x[mass]));
            largest = largest.max((x[mass] - other[mass]).abs());
        }
        !(largest <= SENSITIVE.1 * (high - low).max(LEAST_RANGE))
    })
}

/// Table over the variants by a `seed`, or by that of the documents; prints every run where `shown`.
pub fn table(seed: Option<u64>, shown: bool) -> Result<String> {
    let variants = draw(seed.unwrap_or(SEED));
    let solved = parallel::map(&variants, |(scenario, _)| -> Result<Option<Reference>> {
        let solve = |scenario: &Scenario| Reference::solve(scenario, &Case::new("FrDyn2", &[]));
        let mut system = scenario.system.clone();
        system.factors.load *= SENSITIVE.0;
        let changed = Scenario { name: scenario.name, system, end: scenario.end, known: Known::Nothing };
        let (solution, other) = (solve(scenario)?, solve(&changed)?);
        let is_sensitive = differ(&solution, &other, scenario.system.masses.len());
        Ok((!is_sensitive).then_some(solution))
    });
    let solved: Vec<_> = solved.into_iter().collect::<Result<_>>()?;
    let mut cells = Vec::new();
    for ((scenario, h), reference) in variants.iter().zip(&solved) {
        let Some(reference) = reference else { continue };
        cells.extend(COLUMNS.map(|(_, master, setting, _)| Cell { scenario, reference, master, setting, h: *h }));
    }
    let outcomes = make(&cells, shown);
    let left_out = solved.iter().filter(|reference| reference.is_none()).count();
    let mut text = format!("{left_out} of {} variants are left out as sensitive.\n\n", variants.len());
    text += "| coupling | good | limits | bad | good, warned | bad without a warning | worse than held |\n\
                    |---|---:|---:|---:|---:|---:|---:|\n";
    for (place, (name, _, _, held)) in COLUMNS.iter().enumerate() {
        let rows = || outcomes.chunks(COLUMNS.len());
        let count = |counts: &dyn Fn(&Outcome) -> bool| rows().filter(|row| counts(&row[place])).count();
        let [good, limits, bad] =
            [Grade::Good, Grade::Limits, Grade::Bad].map(|grade| count(&|outcome| outcome.grade == grade));
        let warned = count(&|outcome| outcome.grade == Grade::Good && outcome.warning.is_some());
        let silent = count(&|outcome| outcome.grade == Grade::Bad && outcome.warning.is_none());
        let worse = held
            .map_or("-".to_owned(), |held| rows().filter(|row| row[place].grade > row[held].grade).count().to_string());
        writeln!(text, "| {name} | {good} | {limits} | {bad} | {warned} | {silent} | {worse} |")?;
    }
    Ok(text)
}
