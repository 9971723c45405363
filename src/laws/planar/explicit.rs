//! Explicit steps of a bristle in the plane, where its transients are not fast beside the communication step.
//!
//! The method of order 5(4) of J. R. Dormand, P. J. Prince, *A family of embedded Runge–Kutta formulae*, J. Comp. Appl. Math. 1980, 6(1),
//! 19–26. The loss is integrated with the states.

use crate::integrate::radau::Radau;
use crate::law::{Contact, InputTrajectory, Law, StepResult};

/// Tolerance of an inner step over that of the communication step: errors of several inner steps add up.
const INNER_SHARE: f64 = 0.1;
/// Tolerance of the loss over that of the force.
const LOSS_SHARE: f64 = 3.0;
/// Factor of the estimated error of a step that passes from one branch of the law into another: both methods have the error of the kink,
/// and their difference may be a small part of it. Smaller: losses off by up to a hundred tolerances; larger: more steps at kinks.
const KINK: f64 = 30.0;
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

/// Rates of the states, power, and branch of the law at one stage.
#[derive(Clone, Copy)]
struct Stage<const N: usize> {
    rate: [f64; N],
    power: f64,
    branch: u8,
}

/// Sum of stages with these weights, times `h`.
#[inline]
fn sum<const N: usize>(h: f64, weights: &[f64], stages: &[Stage<N>]) -> Stage<N> {
    let mut total = Stage { rate: [0.0; N], power: 0.0, branch: 0 };
    for (weight, stage) in weights.iter().zip(stages) {
        let weight = h * weight;
        for (total, rate) in total.rate.iter_mut().zip(stage.rate) {
            *total += weight * rate;
        }
        total.power += weight * stage.power;
    }
    total
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
        F: Fn(Contact, &[f64; N]) -> ([f64; 2], [f64; N], u8),
    {
        let &Explicit { law, trajectory, ref evaluate, fastest, most_steps } = self;
        let longest = STABLE / fastest;
        if duration > f64::from(most_steps) * longest || solver.limit.left() <= most_steps {
            return None;
        }
        let is_held = trajectory.is_held();
        let contact_at = |t: f64| if is_held { trajectory.start } else { trajectory.at(t) };
        let stage = |contact: Contact, x: &[f64; N]| {
            let ([force, across], rate, branch) = evaluate(contact, x);
            Stage { rate, power: force * contact.v + across * contact.v_y, branch }
        };
        let speed = |contact: Contact| contact.v.abs() + contact.v_y.abs();
        let mut state = *x;
        let (mut t, mut loss, mut count) = (0.0, 0.0, 0);
        let mut contact = contact_at(0.0);
        let mut first = stage(contact, &state);
        let mut h = duration.min(longest);
        while t < duration {
            count += 1;
            if count > most_steps {
                return None;
            }
            if !is_held {
                h = h.min(trajectory.time_within(law.step_limits(contact, &state).max_dv, t));
            }
            h = h.min(duration - t).min(longest);
            let mut stages = [first; 7];
            for i in 1..6 {
                let change = sum(h, &WEIGHTS[i][..i], &stages);
                stages[i] = stage(contact_at(t + NODES[i] * h), &plus(&state, &change.rate));
            }
            let gain = sum(h, &RESULT, &stages);
            let (end, contact_end) = (plus(&state, &gain.rate), contact_at(t + h));
            stages[6] = stage(contact_end, &end);
            let difference = sum(h, &ERROR, &stages);
            let scale = law.scale(contact, &state);
            let share = INNER_SHARE * tolerance;
            let mut error =
                difference.rate.iter().zip(scale).fold(0.0_f64, |most, (d, scale)| most.max((d / scale).abs()));
            error /= share;
            let energy = law.static_force(contact.F_N) * speed(contact).max(speed(contact_end)) * duration;
            if energy > 0.0 {
                error = error.max(difference.power.abs() / (LOSS_SHARE * share * energy));
            }
            if stages.iter().any(|stage| stage.branch != first.branch) {
                error *= KINK;
            }
            if !error.is_finite() {
                return None;
            }
            if error <= 1.0 {
                t = if h >= duration - t { duration } else { t + h };
                (state, loss, first, contact) = (end, loss + gain.power, stages[6], contact_end);
                solver.limit.add(1);
            }
            if t < duration {
                h *= (0.9 * libm::pow(error.max(1e-6), -0.2)).clamp(0.1, 5.0);
            }
        }
        *x = state;
        Some(StepResult { loss, inner_steps: count, ..StepResult::default() })
    }
}
