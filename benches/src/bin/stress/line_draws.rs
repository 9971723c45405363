//! Random sequences of steps for any element: each follows from the seed, the element and its
//! number alone.

use crate::frdyn2;
use crate::laws::MODELS;
use crate::values::{Values, value};
use bristle::domain::{LIGHT_FORCE, MAX_SPEED, NOMINAL_FORCE, OPEN_FORCE, REST_SPEED, STEPS};
use bristle_random::Random;
use bristle_reference_laws::frdyn2::{PAPER, Parameters};
use bristle_reference_laws::{Derivatives, InputPolynomials, zeros};
use std::ops::RangeInclusive;

/// Steps of a sequence.
pub const LENGTH: usize = 20;
/// Time constants of an unstable bristle in its longest step.
const LONGEST_UNSTABLE: f64 = 1e4;
/// Least and largest ordinary normal force, N.
const LEAST_FORCE: f64 = 1e-6 * NOMINAL_FORCE;
pub const LARGEST_FORCE: f64 = 1e6 * NOMINAL_FORCE;
/// Communication steps that most references can afford, s.
const AFFORDABLE: RangeInclusive<f64> = 1e-6..=0.1;

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
#[derive(Clone, Copy)]
pub struct Body {
    /// `m_eff`, kg.
    pub mass: f64,
    /// 1 serial, 2 parallel.
    pub coupling: i32,
    /// Mass, kg, of the body that F_t pulls and F_R brakes, and whose velocity is the input.
    pub led: f64,
}

/// A contact driven from rest.
pub struct Sequence {
    pub parameters: Values,
    /// `None` where the importer gives none.
    pub tolerance: Option<f64>,
    pub body: Option<Body>,
    /// Start values of the states.
    pub start: Values,
    pub steps: Vec<Step>,
}

/// The sequence of this number of the model at this place in [`MODELS`].
pub fn sequence(seed: u64, model: usize, index: u64) -> Sequence {
    let seed = seed.wrapping_mul(0x2545_f491_4f6c_dd1d)
        ^ (model as u64).wrapping_mul(0x9fb2_1c65_1e98_df25);
    let mut random = Random::new(seed ^ index.wrapping_mul(0xd134_2543_de82_ef95));
    let random = &mut random;
    let model = &MODELS[model];
    let mut parameters = if random.below(10) < 3 {
        Vec::new()
    } else {
        (model.draw)(random)
    };
    let tolerance = random.once_in(5).then(|| random.magnitude(1e-10, 1e-3));
    let base = contact_force(random);
    let has_body = model.is_coupled && random.once_in(3);
    let body = has_body.then(|| {
        // No load accelerates it by more than 300 m/s² or less than 0.1 m/s².
        let mass = base * random.magnitude(0.01, 10.0);
        Body {
            mass,
            coupling: *random.one_of(&[1, 2]),
            led: mass * random.one_of(&[1.0, 1.0, 0.5, 2.0]),
        }
    });
    let mut v = speed(random);
    let mut h = duration(random);
    // Armstrong's element joins past velocities that are at least a 124th of its delay apart; the
    // reference joins all.
    let delay = if model.element == "Armstrong" {
        value(&parameters, "tau").unwrap_or(0.005)
    } else {
        0.0
    };
    let shortest = STEPS.start().max(delay / 120.0);
    let is_wide = model.element == "FrDyn2" && body.is_none();
    if is_wide && !parameters.is_empty() {
        parameters = wide_parameters(random);
    }
    let bristle = frdyn2::parameters(&parameters);
    let steps = (0..LENGTH).map(|_| {
        v = velocity(random, v);
        if random.once_in(5) {
            h = duration(random);
        }
        // The oscillation of an unstable bristle must be followed through all of the step.
        let longest = if is_wide && !is_stable(&bristle, base) {
            LONGEST_UNSTABLE / rate(&bristle, base)
        } else {
            f64::INFINITY
        };
        step(
            random,
            v,
            base,
            h.min(longest).max(shortest),
            model.stiffness.is_some(),
        )
    });
    let steps: Vec<Step> = steps.collect();
    let start = if is_wide {
        corner(random, &bristle, &steps[0].inputs)
    } else {
        Vec::new()
    };
    Sequence {
        parameters,
        tolerance,
        body,
        start,
        steps,
    }
}

/// Parameters of FrDyn2 over decades around those of the paper.
fn wide_parameters(random: &mut Random) -> Values {
    let (v_s, mu_s) = (random.magnitude(1e-5, 1e-1), random.magnitude(0.05, 2.0));
    let share = random.between(0.0, 1.0);
    vec![
        ("sigma_0", PAPER.sigma_0 * random.magnitude(1e-3, 1e3)),
        ("sigma_1", PAPER.sigma_1 * random.magnitude(1e-2, 1e2)),
        ("mu_s", mu_s),
        ("v_s", v_s),
        (
            "mu_d",
            mu_s * random.one_of(&[share, share, share, share, 0.0, 1.0]),
        ),
        ("v_d", v_s * (1.0 + random.magnitude(1e-2, 1e2))),
    ]
}

/// The bristle is stable on the falling branch, by the condition in the documentation of the
/// element.
fn is_stable(bristle: &Parameters, normal_force: f64) -> bool {
    let Parameters {
        sigma_1,
        mu_s,
        v_s,
        mu_d,
        v_d,
        ..
    } = *bristle;
    1.5 * (mu_s - mu_d) * normal_force <= sigma_1 * (v_d - v_s)
}

/// The fastest rate of a bristle, 1/s.
fn rate(bristle: &Parameters, normal_force: f64) -> f64 {
    let Parameters {
        sigma_0,
        sigma_1,
        mu_s,
        v_s,
        ..
    } = *bristle;
    (sigma_1 + 2.0 * mu_s * normal_force / v_s) * 4.0 * sigma_0 / (sigma_1 * sigma_1)
}

/// Start values of FrDyn2: rest, or a corner of the law at the velocity of the first step, |F_0| at
/// F_s and w at v_s, v_d or 0, exactly or with a tiny difference.
fn corner(random: &mut Random, bristle: &Parameters, first: &InputPolynomials) -> Values {
    let Parameters {
        sigma_0,
        sigma_1,
        mu_s,
        v_s,
        v_d,
        ..
    } = *bristle;
    let (static_force, v) = (mu_s * first.F_N[0].max(0.0), first.v[0]);
    if random.below(10) < 4 {
        return Vec::new();
    }
    let mut near = |x: f64| {
        x * (1.0
            + random.one_of(&[
                0.0,
                0.0,
                f64::EPSILON,
                -f64::EPSILON,
                1e-12,
                -1e-12,
                1e-8,
                -1e-8,
            ]))
    };
    let [one, speed_s, speed_d] = [1.0, v_s, v_d].map(&mut near);
    let between = random.between(-1.2, 1.2);
    let ratio: f64 = *random.one_of(&[one, -one, between]);
    let w = *random.one_of(&[speed_s, -speed_s, speed_d, -speed_d, 0.0]);
    let shift = v_s * (1.0 - (1.0 - ratio.abs()).max(0.0).sqrt()) * ratio.signum();
    vec![
        ("z", (ratio * static_force - sigma_1 * v) / sigma_0),
        ("z_dot", v + shift - w),
    ]
}

/// Speed of the domain other than rest, m/s.
pub fn speed(random: &mut Random) -> f64 {
    random.magnitude(REST_SPEED, MAX_SPEED)
}

/// Ordinary normal force of a closed contact, N.
pub fn contact_force(random: &mut Random) -> f64 {
    random.magnitude(LEAST_FORCE, LARGEST_FORCE)
}

/// Communication step, s: one in five from all of the domain, the others affordable for most
/// references.
pub fn duration(random: &mut Random) -> f64 {
    let steps = if random.once_in(5) { STEPS } else { AFFORDABLE };
    random.magnitude(*steps.start(), *steps.end())
}

/// Jumps, reversals, rest, and often the velocity before.
pub fn velocity(random: &mut Random, v: f64) -> f64 {
    match random.below(100) {
        0..25 => {
            let speed = speed(random);
            random.sign(speed)
        }
        25..40 => {
            let v = -v * random.between(0.0, 1.0);
            if v.abs() < REST_SPEED { 0.0 } else { v }
        }
        40..50 => 0.0,
        _ => v,
    }
}

/// Open, light and pressed contacts.
pub fn normal_force(random: &mut Random, base: f64) -> f64 {
    match random.below(100) {
        0..6 => 0.0,
        6 => random.magnitude(OPEN_FORCE, LEAST_FORCE),
        7..13 => random.magnitude(LEAST_FORCE, LIGHT_FORCE),
        13..22 => (base * random.magnitude(1e-3, 1.0)).max(LEAST_FORCE),
        _ => base,
    }
}

/// A polynomial of the domain: without its cubic term where it changes its sign three times, and
/// scaled to values up to `most`.
pub fn within(mut powers: Derivatives, h: f64, most: f64) -> Derivatives {
    let value = |[x, x1, x2, x3]: Derivatives, t: f64| x + t * (x1 + t * (x2 / 2.0 + t * x3 / 6.0));
    let even: Vec<f64> = (0..=64).map(|i| h * f64::from(i) / 64.0).collect();
    let signs = even
        .windows(2)
        .filter(|pair| value(powers, pair[0]) * value(powers, pair[1]) < 0.0);
    if signs.count() > 2 {
        powers[3] = 0.0;
    }
    let times = even.into_iter().chain(zeros(powers, h));
    let largest = times.fold(0.0, |largest: f64, t| value(powers, t).abs().max(largest));
    powers.map(|power| power * (most / largest.max(most)))
}

fn step(random: &mut Random, v: f64, base: f64, h: f64, tunable: bool) -> Step {
    let mut inputs = InputPolynomials {
        F_N: [normal_force(random, base), 0.0, 0.0, 0.0],
        v: [v, 0.0, 0.0, 0.0],
        a: [0.0; 4],
        F_t: [base * random.between(-1.5, 1.5), 0.0, 0.0, 0.0],
    };
    let order = if random.below(10) < 4 {
        1 + random.below(3)
    } else {
        0
    };
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
    let InputPolynomials {
        F_N: normal_force,
        v,
        a,
        F_t: applied,
    } = inputs;
    // Without its higher orders a polynomial may leave the domain.
    let inputs = InputPolynomials {
        F_N: within(cut(normal_force), h, LARGEST_FORCE),
        v: within(cut(v), h, MAX_SPEED),
        a: cut(a),
        F_t: cut(applied),
    };
    let tuning = (tunable && random.once_in(10)).then(|| random.magnitude(0.1, 10.0));
    Step {
        inputs,
        order,
        h,
        tuning,
    }
}

/// A ramp over decades or through rest, a parabola that reverses twice, or a cubic.
pub fn moving_velocity(random: &mut Random, v: f64, h: f64) -> Derivatives {
    let change = speed(random);
    let slope = random.sign(change) / h;
    let powers = match random.below(10) {
        0..3 => [v, slope, 0.0, 0.0],
        3..5 => [v, -2.0 * v * random.between(0.0, 1.0) / h, 0.0, 0.0],
        5..8 => twice(random, change, h),
        _ => {
            let [b, c] = [(); 2].map(|()| random.between(-1.0, 1.0));
            [v, slope, 4.0 * b * slope / h, 12.0 * c * slope / (h * h)]
        }
    };
    within(powers, h, MAX_SPEED)
}

/// A ramp that may open the contact, one that closes it, or a parabola that opens and closes it
/// within the step.
pub fn moving_force(random: &mut Random, force: f64, base: f64, h: f64) -> Derivatives {
    let powers = match random.below(10) {
        0..4 => [force, force * random.between(-1.5, 1.5) / h, 0.0, 0.0],
        4..6 => [force, -force / h, 0.0, 0.0],
        6..8 => [force, base * random.magnitude(1e-6, 1.0) / h, 0.0, 0.0],
        _ => twice(random, base, h),
    };
    within(powers, h, LARGEST_FORCE)
}

/// A parabola of values up to `size` with two zeros within the step.
fn twice(random: &mut Random, size: f64, h: f64) -> Derivatives {
    let [a, b] = [(); 2].map(|()| random.between(0.0, 1.0));
    let c = random.sign(4.0 * size);
    [c * a * b, -c * (a + b) / h, 2.0 * c / (h * h), 0.0]
}
