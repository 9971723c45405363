//! Explicit steps of a bristle whose transients are not fast beside the communication step.
//!
//! The method of order 5(4) of J. R. Dormand, P. J. Prince, *A family of embedded Runge–Kutta formulae*, J. Comp. Appl. Math. 1980, 6(1),
//! 19–26. The loss is integrated with the states. Steps end at the zeros and extrema of the inputs, as a velocity that reverses twice between
//! two stages would pass unseen, and at the kinks of the law, which a short step then crosses.

use crate::integrate::cubic::between;
use crate::integrate::radau::Radau;
use crate::law::{Contact, InputTrajectory, Law, StepResult, bisect};
use crate::vector::{Vector, dot};

/// Tolerance of an inner step over that of the communication step: errors of several inner steps add up.
const INNER_SHARE: f64 = 0.1;
/// Tolerance of the loss over that of the force.
const LOSS_SHARE: f64 = 3.0;
/// Factor of the estimated error of a step with a kink that it does not end at, or in which the force turns: both methods have the error of
/// the kink, and their difference may be a small part of it. Smaller: losses off by up to a hundred tolerances; larger: more steps at kinks.
const KINK: f64 = 30.0;
/// Square of the cosine of the angle from which on the force turns, 20°: F_0 of a light contact may turn within a thousandth of a step.
/// Larger angle: such a turn between the first two stages passes unseen; smaller: more steps of a motion that turns steadily.
const TURN: f64 = 0.883;
/// Length of a step over the time constant of the fastest transient, 1: the method is stable up to 3.3 for a real rate.
const STABLE: f64 = 3.0;

/// Stages: shares of the step, and weights of the rates before.
const NODES: [f64; 6] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0];
const WEIGHTS: [[f64; 5]; 6] = [
    [0.0; 5],
    [0.2, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
];
/// Weights of the result, which is the seventh stage.
const RESULT: [f64; 6] = [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0];
/// Weights of the result less those of the embedded method of order 4.
const ERROR: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339_200.0, 22.0 / 525.0, -1.0 / 40.0];

/// Length of the step that crosses a kink over the communication step, 1: its error does not count. Larger: the loss of a light contact
/// is off; smaller: the place of the kink is known by its rounding only.
const CROSSING: f64 = 1e-9;
/// Most attempts to end a step at its kink, 1: the second one knows its place to the fourth order of the step.
const ATTEMPTS: u32 = 4;

/// Weights of another error of the loss: the divided difference of the power at all nodes but the fifth, with the same value for a power of
/// fourth order. [`ERROR`] leaves out the second stage, and vanishes for some lengths of a step whose error is a hundred tolerances.
const LOSS_CHECK: [f64; 7] = {
    const FOURTH: f64 = 71.0 / 270_000.0;
    let [first, second, third, fourth, last] = [125.0 / 6.0, -625.0 / 6.0, 2000.0 / 21.0, -125.0 / 6.0, 125.0 / 14.0];
    [first * FOURTH, second * FOURTH, third * FOURTH, fourth * FOURTH, 0.0, 0.0, last * FOURTH]
};

/// Rates of the states, power, force, and branch of the law at one stage.
#[derive(Clone, Copy)]
struct Stage<const N: usize> {
    rate: [f64; N],
    power: f64,
    force: Vector,
    branch: u8,
}

/// Whether a force has turned from another.
fn turned(from: Vector, to: Vector) -> bool {
    let along = dot(from, to);
    along < 0.0 || along * along < TURN * dot(from, from) * dot(to, to)
}

/// Sums of the rates and of the power at stages with these weights, times `h`.
#[inline]
fn sum<const N: usize>(h: f64, weights: &[f64], stages: &[Stage<N>]) -> ([f64; N], f64) {
    let (mut rates, mut power) = ([0.0; N], 0.0);
    for (weight, stage) in weights.iter().zip(stages) {
        let weight = h * weight;
        for (total, rate) in rates.iter_mut().zip(stage.rate) {
            *total += weight * rate;
        }
        power += weight * stage.power;
    }
    (rates, power)
}

#[inline]
fn plus<const N: usize>(x: &[f64; N], change: &[f64; N]) -> [f64; N] {
    core::array::from_fn(|i| x[i] + change[i])
}

/// One inner step that is tried.
struct Trial<const N: usize> {
    h: f64,
    stages: [Stage<N>; 7],
    /// States and contact at the end.
    end: [f64; N],
    contact: Contact,
    loss: f64,
}

/// A communication step with its limits: the law, the inputs, and the method that evaluates both components of the force with the rates.
pub struct Explicit<'a, L, F> {
    /// The law.
    pub law: &'a L,
    /// Inputs over the communication step.
    pub trajectory: &'a InputTrajectory<'a>,
    /// Force (N), rates and branch of the law.
    pub evaluate: F,
    /// Rate of the fastest transient, 1/s.
    pub fastest: f64,
    /// Largest number of inner steps: beyond it the general integrator is cheaper.
    pub most_steps: u32,
}

impl<L, F> Explicit<'_, L, F> {
    /// Advances a bristle in a contact that stays closed; `None` where the general integrator is the better method.
    pub fn advance<const N: usize>(
        &self,
        x: &mut [f64; N],
        duration: f64,
        tolerance: f64,
        solver: &mut Radau,
    ) -> Option<StepResult>
    where
        L: Law<N, DiscreteState = ()>,
        F: Fn(Contact, &[f64; N]) -> (Vector, [f64; N], u8),
    {
        let longest = STABLE / self.fastest;
        if duration > f64::from(self.most_steps) * longest || solver.limit.left() <= self.most_steps {
            return None;
        }
        let mut state = *x;
        let (mut t, mut loss, mut count) = (0.0, 0.0, 0);
        let mut contact = self.contact_at(0.0);
        let mut first = self.stage(contact, &state);
        let mut breakpoints = self.trajectory.breakpoints(duration);
        let mut breakpoint = 0.0;
        let crossing = CROSSING * duration;
        // Step that the error allows, s; distance to the next kink, s, and how often it was looked for.
        let (mut allowed, mut kink, mut attempts) = (longest, f64::INFINITY, 0);
        while t < duration {
            count += 1;
            if count > self.most_steps {
                return None;
            }
            while breakpoint <= t {
                breakpoint = breakpoints.next()?;
            }
            let h = allowed.min(longest).min(kink).min(breakpoint - t);
            let trial = self.attempt(t, h, &state, first);
            if attempts < ATTEMPTS && h > crossing {
                attempts += 1;
                if let Some(at) = self.first_kink(t, &state, &trial) {
                    // Before it, then across it.
                    let to = if at > crossing { at - 0.5 * crossing } else { crossing };
                    if to < h {
                        kink = to;
                        continue;
                    }
                }
            }
            let error = self.error(&trial, (contact, &state), duration, tolerance);
            if !error.is_finite() {
                return None;
            }
            let is_accepted = error <= 1.0 || h <= crossing;
            if is_accepted {
                t = if h >= breakpoint - t { breakpoint } else { t + h };
                (state, loss, first, contact) = (trial.end, loss + trial.loss, trial.stages[6], trial.contact);
                solver.limit.add(1);
            }
            if t < duration {
                let next = h * (0.9 * libm::pow(error.max(1e-6), -0.2)).clamp(0.1, 5.0);
                let is_cut = is_accepted && h < allowed;
                allowed = if is_cut { allowed.max(next) } else { next };
            }
            (kink, attempts) = (f64::INFINITY, 0);
        }
        *x = state;
        Some(StepResult { loss, inner_steps: count, ..StepResult::default() })
    }

    fn contact_at(&self, t: f64) -> Contact {
        if self.trajectory.is_held() { self.trajectory.start } else { self.trajectory.at(t) }
    }

    fn stage<const N: usize>(&self, contact: Contact, x: &[f64; N]) -> Stage<N>
    where
        F: Fn(Contact, &[f64; N]) -> (Vector, [f64; N], u8),
    {
        let (force, rate, branch) = (self.evaluate)(contact, x);
        Stage { rate, power: dot(force, [contact.v, contact.v_y]), force, branch }
    }

    /// Tries a step of `h` (s) from these states at `t`, where the first stage is known.
    #[inline]
    fn attempt<const N: usize>(&self, t: f64, h: f64, state: &[f64; N], first: Stage<N>) -> Trial<N>
    where
        F: Fn(Contact, &[f64; N]) -> (Vector, [f64; N], u8),
    {
        let mut stages = [first; 7];
        for i in 1..6 {
            let (change, _) = sum(h, &WEIGHTS[i][..i], &stages);
            stages[i] = self.stage(self.contact_at(t + NODES[i] * h), &plus(state, &change));
        }
        let (gain, loss) = sum(h, &RESULT, &stages);
        let (end, contact) = (plus(state, &gain), self.contact_at(t + h));
        stages[6] = self.stage(contact, &end);
        Trial { h, stages, end, contact, loss }
    }

    /// Distance (s) of the first kink in a step from these states at `t`, as far as its stages show one.
    #[inline]
    fn first_kink<const N: usize>(&self, t: f64, state: &[f64; N], trial: &Trial<N>) -> Option<f64>
    where
        F: Fn(Contact, &[f64; N]) -> (Vector, [f64; N], u8),
    {
        let Trial { h, stages, end, .. } = trial;
        let branch = stages[0].branch;
        let other = stages.iter().position(|stage| stage.branch != branch)?;
        let is_before = |s: f64| {
            let x = between([state, end], [&stages[0].rate, &stages[6].rate], *h, s);
            (self.evaluate)(self.contact_at(t + s * h), &x).2 == branch
        };
        bisect(0.0, NODES.get(other).copied().unwrap_or(1.0), is_before).map(|share| share * h)
    }

    /// Error of a step from this contact and these states over the one that is allowed.
    #[inline]
    fn error<const N: usize>(
        &self,
        trial: &Trial<N>,
        (contact, state): (Contact, &[f64; N]),
        duration: f64,
        tolerance: f64,
    ) -> f64
    where
        L: Law<N, DiscreteState = ()>,
    {
        let (difference, of_loss) = sum(trial.h, &ERROR, &trial.stages);
        let scale = self.law.scale(contact, state);
        let share = INNER_SHARE * tolerance;
        let of_states = difference.iter().zip(scale).fold(0.0_f64, |most, (d, scale)| most.max((d / scale).abs()));
        let mut error = of_states / share;
        let speed = |contact: Contact| contact.v.abs() + contact.v_y.abs();
        let energy = self.law.static_force(contact.F_N) * speed(contact).max(speed(trial.contact)) * duration;
        if energy > 0.0 {
            let check: f64 = trial.stages.iter().zip(LOSS_CHECK).map(|(stage, weight)| weight * stage.power).sum();
            let of_loss = of_loss.abs().max((trial.h * check).abs());
            error = error.max(of_loss / (LOSS_SHARE * share * energy));
        }
        let [first, others @ ..] = &trial.stages;
        if others.iter().any(|stage| stage.branch != first.branch || turned(first.force, stage.force)) {
            error *= KINK;
        }
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes of the seven stages.
    const ALL_NODES: [f64; 7] = [NODES[0], NODES[1], NODES[2], NODES[3], NODES[4], 1.0, 1.0];

    /// Sum of weights times the nodes to a power.
    fn moment(weights: &[f64], power: i32) -> f64 {
        weights.iter().zip(ALL_NODES).map(|(weight, node)| weight * libm::pow(node, f64::from(power))).sum()
    }

    #[test]
    fn weights_meet_the_conditions_of_their_orders() {
        let near = |found: f64, expected: f64| (found - expected).abs() < 1e-14;
        for (row, node) in WEIGHTS.iter().zip(NODES) {
            assert!(near(row.iter().sum(), node), "{row:?}");
        }
        // ∫ s^p ds from 0 to 1.
        for power in 0..5 {
            assert!(near(moment(&RESULT, power), 1.0 / f64::from(power + 1)), "{power}");
        }
        for power in 0..4 {
            assert!(near(moment(&ERROR, power), 0.0) && near(moment(&LOSS_CHECK, power), 0.0), "{power}");
        }
        let fourth = moment(&ERROR, 4);
        assert!(fourth > 1e-4 && near(moment(&LOSS_CHECK, 4), fourth), "{fourth:e}");
    }
}
