//! Errors of a coupled run against the monolithic solution: forces step by step, displacements, the energy that friction
//! takes from the body, how often it slips.

use super::master::Cycle;
use super::scenario::Scenario;
use crate::case::Case;
use crate::monolithic;
use anyhow::Result;

/// The references are sampled this far apart, s.
const SAMPLED: f64 = 1e-5;
/// A body slips from this velocity on, m/s, until it is slower than a fifth of it.
const SLIPS: f64 = 5e-3;

/// Errors of a run.
#[derive(Clone, Copy, Debug)]
pub struct Errors {
    /// Largest error of the mean force of a step, over F_s.
    pub force: f64,
    /// Largest error of the displacement, m.
    pub displacement: f64,
    /// Error of the energy that friction takes, over that energy.
    pub energy: f64,
    /// Largest force over F_s.
    pub peak: f64,
    /// Slips, and those of the reference.
    pub slips: [usize; 2],
}

impl Errors {
    /// Errors of the cycles of a run; those of forces are relative to `static_force`, N.
    pub fn of(cycles: &[Cycle], reference: &Reference, static_force: f64) -> Self {
        let mut errors = Errors { force: 0.0, displacement: 0.0, energy: 0.0, peak: 0.0, slips: [0, reference.slips] };
        let mut slipping = false;
        for cycle in cycles {
            let force = (cycle.force - reference.mean(cycle.span)).abs() / static_force;
            errors.force = errors.force.max(force);
            errors.displacement =
                errors.displacement.max((cycle.body[0] - reference.displacement(cycle.span[1])).abs());
            errors.energy += cycle.force * cycle.way;
            errors.peak = errors.peak.max(cycle.force.abs() / static_force);
            count(cycle.body[1], &mut slipping, &mut errors.slips[0]);
        }
        errors.energy = errors.energy / reference.energy - 1.0;
        errors
    }
}

/// Counts a slip where one begins.
fn count(v: f64, slipping: &mut bool, slips: &mut usize) {
    let now = v > if *slipping { 0.2 * SLIPS } else { SLIPS };
    *slips += usize::from(now && !*slipping);
    *slipping = now;
}

/// Monolithic solution of a scenario, sampled every [`SAMPLED`] seconds.
pub struct Reference {
    /// The impulse of friction up to each sample, N·s.
    impulse: Vec<f64>,
    /// The displacement there, m.
    u: Vec<f64>,
    /// Energy that friction dissipates, J.
    energy: f64,
    slips: usize,
}

impl Reference {
    /// Solves a scenario with a body of this mass, kg.
    pub fn solve(scenario: &Scenario, mass: f64) -> Result<Self> {
        let rig = (scenario.rig)(mass);
        let trace = monolithic::run(&Case::new("FrDyn2", &[]), rig.as_ref(), SAMPLED, scenario.end)?;
        let mut reference = Reference { impulse: vec![0.0], u: vec![0.0], energy: 0.0, slips: 0 };
        let (mut force, mut power, mut slipping) = (0.0, 0.0, false);
        for sample in &trace.0 {
            let now = sample.contacts[0].F_R;
            let v = sample.y[1];
            reference.impulse.push(reference.impulse[reference.impulse.len() - 1] + 0.5 * SAMPLED * (force + now));
            reference.energy += 0.5 * SAMPLED * (power + now * v);
            reference.u.push(sample.y[0]);
            count(v, &mut slipping, &mut reference.slips);
            (force, power) = (now, now * v);
        }
        Ok(reference)
    }

    fn at(values: &[f64], t: f64) -> f64 {
        let place = (t / SAMPLED).clamp(0.0, (values.len() - 1) as f64);
        let (before, share) = (place.floor() as usize, place.fract());
        let after = (before + 1).min(values.len() - 1);
        values[before] + share * (values[after] - values[before])
    }

    /// The mean force between two times, N.
    fn mean(&self, [from, to]: [f64; 2]) -> f64 {
        (Self::at(&self.impulse, to) - Self::at(&self.impulse, from)) / (to - from)
    }

    fn displacement(&self, t: f64) -> f64 {
        Self::at(&self.u, t)
    }
}
