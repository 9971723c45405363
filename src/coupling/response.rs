//! Response of a body to the force: whether the estimated load repeats the force that was applied.
//!
//! The load A = m a + P contains the share 1 − m/m′ of P where the body answers to P with the mass m′ instead of m: all of P where v does
//! not answer, as with other contacts that balance it, with a prescribed motion, and with a body that swings by half a period or more
//! within a step. In stick P follows A as well. Fourth differences tell both apart: those of a smooth load are small.

use crate::integrate::extrema::larger;
use crate::saved_state::{Reader, SavedState, Writer};

/// Share of P in A from which the body counts as another one, squared correlation of their fourth differences, root mean square of
/// Δ⁴P over F_s, and the steps for which all three must hold. Good runs of the survey in docs/coupling.md, with separate elements on one
/// body, reach 26 steps, bad ones 48 and more.
const FOREIGN: ([f64; 3], f64) = ([0.5, 0.6, 0.1], 30.0);
/// Bounds as of [`FOREIGN`] for a force that alternates from step to step, without an answer in v. Two elements on one body multiply it by 1.17 in
/// a step, so that it is found at about a hundredth of F_s.
const IDLE: ([f64; 3], f64) = ([0.8, 0.9, 1e-3], 5.0);
/// Least (Δ⁴P)² over (Δ²P)² in both cases: 16 for a force that alternates in each step, 10 for one that jumps, 0.06 for one that swings at
/// ωH = 0.5.
const ROUGH: [f64; 2] = [3.0, 8.0];
/// Share that the sums keep from step to step.
const MEMORY: f64 = 0.95;
/// Differences over F_s below which a step is quiet. A force that alternates by a sixteenth of that is far below [`IDLE`]. Larger values
/// leave out what a growing oscillation begins with, smaller ones make steps under a slow load dearer.
const QUIET: f64 = 2e-4;
/// Steps of one length before the first fourth difference.
const START: f64 = 4.0;
/// Sum below which all sums are set to 0, so that they do not decay into subnormal numbers, which are slow.
const NEGLIGIBLE_SUM: f64 = 1e-100;

/// Monitor of the response to the force; part of the monitor of a coupling.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ResponseMonitor {
    /// Last change of A and its last first and second differences, N.
    load: [f64; 3],
    /// Last P and its last first to third differences, N.
    force: [f64; 4],
    /// Steps of one length.
    steps: f64,
    /// Weighted sums of (Δ⁴P)², Δ⁴A Δ⁴P, (Δ⁴A)² and (Δ²P)², N².
    sums: [f64; 4],
    /// Steps in a row with a response that is another one, and with none.
    lasting: [f64; 2],
    /// Whether all sums are 0.
    is_quiet: bool,
}

/// Replaces a value and its differences by the next ones, and returns the difference of the highest order.
#[inline]
fn difference<const N: usize>(last: &mut [f64; N], next: f64) -> f64 {
    last.iter_mut().fold(next, |difference, last| difference - core::mem::replace(last, difference))
}

impl ResponseMonitor {
    /// Sum of the magnitudes of the numbers that can grow: not finite where one of them is not.
    #[inline]
    pub fn size(&self) -> f64 {
        self.sums[0] + self.sums[2] + self.load[0].abs() + self.force[0].abs()
    }

    /// Adds a step: the change of A and the force in it (N), F_s (N), and whether the step is as long as the one before.
    #[inline]
    pub fn add(&mut self, load_change: f64, force: f64, static_force: f64, is_same: bool) {
        let of_load = difference(&mut self.load, load_change);
        let of_force = difference(&mut self.force, force);
        self.steps = if is_same { self.steps + 1.0 } else { 0.0 };
        if self.steps <= START {
            return;
        }
        let [_, _, curvature, _] = self.force;
        if self.is_quiet && larger(larger(of_force.abs(), of_load.abs()), curvature.abs()) <= QUIET * static_force {
            return;
        }
        let products = [of_force * of_force, of_load * of_force, of_load * of_load, curvature * curvature];
        for (sum, product) in self.sums.iter_mut().zip(products) {
            *sum = MEMORY * *sum + product;
        }
        let [pp, ap, aa, curvature] = self.sums;
        let quiet = QUIET * static_force;
        self.is_quiet = pp + aa + curvature <= (quiet * quiet).max(NEGLIGIBLE_SUM);
        if self.is_quiet {
            (self.sums, self.lasting) = ([0.0; 4], [0.0; 2]);
            return;
        }
        let holds = |[share, coherence, size]: [f64; 3]| {
            ap > share * pp
                && ap * ap > coherence * pp * aa
                && pp * (1.0 - MEMORY) > size * size * static_force * static_force
        };
        let is_rough = |least: f64| pp > least * curvature;
        let are_lasting = [is_rough(ROUGH[0]) && holds(FOREIGN.0), is_rough(ROUGH[1]) && holds(IDLE.0)];
        for (steps, holds) in self.lasting.iter_mut().zip(are_lasting) {
            *steps = if holds { *steps + 1.0 } else { 0.0 };
        }
    }

    /// Share of m in the mass with which the body answers, where it is another body.
    pub fn foreign(&self) -> Option<f64> {
        let [pp, ap, ..] = self.sums;
        let [foreign, idle] = self.lasting;
        (foreign > FOREIGN.1 || idle > IDLE.1).then(|| 1.0 - ap / pp)
    }

    /// Whether the force alternates from step to step without an answer in v.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.lasting[1] > IDLE.1
    }
}

impl SavedState for ResponseMonitor {
    #[inline]
    fn write(&self, writer: &mut Writer) {
        let ResponseMonitor { load, force, steps, sums, lasting, is_quiet } = self;
        steps.write(writer);
        load.write(writer);
        [*force, *sums].write(writer);
        lasting.write(writer);
        is_quiet.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let steps = f64::read(reader)?;
        let load = SavedState::read(reader)?;
        let [force, sums] = SavedState::read(reader)?;
        let lasting = SavedState::read(reader)?;
        Some(ResponseMonitor { load, force, steps, sums, lasting, is_quiet: bool::read(reader)? })
    }
}

#[cfg(test)]
mod tests;
