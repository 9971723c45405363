//! Random sequences of steps in the plane: each follows from the seed, the law and its number
//! alone.

use crate::laws::MODELS;
use crate::line_draws::{
    LARGEST_FORCE, LENGTH, contact_force, duration, moving_force, moving_velocity, normal_force,
    speed, velocity, within,
};
use crate::values::Values;
use bristle::domain::MAX_SPEED;
use bristle_random::Random;
use bristle_reference_laws::planar::PlanarInputs;
use core::f64::consts::{SQRT_2, TAU};

/// A step of a master.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Inputs with their derivatives.
    pub inputs: PlanarInputs,
    /// Highest order of the derivatives that the master gives.
    pub order: usize,
    /// Communication step, s.
    pub h: f64,
}

/// A contact driven from rest.
pub struct Sequence {
    pub parameters: Values,
    /// `None` where the importer gives none.
    pub tolerance: Option<f64>,
    pub steps: Vec<Step>,
}

/// The sequence of this number of the law at this place in [`MODELS`].
pub fn sequence(seed: u64, model: usize, index: u64) -> Sequence {
    let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (model as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    let mut random = Random::new(seed ^ index.wrapping_mul(0x1656_67b1_9e37_79f9));
    let random = &mut random;
    let mut parameters = if random.below(10) < 3 {
        Vec::new()
    } else {
        (MODELS[model].draw)(random)
    };
    // Dahl has no exponent in the plane.
    parameters.retain(|(name, _)| *name != "alpha");
    let tolerance = random.once_in(5).then(|| random.magnitude(1e-10, 1e-3));
    let base = contact_force(random);
    let mut v = turned([speed(random), 0.0], random.between(0.0, TAU));
    let mut h = duration(random);
    let steps = (0..LENGTH).map(|_| {
        v = next_velocity(random, v);
        if random.once_in(5) {
            h = duration(random);
        }
        step(random, v, base, h)
    });
    let steps = steps.collect();
    Sequence {
        parameters,
        tolerance,
        steps,
    }
}

/// A vector turned by an angle.
fn turned([x, y]: [f64; 2], angle: f64) -> [f64; 2] {
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    [cos * x - sin * y, sin * x + cos * y]
}

/// The next velocity along the line of the last one, along an axis, in any direction, or turned;
/// and often the last one.
fn next_velocity(random: &mut Random, v: [f64; 2]) -> [f64; 2] {
    let speed = libm::hypot(v[0], v[1]);
    match random.below(10) {
        0..3 => {
            let speed = velocity(random, speed);
            turned([speed, 0.0], random.between(0.0, TAU))
        }
        3 => [velocity(random, speed), 0.0],
        4 => [0.0, velocity(random, speed)],
        5 => turned(v, random.between(0.0, TAU)),
        6 => {
            let factor = random.between(-1.0, 1.0);
            v.map(|part| factor * part)
        }
        _ => v,
    }
}

fn step(random: &mut Random, v: [f64; 2], base: f64, h: f64) -> Step {
    let force = normal_force(random, base);
    let held = |x: f64| [x, 0.0, 0.0, 0.0];
    let mut inputs = PlanarInputs {
        F_N: held(force),
        v: v.map(held),
    };
    let order = if random.below(10) < 5 {
        1 + random.below(3)
    } else {
        0
    };
    if order > 0 {
        inputs.v = match random.below(10) {
            // Each component by itself.
            0..4 => v.map(|part| moving_velocity(random, part, h)),
            // A turn at constant speed, up to half a circle.
            4..7 => {
                let rate = random.magnitude(1e-3, 3.0) / h;
                let rate = random.sign(rate);
                let [x, y] = v;
                let squared = rate * rate;
                [
                    [x, -rate * y, -squared * x, squared * rate * y],
                    [y, rate * x, -squared * y, -squared * rate * x],
                ]
            }
            // Along one line, through rest as well.
            7..9 => {
                let speed = libm::hypot(v[0], v[1]);
                let along = moving_velocity(random, speed, h);
                let [x, y] = if speed > 0.0 {
                    v.map(|part| part / speed)
                } else {
                    [1.0, 0.0]
                };
                [along.map(|power| x * power), along.map(|power| y * power)]
            }
            _ => v.map(held),
        };
        if random.once_in(2) {
            inputs.F_N = moving_force(random, force, base, h);
        }
    }
    let cut = |powers: &mut [f64; 4]| powers[order + 1..].fill(0.0);
    cut(&mut inputs.F_N);
    inputs.v.iter_mut().for_each(cut);
    inputs.F_N = within(inputs.F_N, h, LARGEST_FORCE);
    inputs.v = inputs.v.map(|powers| within(powers, h, MAX_SPEED / SQRT_2));
    Step { inputs, order, h }
}
