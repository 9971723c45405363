//! Random sequences of steps: each follows from the seed and its number alone, so that any of them can be repeated.

use bristle_benches::inputs::Inputs;
use bristle_tests::reference::{PAPER, Parameters};

/// Steps of a sequence.
pub const LENGTH: usize = 20;
/// Time constants of an unstable bristle in its longest step …
const LONGEST_UNSTABLE: f64 = 1e4;
/// … but for this share of the steps.
const LONG_THOUGH_UNSTABLE: f64 = 0.002;

/// A contact driven from its start values.
pub struct Sequence {
    pub parameters: Parameters,
    /// `None` where the importer asks for none.
    pub tolerance: Option<f64>,
    /// z in m, ż in m/s.
    pub start: [f64; 2],
    /// Inputs and communication steps (s).
    pub steps: Vec<(Inputs, f64)>,
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0 … 1.
    fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn chance(&mut self, share: f64) -> bool {
        self.share() < share
    }

    /// Evenly over the decades between two positive numbers.
    fn decades(&mut self, low: f64, high: f64) -> f64 {
        low * libm::pow(high / low, self.share())
    }

    fn sign(&mut self) -> f64 {
        if self.chance(0.5) { -1.0 } else { 1.0 }
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[(self.bits() % choices.len() as u64) as usize]
    }
}

/// Whether the model's bristle is stable on the falling branch, as the documentation of the element says it.
pub fn stable(parameters: &Parameters, normal_force: f64) -> bool {
    let Parameters { sigma_1, mu_s, v_s, mu_d, v_d, .. } = *parameters;
    1.5 * (mu_s - mu_d) * normal_force <= sigma_1 * (v_d - v_s)
}

/// The sequence of this number.
pub fn sequence(seed: u64, index: u64) -> Sequence {
    let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ index.wrapping_mul(0xd134_2543_de82_ef95));
    let parameters = if random.chance(0.3) { PAPER } else { parameters(&mut random) };
    let tolerance = random.chance(0.2).then(|| random.decades(1e-10, 1e-3));
    let base = random.decades(1e-2, 1e5);
    let mut v = random.decades(1e-8, 1e2) * random.sign();
    let mut h = random.decades(1e-6, 1.0);
    let mut steps = Vec::with_capacity(LENGTH);
    for _ in 0..LENGTH {
        v = velocity(&mut random, v);
        let normal_force = match random.share() {
            share if share < 0.03 => 0.0,
            share if share < 0.05 => -base * random.share(),
            share if share < 0.06 => random.one_of(&[5e-324, 1e-310, 2e-308]),
            share if share < 0.15 => base * random.decades(1e-3, 1.0),
            _ => base,
        };
        if random.chance(0.2) {
            h = random.decades(1e-6, 1.0);
        }
        let mut inputs = Inputs { F_N: [normal_force, 0.0, 0.0, 0.0], v: [v, 0.0, 0.0, 0.0] };
        // The oscillation of an unstable bristle must be followed through all of the step: few of those may be long.
        let rate = (parameters.sigma_1 + 2.0 * parameters.mu_s * base / parameters.v_s) * 4.0 * parameters.sigma_0
            / (parameters.sigma_1 * parameters.sigma_1);
        let long = stable(&parameters, base) || random.chance(LONG_THOUGH_UNSTABLE);
        let h = if long { h } else { h.min(LONGEST_UNSTABLE / rate) };
        if random.chance(0.25) {
            slopes(&mut random, &mut inputs, h);
        }
        steps.push((inputs, h));
    }
    let start = start(&mut random, &parameters, &steps[0].0);
    Sequence { parameters, tolerance, start, steps }
}

fn parameters(random: &mut Random) -> Parameters {
    let v_s = random.decades(1e-5, 1e-1);
    let mu_s = random.decades(0.05, 2.0);
    let share = random.share();
    Parameters {
        sigma_0: PAPER.sigma_0 * random.decades(1e-3, 1e3),
        sigma_1: PAPER.sigma_1 * random.decades(1e-2, 1e2),
        mu_s,
        v_s,
        mu_d: mu_s * random.one_of(&[share, share, share, share, 0.0, 1.0]),
        v_d: v_s * (1.0 + random.decades(1e-2, 1e2)),
    }
}

/// Jumps, reversals, rest, numbers below the normal ones, and often what was before.
fn velocity(random: &mut Random, v: f64) -> f64 {
    match random.share() {
        share if share < 0.3 => random.decades(1e-8, 1e2) * random.sign(),
        share if share < 0.45 => -v * random.share(),
        share if share < 0.55 => 0.0,
        share if share < 0.57 => random.one_of(&[5e-324, -1e-310, 2e-308]),
        _ => v,
    }
}

/// Ramps and curves that change an input by up to ten times itself, or by decades of velocity, within the step.
fn slopes(random: &mut Random, inputs: &mut Inputs, h: f64) {
    let change = random.decades(1e-8, 1e2) * random.sign();
    let back = -2.0 * inputs.v[0] * random.share();
    inputs.v[1] = random.one_of(&[change, back]) / h;
    if random.chance(0.3) {
        inputs.v[2] = 2.0 * inputs.v[1] / h * (2.0 * random.share() - 1.0);
    }
    if random.chance(0.15) {
        inputs.v[3] = 6.0 * inputs.v[1] / h / h * (2.0 * random.share() - 1.0);
    }
    if random.chance(0.4) {
        // Below −1 the contact opens within the step.
        inputs.F_N[1] = inputs.F_N[0] * (3.0 * random.share() - 1.5) / h;
    }
}

/// Rest, anywhere near the contact, or exactly the corners of the law at the velocity of the first step.
fn start(random: &mut Random, parameters: &Parameters, first: &Inputs) -> [f64; 2] {
    let Parameters { sigma_0, sigma_1, mu_s, v_s, v_d, .. } = *parameters;
    let (static_force, v) = (mu_s * first.F_N[0].max(0.0), first.v[0]);
    match random.share() {
        share if share < 0.4 => [0.0; 2],
        share if share < 0.6 => {
            let z = 1.2 * static_force / sigma_0 * (2.0 * random.share() - 1.0);
            [z, v + v_d * (2.0 * random.share() - 1.0) * 1.5]
        }
        share if share < 0.65 => [random.one_of(&[5e-324, -1e-310]), random.one_of(&[1e-320, -2e-308])],
        _ => {
            // |F_0| at F_s, w at v_s, v_d or 0, each exactly or a hair beside.
            let hair = random.one_of(&[0.0, 0.0, f64::EPSILON, -f64::EPSILON, 1e-12, -1e-12, 1e-8, -1e-8]);
            let between = 2.0 * random.share() - 1.0;
            let ratio = random.one_of(&[1.0, -1.0, between]) * (1.0 + hair);
            let shift = v_s * (1.0 - (1.0 - ratio.abs()).max(0.0).sqrt()) * ratio.signum();
            let hair = random.one_of(&[0.0, 0.0, f64::EPSILON, -f64::EPSILON, 1e-12, -1e-12, 1e-8, -1e-8]);
            let w = random.one_of(&[v_s, -v_s, v_d, -v_d, 0.0]) * (1.0 + hair);
            [(ratio * static_force - sigma_1 * v) / sigma_0, v + shift - w]
        }
    }
}
