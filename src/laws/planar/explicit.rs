//! Explicit steps of a bristle in the plane, where its transients are not fast beside the communication step.
//!
//! The method of order 5(4) of J. R. Dormand, P. J. Prince, *A family of embedded Runge–Kutta formulae*, J. Comp. Appl. Math. 1980, 6(1),
//! 19–26. The loss is integrated with the states. Steps end at the zeros and extrema of the inputs: a velocity that reverses twice between
//! two stages would pass unseen.

use super::vector::{Vector, dot};
use crate::integrate::radau::Radau;
use crate::law::{Contact, InputTrajectory, Law, StepResult};

/// Tolerance of an inner step over that of the communication step: errors of several inner steps add up.
const INNER_SHARE: f64 = 0.1;
/// Tolerance of the loss over that of the force.
const LOSS_SHARE: f64 = 3.0;
/// Factor of the estimated error of a step that passes from one branch of the law into another, or in which the force turns: both methods
/// have the error of the kink, and their difference may be a small part of it. Smaller: losses off by up to a hundred tolerances; larger:
/// more steps at kinks.
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

/// Rates of the states, power, force, and branch of the law at one stage.
#[derive(Clone, Copy)]
struct Stage<const N: usize> {
    rate: [f64; N],
    power: f64,
    force: Vector,
    branch: u8,
}

/// Whether a step with these stages has a kink, as far as they show.
fn has_kink<const N: usize>([first, others @ ..]: &[Stage<N>; 7]) -> bool {
    let turned = |force: Vector| {
        let along = dot(force, first.force);
        along < 0.0 || along * along < TURN * dot(force, force) * dot(first.force, first.force)
    };
    others.iter().any(|stage| stage.branch != first.branch || turned(stage.force))
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

/// A step with its limits: the law, the inputs, and the method that evaluates both components of the force with the rates.
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
        let &Explicit { law, trajectory, ref evaluate, fastest, most_steps } = self;
        let longest = STABLE / fastest;
        if duration > f64::from(most_steps) * longest || solver.limit.left() <= most_steps {
            return None;
        }
        let is_held = trajectory.is_held();
        let contact_at = |t: f64| if is_held { trajectory.start } else { trajectory.at(t) };
        let stage = |contact: Contact, x: &[f64; N]| {
            let (force, rate, branch) = evaluate(contact, x);
            Stage { rate, power: dot(force, [contact.v, contact.v_y]), force, branch }
        };
        let speed = |contact: Contact| contact.v.abs() + contact.v_y.abs();
        let mut state = *x;
        let (mut t, mut loss, mut count) = (0.0, 0.0, 0);
        let mut contact = contact_at(0.0);
        let mut first = stage(contact, &state);
        let mut breakpoints = trajectory.breakpoints(duration);
        let mut breakpoint = 0.0;
        // The error allows steps of this length, s.
        let mut allowed = longest;
        while t < duration {
            count += 1;
            if count > most_steps {
                return None;
            }
            while breakpoint <= t {
                breakpoint = breakpoints.next()?;
            }
            let mut h = allowed.min(longest).min(breakpoint - t);
            if !is_held {
                h = h.min(trajectory.time_within(law.step_limits(contact, &state).max_dv, t));
            }
            let mut stages = [first; 7];
            for i in 1..6 {
                let (change, _) = sum(h, &WEIGHTS[i][..i], &stages);
                stages[i] = stage(contact_at(t + NODES[i] * h), &plus(&state, &change));
            }
            let (gain, gained_loss) = sum(h, &RESULT, &stages);
            let (end, contact_end) = (plus(&state, &gain), contact_at(t + h));
            stages[6] = stage(contact_end, &end);
            let (difference, loss_difference) = sum(h, &ERROR, &stages);
            let scale = law.scale(contact, &state);
            let share = INNER_SHARE * tolerance;
            let mut error = difference.iter().zip(scale).fold(0.0_f64, |most, (d, scale)| most.max((d / scale).abs()));
            error /= share;
            let energy = law.static_force(contact.F_N) * speed(contact).max(speed(contact_end)) * duration;
            if energy > 0.0 {
                error = error.max(loss_difference.abs() / (LOSS_SHARE * share * energy));
            }
            if has_kink(&stages) {
                error *= KINK;
            }
            if !error.is_finite() {
                return None;
            }
            let is_accepted = error <= 1.0;
            if is_accepted {
                t = if h >= breakpoint - t { breakpoint } else { t + h };
                (state, loss, first, contact) = (end, loss + gained_loss, stages[6], contact_end);
                solver.limit.add(1);
            }
            if t < duration {
                let next = h * (0.9 * libm::pow(error.max(1e-6), -0.2)).clamp(0.1, 5.0);
                let is_cut = is_accepted && h < allowed;
                allowed = if is_cut { allowed.max(next) } else { next };
            }
        }
        *x = state;
        Some(StepResult { loss, inner_steps: count, ..StepResult::default() })
    }
}
