//! Random sequences of steps for any element: each follows from the seed, the element and its number alone.

use super::laws::MODELS;
use super::values::{Values, value};
use bristle_random::Random;
use bristle_reference_laws::{Derivatives, InputPolynomials};

/// Steps of a sequence.
pub const LENGTH: usize = 20;

/// A step of a master.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Inputs with their derivatives.
    pub inputs: InputPolynomials,
    /// Highest order of the derivatives that the master gives.
    pub order: usize,
    /// Communication step, s.
    pub h: f64,
    /// Factor of the stiffness that is tuned before it.
    pub tuning: Option<f64>,
}

/// The body of an element with `m_eff`.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// `m_eff`, kg.
    pub mass: f64,
    /// 1 serial, 2 parallel.
    pub coupling: i32,
    /// Mass, kg, of the body that F_t pulls and F_R brakes, and whose velocity is the input; otherwise v is
    /// prescribed.
    pub led: Option<f64>,
}

/// A contact driven from rest.
pub struct Sequence {
    pub parameters: Values,
    /// `None` where the importer gives none.
    pub tolerance: Option<f64>,
    pub body: Option<Body>,
    pub steps: Vec<Step>,
}

/// The sequence of this number of the model at this place in [`MODELS`].
pub fn sequence(seed: u64, model: usize, index: u64) -> Sequence {
    let seed = seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ (model as u64).wrapping_mul(0x9fb2_1c65_1e98_df25);
    let mut random = Random::new(seed ^ index.wrapping_mul(0xd134_2543_de82_ef95));
    let random = &mut random;
    let model = &MODELS[model];
    let parameters = if random.below(10) < 3 { Vec::new() } else { (model.draw)(random) };
    let tolerance = random.once_in(5).then(|| random.magnitude(1e-10, 1e-3));
    let base = random.magnitude(1e-2, 1e4);
    let has_body = model.is_coupled && random.once_in(3);
    let body = has_body.then(|| {
        // No load accelerates it by more than 300 m/s² or less than 0.1 m/s².
        let mass = base * random.magnitude(0.01, 10.0);
        let led = random.once_in(2).then(|| mass * random.one_of(&[1.0, 1.0, 0.5, 2.0]));
        Body { mass, coupling: *random.one_of(&[1, 2]), led }
    });
    let mut v = random.magnitude(1e-8, 10.0);
    let mut h = random.magnitude(1e-6, 0.1);
    // Armstrong's element joins past velocities that are at least a 124th of its delay apart; the reference joins all.
    let delay = if model.element == "Armstrong" { value(&parameters, "tau").unwrap_or(0.005) } else { 0.0 };
    let shortest = delay / 120.0;
    let steps = (0..LENGTH).map(|_| {
        v = velocity(random, v);
        if random.once_in(5) {
            h = random.magnitude(1e-6, 0.1);
        }
        step(random, v, base, h.max(shortest), model.stiffness.is_some())
    });
    let steps = steps.collect();
    Sequence { parameters, tolerance, body, steps }
}

/// Jumps, reversals, rest, almost rest, and often the velocity before.
pub fn velocity(random: &mut Random, v: f64) -> f64 {
    match random.below(100) {
        0..25 => {
            let speed = random.magnitude(1e-8, 10.0);
            random.sign(speed)
        }
        25..40 => -v * random.between(0.0, 1.0),
        40..50 => 0.0,
        50..53 => {
            let speed = random.magnitude(1e-16, 1e-9);
            random.sign(speed)
        }
        53 => *random.one_of(&[5e-324, -1e-310, 2e-308]),
        _ => v,
    }
}

/// Opening, light and pressed contacts.
pub fn normal_force(random: &mut Random, base: f64) -> f64 {
    match random.below(100) {
        0..4 => 0.0,
        4..6 => -base * random.between(0.0, 1.0),
        6 => *random.one_of(&[5e-324, 1e-310, 2e-308]),
        7..13 => random.magnitude(1e-15, 1e-3),
        13..22 => base * random.magnitude(1e-3, 1.0),
        _ => base,
    }
}

fn step(random: &mut Random, v: f64, base: f64, h: f64, tunable: bool) -> Step {
    let mut inputs = InputPolynomials {
        F_N: [normal_force(random, base), 0.0, 0.0, 0.0],
        v: [v, 0.0, 0.0, 0.0],
        a: [0.0; 4],
        F_t: [base * random.between(-1.5, 1.5), 0.0, 0.0, 0.0],
    };
    let order = if random.below(10) < 4 { 1 + random.below(3) } else { 0 };
    if order > 0 {
        inputs.v = moving_velocity(random, v, h);
        if random.below(10) < 5 {
            inputs.F_N = moving_force(random, inputs.F_N[0], base, h);
        }
        if random.once_in(2) {
            inputs.F_t[1] = base * random.between(-3.0, 3.0) / h;
        }
    }
    inputs.a = match random.below(10) {
        0 | 1 => {
            let a = random.magnitude(1e-3, 1e2);
            [random.sign(a), 0.0, 0.0, 0.0]
        }
        _ => [inputs.v[1], inputs.v[2], inputs.v[3], 0.0],
    };
    let cut = |mut powers: Derivatives| {
        powers[order + 1..].fill(0.0);
        powers
    };
    let InputPolynomials { F_N: normal_force, v, a, F_t: applied } = inputs;
    let inputs = InputPolynomials { F_N: cut(normal_force), v: cut(v), a: cut(a), F_t: cut(applied) };
    let tuning = (tunable && random.once_in(10)).then(|| random.magnitude(0.1, 10.0));
    Step { inputs, order, h, tuning }
}

/// A ramp over decades or through rest, a parabola that reverses twice, or a cubic.
pub fn moving_velocity(random: &mut Random, v: f64, h: f64) -> Derivatives {
    match random.below(10) {
        0..3 => {
            let change = random.magnitude(1e-8, 10.0);
            [v, random.sign(change) / h, 0.0, 0.0]
        }
        3..5 => [v, -2.0 * v * random.between(0.0, 1.0) / h, 0.0, 0.0],
        5..8 => {
            let size = random.magnitude(1e-8, 10.0);
            twice(random, size, h)
        }
        _ => {
            let change = random.magnitude(1e-8, 10.0);
            let slope = random.sign(change) / h;
            let [b, c] = [(); 2].map(|()| random.between(-1.0, 1.0));
            [v, slope, 4.0 * b * slope / h, 12.0 * c * slope / (h * h)]
        }
    }
}

/// A ramp that may open the contact, one that closes it, or a parabola that opens and closes it within the step.
pub fn moving_force(random: &mut Random, force: f64, base: f64, h: f64) -> Derivatives {
    match random.below(10) {
        0..4 => [force, force * random.between(-1.5, 1.5) / h, 0.0, 0.0],
        4..6 => [force, -force / h, 0.0, 0.0],
        6..8 => [force, base * random.magnitude(1e-6, 1.0) / h, 0.0, 0.0],
        _ => twice(random, base, h),
    }
}

/// A parabola of values up to `size` with two zeros within the step.
fn twice(random: &mut Random, size: f64, h: f64) -> Derivatives {
    let [a, b] = [(); 2].map(|()| random.between(0.0, 1.0));
    let c = random.sign(4.0 * size);
    [c * a * b, -c * (a + b) / h, 2.0 * c / (h * h), 0.0]
}
