//! Judgement of a run against the monolithic solution.

use super::Cycle;
use crate::case::Case;
use crate::monolithic;
use anyhow::Result;
use bristle_rigs::linked_masses::{LinkedMasses, Scenario};

/// Distance of samples of the monolithic solution, s.
const SAMPLED: f64 = 2e-5;
/// Limits of a good run and of one that is still of use: largest error of a displacement over its
/// range, root mean square of the error of the mean force of a step over F_s, and error of the work
/// of friction over that work.
const LIMITS: [[f64; 3]; 2] = [[0.01, 0.05, 0.01], [0.05, 0.2, 0.05]];
/// Lower bound on the range of a displacement, m: a body that stays within the deflection of a
/// bristle does not move.
const LEAST_RANGE: f64 = 1e-4;
/// Way of the force up and down over that of the reference from which it chatters, and its way in
/// F_s that is free.
const CHATTER: [f64; 2] = [2.0, 6.0];
/// Static coefficient of friction of all scenarios.
const MU_S: f64 = 0.6;

/// Judgement of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    Good,
    Limits,
    Bad,
}

/// Monolithic solution at samples.
pub struct Reference {
    /// Displacement of each mass, m.
    x: Vec<Vec<f64>>,
    /// Impulse (N·s) and work (J) of friction up to each sample, of each contact one after the
    /// other.
    totals: Vec<Vec<f64>>,
}

impl Reference {
    /// Solves a scenario.
    pub fn solve(scenario: &Scenario) -> Result<Self> {
        let system = &scenario.system;
        let trace = monolithic::run(&Case::new("FrDyn2", &[]), system, SAMPLED, scenario.end)?;
        let (masses, contacts) = (system.masses.len(), system.slides.len());
        let mut reference = Reference {
            x: vec![vec![0.0; masses]],
            totals: vec![vec![0.0; 2 * contacts]],
        };
        let (mut before, mut totals) = (vec![0.0; 2 * contacts], vec![0.0; 2 * contacts]);
        for sample in &trace.0 {
            let rates: Vec<f64> = sample
                .contacts
                .iter()
                .flat_map(|answer| [answer.F_R, answer.F_R * answer.contact.v])
                .collect();
            for (total, (old, new)) in totals.iter_mut().zip(before.iter().zip(&rates)) {
                *total += 0.5 * SAMPLED * (old + new);
            }
            reference
                .x
                .push((0..masses).map(|i| sample.y[2 * i]).collect());
            reference.totals.push(totals.clone());
            before = rates;
        }
        Ok(reference)
    }

    fn at(samples: &[Vec<f64>], i: usize, t: f64) -> f64 {
        let place = (t / SAMPLED).clamp(0.0, (samples.len() - 1) as f64);
        let before = place.floor() as usize;
        let after = (before + 1).min(samples.len() - 1);
        samples[before][i] + place.fract() * (samples[after][i] - samples[before][i])
    }

    /// Impulse (0, N·s) or work (1, J) of friction in a contact between two times (s).
    fn total(&self, contact: usize, kind: usize, from: f64, to: f64) -> f64 {
        Self::at(&self.totals, 2 * contact + kind, to)
            - Self::at(&self.totals, 2 * contact + kind, from)
    }
}

/// Errors of displacement, force and work of a run, and whether forces go up and down more than in
/// the reference.
pub struct Errors([f64; 3], bool);

impl Errors {
    /// Errors of the steps of a run.
    pub fn of(cycles: &[Cycle], system: &LinkedMasses, reference: &Reference) -> Self {
        if !cycles
            .iter()
            .all(|cycle| cycle.forces.iter().chain(&cycle.y).all(|x| x.is_finite()))
        {
            return Errors([f64::INFINITY; 3], true);
        }
        let end = cycles.last().map_or(0.0, |cycle| cycle.to);
        let displacement = (0..system.masses.len()).map(|mass| {
            let sizes = reference.x.iter().map(|x| x[mass]);
            let [low, high] = sizes.fold([f64::MAX, f64::MIN], |[low, high], x| {
                [low.min(x), high.max(x)]
            });
            let error = |cycle: &Cycle| {
                (cycle.y[2 * mass] - Reference::at(&reference.x, mass, cycle.to)).abs()
            };
            cycles.iter().map(error).fold(0.0, f64::max) / (high - low).max(LEAST_RANGE)
        });
        let displacement = displacement.fold(0.0, f64::max);
        let (mut force, mut chatters, mut work) = (0.0_f64, false, [0.0; 3]);
        for k in 0..system.slides.len() {
            let (mut squares, mut limit, mut ways) = (0.0, 0.0_f64, [0.0; 2]);
            let mut last: Option<[f64; 2]> = None;
            for cycle in cycles {
                let h = cycle.to - cycle.from;
                let pair = [
                    cycle.forces[k],
                    reference.total(k, 0, cycle.from, cycle.to) / h,
                ];
                squares += h * (pair[0] - pair[1]) * (pair[0] - pair[1]);
                if let Some(last) = last {
                    (0..2).for_each(|i| ways[i] += (pair[i] - last[i]).abs());
                }
                last = Some(pair);
                limit = limit.max(MU_S * system.normal(cycle.to, &cycle.y, k));
                work[0] += cycle.work[k];
            }
            work[1] += reference.total(k, 1, 0.0, end);
            // In stick the work is that of the bristle; the error counts over the work of F_s on
            // its deflection a hundred times.
            work[2] += limit * 1e-4;
            force = force.max((squares / end).sqrt() / limit);
            chatters |= ways[0] > CHATTER[0] * ways[1] + CHATTER[1] * limit;
        }
        Errors(
            [
                displacement,
                force,
                (work[0] - work[1]).abs() / work[1].abs().max(work[2]),
            ],
            chatters,
        )
    }

    /// Judgement.
    pub fn grade(&self) -> Grade {
        let is_within = |limits: [f64; 3]| {
            !self.1
                && self
                    .0
                    .iter()
                    .zip(limits)
                    .all(|(error, limit)| *error <= limit)
        };
        match LIMITS.map(is_within) {
            [true, _] => Grade::Good,
            [_, true] => Grade::Limits,
            _ => Grade::Bad,
        }
    }
}
