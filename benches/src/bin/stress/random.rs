//! Random sequences of steps: each follows from the seed and its number alone, so that any of them can be repeated.

use bristle_benches::inputs::Inputs;
use bristle_random::Random;
use bristle_reference_laws::frdyn2::{PAPER, Parameters};

/// Steps of a sequence.
pub const LENGTH: usize = 20;
/// Time constants of an unstable bristle in its longest step, but for a share of [`LONG_THOUGH_UNSTABLE`].
const LONGEST_UNSTABLE: f64 = 1e4;
/// Share of the steps of an unstable bristle that may be longer than [`LONGEST_UNSTABLE`].
const LONG_THOUGH_UNSTABLE: f64 = 0.002;

/// A contact driven from its start values.
pub struct Sequence {
    pub parameters: Parameters,
    /// `None` for the default.
    pub tolerance: Option<f64>,
    /// z in m, ż in m/s.
    pub start: [f64; 2],
    /// Inputs and communication steps (s).
    pub steps: Vec<(Inputs, f64)>,
}

/// Number of 0 to 1, evenly.
fn unit(random: &mut Random) -> f64 {
    random.between(0.0, 1.0)
}

/// True with this probability.
fn chance(random: &mut Random, probability: f64) -> bool {
    unit(random) < probability
}

/// Number between two positive ones, evenly over the orders of magnitude.
fn decades(random: &mut Random, low: f64, high: f64) -> f64 {
    low * libm::pow(high / low, unit(random))
}

/// 1 or -1.
fn sign(random: &mut Random) -> f64 {
    if chance(random, 0.5) { -1.0 } else { 1.0 }
}

/// One of these values.
fn one_of<T: Copy>(random: &mut Random, choices: &[T]) -> T {
    choices[(random.bits() % choices.len() as u64) as usize]
}

/// The bristle is stable on the falling branch, by the condition in the documentation of the element.
pub fn stable(parameters: &Parameters, normal_force: f64) -> bool {
    let Parameters { sigma_1, mu_s, v_s, mu_d, v_d, .. } = *parameters;
    1.5 * (mu_s - mu_d) * normal_force <= sigma_1 * (v_d - v_s)
}

/// The sequence of this number.
pub fn sequence(seed: u64, index: u64) -> Sequence {
    let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ index.wrapping_mul(0xd134_2543_de82_ef95));
    let parameters = if chance(&mut random, 0.3) { PAPER } else { parameters(&mut random) };
    let tolerance = chance(&mut random, 0.2).then(|| decades(&mut random, 1e-10, 1e-3));
    let base = decades(&mut random, 1e-2, 1e5);
    let mut v = decades(&mut random, 1e-8, 1e2) * sign(&mut random);
    let mut h = decades(&mut random, 1e-6, 1.0);
    let mut steps = Vec::with_capacity(LENGTH);
    for _ in 0..LENGTH {
        v = velocity(&mut random, v);
        let normal_force = match unit(&mut random) {
            share if share < 0.03 => 0.0,
            share if share < 0.05 => -base * unit(&mut random),
            share if share < 0.06 => one_of(&mut random, &[5e-324, 1e-310, 2e-308]),
            share if share < 0.15 => base * decades(&mut random, 1e-3, 1.0),
            _ => base,
        };
        if chance(&mut random, 0.2) {
            h = decades(&mut random, 1e-6, 1.0);
        }
        let mut inputs = Inputs { F_N: [normal_force, 0.0, 0.0, 0.0], v: [v, 0.0, 0.0, 0.0] };
        // The oscillation of an unstable bristle must be followed through all of the step: few of those may be long.
        let rate = (parameters.sigma_1 + 2.0 * parameters.mu_s * base / parameters.v_s) * 4.0 * parameters.sigma_0
            / (parameters.sigma_1 * parameters.sigma_1);
        let long = stable(&parameters, base) || chance(&mut random, LONG_THOUGH_UNSTABLE);
        let h = if long { h } else { h.min(LONGEST_UNSTABLE / rate) };
        if chance(&mut random, 0.25) {
            slopes(&mut random, &mut inputs, h);
        }
        steps.push((inputs, h));
    }
    let start = start(&mut random, &parameters, &steps[0].0);
    Sequence { parameters, tolerance, start, steps }
}

fn parameters(random: &mut Random) -> Parameters {
    let v_s = decades(random, 1e-5, 1e-1);
    let mu_s = decades(random, 0.05, 2.0);
    let share = unit(random);
    Parameters {
        sigma_0: PAPER.sigma_0 * decades(random, 1e-3, 1e3),
        sigma_1: PAPER.sigma_1 * decades(random, 1e-2, 1e2),
        mu_s,
        v_s,
        mu_d: mu_s * one_of(random, &[share, share, share, share, 0.0, 1.0]),
        v_d: v_s * (1.0 + decades(random, 1e-2, 1e2)),
    }
}

/// Jumps, reversals, rest, subnormal numbers, and often the velocity before.
fn velocity(random: &mut Random, v: f64) -> f64 {
    match unit(random) {
        share if share < 0.3 => decades(random, 1e-8, 1e2) * sign(random),
        share if share < 0.45 => -v * unit(random),
        share if share < 0.55 => 0.0,
        share if share < 0.57 => one_of(random, &[5e-324, -1e-310, 2e-308]),
        _ => v,
    }
}

/// Ramps and curves that change an input by up to ten times itself, or by decades of velocity, within the step.
fn slopes(random: &mut Random, inputs: &mut Inputs, h: f64) {
    let change = decades(random, 1e-8, 1e2) * sign(random);
    let back = -2.0 * inputs.v[0] * unit(random);
    inputs.v[1] = one_of(random, &[change, back]) / h;
    if chance(random, 0.3) {
        inputs.v[2] = 2.0 * inputs.v[1] / h * (2.0 * unit(random) - 1.0);
    }
    if chance(random, 0.15) {
        inputs.v[3] = 6.0 * inputs.v[1] / h / h * (2.0 * unit(random) - 1.0);
    }
    if chance(random, 0.4) {
        // Below −1 the contact opens within the step.
        inputs.F_N[1] = inputs.F_N[0] * (3.0 * unit(random) - 1.5) / h;
    }
}

/// Rest, anywhere near the contact, or exactly the corners of the law at the velocity of the first step.
fn start(random: &mut Random, parameters: &Parameters, first: &Inputs) -> [f64; 2] {
    let Parameters { sigma_0, sigma_1, mu_s, v_s, v_d, .. } = *parameters;
    let (static_force, v) = (mu_s * first.F_N[0].max(0.0), first.v[0]);
    match unit(random) {
        share if share < 0.4 => [0.0; 2],
        share if share < 0.6 => {
            let z = 1.2 * static_force / sigma_0 * (2.0 * unit(random) - 1.0);
            [z, v + v_d * (2.0 * unit(random) - 1.0) * 1.5]
        }
        share if share < 0.65 => [one_of(random, &[5e-324, -1e-310]), one_of(random, &[1e-320, -2e-308])],
        _ => {
            // |F_0| at F_s, w at v_s, v_d or 0, each exactly or with a tiny difference.
            let hair = one_of(random, &[0.0, 0.0, f64::EPSILON, -f64::EPSILON, 1e-12, -1e-12, 1e-8, -1e-8]);
            let between = 2.0 * unit(random) - 1.0;
            let ratio = one_of(random, &[1.0, -1.0, between]) * (1.0 + hair);
            let shift = v_s * (1.0 - (1.0 - ratio.abs()).max(0.0).sqrt()) * ratio.signum();
            let hair = one_of(random, &[0.0, 0.0, f64::EPSILON, -f64::EPSILON, 1e-12, -1e-12, 1e-8, -1e-8]);
            let w = one_of(random, &[v_s, -v_s, v_d, -v_d, 0.0]) * (1.0 + hair);
            [(ratio * static_force - sigma_1 * v) / sigma_0, v + shift - w]
        }
    }
}
