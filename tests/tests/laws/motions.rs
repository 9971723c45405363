//! Inputs of every element: prescribed motions and random steps.

use bristle_random::Random;
use bristle_reference_laws::workloads::WEIGHT;
use bristle_reference_laws::{Contact, InputPolynomials};
use core::f64::consts::TAU;

/// Contact as a function of time.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    pub name: &'static str,
    pub at: fn(f64) -> Contact,
    pub duration: f64,
}

/// Applied force that exceeds the sliding force of every law in both directions, with a frequency
/// of its own.
fn push(t: f64) -> f64 {
    7.0 * libm::sin(TAU * 13.0 * t + 0.3)
}

fn sine(amplitude: f64, frequency: f64, t: f64) -> Contact {
    let omega = TAU * frequency;
    let [v, a] = [libm::sin(omega * t), omega * libm::cos(omega * t)].map(|x| amplitude * x);
    Contact {
        F_N: WEIGHT,
        v,
        a,
        F_t: push(t),
    }
}

/// Through slip, the Stribeck range and stick.
const SLIDING_SINE: Motion = Motion {
    name: "v = 0.02 sin(2 pi 5 t)",
    at: |t| sine(0.02, 5.0, t),
    duration: 0.5,
};

/// Break-away and back.
const MICRO_SINE: Motion = Motion {
    name: "v = 0.5e-3 sin(2 pi 50 t)",
    at: |t| sine(0.5e-3, 50.0, t),
    duration: 0.25,
};

/// Backwards, through rest, forwards, while the load changes.
const RAMP: Motion = Motion {
    name: "v = 0.2 t - 0.01, F_N changing",
    at: |t| Contact {
        F_N: WEIGHT * (1.0 + 0.5 * libm::sin(TAU * 30.0 * t)),
        v: 0.2 * t - 0.01,
        a: 0.2,
        F_t: push(t),
    },
    duration: 0.1,
};

/// A normal force that falls through 0, stays away for a while and comes back.
const LIFTED: Motion = Motion {
    name: "F_N through 0 and back",
    at: |t| Contact {
        F_N: WEIGHT * (0.6 + libm::cos(TAU * 6.0 * t)),
        ..sine(0.02, 5.0, t)
    },
    duration: 0.5,
};

/// Jumps of the velocity from stick to sliding, through 0, and back to rest.
const JUMPS: Motion = Motion {
    name: "jumps in v",
    at: |t| Contact {
        F_N: WEIGHT,
        v: [0.0, 0.05, -0.05, 1e-4, 0.0, -3e-3, 1.0, 0.0][((t + 1e-9) / 0.01) as usize % 8],
        a: [0.0, 1.0, 1.0, -3.0][((t + 1e-9) / 0.02) as usize % 4],
        F_t: push(t),
    },
    duration: 0.2,
};

/// Complete list.
pub const PRESCRIBED: [Motion; 5] = [SLIDING_SINE, MICRO_SINE, RAMP, LIFTED, JUMPS];

/// Random length of a step, s: long enough that Armstrong's element does not thin out its history,
/// which has 124 samples in a delay.
pub fn duration(random: &mut Random) -> f64 {
    random.magnitude(1e-4, 2e-2)
}

/// Random contact: sometimes open, sometimes at rest, sometimes exactly at a bound.
pub fn contact(random: &mut Random) -> Contact {
    let number = |random: &mut Random, low: f64, high: f64| {
        if random.once_in(6) {
            return 0.0;
        }
        let size = random.magnitude(low, high);
        random.sign(size)
    };
    let load = random.magnitude(0.1, 100.0);
    Contact {
        F_N: if random.once_in(12) { -load } else { load },
        v: number(random, 1e-7, 0.3),
        a: number(random, 1e-3, 100.0),
        F_t: number(random, 1e-2, 100.0),
    }
}

/// A velocity that reverses up to three times within a step of `h` (s), its acceleration, and
/// forces that move along; the contact opens or closes now and then.
pub fn course(random: &mut Random, h: f64) -> InputPolynomials {
    // Up to three roots, apart from each other and from the ends.
    let shift = random.between(-0.08, 0.08);
    let [p, q, r] = [0.2, 0.5, 0.8].map(|root| root + shift + random.between(-0.05, 0.05));
    let speed = random.magnitude(1e-4, 1.0);
    let speed = random.sign(speed);
    // Value and derivatives of the polynomial with these roots, in parts of the step.
    let v = *random.one_of(&[
        [-p * q * r, p * q + q * r + r * p, -2.0 * (p + q + r), 6.0],
        [p * q, -(p + q), 2.0, 0.0],
        [-p, 1.0, 0.0, 0.0],
        [p * r, -(p + r), 2.0, 0.0],
    ]);
    let v: [f64; 4] = core::array::from_fn(|n| speed * v[n] / libm::pow(h, n as f64));
    let line = |random: &mut Random, start: f64, end: f64| {
        let bend = if random.once_in(2) {
            0.0
        } else {
            random.between(-0.5, 0.5) * (end.abs() + start.abs())
        };
        [
            start,
            (end - start) / h - 0.5 * bend / h,
            bend / (h * h),
            0.0,
        ]
    };
    let [mut first, last] = [(); 2].map(|()| random.magnitude(1.0, 20.0));
    if random.once_in(5) {
        first = -first;
    }
    let push = [(); 2].map(|()| random.between(-12.0, 12.0));
    let normal = if random.once_in(3) {
        [first.abs(), 0.0, 0.0, 0.0]
    } else {
        line(random, first, last)
    };
    InputPolynomials {
        F_N: normal,
        v,
        a: [v[1], v[2], v[3], 0.0],
        F_t: line(random, push[0], push[1]),
    }
}
