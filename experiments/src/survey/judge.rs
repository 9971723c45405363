//! Judgement of a run against the monolithic solution.

use super::master::Cycle;
use super::reference::Reference;
use super::system::System;

/// Judgement of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Within the limits of [`GOOD`], without chatter.
    Good,
    /// Within the limits of [`FAIR`], without chatter.
    Limits,
    /// The rest.
    Bad,
}

/// Errors of a run.
#[derive(Clone, Copy, Debug)]
pub struct Errors {
    /// Largest error of a displacement over its range.
    pub displacement: f64,
    /// Root mean square of the error of the mean force of a step over F_s, of the worst contact.
    pub force: f64,
    /// Error of the work of friction over that work.
    pub work: f64,
    /// Whether forces go up and down more than in the reference.
    pub chatters: bool,
}

/// Limits of displacement, force and work of a good run.
const GOOD: [f64; 3] = [0.01, 0.05, 0.01];
/// Limits of displacement, force and work of a run that is still of use.
const FAIR: [f64; 3] = [0.05, 0.2, 0.05];
/// Limits of a good run and of one that is still of use.
pub const LIMITS: [[f64; 3]; 2] = [GOOD, FAIR];
/// Lower bound on the range of a displacement, m: a body that stays within the deflection of a bristle does not move.
pub const LEAST_RANGE: f64 = 1e-4;
/// Way of the force up and down over that of the reference from which it chatters, and its way in F_s that is free.
const CHATTER: [f64; 2] = [2.0, 6.0];
/// Static coefficient of friction of all scenarios.
const MU_S: f64 = 0.6;

impl Errors {
    /// Errors of the steps of a run, which begin where the reference does.
    pub fn of(cycles: &[Cycle], system: &System, reference: &Reference) -> Self {
        let n = system.slides.len();
        let start = cycles.first().map_or(0.0, |cycle| cycle.span[0]);
        let end = cycles.last().map_or(start, |cycle| cycle.span[1]);
        let mut errors = Errors { displacement: 0.0, force: 0.0, work: 0.0, chatters: false };
        let finite = cycles.iter().all(|cycle| cycle.forces.iter().chain(&cycle.y).all(|x| x.is_finite()));
        if !finite {
            let none = f64::INFINITY;
            return Errors { displacement: none, force: none, work: none, chatters: true };
        }
        for mass in 0..system.masses.len() {
            let sizes = reference.x.iter().map(|x| x[mass]);
            let [low, high] = sizes.fold([f64::MAX, f64::MIN], |[low, high], x| [low.min(x), high.max(x)]);
            let range = (high - low).max(LEAST_RANGE);
            let error = |cycle: &Cycle| (cycle.y[2 * mass] - reference.displacement(mass, cycle.span[1])).abs();
            let largest = cycles.iter().map(error).fold(0.0, f64::max);
            errors.displacement = errors.displacement.max(largest / range);
        }
        let mut work = [0.0; 3];
        for k in 0..n {
            let (mut squares, mut time, mut way, mut own_way) = (0.0, 0.0, 0.0, 0.0);
            let mut last: Option<[f64; 2]> = None;
            let mut limit = 0.0_f64;
            for cycle in cycles {
                let expected = reference.mean(k, cycle.span);
                let h = cycle.span[1] - cycle.span[0];
                let error = cycle.forces[k] - expected;
                squares += h * error * error;
                time += h;
                if let Some([force, before]) = last {
                    own_way += (cycle.forces[k] - force).abs();
                    way += (expected - before).abs();
                }
                last = Some([cycle.forces[k], expected]);
                limit = limit.max(MU_S * system.normal(cycle.span[1], &cycle.y, k));
                work[0] += cycle.work[k];
            }
            work[1] += reference.work(k, [start, end]);
            errors.force = errors.force.max((squares / time).sqrt() / limit);
            errors.chatters |= own_way > CHATTER[0] * way + CHATTER[1] * limit;
            // In stick the work is that of the bristle; the error counts over the work of F_s on its deflection a hundred times.
            work[2] += limit * 1e-4;
        }
        errors.work = (work[0] - work[1]).abs() / work[1].abs().max(work[2]);
        errors
    }

    /// Judgement.
    pub fn grade(&self) -> Grade {
        let within = |limits: [f64; 3]| {
            !self.chatters && self.displacement <= limits[0] && self.force <= limits[1] && self.work <= limits[2]
        };
        match () {
            () if within(GOOD) => Grade::Good,
            () if within(FAIR) => Grade::Limits,
            () => Grade::Bad,
        }
    }
}
